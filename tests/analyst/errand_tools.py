"""Stand-ins for the four demo tools: what they were called with, and a no or an error where a test wants one."""

from typing import Any, ClassVar, Literal

from smoldesk.tools.policy import DeskTool

Calls = list[tuple[str, dict[str, Any]]]


class Errand(DeskTool):
    """Remembers its calls; `faults` holds what to raise, by the first argument of the call."""

    output_type = "object"
    skip_forward_signature_validation = True

    def __init__(self, ran: Calls, faults: dict[str, Exception] | None = None) -> None:
        super().__init__()
        self._ran = ran
        self._faults = faults or {}

    def forward(self, **arguments: Any) -> dict[str, Any]:
        self._ran.append((self.name, arguments))
        if fault := self._faults.get(str(next(iter(arguments.values()), ""))):
            raise fault
        return self.result(**arguments)

    def result(self, **arguments: Any) -> dict[str, Any]:
        raise NotImplementedError


class ProcessPayment(Errand):
    """Takes whatever it is told from a wallet of 1000."""

    name = "process_payment"
    description = "Pays somebody."
    approval: ClassVar[Literal["never", "once", "always"]] = "always"
    inputs: ClassVar = {
        "recipient": {"type": "string", "description": "whom"},
        "amount": {"type": "number", "description": "how much"},
        "currency": {"type": "string", "description": "code"},
        "description": {"type": "string", "description": "what for", "nullable": True},
    }

    def result(self, **arguments: Any) -> dict[str, Any]:
        payments = [more["amount"] for name, more in self._ran if name == self.name]
        return {
            "success": True,
            "transaction_id": f"tx-{len(payments)}",
            "wallet_balance": 1000 - sum(payments),
            "timestamp": "2026-01-02T03:04:05Z",
            **{key: arguments[key] for key in ("amount", "currency", "recipient")},
        }


class GetLocation(Errand):
    name = "get_location"
    description = "Where the person is."
    inputs: ClassVar = {}

    def result(self, **arguments: Any) -> dict[str, Any]:
        return {"latitude": 35.6812, "longitude": 139.7671, "accuracy": 25.0}


class ChangeBgm(Errand):
    name = "change_bgm"
    description = "Changes the music."
    inputs: ClassVar = {"track": {"type": "integer", "description": "its number"}}

    def result(self, **arguments: Any) -> dict[str, Any]:
        return {"success": True, "track": arguments["track"], "message": "changed"}


class GetWeather(Errand):
    name = "get_weather"
    description = "The weather of a city."
    inputs: ClassVar = {"location": {"type": "string", "description": "the city"}}

    def result(self, **arguments: Any) -> dict[str, Any]:
        return {
            "location": arguments["location"],
            "temperature": 18.5,
            "condition": "Clouds",
            "description": "few clouds",
            "humidity": 61,
            "feels_like": 17.0,
            "wind_speed": 3.4,
            "cached": True,
        }


def errand_tools(ran: Calls, faults: dict[str, Exception] | None = None) -> list[DeskTool]:
    """One of each kind, writing to one list."""
    return [kind(ran, faults) for kind in (ProcessPayment, GetLocation, ChangeBgm, GetWeather)]
