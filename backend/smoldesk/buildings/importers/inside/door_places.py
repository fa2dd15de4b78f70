"""Which rooms a door stands between, when the file does not say: those whose outlines it stands on, or nearly."""

from collections.abc import Iterator, Sequence

from .outlines import Point, box, distance

REACH = 1.0
"""Metres from a door to the outline of a room it leads into: walls are thinner."""


class Neighbours:
    """The rooms of one floor, found by place: a grid keeps the work at each door small."""

    def __init__(self, rooms: Sequence[tuple[str, Sequence[Point]]]) -> None:
        self._rooms = rooms
        boxes = [box(points) for _, points in rooms]
        longest = max((max(x2 - x1, y2 - y1) for x1, y1, x2, y2 in boxes), default=1.0)
        extent = max((max(abs(value) for value in one) for one in boxes), default=1.0)
        self._cell = max(4 * REACH, min(longest, 20.0), extent / 100)
        self._grid: dict[tuple[int, int], list[int]] = {}
        for number, (x1, y1, x2, y2) in enumerate(boxes):
            for cell in self._cells(x1 - REACH, y1 - REACH, x2 + REACH, y2 + REACH):
                self._grid.setdefault(cell, []).append(number)

    def at(self, x: float, y: float) -> list[str]:
        """The nearest two rooms at most, nearest first."""
        near = self._grid.get((int(x // self._cell), int(y // self._cell)), [])
        found = [(distance(self._rooms[number][1], x, y), number) for number in near]
        return [self._rooms[number][0] for far, number in sorted(found)[:2] if far <= REACH]

    def _cells(self, x1: float, y1: float, x2: float, y2: float) -> Iterator[tuple[int, int]]:
        for column in range(int(x1 // self._cell), int(x2 // self._cell) + 1):
            for row in range(int(y1 // self._cell), int(y2 // self._cell) + 1):
                yield column, row
