"""What a request asks of the building, as data: a drawing on the map, or a question about ways and rooms. Pure."""

from dataclasses import dataclass
from typing import Literal

Scalar = str | int | float | bool


@dataclass(frozen=True)
class ToolCall:
    """One call of a tool, by keyword."""

    tool: str
    arguments: tuple[tuple[str, Scalar], ...] = ()


@dataclass(frozen=True)
class At:
    """A place on a floor: a room by name, or a point in the floor's virtual coordinates."""

    room: str = ""
    x: float = 0.0
    y: float = 0.0

    def to_text(self) -> str:
        """As the map tools want it."""
        return self.room or f"{self.x:.10g},{self.y:.10g}"


@dataclass(frozen=True)
class MapUpdate:
    """One drawing on the map. Colours are `#RRGGBB` or empty for the usual one."""

    floor: str = ""
    highlights: tuple[tuple[str, str], ...] = ()
    arrows: tuple[tuple[str, At], ...] = ()
    icons: tuple[tuple[str, At], ...] = ()
    texts: tuple[tuple[str, At], ...] = ()
    clear: Literal["", "map", "arrows"] = ""
    text_colour: str = ""
    random_points: int = 0
    random_icon: str = ""
    seed: int = 1
    """What random points are drawn with, so that they can be drawn again."""


@dataclass(frozen=True)
class BuildingQuestion(ToolCall):
    """One question about the building, as the call of the tool that answers it: names as the person writes them."""


@dataclass(frozen=True)
class Sketch:
    """A plot of nothing but mathematics; `plot` says what kind when the data is random."""

    what: Literal["sine", "cosine", "both", "random"]
    plot: str = ""
    seed: int = 1
