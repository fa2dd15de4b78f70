"""Rooms' outlines: whether they are simple polygons, what a room of the definition is made of one, and the doors on them."""

from collections.abc import Iterator, Sequence
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


def holds(points: Sequence[Point], x: float, y: float) -> bool:
    """Return whether the point lies inside; of the points on the outline itself, some do."""
    inside = False
    for (x1, y1), (x2, y2) in _edges(points):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            inside = not inside
    return inside


def distance(points: Sequence[Point], x: float, y: float) -> float:
    """From a point to the nearest place on the outline."""
    return min(_to_edge(start, other, x, y) for start, other in _edges(points))


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


def _to_edge(a: Point, b: Point, x: float, y: float) -> float:
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = dx * dx + dy * dy
    along = 0.0 if length == 0 else max(0.0, min(1.0, ((x - a[0]) * dx + (y - a[1]) * dy) / length))
    return ((x - a[0] - along * dx) ** 2 + (y - a[1] - along * dy) ** 2) ** 0.5


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


# Maximum metres between a door and the outline of its room: more than a wall's thickness.
REACH = 1.0


class Neighbours:
    """The rooms of one floor, found by place: a grid keeps the work at each door small."""

    def __init__(self, rooms: Sequence[tuple[str, Sequence[Point]]]) -> None:
        self._rooms = rooms
        boxes = [box(points) for _, points in rooms]
        longest = max((max(x2 - x1, y2 - y1) for x1, y1, x2, y2 in boxes), default=1.0)
        extent = max((max(abs(value) for value in box) for box in boxes), default=1.0)
        self._cell = max(4 * REACH, min(longest, 20.0), extent / 100)
        self._grid: dict[tuple[int, int], list[int]] = {}
        for number, (x1, y1, x2, y2) in enumerate(boxes):
            for cell in self._cells(x1 - REACH, y1 - REACH, x2 + REACH, y2 + REACH):
                self._grid.setdefault(cell, []).append(number)

    def at(self, x: float, y: float) -> list[str]:
        """Return at most two rooms, nearest first."""
        near = self._grid.get((int(x // self._cell), int(y // self._cell)), [])
        candidates = [(distance(self._rooms[number][1], x, y), number) for number in near]
        return [self._rooms[number][0] for far, number in sorted(candidates)[:2] if far <= REACH]

    def _cells(self, x1: float, y1: float, x2: float, y2: float) -> Iterator[tuple[int, int]]:
        for column in range(int(x1 // self._cell), int(x2 // self._cell) + 1):
            for row in range(int(y1 // self._cell), int(y2 // self._cell) + 1):
                yield column, row
