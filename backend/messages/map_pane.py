"""What the map pane shows: the building, and the commands that draw on it."""

from typing import Annotated, Literal

from pydantic import Field

from backend.messages.shape import Colour, Direction, Empty, Shape

MOST_POINTS = 10_000
"""Points one map may have."""


class XY(Shape):
    """A point in a floor's virtual coordinates."""

    x: float
    y: float


class Corner(Shape):
    """One corner of a floor image: pixels (px, py) and virtual coordinates (x, y)."""

    px: float
    py: float
    x: float
    y: float


class CoordinateSystem(Shape):
    top_left: Corner
    bottom_right: Corner


class Rectangle(Shape):
    """A named room of a floor, in virtual coordinates."""

    name: str
    top_left: XY
    bottom_right: XY


class Floor(Shape):
    floor_id: str
    floor_name: str
    floor_image: str
    coordinate_system: CoordinateSystem
    rectangles: list[Rectangle]


class Bitmap(Shape):
    bitmap_id: str
    bitmap_name: str
    bitmap_file: str


class MapDefinitionContent(Shape):
    floors: list[Floor]
    bitmaps: list[Bitmap]


class MapDefinition(Shape):
    """The building: sent once, right after a client connects."""

    type: Literal["map_definition"] = "map_definition"
    content: MapDefinitionContent


class AtRectangle(Shape):
    type: Literal["rectangle"] = "rectangle"
    name: str


class AtCoordinate(Shape):
    type: Literal["coordinate"] = "coordinate"
    x: float
    y: float


Position = Annotated[AtRectangle | AtCoordinate, Field(discriminator="type")]


class MapRectangle(Shape):
    """How one room is highlighted."""

    name: str
    color: Colour = "#0066ff"
    stroke_opacity: float = Field(1.0, ge=0, le=1)
    fill_opacity: float = Field(0.3, ge=0, le=1)
    show_name: bool = True


class BitmapOverlay(Shape):
    type: Literal["bitmap"] = "bitmap"
    bitmap_id: str
    position: Position
    offset: XY | None = None


class TextOverlay(Shape):
    type: Literal["text"] = "text"
    text: str
    font_size: float = 14
    color: Colour = "#000000"
    background_color: Colour | None = None
    position: Position
    offset: XY | None = None


Overlay = Annotated[BitmapOverlay | TextOverlay, Field(discriminator="type")]


class MapContent(Shape):
    floor_id: str
    timestamp: str
    rectangles: list[MapRectangle] = []
    overlays: list[Overlay] = []


class GeoPoint(Shape):
    """A place on the earth, in degrees."""

    lat: float = Field(ge=-90, le=90)
    lon: float = Field(ge=-180, le=180)
    name: str | None = None


class PlanPoint(Shape):
    """A place on the floor that is shown, in its virtual coordinates."""

    x: float
    y: float
    name: str | None = None


class PointsContent(Shape):
    """The older form of a map: points of one kind, and what they are."""

    points: list[GeoPoint] | list[PlanPoint] = Field(min_length=1, max_length=MOST_POINTS)
    description: str = ""


class Map(Shape):
    """Show this floor with these highlights and overlays, or these points; replaces the map command before it."""

    type: Literal["map"] = "map"
    content: MapContent | PointsContent


class Frame(Shape):
    """One moment of a playback; `time` is what the page writes beside it."""

    time: str
    rectangles: list[MapRectangle]


class MapFramesContent(Shape):
    floor_id: str
    frames: list[Frame]


class MapFrames(Shape):
    """Rooms painted over time. Reserved: the shape is promised, nothing sends it yet."""

    type: Literal["map_frames"] = "map_frames"
    content: MapFramesContent


class RoomsContent(Shape):
    rooms: list[str] = Field(min_length=1)


class HighlightRoom(Shape):
    """Rooms that an answer names: highlighted beside what the map shows."""

    type: Literal["highlight_room"] = "highlight_room"
    content: RoomsContent


class ArrowContent(Shape):
    room: str
    direction: Direction


class Arrow(Shape):
    """Draw a direction arrow in the middle of a room."""

    type: Literal["arrow"] = "arrow"
    content: ArrowContent


class ClearArrows(Shape):
    type: Literal["clear_arrows"] = "clear_arrows"
    content: Empty = Empty()


class ClearMap(Shape):
    """Remove highlights, overlays and arrows."""

    type: Literal["clear_map"] = "clear_map"
    content: Empty = Empty()
