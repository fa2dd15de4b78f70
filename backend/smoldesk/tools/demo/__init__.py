"""Tools for trying out approvals and work that a client does: nothing here reaches a bank, a weather service or a radio.

- `payment`: `process_payment`, money from a chat's make-believe wallet in one of the `currencies`.
- `location`: `get_location`, which a client answers.
- `bgm`: `change_bgm`, which a client plays.
- `weather`: `get_weather`, from a small table of cities.
"""

from smoldesk.tools.demo.bgm import ChangeBgm
from smoldesk.tools.demo.location import GetLocation
from smoldesk.tools.demo.payment import ProcessPayment, Wallet
from smoldesk.tools.demo.weather import GetWeather
from smoldesk.tools.policy import DeskTool


def demo_tools(wallet: Wallet | None) -> list[DeskTool]:
    """The four of them; without a wallet, a payment is refused."""
    return [ProcessPayment(wallet), GetLocation(), ChangeBgm(), GetWeather()]
