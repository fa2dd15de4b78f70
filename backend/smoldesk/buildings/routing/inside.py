"""Walking inside one room: in a straight line if it is convex, around its corners if not."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from smoldesk.buildings.routing.passages import outline
from smoldesk.messages import Rectangle

XYPair = tuple[float, float]

# In a room with more passages than this, each is linked only to its NEAR nearest ones, not to all.
MAX_WAYS = 300
NEAR = 32
# A room with more corners is crossed in straight lines.
MAX_CORNERS = 200


@dataclass(frozen=True)
class Inside:
    """The walkable part of a room: its middle, the corners one turns around, and which places see each other."""

    middle: XYPair
    corners: list[XYPair]
    area: Any = None
    """shapely's polygon, slightly larger than the room; None where every straight line stays inside."""
    sides: dict[XYPair, tuple[XYPair, XYPair]] = field(default_factory=dict[XYPair, tuple[XYPair, XYPair]])
    """For each of `corners` the corners before and after it."""

    def is_visible(self, start: XYPair, end: XYPair) -> bool:
        """Return whether the straight line between two points of the room stays in it."""
        if self.area is None:
            return True
        import shapely

        return bool(self.area.covers(shapely.LineString([start, end])))

    def pairs(self, places: Sequence[XYPair], turns: Sequence[bool]) -> list[tuple[int, int]]:
        """Return the pairs of points that see each other, as indices; of very many points, only neighbours along the
        room. `turns` says which of them are corners: a line to one counts only if a shortest path may turn there.
        """
        pairs: list[tuple[int, int]] = []
        if len(places) <= MAX_WAYS:
            pairs = [(a, b) for a in range(len(places)) for b in range(a + 1, len(places))]
        else:
            wide = max(x for x, _ in places) - min(x for x, _ in places)
            high = max(y for _, y in places) - min(y for _, y in places)
            axis = 0 if wide >= high else 1
            order = sorted(range(len(places)), key=lambda index: places[index][axis])
            for at, node in enumerate(order):
                pairs += [(node, other) for other in order[at + 1 : at + 1 + NEAR]]
        if self.area is None:
            return pairs
        return [
            (a, b)
            for a, b in pairs
            if not (turns[a] and not self._touches(places[a], places[b]))
            and not (turns[b] and not self._touches(places[b], places[a]))
            and self.is_visible(places[a], places[b])
        ]

    def _touches(self, corner: XYPair, other: XYPair) -> bool:
        """Return whether a line touches the room's outline at a corner, so that a path around it may follow the line."""
        before, after = self.sides[corner]
        dx, dy = other[0] - corner[0], other[1] - corner[1]
        first = dx * (before[1] - corner[1]) - dy * (before[0] - corner[0])
        second = dx * (after[1] - corner[1]) - dy * (after[0] - corner[0])
        return first * second >= -1e-9 * (dx * dx + dy * dy)


def inside(room: Rectangle) -> Inside:
    """Return the geometry for crossing a room; a rectangle, or a convex polygon, is crossed in straight lines."""
    corners = outline(room)
    holes = [[(point.x, point.y) for point in hole] for hole in room.holes or []]
    turns = _turns(corners)
    for hole in holes:
        reflex = _turns(hole)
        turns += [corner for corner in hole if corner not in reflex]
    sides = {
        corner: (ring[at - 1], ring[(at + 1) % len(ring)])
        for ring in (corners, *holes)
        for at, corner in enumerate(ring)
    }
    min_x, right = min(x for x, _ in corners), max(x for x, _ in corners)
    top, bottom = min(y for _, y in corners), max(y for _, y in corners)
    if not turns or len(corners) + sum(map(len, holes)) > MAX_CORNERS:
        return Inside(((min_x + right) / 2, (top + bottom) / 2), [])
    import shapely

    area: Any = shapely.Polygon(corners, holes)
    middle = area.representative_point()
    # doors stand in walls, a little outside of the polygon
    wall = 0.02 * ((right - min_x) ** 2 + (bottom - top) ** 2) ** 0.5
    reach: Any = shapely.Polygon(corners).buffer(wall, join_style="mitre")
    for hole in holes:
        reach = reach.difference(_shrunk(shapely.Polygon(hole), wall))
    shapely.prepare(reach)
    return Inside((middle.x, middle.y), turns, reach, sides)


def _shrunk(hole: Any, wall: float) -> Any:
    """Return a hole without the walls around it, of which it keeps most."""
    min_x, min_y, max_x, max_y = hole.bounds
    return hole.buffer(-min(wall, 0.1 * min(max_x - min_x, max_y - min_y)), join_style="mitre")


def _turns(corners: list[XYPair]) -> list[XYPair]:
    """Return the reflex corners of the room: a shortest path inside it turns at these only."""
    count = len(corners)
    area = sum(
        corners[at][0] * corners[(at + 1) % count][1] - corners[(at + 1) % count][0] * corners[at][1]
        for at in range(count)
    )
    turns: list[XYPair] = []
    for at in range(count):
        (ax, ay), (bx, by), (cx, cy) = corners[at - 1], corners[at], corners[(at + 1) % count]
        cross = (bx - ax) * (cy - by) - (by - ay) * (cx - bx)
        if cross * area < 0:
            turns.append((bx, by))
    return turns
