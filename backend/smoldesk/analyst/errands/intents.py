"""What a request wants done for the person, as data. Pure."""

from dataclasses import dataclass

from smoldesk.analyst.building.intents import ToolCall


@dataclass(frozen=True)
class Errands:
    """Things to do for the person, in the order of the request; each is one call of a tool."""

    errands: tuple[ToolCall, ...]
