"""Rooms' outlines: whether they are simple polygons, and the room of the definition that is made of one."""

from collections.abc import Sequence
from typing import Any

Point = tuple[float, float]


def fault_of(points: Sequence[Point]) -> str:
    """Return the problem of an outline (its last corner joined to the first); empty for a valid one."""
    if len(points) < 3:
        return f"It has {len(points)} different corners; a room needs three."
    crossed = crossing(points)
    if crossed is not None:
        first, second = crossed
        return f"It crosses itself: edges {first} and {second} meet (edge n leads from corner n to the next)."
    x1, y1, x2, y2 = box(points)
    if area(points) <= 1e-9 * max(x2 - x1, y2 - y1) ** 2:
        return "It has no area."
    return ""


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


def area(points: Sequence[Point]) -> float:
    """Return the area of an outline in square units of the plan (shoelace formula)."""
    x0, y0 = points[0]
    twice = 0.0
    for (x1, y1), (x2, y2) in _edges(points):
        twice += (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
    return abs(twice) / 2


def box(points: Sequence[Point]) -> tuple[float, float, float, float]:
    """Return the least x and y, greatest x and y."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def crossing(points: Sequence[Point]) -> tuple[int, int] | None:
    """Return the numbers of two edges that meet where they should not, or None.

    Edges are compared only where their spans in x overlap, so an outline of many short edges costs little.
    """
    edges = _edges(points)
    last = len(edges) - 1
    order = sorted(range(len(edges)), key=lambda number: min(edges[number][0][0], edges[number][1][0]))
    near: list[int] = []
    for number in order:
        edge = edges[number]
        min_x = min(edge[0][0], edge[1][0])
        near = [other for other in near if max(edges[other][0][0], edges[other][1][0]) >= min_x]
        for other in near:
            first, second = min(number, other), max(number, other)
            neighbours = second - first == 1 or (first == 0 and second == last)
            if _folds_back(*edges[first], *edges[second]) if neighbours else _meet(*edge, *edges[other]):
                return first, second
        near.append(number)
    return None


def _edges(points: Sequence[Point]) -> list[tuple[Point, Point]]:
    return list(zip(points, [*points[1:], *points[:1]], strict=True))


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _between(a: Point, b: Point, c: Point) -> bool:
    """Return whether c, which is in line with a and b, lies between them."""
    return min(a[0], b[0]) <= c[0] <= max(a[0], b[0]) and min(a[1], b[1]) <= c[1] <= max(a[1], b[1])


def _meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    turn1, two, three, four = _turn(a, b, c), _turn(a, b, d), _turn(c, d, a), _turn(c, d, b)
    if turn1 * two < 0 and three * four < 0:
        return True
    return (
        (turn1 == 0 and _between(a, b, c))
        or (two == 0 and _between(a, b, d))
        or (three == 0 and _between(c, d, a))
        or (four == 0 and _between(c, d, b))
    )


def _folds_back(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Return whether two edges that share a corner lie on one another."""
    shared, first, other = (b, a, d) if b == c else (a, b, c)
    if _turn(shared, first, other) != 0:
        return False
    return (first[0] - shared[0]) * (other[0] - shared[0]) + (first[1] - shared[1]) * (
        other[1] - shared[1]
    ) > 0
