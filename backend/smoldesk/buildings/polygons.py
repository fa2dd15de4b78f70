"""Plane geometry of a room's outline: a list of (x, y), the last joined to the first. Pure.

Whether an outline crosses itself is found out where a file is read (`importers/inside`), which may take long. What
stands there too is there because a child's code imports nothing of the server's.
"""

from collections.abc import Iterator, Sequence

Point = tuple[float, float]


def area(points: Sequence[Point]) -> float:
    """The area inside a simple outline; 0 for one that is a line or a point."""
    x0, y0 = points[0] if points else (0.0, 0.0)  # near the origin small rooms keep their digits
    twice = 0.0
    for (x1, y1), (x2, y2) in _edges(points):
        twice += (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
    return abs(twice) / 2


def box(points: Sequence[Point]) -> tuple[float, float, float, float]:
    """Least x and y, greatest x and y."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def _edges(points: Sequence[Point]) -> Iterator[tuple[Point, Point]]:
    return zip(points, [*points[1:], *points[:1]], strict=True)
