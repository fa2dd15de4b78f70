"""Costs of crossing the areas of a building, in seconds, as arrays: from a door or stop to all others of a room or link.

Areas are the rooms, then the links. A node, which is a door or a stop, lies between two of them, so it has two states:
state 2n leaves node n across its first area, state 2n + 1 across its second. The costs of a state are one row. Those of
small convex rooms and of links are stored at once, those of bent rooms when a search enters them first. Rows of large
convex rooms are computed from coordinates each time, of large bent rooms the last ones are kept: a corridor with a
thousand doors stores no million costs.
"""

from collections.abc import Iterable, Sequence
from functools import cached_property
from threading import RLock
from typing import Any

from smoldesk.buildings.routing.corners import XYPair, np
from smoldesk.buildings.routing.inside import Bend, bends, is_bent, sights
from smoldesk.buildings.routing.recent_rows import RecentRows
from smoldesk.messages import Rectangle

# Ways for each state, on average, up to which all of them are stored as edges.
SPARSE = 8
# A convex room with at most so many nodes has its rows stored, and a bent one gets all of them at its first entry.
FEW_STRAIGHT, FEW_BENT = 16, 8
# A bent room with more nodes has no rows stored, which would be their square; so many costs used last are kept of all.
MANY_BENT, MOST_RECENT = 64, 2_000_000


class Crossings:
    """Costs of all areas. Threads may share it: rows are only added."""

    def __init__(
        self,
        rooms: Sequence[Rectangle],
        members: Sequence[Sequence[int]],
        positions: Sequence[XYPair],
        halves: Sequence[float],
        paces: Sequence[float],
        link_costs: Sequence[Sequence[Sequence[float]]],
    ) -> None:
        """`members` are the nodes of each room, then of each link; `positions` and `halves` belong to the nodes: half of the
        seconds of going through. `paces` are seconds for one unit in each room, `link_costs` seconds from stop to stop.
        """
        self.rooms = rooms
        self.positions = np.array(positions, float).reshape(-1, 2)
        self._x, self._y = np.ascontiguousarray(self.positions.T)
        self._halves = np.array(halves, float)
        self._paces = np.array([*paces, *(0.0 for _ in link_costs)], float)
        self._counts = np.array([len(nodes) for nodes in members], np.int64)
        self._first = np.concatenate([[0], np.cumsum(self._counts)])
        self.members = np.array([node for nodes in members for node in nodes], np.int64)
        self.areas = np.repeat(np.arange(len(members)), self._counts)
        """The area of each entry of `members`."""
        # A node has one or two entries, which stand one after the other in this order.
        order = np.argsort(self.members, kind="stable")
        side = np.zeros(len(order), np.int64)
        side[1:] = self.members[order][1:] == self.members[order][:-1]
        self.states = np.empty(len(order), np.int64)
        """For each entry of `members` the state that leaves its node across its area."""
        self.states[order] = 2 * self.members[order] + side
        self.behind = self.states ^ 1
        """For each entry of `members` the state that leaves its node by the other area."""
        self.area_of = np.full(2 * len(positions), -1, np.int64)
        """The area that each state crosses, -1 for none."""
        self.area_of[self.states] = self.areas
        self.sizes = np.where(self.area_of >= 0, self._counts[self.area_of], 0)
        """Length of the row of each state; 0 if it leads nowhere, since the area has no other node."""
        self.sizes[self.sizes == 1] = 0
        self._bent = np.array([*map(is_bent, rooms), *(False for _ in link_costs)], bool)
        self._is_large = self._bent & (self._counts > MANY_BENT)
        self._bends: dict[int, Bend] = {}
        self._recent = RecentRows(MOST_RECENT)
        self._lock = RLock()
        self._rows = np.where(self.sizes == 0, 0, -1)
        """Place of the row of each state in `_costs` and `_targets`, -1 for none."""
        self._costs, self._targets = np.zeros(0), np.zeros(0, np.int64)
        links = self.states[self._first[len(rooms)] :]
        costs = np.array([cost for table in link_costs for row in table for cost in row], float)
        self._add_rows(links[self.sizes[links] > 0], costs)
        is_small = (self._counts <= FEW_STRAIGHT) & ~self._bent
        small = self.states[is_small[self.areas] & (self._rows[self.states] < 0)]
        entry, column = _spread(self.sizes[small])
        self._add_rows(small, self._straight(small[entry], column)[1])

    def leave(self, states: Any, sizes: Any) -> tuple[Any, Any, Any]:
        """Return the ways of states across their areas: the number of the state in the request, the state that leaves
        the node reached by its other area, and the seconds. `sizes` are those of `self.sizes`, or 0 for a closed area.
        """
        if (self._rows[states] < 0).any():
            self._build_rows(states[sizes > 0])
        rows = self._rows[states]
        entry, column = _spread(sizes)
        place = rows[entry] + column
        if (rows >= 0).all():
            return entry, self._targets[place], self._costs[place]
        stored = (rows >= 0)[entry]
        target, seconds = self._straight(states[entry], column)
        seconds[stored] = self._costs[place[stored]]
        large = np.flatnonzero(self._is_large[self.area_of[states]] & (sizes > 0))
        if len(large):
            with self._lock:
                last_rows = self._recent.find(states[large].tolist(), self._bent_rows)
            seconds[np.isin(entry, large)] = np.concatenate(last_rows)
        return entry, target, seconds

    def open_sizes(self, closed_areas: Sequence[int]) -> Any:
        """Return the sizes of the rows of all states, 0 across closed areas."""
        is_closed = np.zeros(len(self._counts) + 1, bool)  # the last one is no area, -1
        is_closed[list(closed_areas)] = True
        return np.where(is_closed[self.area_of], 0, self.sizes)

    def nodes_of(self, area: int) -> Any:
        """Return the nodes of an area."""
        return self.members[self.entries_of(area)]

    def from_point(self, room: int, point: XYPair) -> Any:
        """Return the seconds from a point of a room to its nodes, infinite where no way leads."""
        nodes = self.nodes_of(room)
        bend = self.bend(room)
        lengths = bend.lengths(point) if bend else np.hypot(*(self.positions[nodes] - np.array(point)).T)
        return lengths * self._paces[room] + self._halves[nodes]

    def path(self, room: int, start: XYPair, end: XYPair) -> tuple[float, list[XYPair]]:
        """Return the length of the shortest way between two points of a room, and the corners it turns at."""
        if bend := self.bend(room):
            return bend.path(start, end)
        return ((start[0] - end[0]) ** 2 + (start[1] - end[1]) ** 2) ** 0.5, []

    def pace(self, room: int) -> float:
        """Return the seconds for one unit in a room."""
        return float(self._paces[room])

    def middle(self, room: int) -> XYPair:
        """Return a point in the middle of a room."""
        if bend := self.bend(room):
            return bend.middle
        box = self.rooms[room]
        return (box.top_left.x + box.bottom_right.x) / 2, (box.top_left.y + box.bottom_right.y) / 2

    @cached_property
    def is_sparse(self) -> bool:
        """True when all ways as edges are few."""
        return bool(self.sizes.sum() <= SPARSE * len(self.sizes))

    @cached_property
    def edges(self) -> tuple[Any, Any, Any]:
        """All ways as edges between states: for each state the place of its first edge, and the edges' targets and seconds."""
        states = np.arange(len(self.sizes))
        _, targets, costs = self.leave(states, self.sizes)
        return np.concatenate([[0], np.cumsum(self.sizes)]), targets, costs

    @cached_property
    def to_middles(self) -> Any:
        """The seconds from each of `members` to the middle of its room; of links 0."""
        self._build_bends(np.flatnonzero(self._bent).tolist())
        middles = np.array([self.middle(room) for room in range(len(self.rooms))], float).reshape(-1, 2)
        areas, in_room = self.areas, self.areas < len(self.rooms)
        nodes = self.members[in_room]
        lengths = np.hypot(*(self.positions[nodes] - middles[areas[in_room]]).T)
        rooms = [room for room in np.flatnonzero(self._bent).tolist() if self._counts[room]]
        bends = [self._bends[room] for room in rooms]
        parts = sights(bends, [bend.middle for bend in bends], [bend.points for bend in bends])
        for room, bend, sight in zip(rooms, bends, parts, strict=True):
            lengths[self.entries_of(room)] = bend.lengths_from(*sight)
        seconds = np.zeros(len(areas))
        seconds[in_room] = lengths * self._paces[areas[in_room]] + self._halves[nodes]
        return seconds

    def entries_of(self, area: int) -> slice:
        """Return the entries of an area in `members`."""
        return slice(int(self._first[area]), int(self._first[area + 1]))

    def bend(self, room: int) -> Bend | None:
        """Return the geometry of a room that is not convex."""
        if not self._bent[room]:
            return None
        if room not in self._bends:
            self._build_bends([room])
        return self._bends[room]

    def _build_bends(self, rooms: Iterable[int]) -> None:
        with self._lock:
            missing = [room for room in rooms if room not in self._bends]
            if missing:
                points = [self.positions[self.nodes_of(room)] for room in missing]
                self._bends.update(
                    zip(missing, bends([self.rooms[room] for room in missing], points), strict=True)
                )

    def _straight(self, states: Any, columns: Any) -> tuple[Any, Any]:
        """Return the states behind entries of rows in convex rooms, and their seconds."""
        entries = self._first[self.area_of[states]] + columns
        nodes, targets = states >> 1, self.members[entries]
        lengths = np.hypot(self._x[nodes] - self._x[targets], self._y[nodes] - self._y[targets])
        return self.behind[entries], self._seconds(states, targets, lengths)

    def _seconds(self, states: Any, targets: Any, lengths: Any) -> Any:
        """Return the seconds of ways of these lengths across rooms; infinite back to the same node."""
        nodes = states >> 1
        seconds = lengths * self._paces[self.area_of[states]] + self._halves[nodes] + self._halves[targets]
        return np.where(nodes == targets, np.inf, seconds)

    def _build_rows(self, states: Any) -> None:
        """Compute the rows of states that leave across bent rooms and are not stored yet."""
        if not self._is_missing(states).any():
            return
        with self._lock:
            areas = self.area_of[states[self._is_missing(states)]]
            few = np.unique(areas[self._counts[areas] <= FEW_BENT])
            states = np.unique(
                np.concatenate([states, *(self.states[self.entries_of(area)] for area in few)])
            )
            states = states[self._is_missing(states)]
            if not len(states):  # another thread has built them while this one waited
                return
            self._add_rows(states, np.concatenate(self._bent_rows(states)))

    def _bent_rows(self, states: Any) -> list[Any]:
        """Compute the rows of states that leave across bent rooms."""
        states = np.array(states)
        areas = self.area_of[states]
        self._build_bends(np.unique(areas).tolist())
        bends = [self._bends[area] for area in areas.tolist()]
        parts = sights(bends, self.positions[states >> 1], [bend.points for bend in bends])
        return [
            self._seconds(state, self.nodes_of(area), bend.lengths_from(*part))
            for state, area, bend, part in zip(states, areas, bends, parts, strict=True)
        ]

    def _is_missing(self, states: Any) -> Any:
        areas = self.area_of[states]
        return self._bent[areas] & ~self._is_large[areas] & (self._rows[states] < 0)

    def _add_rows(self, states: Any, costs: Any) -> None:
        """Store the rows of states. The costs come first: another thread may read a row as soon as it has a place."""
        sizes = self.sizes[states]
        entry, column = _spread(sizes)
        start = len(self._costs)
        self._costs = np.concatenate([self._costs, costs])
        self._targets = np.concatenate(
            [self._targets, self.behind[self._first[self.area_of[states[entry]]] + column]]
        )
        self._rows[states] = start + np.cumsum(sizes) - sizes


def _spread(sizes: Any) -> tuple[Any, Any]:
    """Return for rows of these sizes the number of the row and of the column of each entry."""
    row = np.repeat(np.arange(len(sizes)), sizes)
    return row, np.arange(len(row)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
