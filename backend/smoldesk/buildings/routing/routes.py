"""Shortest ways by time: routes with all their hops, or only the times to all rooms.

Walking, doors, waiting for a lift and riding it all cost seconds. The search enters nothing that is closed, or not for a
wheelchair, so no route can use it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from smoldesk.buildings.routing.graph import WALKING, Place, RouteGraph, Spot
from smoldesk.messages import XY

if TYPE_CHECKING:
    from smoldesk.buildings.routing.search import Arrivals, Ends

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

    def closed_doors(self, graph: RouteGraph) -> list[int]:
        """Return the nodes of the doors that are closed."""
        return [*self.doors, *graph.doors_with_steps] if self.stepless else [*self.doors]

    def closed_areas(self, graph: RouteGraph) -> list[int]:
        """Return the areas of the rooms and links that are closed, as `crossings.py` numbers them."""
        links = (link for link in range(len(graph.links)) if self.closes_link(graph, link))
        return [*(graph.spots[spot] for spot in self.rooms), *(len(graph.spots) + link for link in links)]

    def closes_goal(self, goal: "Goal") -> bool:
        """Return True for a goal in a closed room, for a closed exit, and for one that the walker cannot take."""
        is_closed = goal.at is not None and (goal.spot[0], goal.at.x, goal.at.y) in self.exits
        return is_closed or goal.spot in self.rooms or (self.stepless and not goal.accessible)

    def closes_link(self, graph: RouteGraph, link: int) -> bool:
        return link in self.links or (self.stepless and graph.links[link].kind not in STEPLESS)


EXIT = "the exit"
"""Label of a goal that leads out of the building."""


@dataclass(frozen=True)
class Goal:
    """Possible end of a route: a room, and the point in it (its middle if `at` is None), which a sentence calls `label`."""

    spot: Spot
    at: XY | None = None
    label: str = ""
    accessible: bool = True
    """False for an exit with steps."""


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
    end: Goal
    hops: list[Hop]
    length: float
    seconds: float
    assumed: bool
    """True when it uses a way between rooms that no file names."""

    @property
    def goal(self) -> Spot:
        return self.end.spot

    @property
    def label(self) -> str:
        """Return the name of the goal, where it is not the room itself but a place in it."""
        return self.end.label


def route_to(graph: RouteGraph, start: Spot, goal: Spot, closures: Closures | None = None) -> Route:
    """Return the shortest route. Raises NoRoute if there is none."""
    routes = routes_to(graph, start, [Goal(goal)], closures)
    if not routes:
        raise NoRoute
    return routes[0]


def routes_to(
    graph: RouteGraph,
    start: Spot | Goal,
    goals: Sequence[Goal],
    closures: Closures | None = None,
    most: int | None = None,
) -> list[Route]:
    """Return a shortest route to each reachable goal, nearest first, at most to `most` goals.

    A goal in a closed room is not reachable. One search serves all goals; only routes that are returned are built.
    """
    closures = closures or Closures()
    start = start if isinstance(start, Goal) else Goal(start)
    if start.spot in closures.rooms:
        return []
    goals = [goal for goal in goals if not closures.closes_goal(goal)]
    return list(_Search(graph, closures, start, goals).routes(most))


def route_via(
    graph: RouteGraph, start: Spot, stops: Sequence[Sequence[Goal]], closures: Closures | None = None
) -> Route | None:
    """Return a route through the nearest place of each stop, in their order; None if a part has no way."""
    parts: list[Route] = []
    for goals in stops:
        routes = routes_to(graph, parts[-1].end if parts else start, goals, closures, most=1)
        if not routes:
            return None
        parts.append(routes[0])
    return Route(
        start,
        parts[-1].end,
        [hop for part in parts for hop in part.hops],
        sum(part.length for part in parts),
        sum(part.seconds for part in parts),
        any(part.assumed for part in parts),
    )


def travel_times(graph: RouteGraph, start: Spot, closures: Closures | None = None) -> dict[Spot, float]:
    """Return the seconds from a room to the middle of each room that it reaches, by one search and without routes."""
    closures = closures or Closures()
    if start in closures.rooms:
        return {}
    return _Search(graph, closures, Goal(start), []).seconds_to_rooms()


class _Search:
    """One search, from a place through what is open."""

    def __init__(self, graph: RouteGraph, closures: Closures, start: Goal, goals: Sequence[Goal]) -> None:
        self.graph, self.closures, self.start, self.goals = graph, closures, start, goals
        self.crossings = graph.crossings
        self.room = graph.spots[start.spot]
        self.begin = self._place(start)
        self.places = [self._place(goal) for goal in goals]

    def routes(self, most: int | None) -> Iterator[Route]:
        """Yield the routes to the nearest goals."""
        if not self.goals:
            return
        count = min(len(self.goals), most or len(self.goals))
        ends = self._ends()
        arrivals = self._arrivals(ends, count)
        seconds: list[float] = ends.seconds(arrivals).tolist()
        for number in sorted(range(len(self.goals)), key=lambda number: seconds[number])[:count]:
            if seconds[number] < float("inf"):
                yield self._route(number, self._hops(number, ends, arrivals), seconds[number])

    def seconds_to_rooms(self) -> dict[Spot, float]:
        """Return the seconds to the middles of all rooms that are open and reached."""
        from smoldesk.buildings.routing.search import all_middles

        ends = all_middles(self.crossings)
        seconds: list[float] = ends.seconds(self._arrivals()).tolist()
        seconds[self.room] = 0.0
        return {
            spot: time
            for spot, time in zip(self.graph.spots, seconds, strict=True)
            if time < float("inf") and spot not in self.closures.rooms
        }

    def _ends(self) -> "Ends":
        """Return the goals; those in the room of the start are also reached within it."""
        from smoldesk.buildings.routing.search import Ends

        rooms = [self.graph.spots[goal.spot] for goal in self.goals]
        direct = [self._direct(goal, place) for goal, place in zip(self.goals, self.places, strict=True)]
        return Ends.at_points(self.crossings, rooms, [(place.x, place.y) for place in self.places], direct)

    def _direct(self, goal: Goal, place: Place) -> float:
        if goal.spot != self.start.spot:
            return float("inf")
        length, _ = self.crossings.path(self.room, (self.begin.x, self.begin.y), (place.x, place.y))
        return length * self.graph.metres[place.floor_id] / WALKING

    def _arrivals(self, ends: "Ends | None" = None, count: int = 0) -> "Arrivals":
        from smoldesk.buildings.routing.search import search

        graph, closures, crossings = self.graph, self.closures, self.crossings
        states = crossings.behind[crossings.entries_of(self.room)]
        seconds = crossings.from_point(self.room, (self.begin.x, self.begin.y))
        closed_areas, closed_doors = closures.closed_areas(graph), closures.closed_doors(graph)
        return search(crossings, states, seconds, closed_areas, closed_doors, ends, count)

    def _route(self, number: int, hops: list[Hop], seconds: float) -> Route:
        goal = self.goals[number]
        metres = self.graph.metres if self.graph.scaled else {}
        length = sum(hop.length * metres.get(hop.start.floor_id, 1.0) for hop in hops)
        floors = {hop.start.floor_id for hop in hops if hop.room and hop.start.kind == "door"}
        assumed = bool(floors & self.graph.assumed)
        return Route(self.start.spot, goal, hops, length, seconds, assumed)

    def _hops(self, number: int, ends: "Ends", arrivals: "Arrivals") -> list[Hop]:
        """Return the hops to a goal: node by node, and around the corners in between."""
        goal, end = self.goals[number], self.places[number]
        entry = ends.entry(number, arrivals)
        if entry < 0:
            return [] if goal.at == self.start.at else list(self._cross(self.room, self.begin, end))
        hops: list[Hop] = []
        place = self.begin
        for node in arrivals.path_to(entry):
            hops += self._cross(
                int(self.crossings.area_of[arrivals.leaving[node] ^ 1]), place, self.graph.places[node]
            )
            place = self.graph.places[node]
        return [*hops, *self._cross(self.graph.spots[goal.spot], place, end)]

    def _cross(self, area: int, start: Place, end: Place) -> Iterator[Hop]:
        """Yield the hops across one room or link."""
        if area >= len(self.graph.spots):
            yield Hop(start, end, None, 0.0)
            return
        spot = self.graph.spot_at(area)
        _, corners = self.crossings.path(area, (start.x, start.y), (end.x, end.y))
        turns = [Place(spot[0], x, y, "corner", room=spot[1]) for x, y in corners]
        for first, second in pairwise([start, *turns, end]):
            yield Hop(first, second, spot, ((first.x - second.x) ** 2 + (first.y - second.y) ** 2) ** 0.5)

    def _place(self, goal: Goal) -> Place:
        floor_id, name = goal.spot
        x, y = (goal.at.x, goal.at.y) if goal.at else self.crossings.middle(self.graph.spots[goal.spot])
        return Place(floor_id, x, y, "middle", room=name)
