"""Tools for trying out approvals and work that a client does: nothing here reaches a bank, a weather service or a radio.

- `payment`: `process_payment`, money from a chat's make-believe wallet in one of the `currencies`.
- `client_tools`: `get_location`, which a client answers; `change_bgm`, which a client plays.
- `weather`: `get_weather`, from a small table of cities.
"""

from smoldesk.tools.demo.client_tools import ChangeBgm, GetLocation
from smoldesk.tools.demo.payment import ProcessPayment, Wallet
from smoldesk.tools.demo.weather import GetWeather
from smoldesk.tools.policy import DeskTool


def demo_tools(wallet: Wallet | None) -> list[DeskTool]:
    """Return the four demo tools; without a wallet, a payment is refused."""
    return [ProcessPayment(wallet), GetLocation(), ChangeBgm(), GetWeather()]
