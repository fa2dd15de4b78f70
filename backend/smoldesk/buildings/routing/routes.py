"""Shortest ways by time, by Dijkstra's algorithm as SciPy has it (measured against networkx, igraph and rustworkx).

Walking, doors, waiting for a lift and riding it all cost seconds. What is closed, or not for a wheelchair, is left out of
the graph before the search, so no route can use it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, cast

from smoldesk.buildings.routing.graph import Place, RouteGraph, Spot, edge_matrix
from smoldesk.messages import XY

# The links that a wheelchair can take.
STEPLESS = frozenset(("lift", "ramp"))


class NoRoute(Exception):
    """No open way joins the two places."""


@dataclass(frozen=True)
class Closures:
    """Closed parts of a building: rooms, links and doors (by index), exits (by place), and all that has steps."""

    rooms: frozenset[Spot] = frozenset()
    links: frozenset[int] = frozenset()
    doors: frozenset[int] = frozenset()
    exits: frozenset[tuple[str, float, float]] = frozenset()
    stepless: bool = False

    @property
    def closed(self) -> bool:
        """True when anything is closed, for any walker."""
        return bool(self.rooms or self.links or self.doors or self.exits)

    def closes(self, graph: RouteGraph, node: int) -> bool:
        """Return True for a door or a stop that is closed."""
        place = graph.places[node]
        if place.passage:
            return node in self.doors or (self.stepless and not place.passage.accessible)
        return place.link is not None and self.closes_link(graph, place.link)

    def closes_goal(self, goal: "Goal") -> bool:
        """Return True for a goal in a closed room, and for a closed exit."""
        is_exit = goal.at is not None and (goal.spot[0], goal.at.x, goal.at.y) in self.exits
        return is_exit or goal.spot in self.rooms

    def closes_link(self, graph: RouteGraph, link: int) -> bool:
        return link in self.links or (self.stepless and graph.links[link].kind not in STEPLESS)


@dataclass(frozen=True)
class Goal:
    """Possible end of a route: a room, and the point in it (its middle if `at` is None), which a sentence calls `label`."""

    spot: Spot
    at: XY | None = None
    label: str = ""


@dataclass(frozen=True)
class Hop:
    """From one place to the next: through `room`, or, with `room` None, by the link both places are stops of."""

    start: Place
    end: Place
    room: Spot | None
    length: float


@dataclass(frozen=True)
class Route:
    """A shortest way; `length` in metres where every floor has a scale, else in virtual units; `seconds` of all of it."""

    start: Spot
    goal: Spot
    hops: list[Hop]
    length: float
    seconds: float
    assumed: bool
    """True when it uses a way between rooms that no file names."""
    label: str = ""
    """What the goal is called, where it is not the room itself but a place in it."""


def route_to(graph: RouteGraph, start: Spot, goal: Spot, closures: Closures | None = None) -> Route:
    """Return the shortest route. Raises NoRoute if there is none."""
    routes = routes_to(graph, start, [Goal(goal)], closures)
    if not routes:
        raise NoRoute
    return routes[0]


def routes_to(
    graph: RouteGraph,
    start: Spot,
    goals: Sequence[Goal],
    closures: Closures | None = None,
    most: int | None = None,
) -> list[Route]:
    """Return a shortest route to each reachable goal, nearest first, at most to `most` goals.

    A goal in a closed room is not reachable. One search serves all goals; only routes that are returned are built.
    """
    closures = closures or Closures()
    if start in closures.rooms:
        return []
    goals = [goal for goal in goals if not closures.closes_goal(goal)]
    return list(_Search(graph, closures, start, goals).routes(most))


def route_via(
    graph: RouteGraph, start: Spot, stops: Sequence[Sequence[Goal]], closures: Closures | None = None
) -> Route | None:
    """Return a route through the nearest place of each stop, in their order; None if a part has no way."""
    parts: list[Route] = []
    for goals in stops:
        routes = routes_to(graph, parts[-1].goal if parts else start, goals, closures, most=1)
        if not routes:
            return None
        parts.append(routes[0])
    last = parts[-1]
    return Route(
        start,
        last.goal,
        [hop for part in parts for hop in part.hops],
        sum(part.length for part in parts),
        sum(part.seconds for part in parts),
        any(part.assumed for part in parts),
        last.label,
    )


class _Search:
    """One search: the graph without what is closed, with the start and the goals as nodes of their own."""

    def __init__(self, graph: RouteGraph, closures: Closures, start: Spot, goals: Sequence[Goal]) -> None:
        self.graph, self.closures, self.start, self.goals = graph, closures, start, goals
        self.size = len(graph.places)
        self.ends = [_middle(graph, Goal(start)), *(_middle(graph, goal) for goal in goals)]
        self.spots = [start, *(goal.spot for goal in goals)]
        self.extra: list[tuple[int, int, float]] = []
        self._join_ends()

    def routes(self, most: int | None) -> Iterator[Route]:
        """Yield the routes to the nearest goals."""
        from scipy.sparse import csgraph

        dijkstra = cast(Any, csgraph).dijkstra  # it comes without types
        seconds, before = dijkstra(self._matrix(), directed=True, indices=self.size, return_predecessors=True)
        distances = [
            0.0 if goal.spot == self.start and goal.at is None else float(seconds[self.size + number])
            for number, goal in enumerate(self.goals, start=1)
        ]
        nearest = sorted(range(len(self.goals)), key=lambda number: distances[number])
        for number in nearest[:most]:
            goal, distance = self.goals[number], distances[number]
            if goal.spot == self.start and goal.at is None:
                yield Route(self.start, goal.spot, [], 0.0, 0.0, assumed=False)
            elif distance < float("inf"):
                yield self._route(goal, self._path(before, self.size + 1 + number), distance)

    def _join_ends(self) -> None:
        """Edges from each end to what it sees in its room; doors into dead ends wake up where an end needs them."""
        graph = self.graph
        woken: set[int] = set()
        for spot in set(self.spots):
            asleep = [node for node in graph.nodes_of(spot) if not graph.is_awake(node)]
            if graph.is_dead_end(spot):
                woken.update(node for node in asleep if not self.closures.closes(graph, node))
        for number, spot in enumerate(self.spots):
            room = graph.spots[spot]
            for node in graph.nodes_of(spot):
                if (graph.is_awake(node) or node in woken) and not self.closures.closes(graph, node):
                    self._join(room, self.size + number, self.ends[number], node, graph.places[node])
            if number and spot == self.start:
                self._join(room, self.size, self.ends[0], self.size + number, self.ends[number])
        for node in woken:
            for room in graph.rooms_at(node):
                spot = graph.spot_at(room)
                if spot in self.closures.rooms:
                    continue
                for other in graph.nodes_of(spot):
                    late = other in woken and other > node
                    if late or (graph.is_awake(other) and not self.closures.closes(graph, other)):
                        self._join(room, node, graph.places[node], other, graph.places[other])

    def _join(self, room: int, source: int, at: Place, target: int, place: Place) -> None:
        if crossing := self.graph.crossing(room, place.floor_id, at, place):
            self.extra.append((source, target, crossing[0]))

    def _matrix(self) -> Any:
        """Return the open edges of the graph and those of the ends. No edge is in both: only ends and woken doors have the
        latter.
        """
        import numpy as np

        ends = np.array(self.extra or [(0, 0, 0.0)][:0], float).reshape(-1, 3)
        count = self.size + len(self.ends)
        extra = edge_matrix(ends[:, 0].astype(np.int64), ends[:, 1].astype(np.int64), ends[:, 2], count)
        edges = self._open_edges().copy()
        edges.resize((count, count))
        return edges + extra

    def _open_edges(self) -> Any:
        import numpy as np

        graph, closures = self.graph, self.closures
        if not closures.closed and not closures.stepless:
            return graph.matrix
        arrays = graph.arrays
        keep = np.ones(len(arrays.source), bool)
        for spot in closures.rooms:
            keep &= arrays.room != graph.spots[spot]
        for link in range(len(graph.links)):
            if closures.closes_link(graph, link):
                keep &= arrays.link != link
        if closures.doors or closures.stepless:
            closed = np.fromiter(
                (closures.closes(graph, node) for node in range(self.size)), bool, count=self.size
            )
            keep &= ~(closed[arrays.source] | closed[arrays.target])
        return edge_matrix(arrays.source[keep], arrays.target[keep], arrays.seconds[keep], self.size)

    def _path(self, before: Any, end: int) -> list[int]:
        path = [end]
        while path[-1] != self.size:
            path.append(int(before[path[-1]]))
        return path[::-1]

    def _route(self, goal: Goal, path: list[int], seconds: float) -> Route:
        hops = [self._hop(place, other) for place, other in pairwise(path)]
        metres = self.graph.metres if self.graph.scaled else {}
        length = sum(hop.length * metres.get(hop.start.floor_id, 1.0) for hop in hops)
        floors = {hop.start.floor_id for hop in hops if hop.room and hop.start.kind == "door"}
        return Route(
            self.start, goal.spot, hops, length, seconds, bool(floors & self.graph.assumed), goal.label
        )

    def _hop(self, source: int, target: int) -> Hop:
        first, second = self._place(source), self._place(target)
        if first.link is not None and first.link == second.link and first.floor_id != second.floor_id:
            return Hop(first, second, None, 0.0)
        shared = [spot for spot in self._spots_at(source) if spot in self._spots_at(target)]
        spot = next((spot for spot in shared if spot not in self.closures.rooms), shared[0])
        length = ((first.x - second.x) ** 2 + (first.y - second.y) ** 2) ** 0.5
        return Hop(first, second, spot, length)

    def _place(self, node: int) -> Place:
        return self.ends[node - self.size] if node >= self.size else self.graph.places[node]

    def _spots_at(self, node: int) -> list[Spot]:
        if node >= self.size:
            return [self.spots[node - self.size]]
        return [self.graph.spot_at(room) for room in self.graph.rooms_at(node)]


def _middle(graph: RouteGraph, goal: Goal) -> Place:
    floor_id, name = goal.spot
    x, y = (goal.at.x, goal.at.y) if goal.at else graph.insides[graph.spots[goal.spot]].middle
    return Place(floor_id, x, y, "middle", room=name)
