"""Rooms' outlines: whether they are simple polygons, and the room of the definition that is made of one."""

from collections.abc import Sequence
from typing import Any

from .arrays import shapely

Point = tuple[float, float]


def fault_of(points: Sequence[Point]) -> str:
    """Return the problem of an outline (its last corner joined to the first); empty for a valid one."""
    if len(points) < 3:
        return f"It has {len(points)} different corners; a room needs three."
    shape = shapely.Polygon(points)
    if not shape.is_valid:
        # The reason is such as "Self-intersection[4.5 4.5]".
        at = shapely.is_valid_reason(shape).partition("[")[2].rstrip("]").replace(" ", ", ")
        return f"It crosses itself at {at}."
    x1, y1, x2, y2 = box(points)
    return "It has no area." if shape.area <= 1e-9 * max(x2 - x1, y2 - y1) ** 2 else ""


def tidy(points: Sequence[Point]) -> list[Point]:
    """Without corners that repeat the one before; the first is not said again at the end."""
    points_ = [point for number, point in enumerate(points) if number == 0 or point != points[number - 1]]
    while len(points_) > 1 and points_[-1] == points_[0]:
        points_.pop()
    return points_


def room_shape(points: Sequence[Point], y_grows_up: bool = False) -> dict[str, Any]:
    """topLeft, bottomRight, and the polygon unless that is the very rectangle."""
    x1, y1, x2, y2 = box(points)
    top, bottom = (y2, y1) if y_grows_up else (y1, y2)
    shape: dict[str, Any] = {"topLeft": {"x": x1, "y": top}, "bottomRight": {"x": x2, "y": bottom}}
    if set(points) != {(x1, y1), (x1, y2), (x2, y1), (x2, y2)} or len(points) != 4:
        shape["polygon"] = [{"x": x, "y": y} for x, y in points]
    return shape


def box(points: Sequence[Point]) -> tuple[float, float, float, float]:
    """Return the least x and y, greatest x and y."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)
