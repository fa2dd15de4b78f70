"""What a request wants done for the person, as data. Pure."""

from dataclasses import dataclass

from smoldesk.analyst.building.intents import Scalar, ToolCall


@dataclass(frozen=True)
class Errands:
    """Things to do for the person, in the order of the request; each is one call of a tool."""

    errands: tuple[ToolCall, ...]


def payment(recipient: str, amount: float, currency: str, description: str = "") -> ToolCall:
    """Money for somebody; the recipient is written as in the request, the currency is a code."""
    plain = int(amount) if amount.is_integer() else amount
    arguments: list[tuple[str, Scalar]] = [
        ("recipient", recipient),
        ("amount", plain),
        ("currency", currency),
    ]
    return ToolCall("process_payment", (*arguments, *([("description", description)] if description else [])))


def whereabouts() -> ToolCall:
    """Where the person is."""
    return ToolCall("get_location")


def music(track: int) -> ToolCall:
    """The track the BGM changes to; 0 is silence."""
    return ToolCall("change_bgm", (("track", track),))


def weather(location: str) -> ToolCall:
    """The weather of a place, as the request writes it."""
    return ToolCall("get_weather", (("location", location),))


def asking(agent: str, message: str) -> ToolCall:
    """What another agent is asked, as the request writes it."""
    return ToolCall("ask_agent", (("name", agent), ("message", message)))
