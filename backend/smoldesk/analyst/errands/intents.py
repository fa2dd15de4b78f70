"""Intents that are errands, as data."""

from dataclasses import dataclass

from smoldesk.analyst.building.intents import ToolCall


@dataclass(frozen=True)
class Errands:
    """Errands in the order of the request; each is one tool call."""

    errands: tuple[ToolCall, ...]
