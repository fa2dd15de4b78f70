"""Search for shortest ways from one place, or from several, to all nodes of a building, on arrays.

Two methods. Where rooms have few doors each, SciPy's Dijkstra runs over all ways as edges. Where corridors have many, these
edges would be their squares: there nodes are settled in slices of time as in delta-stepping (Meyer and Sanders, 2003), and
all nodes of a slice cross the areas behind them together. A node that was reached across one area leaves by the other,
as no way by a third node is shorter within an area. So a corridor costs its doors once for each time that it is entered.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from smoldesk.buildings.routing.corners import XYPair, np
from smoldesk.buildings.routing.crossings import Crossings

# Seconds of one slice: a few doors and a piece of a corridor.
SLICE = 30.0


@dataclass(frozen=True)
class Arrivals:
    """Earliest times at all nodes, in seconds, infinite where no way leads."""

    seconds: Any
    before: Any
    """The node before each on its way, -1 at the start."""
    leaving: Any
    """The state that leaves each node by the other area than the one it was reached across; -1 where no way leads."""

    def path_to(self, node: int) -> list[int]:
        """Return the nodes of the way to a node, from the first one."""
        path = [node]
        for _ in range(len(self.before)):
            if self.before[path[-1]] < 0:
                return path[::-1]
            path.append(int(self.before[path[-1]]))
        raise RuntimeError(f"The way to node {node} goes in a circle.")


@dataclass(frozen=True)
class Ends:
    """Ends of ways: points in rooms, with the states that cross each room from its nodes, and their seconds to the point.

    The states and all that belongs to them are parallel arrays.
    """

    states: Any
    costs: Any
    number: Any
    """The end that an entry belongs to."""
    direct: Any
    """Seconds from the start to each end within one room, infinite where there is no such way."""

    @classmethod
    def at_points(
        cls, crossings: Crossings, rooms: Sequence[int], points: Sequence[XYPair], direct: Sequence[float]
    ) -> "Ends":
        """Return ends at points of rooms."""
        entries = [crossings.states[crossings.entries_of(room)] for room in rooms]
        costs = [crossings.from_point(*pair) for pair in zip(rooms, points, strict=True)]
        number = np.repeat(np.arange(len(rooms)), [len(states) for states in entries])
        return cls(np.concatenate(entries), np.concatenate(costs), number, np.array(direct))

    def seconds(self, arrivals: Arrivals) -> Any:
        """Return the seconds to each end."""
        result = self.direct.copy()
        np.minimum.at(result, self.number, self._totals(arrivals))
        return result

    def entry(self, number: int, arrivals: Arrivals) -> int:
        """Return the last node on the way to an end, -1 if it leads through none."""
        entries = np.flatnonzero(self.number == number)
        totals = self._totals(arrivals)[entries]
        if not len(entries) or self.direct[number] <= totals.min():
            return -1
        return int(self.states[entries[totals.argmin()]] >> 1)

    def entries(self, arrivals: Arrivals) -> tuple[Any, Any]:
        """Return the last node on the way to each end, -1 if it leads through none, and the seconds from it to the end."""
        totals = self._totals(arrivals)
        nodes, costs = np.full(len(self.direct), -1), self.direct.copy()
        slowest_first = np.argsort(-totals, kind="stable")  # the fastest is written last
        is_better = totals[slowest_first] < self.direct[self.number[slowest_first]]
        entries = slowest_first[is_better]
        nodes[self.number[entries]] = self.states[entries] >> 1
        costs[self.number[entries]] = self.costs[entries]
        return nodes, costs

    def _totals(self, arrivals: Arrivals) -> Any:
        """Return the seconds by each entry. A node that was reached across the room itself leads out of it."""
        nodes = self.states >> 1
        totals = arrivals.seconds[nodes] + self.costs
        is_usable = (arrivals.leaving[nodes] == self.states) & (totals >= 0)
        return np.where(is_usable, totals, np.inf)

    def nearest(self, arrivals: Arrivals, count: int, limit: float) -> float:
        """Return the seconds to the `count`th nearest end; infinite if no node of an end is within the limit."""
        if not (arrivals.seconds[self.states >> 1] <= limit).any() and self.direct.min() > limit:
            return float("inf")
        return float(np.partition(self.seconds(arrivals), count - 1)[count - 1])


def all_middles(crossings: Crossings) -> Ends:
    """Return the middles of all rooms as ends."""
    count = len(crossings.rooms)
    entries = np.flatnonzero(crossings.areas < count)
    return Ends(
        crossings.states[entries],
        crossings.to_middles[entries],
        crossings.areas[entries],
        np.full(count, np.inf),
    )


def search(
    crossings: Crossings,
    states: Any,
    seconds_from_start: Any,
    closed_areas: Sequence[int],
    closed_nodes: Sequence[int],
    ends: Ends | None = None,
    enough: int = 0,
) -> Arrivals:
    """Return the arrivals from a place, or the nearest of several.

    `states` leave the nodes of its room out of the room, each at most once, with the times from the place to the node.
    Nothing closed is entered. With `ends` the search may stop when the ways to the `enough` nearest ones are final.
    """
    sizes = crossings.open_sizes(closed_areas)
    seconds = np.array(seconds_from_start)
    seconds[np.isin(states >> 1, closed_nodes)] = np.inf
    slowest_first = np.argsort(
        -seconds, kind="stable"
    )  # a node between two rooms of starts keeps the faster way
    states, seconds = states[slowest_first], seconds[slowest_first]
    if crossings.is_sparse:
        return _dijkstra(crossings, states, seconds, sizes, closed_nodes)
    return _slices(crossings, states, seconds, sizes, closed_nodes, ends, enough)


def _dijkstra(
    crossings: Crossings, states: Any, seconds: Any, sizes: Any, closed_nodes: Sequence[int]
) -> Arrivals:
    """Search by SciPy, over states and the start as one more."""
    from scipy.sparse import csgraph, csr_array

    count = len(sizes)
    first, targets, costs = crossings.edges
    is_open = np.repeat(sizes > 0, crossings.sizes)
    if len(closed_nodes):
        is_open &= ~np.isin(targets >> 1, closed_nodes)
    costs = np.concatenate([np.where(is_open, costs, np.inf), seconds])
    first = np.append(first, first[-1] + len(states))
    graph = csr_array((costs, np.concatenate([targets, states]), first), shape=(count + 1, count + 1))
    dijkstra = cast(Any, csgraph).dijkstra  # it comes without types
    times, before = dijkstra(graph, indices=count, return_predecessors=True)
    leaving = 2 * np.arange(count // 2) + (times[1:count:2] < times[0:count:2])
    before = np.where((before < 0) | (before == count), -1, before >> 1)
    return Arrivals(times[leaving], before[leaving], leaving)


def _slices(
    crossings: Crossings,
    states: Any,
    seconds_from_start: Any,
    sizes: Any,
    closed_nodes: Sequence[int],
    ends: Ends | None,
    enough: int,
) -> Arrivals:
    """Search in slices of time."""
    count = len(crossings.positions)
    seconds, before, leaving = np.full(count, np.inf), np.full(count, -1), np.full(count, -1)
    nodes = states >> 1
    seconds[nodes], leaving[nodes] = seconds_from_start, states
    seconds[closed_nodes] = -np.inf  # so that no way to them is better
    arrivals = Arrivals(seconds, before, leaving)
    waiting = np.isfinite(seconds)
    while len(nodes := np.flatnonzero(waiting)):
        times = seconds[nodes]
        least = float(times.min())
        if ends and ends.nearest(arrivals, enough, least) <= least:
            break
        nodes = nodes[times <= least + SLICE]
        waiting[nodes] = False
        states = leaving[nodes]
        entry, state, cost = crossings.leave(states, sizes[states])
        source, target = nodes[entry], state >> 1
        times = seconds[source] + cost
        better = np.flatnonzero(times < seconds[target])
        better = better[np.argsort(-times[better])]  # of several ways to a node the fastest is written last
        target = target[better]
        seconds[target], before[target], leaving[target] = times[better], source[better], state[better]
        waiting[target] = True
    seconds[closed_nodes] = np.inf
    return arrivals
