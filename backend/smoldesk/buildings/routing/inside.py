"""Walking inside one room: in a straight line if it is convex, around its corners if not.

A room that is not convex is a `Bend`: its corners see each other and the room's doors and stops, and shortest ways lead from
corner to corner. Lengths are in the units of the plan. Many rooms are computed in one call: shapely works on arrays.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import shapely as _shapely

from smoldesk.buildings.routing.corners import XYPair, np, reflex_corners, touches_outline, turning_corners
from smoldesk.buildings.routing.passages import outline
from smoldesk.messages import Rectangle

# shapely comes without types for arrays.
shapely: Any = _shapely

# A room with more corners, or more that ways turn at, is crossed in straight lines.
MAX_CORNERS, MAX_TURNS = 1_000, 300
# Lines that are looked at in one call, about: each takes a few hundred bytes.
MOST_LINES = 200_000
# Shares of a room's diagonal: by which lines may leave it since corners are rounded, and from which a door's step through
# the wall to the room is drawn.
ROUNDING, WALL_SHARE = 2e-4, 2e-3


@dataclass
class Bend:
    """A room that is not convex, with its doors and stops (`points`, an array of n rows).

    A door in the wall has its nearest point in the room, and the way between the two in `gaps`.
    """

    room: Any
    """shapely's polygon, with holes."""
    area: Any
    """The same, slightly larger, prepared."""
    wall: float
    """Length from which the way from a door to the room is a part of a path."""
    corners: Any
    """The k corners that a shortest way may turn at."""
    sides: Any
    """For each of them the corners before and after it, shape (k, 2, 2)."""
    points: Any
    gaps: Any
    middle: XYPair
    between: Any = None
    """Lengths of shortest ways between corners, shape (k, k)."""
    before: Any = None
    """Last corner but one of these ways, -9999 for none."""
    direct: Any = None
    """Lengths of straight ways from corners to points, infinite behind a wall, shape (k, n)."""

    @cached_property
    def reached(self) -> Any:
        """Lengths of shortest ways from corners to points, shape (k, n)."""
        return _shortest(self.between, self.direct)

    def lengths_from(self, corner_lengths: Any, straight: Any) -> Any:
        """Return the lengths of shortest ways to all points from a place that sees corners and points at these lengths."""
        return np.minimum(straight, (corner_lengths[:, None] + self.reached).min(axis=0)) + self.gaps

    def sight(self, place: XYPair, targets: Any) -> tuple[Any, Any]:
        """Return the straight lengths from a place to the corners and to `targets`, infinite behind a wall."""
        return next(sights([self], [place], [targets]))

    def lengths(self, place: XYPair) -> Any:
        """Return the lengths of shortest ways from a place to all points."""
        return self.lengths_from(*self.sight(place, self.points))

    def path(self, start: XYPair, end: XYPair) -> tuple[float, list[XYPair]]:
        """Return the length of the shortest way between two places, infinite without one, and the corners it turns at."""
        (first, last), gaps = _inside(np.array([self.room] * 2), np.array([self.area] * 2), [start, end])
        length, turns = self._around((float(first[0]), float(first[1])), (float(last[0]), float(last[1])))
        ahead = [(float(first[0]), float(first[1]))] if gaps[0] > self.wall else []
        behind = [(float(last[0]), float(last[1]))] if gaps[1] > self.wall else []
        return length + float(gaps.sum()), [*ahead, *turns, *behind]

    def _around(self, start: XYPair, end: XYPair) -> tuple[float, list[XYPair]]:
        from_start, straight = self.sight(start, np.array([end]))
        if straight[0] < np.inf:
            return float(straight[0]), []
        from_end, _ = self.sight(end, np.array([start]))
        totals = from_start[:, None] + self.between + from_end
        first, last = np.unravel_index(int(totals.argmin()), totals.shape)
        if totals[first, last] == np.inf:
            return float("inf"), []
        turns = [int(last)]
        while turns[-1] != first:
            turns.append(int(self.before[first, turns[-1]]))
        return float(totals[first, last]), [
            (float(self.corners[turn, 0]), float(self.corners[turn, 1])) for turn in reversed(turns)
        ]


def is_bent(room: Rectangle) -> bool:
    """Return whether a room is crossed around corners: it is not convex, and has not too many of them."""
    if not room.polygon and not room.holes:
        return False
    corners, in_holes = outline(room), sum(map(len, room.holes or []))
    return len(corners) + in_holes <= MAX_CORNERS and 0 < len(reflex_corners(corners)) + in_holes <= MAX_TURNS


def bends(rooms: Sequence[Rectangle], points: Sequence[Any]) -> list[Bend]:
    """Return the geometry of rooms that are bent, each with its doors and stops as an array of coordinates."""
    shapes = np.array([shapely.Polygon(outline(room)) for room in rooms])
    for number, room in enumerate(rooms):
        if room.holes:
            holes = [[(point.x, point.y) for point in hole] for hole in room.holes]
            shapes[number] = shapely.Polygon(outline(room), holes)
    # A room that touches itself is valid as an area, and lines are tested against areas.
    shapes = shapely.buffer(shapes, 0)
    min_x, top, right, bottom = shapely.bounds(shapes).T
    diagonals = np.hypot(right - min_x, bottom - top)
    areas = shapely.buffer(shapes, ROUNDING * diagonals, join_style="mitre")
    middles = shapely.get_coordinates(shapely.point_on_surface(shapes))
    shapely.prepare(areas)
    counts = [len(room_points) for room_points in points]
    inner, gaps = _inside(np.repeat(shapes, counts), np.repeat(areas, counts), np.concatenate(points))
    results = [
        Bend(
            shapes[number],
            areas[number],
            float(WALL_SHARE * diagonals[number]),
            *turning_corners(room),
            inner[end - count : end],
            gaps[end - count : end],
            (float(middles[number, 0]), float(middles[number, 1])),
        )
        for number, (room, count, end) in enumerate(zip(rooms, counts, np.cumsum(counts), strict=True))
    ]
    for part in _parts([len(room.corners) * (len(room.corners) + len(room.points)) for room in results]):
        _join_corners(results[part])
    return results


def _inside(rooms: Any, areas: Any, places: Any) -> tuple[Any, Any]:
    """Return places, those outside of their rooms moved to the nearest point in them, and how far each was moved."""
    result = np.array(places, float).reshape(-1, 2)
    points, gaps = shapely.points(result), np.zeros(len(result))
    outside = np.flatnonzero(~shapely.covers(areas, points))
    ways = shapely.shortest_line(rooms[outside], points[outside])
    result[outside] = shapely.get_coordinates(shapely.get_point(ways, 0))
    gaps[outside] = shapely.length(ways)
    return result, gaps


def _join_corners(rooms: Sequence[Bend]) -> None:
    """Find which corners see each other and the points, for many rooms at once, and the ways between corners."""
    from scipy.sparse import csgraph

    ends = [np.concatenate([room.corners, room.points]) for room in rooms]
    sizes = np.array([len(room.corners) for room in rooms])
    pairs = [_pairs(len(room.corners), len(room_ends)) for room, room_ends in zip(rooms, ends, strict=True)]
    counts = [len(rows) for rows, _ in pairs]
    splits = np.cumsum(counts)[:-1]
    corners = np.concatenate([room.corners for room in rooms])
    sides = np.concatenate([room.sides for room in rooms])
    base = np.repeat(np.cumsum(sizes) - sizes, counts)
    row, column = (np.concatenate(parts) for parts in zip(*pairs, strict=True))
    first = corners[base + row]
    other = np.concatenate([room_ends[columns] for room_ends, (_, columns) in zip(ends, pairs, strict=True)])
    # Between corners a shortest way follows only lines that touch the outline at both. Lines to doors are not tested for
    # this: a door stands in the wall, from where a line may miss the touch that it has from the outline.
    useful = np.ones(len(row), bool)
    turned = np.flatnonzero(column < np.repeat(sizes, counts))
    ahead, back = (base + row)[turned], (base + column)[turned]
    useful[turned] = touches_outline(corners[ahead], sides[ahead], corners[back])
    useful[turned] &= touches_outline(corners[back], sides[back], corners[ahead])
    areas = np.repeat(np.array([room.area for room in rooms]), counts)
    useful[useful] = _visible(areas[useful], first[useful], other[useful])
    lengths = np.where(useful, np.hypot(*(first - other).T), np.inf)
    for room, (rows, columns), part in zip(rooms, pairs, np.split(lengths, splits), strict=True):
        count = len(room.corners)
        table = np.full((count, count + len(room.points)), np.inf)
        table[rows, columns] = part
        room.direct = table[:, count:]
        if count > 1:
            room.between, room.before = csgraph.shortest_path(
                table[:, :count], directed=False, return_predecessors=True
            )
        else:
            room.between, room.before = np.zeros((count, count)), np.full((count, count), -9999)


def sights(
    rooms: Sequence[Bend], places: Sequence[XYPair], targets: Sequence[Any]
) -> Iterator[tuple[Any, Any]]:
    """Yield for each room the straight lengths from a place in it to its corners, and to targets in it.

    They are infinite behind a wall.
    """
    counts = [len(room.corners) + len(ends) for room, ends in zip(rooms, targets, strict=True)]
    for part in _parts(counts):
        yield from _sights(rooms[part], places[part], targets[part])


def _sights(
    rooms: Sequence[Bend], places: Sequence[XYPair], targets: Sequence[Any]
) -> Iterator[tuple[Any, Any]]:
    corners = np.array([len(room.corners) for room in rooms])
    counts = corners + np.array([len(room_targets) for room_targets in targets])
    ends = np.concatenate(
        [part for pair in zip((room.corners for room in rooms), targets, strict=True) for part in pair]
    )
    areas = np.array([room.area for room in rooms])
    inner, gaps = _inside(np.array([room.room for room in rooms]), areas, places)
    starts, areas = np.repeat(inner, counts, axis=0), np.repeat(areas, counts)
    lengths = np.where(_visible(areas, starts, ends), np.hypot(*(ends - starts).T), np.inf)
    lengths += np.repeat(gaps, counts)
    for count, part in zip(corners, np.split(lengths, np.cumsum(counts)[:-1]), strict=True):
        yield part[:count], part[count:]


def _parts(counts: Sequence[int]) -> Iterator[slice]:
    """Yield slices of these counts whose sums are about MOST_LINES at most."""
    first = total = 0
    for number, count in enumerate(counts):
        if total and total + count > MOST_LINES:
            yield slice(first, number)
            first, total = number, 0
        total += count
    if first < len(counts):
        yield slice(first, len(counts))


def _shortest(between: Any, direct: Any) -> Any:
    """Return the least sums of a way between two corners and one from the second to a point."""
    result = direct.copy()
    for corner in range(len(between)):
        np.minimum(result, between[:, corner, None] + direct[corner], out=result)
    return result


@lru_cache(maxsize=32)
def _pairs(corners: int, ends: int) -> tuple[Any, Any]:
    """Return the pairs of a corner with each later corner and each point, as two arrays of numbers."""
    return np.triu_indices(corners, 1, ends)


def _visible(areas: Any, starts: Any, ends: Any) -> Any:
    """Return whether straight lines stay in their areas."""
    lines = shapely.linestrings(np.stack([starts, ends], axis=1))
    return shapely.covers(areas, lines) | (starts == ends).all(axis=1)
