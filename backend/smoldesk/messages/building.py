"""The building as the page and the navigation know it: floors, rooms, doors, and what joins floors."""

from typing import Literal

from pydantic import Field

from smoldesk.messages.shape import Shape


class XY(Shape):
    """A point in a floor's virtual coordinates."""

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
    """How a floor's coordinates lie: the origin and the direction of its axes."""

    top_left: Corner
    bottom_right: Corner


class Rectangle(Shape):
    """A named room of a floor, in virtual coordinates; with a `polygon`, the corners are those of its bounding box."""

    name: str
    top_left: XY
    bottom_right: XY
    kind: str | None = None
    polygon: list[XY] | None = Field(None, min_length=3)


class Door(Shape):
    """A way between two rooms of one floor, or, with one room, out of the building."""

    rooms: list[str] = Field(min_length=1, max_length=2)
    at: XY
    door_id: str | None = None
    accessible: bool = True


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


class Stop(Shape):
    """Where a link touches a floor: the room one steps out into, and the place."""

    floor_id: str
    room: str
    at: XY


LinkKind = Literal["stairs", "lift", "escalator", "ramp"]


class Link(Shape):
    """What joins floors. `wait_seconds` is what one waits before it moves, `floor_seconds` what each floor takes."""

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


class MapDefinitionContent(Shape):
    """A building; one that was imported has an id, under which its images are served."""

    floors: list[Floor]
    bitmaps: list[Bitmap]
    links: list[Link] | None = None
    building_id: str | None = None
    building_name: str | None = None


class MapDefinition(Shape):
    """The building: sent right after a client connects, and again when the chat takes another one."""

    type: Literal["map_definition"] = "map_definition"
    content: MapDefinitionContent
