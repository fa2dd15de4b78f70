"""The building as the page and the navigation know it: floors, rooms, doors, what joins floors; what a look at it finds."""

from dataclasses import dataclass, field
from typing import Literal

from pydantic import ConfigDict, Field
from pydantic.dataclasses import dataclass as pydantic_dataclass

from smoldesk.messages.shape import Shape


# A large building has a million points, and a model takes nine times the memory of slots.
@pydantic_dataclass(
    frozen=True, slots=True, kw_only=True, config=ConfigDict(extra="forbid", allow_inf_nan=False)
)
class XY:
    """A point in a floor's virtual coordinates; both are finite: JSON, and so a chat's log, has no other numbers."""

    x: float
    y: float


class RoomRef(Shape):
    """A room, with its floor: names may come again on another."""

    floor_id: str
    name: str


class Corner(Shape):
    """One corner of a floor image: pixels (px, py) and virtual coordinates (x, y)."""

    px: float
    py: float
    x: float
    y: float


class CoordinateSystem(Shape):
    """Coordinate system of a floor: the origin and the direction of its axes."""

    top_left: Corner
    bottom_right: Corner


class Rectangle(Shape):
    """A named room of a floor, in virtual coordinates; with a `polygon`, the corners are those of its bounding box.

    `holes` are closed rings inside of it. `names` has its name by language, `aliases` what else people call it, `kinds`
    more words of the file for what it is.
    """

    name: str
    top_left: XY
    bottom_right: XY
    kind: str | None = None
    kinds: list[str] | None = None
    polygon: list[XY] | None = Field(None, min_length=3)
    holes: list[list[XY]] | None = None
    names: dict[str, str] | None = None
    aliases: list[str] | None = None


class Door(Shape):
    """A way between two rooms of one floor, or, with one room, out of the building; its clear `width` in metres."""

    rooms: list[str] = Field(min_length=1, max_length=2)
    at: XY
    door_id: str | None = None
    accessible: bool = True
    width: float | None = Field(None, gt=0)


class Floor(Shape):
    """One floor; `ordinal` is its height among the floors (0 is the ground floor), `metres_per_unit` its scale."""

    floor_id: str
    floor_name: str
    floor_image: str
    coordinate_system: CoordinateSystem
    rectangles: list[Rectangle]
    ordinal: int | None = None
    metres_per_unit: float | None = Field(None, gt=0)
    doors: list[Door] | None = None
    names: dict[str, str] | None = None
    aliases: list[str] | None = None


class Stop(Shape):
    """Place where a link meets a floor: the room one steps out into, and the point."""

    floor_id: str
    room: str
    at: XY


LinkKind = Literal["stairs", "lift", "escalator", "ramp"]


class Link(Shape):
    """Connection between floors. `wait_seconds` passes before it moves, `floor_seconds` per floor."""

    link_id: str
    kind: LinkKind
    name: str
    stops: list[Stop] = Field(min_length=2)
    wait_seconds: float = Field(0, ge=0)
    floor_seconds: float = Field(15, ge=0)


class Bitmap(Shape):
    """A picture that can be drawn on the map; its size in pixels."""

    bitmap_id: str
    bitmap_name: str
    bitmap_file: str


class Georeference(Shape):
    """Place of a plan on the earth: WGS 84 degrees of the plan's origin (0, 0), and `bearing`, the clockwise angle in
    degrees from north to the direction in which the plan's y decreases (up on the page).
    """

    longitude: float
    latitude: float
    bearing: float = 0


class MapDefinitionContent(Shape):
    """A building; one that was imported has an id, under which its images are served.

    `ground_floor` is the number people give to the ground floor, 0 or 1, if they were asked.
    """

    floors: list[Floor]
    bitmaps: list[Bitmap]
    links: list[Link] | None = None
    building_id: str | None = None
    building_name: str | None = None
    georeference: Georeference | None = None
    ground_floor: int | None = Field(None, ge=0, le=1)


class MapDefinition(Shape):
    """The building: sent right after a client connects, and again when the chat takes another one."""

    type: Literal["map_definition"] = "map_definition"
    content: MapDefinitionContent


Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True)
class FindingDetail:
    """One of the findings behind a line: its path into the file, its English text, and the values of the text."""

    where: str
    message: str
    values: dict[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True)
class Finding:
    """Line of a report about a building file. An error keeps the building out; a warning means that something will not
    work; a note says what was made of the file.

    `code` is that of `importers/inside/findings.py`, empty in reports of older desks; `count` findings have it, the
    first at `where`, a path into the file (`floors[0].rectangles[3].topLeft`). The texts of a code have `values`.
    """

    severity: Severity
    where: str
    message: str
    code: str = ""
    count: int = 1
    values: dict[str, str] = field(default_factory=dict[str, str])
    details: list[FindingDetail] = field(default_factory=list[FindingDetail])


def error(where: str, message: str) -> Finding:
    """Return a finding that makes the file unusable."""
    return Finding("error", where, message)


def warning(where: str, message: str, code: str = "", **values: str) -> Finding:
    """Return a finding that people should know; the file is usable."""
    return Finding("warning", where, message, code, values=values)


def join_names(names: list[str], most: int = 12) -> str:
    """Return the names for a sentence: the first of them, and how many more there are; long ones are cut."""
    listing = ", ".join(clipped(name) for name in names[:most])
    remaining = len(names) - most
    return (f"{listing} and {remaining} more" if remaining > 0 else listing) or "none"


def clipped(text: str, longest: int = 60) -> str:
    """Return a foreign text shortened for a sentence; lone surrogates are replaced."""
    plain = text.encode("utf-8", "replace").decode()
    return plain if len(plain) <= longest else f"{plain[:longest]}…"
