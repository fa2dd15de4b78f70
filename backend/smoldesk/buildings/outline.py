"""Small picture of a building: the outlines of its largest rooms on one floor as the path of an SVG. Pure."""

from dataclasses import dataclass

from smoldesk.messages import Floor, MapDefinitionContent, Rectangle
from smoldesk.messages.building import XY

# Units of the longer side, rooms and corners of a room that are drawn: the picture is some 60 pixels wide.
SIDE = 240
MAX_ROOMS = 160
MAX_CORNERS = 24


@dataclass(frozen=True)
class Outline:
    """Path of all rooms, in a box of `width` by `height`."""

    width: int
    height: int
    path: str


def outline_of(definition: MapDefinitionContent) -> Outline:
    """Return the picture of the floor with the most rooms; an empty path if there is none."""
    floor = max(definition.floors, key=lambda floor: len(floor.rectangles), default=None)
    if floor is None or not floor.rectangles:
        return Outline(SIDE, SIDE, "")
    largest = sorted(floor.rectangles, key=_area, reverse=True)[:MAX_ROOMS]
    corners = [[_on_page(corner, floor) for corner in _corners(room)] for room in largest]
    xs, ys = ([point[axis] for room in corners for point in room] for axis in (0, 1))
    scale = SIDE / max(max(xs) - min(xs), max(ys) - min(ys), 1e-9)
    x_min, y_min = min(xs), min(ys)
    lines = (
        "L".join(f"{round((x - x_min) * scale)} {round((y - y_min) * scale)}" for x, y in room)
        for room in corners
    )
    width, height = (max(1, round((max(axis) - min(axis)) * scale)) for axis in (xs, ys))
    return Outline(width, height, "".join(f"M{line}Z" for line in lines))


def _area(room: Rectangle) -> float:
    return abs((room.bottom_right.x - room.top_left.x) * (room.bottom_right.y - room.top_left.y))


def _on_page(point: XY, floor: Floor) -> tuple[float, float]:
    """Return a point with its axes as the page draws them: to the right and down."""
    start, end = floor.coordinate_system.top_left, floor.coordinate_system.bottom_right
    return (point.x if end.x >= start.x else -point.x, point.y if end.y >= start.y else -point.y)


def _corners(room: Rectangle) -> list[XY]:
    if room.polygon:
        step = -(-len(room.polygon) // MAX_CORNERS)
        return room.polygon[::step]
    start, end = room.top_left, room.bottom_right
    return [start, XY(x=end.x, y=start.y), end, XY(x=start.x, y=end.y)]
