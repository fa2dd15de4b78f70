"""Intents that concern the building, as data: a drawing on the map, or a question about routes and rooms."""

from dataclasses import dataclass
from typing import Literal

Scalar = str | int | float | bool | dict[str, float]


@dataclass(frozen=True)
class ToolCall:
    """Call of a tool with keyword arguments."""

    tool: str
    arguments: tuple[tuple[str, Scalar], ...] = ()


@dataclass(frozen=True)
class At:
    """Place on a floor: a room by name, or a point in the floor's virtual coordinates."""

    room: str = ""
    x: float = 0.0
    y: float = 0.0

    def to_text(self) -> str:
        """Format the place as the map tools expect it."""
        return self.room or f"{self.x:.10g},{self.y:.10g}"


@dataclass(frozen=True)
class MapUpdate:
    """One drawing on the map. Colours are `#RRGGBB`, or empty for the default."""

    floor: str = ""
    highlights: tuple[tuple[str, str], ...] = ()
    arrows: tuple[tuple[str, At], ...] = ()
    icons: tuple[tuple[str, At], ...] = ()
    texts: tuple[tuple[str, At], ...] = ()
    clear: Literal["", "map", "arrows"] = ""
    text_colour: str = ""
    random_points: int = 0
    random_icon: str = ""
    # Kind of the highlighted rooms, or "rooms" for all: another floor may follow.
    kind: str = ""
    # Room that the only arrow points to.
    towards: str = ""
    # Numbers that the request gives to rooms, for their colours.
    values: tuple[tuple[str, float], ...] = ()
    # Names of the request that no room has.
    missing: tuple[str, ...] = ()
    # Seed of the random points, so that the same code draws them again.
    seed: int = 1


@dataclass(frozen=True)
class BuildingQuestion(ToolCall):
    """Question about the building, as the call of the tool that answers it; names are spelled as in the request."""

    # Calls before it: changes of closures, and the same call with which its result is compared.
    first: tuple[ToolCall, ...] = ()
    # Words of the request that the answer leaves out, and names.
    unread: tuple[str, ...] = ()


@dataclass(frozen=True)
class Sketch:
    """Plot of a mathematical function; `plot` is the kind of plot for random data."""

    what: Literal["sine", "cosine", "both", "random"]
    plot: str = ""
    seed: int = 1
