"""Drawings of the map pane: highlights, overlays, points, arrows, routes, colours over time."""

from typing import Annotated, Literal

from pydantic import Field

from smoldesk.messages.building import XY, LinkKind
from smoldesk.messages.shape import (
    Colour,
    Direction,
    Empty,
    Shape,
)


class RouteLeg(Shape):
    """The part of a route that lies on one floor: a line through at least one place."""

    floor_id: str
    points: list[XY] = Field(min_length=1)


class FloorChange(Shape):
    """Between two legs: what one takes, from where to where."""

    kind: LinkKind
    name: str
    from_floor_id: str
    to_floor_id: str
    at: XY
    to: XY


class RouteStep(Shape):
    """One instruction; `leg` is the index of the leg that lights up with it, `text` says it in English."""

    action: Literal["start", "walk", "through", "change", "arrive"]
    text: str
    leg: int = Field(ge=0)
    room: str | None = None
    name: str | None = None
    kind: LinkKind | None = None
    to_floor_id: str | None = None
    length: float | None = None
    assumed: bool | None = None
    """True if the file has no door there: the rooms touch."""


class RouteOverlay(Shape):
    """A way from room to room over any floors: one leg more than there are changes. `length` is in metres where every
    floor has a scale, else in virtual units (`unit` is "m" or "")."""

    type: Literal["route"] = "route"
    start: str
    goal: str
    legs: list[RouteLeg] = Field(min_length=1)
    changes: list[FloorChange] = []
    steps: list[RouteStep] = []
    length: float = Field(ge=0)
    unit: Literal["m", ""] = "m"
    seconds: float | None = Field(None, ge=0)
    accessible: bool = False


# Maximum points of one map.
MAX_POINTS = 10_000
# Maximum frames of one playback.
MAX_FRAMES = 2_000


class AtRectangle(Shape):
    """A place by the name of a room."""

    type: Literal["rectangle"] = "rectangle"
    name: str


class AtCoordinate(Shape):
    """A place by its coordinates on a floor."""

    type: Literal["coordinate"] = "coordinate"
    x: float
    y: float


Position = Annotated[AtRectangle | AtCoordinate, Field(discriminator="type")]


class MapRectangle(Shape):
    """Highlight of one room; `value` is the figure it is coloured by, `floor_id` its floor if not the one shown."""

    name: str
    color: Colour = "#0066ff"
    stroke_opacity: float = Field(1.0, ge=0, le=1)
    fill_opacity: float = Field(0.3, ge=0, le=1)
    show_name: bool = True
    floor_id: str | None = None
    value: float | None = None


class BitmapOverlay(Shape):
    """A picture on the map."""

    type: Literal["bitmap"] = "bitmap"
    bitmap_id: str
    position: Position
    offset: XY | None = None


class TextOverlay(Shape):
    """Words on the map."""

    type: Literal["text"] = "text"
    text: str
    font_size: float = 14
    color: Colour = "#000000"
    background_color: Colour | None = None
    position: Position
    offset: XY | None = None


class LegendStop(Shape):
    """A colour and the value it stands for; colours between two stops are mixed."""

    value: float
    color: Colour


class LegendOverlay(Shape):
    """Legend of the rooms' colours; `missing` rooms have no value and stay uncoloured."""

    type: Literal["legend"] = "legend"
    title: str = ""
    unit: str = ""
    stops: list[LegendStop] = Field(min_length=2)
    missing: int = 0


Overlay = Annotated[BitmapOverlay | TextOverlay | LegendOverlay | RouteOverlay, Field(discriminator="type")]


class Source(Shape):
    """Origin of a drawing: the step and the line of code that called the tool."""

    step: int
    line: int | None = None
    code: str | None = None


class MapContent(Shape):
    """Content of one drawing on a floor."""

    floor_id: str
    timestamp: str
    rectangles: list[MapRectangle] = []
    overlays: list[Overlay] = []
    source: Source | None = None


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

    points: list[GeoPoint] | list[PlanPoint] = Field(min_length=1, max_length=MAX_POINTS)
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
    """Drawings in time, to be played; times in ISO 8601."""

    floor_id: str
    frames: list[Frame] = Field(min_length=1, max_length=MAX_FRAMES)
    legend: LegendOverlay | None = None
    source: Source | None = None


class MapFrames(Shape):
    """Rooms painted over time; replaces the map command before it."""

    type: Literal["map_frames"] = "map_frames"
    content: MapFramesContent


class RoomsContent(Shape):
    """Rooms of an answer, to be highlighted."""

    rooms: list[str] = Field(min_length=1)


class HighlightRoom(Shape):
    """Rooms that an answer names: highlighted beside what the map shows."""

    type: Literal["highlight_room"] = "highlight_room"
    content: RoomsContent


class ArrowContent(Shape):
    """An arrow from one place to another."""

    room: str
    direction: Direction


class Arrow(Shape):
    """Draw a direction arrow in the middle of a room."""

    type: Literal["arrow"] = "arrow"
    content: ArrowContent


class ClearArrows(Shape):
    """All arrows are taken off the map."""

    type: Literal["clear_arrows"] = "clear_arrows"
    content: Empty = Empty()


class ClearMap(Shape):
    """Remove highlights, overlays and arrows."""

    type: Literal["clear_map"] = "clear_map"
    content: Empty = Empty()
