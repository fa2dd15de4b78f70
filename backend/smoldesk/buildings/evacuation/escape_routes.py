"""Ways from all rooms to the nearest exit, by one search from all exits at once.

All ways together are a tree: from each place where people pass, a door, a stop of stairs or an exit, the next one is the
same for all who come there. Places are numbered as the nodes of the graph, and after them the exits.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from smoldesk.buildings.building import Building
from smoldesk.buildings.closures import route_closures
from smoldesk.buildings.evacuation.exits import Exit, exits_of
from smoldesk.buildings.places import Spot
from smoldesk.buildings.routing import Closures, RouteGraph
from smoldesk.buildings.routing.graph import DOOR_SECONDS
from smoldesk.buildings.travel_profiles import TravelProfile, profile_graph
from smoldesk.messages import Closure

if TYPE_CHECKING:
    from smoldesk.buildings.routing.search import Arrivals, Ends


@dataclass(frozen=True)
class EscapeRoutes:
    """Ways out under closures. Lists are by the number of the room, or of the place; infinite and -1 for no way."""

    graph: RouteGraph
    exits: list[Exit]
    closures: Closures
    seconds: list[float]
    """From the middle of each room to its exit, without queues."""
    metres: list[float]
    """Length of that way on level ground; a guess where the plan has no scale."""
    exit_of: list[int]
    """The exit of each room."""
    first: list[int]
    """The first place on the way of each room."""
    place_seconds: list[float]
    """From each place to its exit."""
    following: list[int]
    """The place after each on the way; -1 after an exit."""
    areas: list[int]
    """The room or link that people wait in before each place."""
    order: list[int]
    """All places on ways, those with no other before them last."""

    def cut_off(self) -> list[Spot]:
        """Return the open rooms without a way out."""
        return [
            spot
            for spot, number in self.graph.spots.items()
            if self.exit_of[number] < 0 and spot not in self.closures.rooms
        ]


def escape_routes(
    building: Building, profile: TravelProfile, closed: Iterable[Closure], lifts: bool = False
) -> EscapeRoutes:
    """Return the ways out of all rooms. Lifts are used only with `lifts`: in an emergency they stop."""
    graph = profile_graph(building, profile)
    closures = route_closures(graph, closed, profile.stepless)
    if not lifts:
        stopped = frozenset(number for number, link in enumerate(graph.links) if link.kind == "lift")
        closures = replace(closures, links=closures.links | stopped)
    return routes_to_exits(graph, exits_of(building.places), closures, profile.speed)


def routes_to_exits(
    graph: RouteGraph, exits: Iterable[Exit], closures: Closures, speed: float
) -> EscapeRoutes:
    """Return the ways to the open ones of these exits; `speed` is that of the graph, in metres a second."""
    return _Tree(graph, closures, [exit_ for exit_ in exits if not closures.closes_goal(exit_.goal)]).routes(
        speed
    )


class _Tree:
    """The ways while they are made."""

    def __init__(self, graph: RouteGraph, closures: Closures, exits: Sequence[Exit]) -> None:
        self.graph, self.closures, self.exits = graph, closures, exits
        self.crossings = graph.crossings
        self.rooms = [graph.spots[exit_.goal.spot] for exit_ in exits]
        self.points = [
            (exit_.goal.at.x, exit_.goal.at.y) if exit_.goal.at else self.crossings.middle(room)
            for exit_, room in zip(exits, self.rooms, strict=True)
        ]

    def routes(self, speed: float) -> EscapeRoutes:
        """Search from the exits, and follow the ways from place to place."""
        nodes, count = len(self.graph.places), len(self.graph.spots)
        arrivals, exit_of_state = self._search()
        direct, nearest = self._within_rooms()
        ends = self._ends(direct)
        first, last_seconds = ends.entries(arrivals)
        seconds: list[float] = ends.seconds(arrivals).tolist()
        first = [
            node if node >= 0 else nodes + nearest[room] if nearest[room] >= 0 else -1
            for room, node in enumerate(first.tolist())
        ]
        before: list[int] = arrivals.before.tolist()
        leaving: list[int] = arrivals.leaving.tolist()
        place_seconds = [*arrivals.seconds.tolist(), *(0.0 for _ in self.exits)]
        following = [
            -1
            if time == float("inf")
            else before[node]
            if before[node] >= 0
            else nodes + exit_of_state[leaving[node]]
            for node, time in enumerate(place_seconds[:nodes])
        ] + [-1] * len(self.exits)
        areas = [*(int(self.crossings.area_of[state]) for state in leaving), *self.rooms]
        order, exit_of_place = self._ordered(following)
        walked = self._walked(order, place_seconds, following, areas)
        closed = {self.graph.spots[spot] for spot in self.closures.rooms}
        exit_of, metres = [-1] * count, [float("inf")] * count
        costs: list[float] = last_seconds.tolist()
        for room, place in enumerate(first):
            if place < 0 or seconds[room] == float("inf") or room in closed:
                seconds[room], first[room] = float("inf"), -1
                continue
            exit_of[room] = exit_of_place[place]
            metres[room] = (
                walked[place] + costs[room] - (DOOR_SECONDS / 2 if self._is_door(place) else 0)
            ) * speed
        return EscapeRoutes(
            self.graph, [*self.exits], self.closures, seconds, metres, exit_of, first, place_seconds, following, areas,
            order,
        )  # fmt: skip

    def _search(self) -> "tuple[Arrivals, dict[int, int]]":
        """Return the arrivals from the nearest exit, and the exit behind each state that a way may start with."""
        from smoldesk.buildings.routing.corners import np
        from smoldesk.buildings.routing.search import search

        crossings = self.crossings
        best: dict[int, tuple[float, int]] = {}
        for number, (room, point) in enumerate(zip(self.rooms, self.points, strict=True)):
            states: list[int] = crossings.behind[crossings.entries_of(room)].tolist()
            for state, time in zip(states, crossings.from_point(room, point).tolist(), strict=True):
                if time < best.get(state, (float("inf"), 0))[0]:
                    best[state] = (time, number)
        states = np.array(list(best), np.int64)
        seconds = np.array([time for time, _ in best.values()], float)
        closed_areas, closed_doors = (
            self.closures.closed_areas(self.graph),
            self.closures.closed_doors(self.graph),
        )
        arrivals = search(crossings, states, seconds, closed_areas, closed_doors)
        return arrivals, {state: number for state, (_, number) in best.items()}

    def _within_rooms(self) -> tuple[list[float], list[int]]:
        """Return for each room the seconds to the nearest exit that it has itself, and that exit."""
        direct = [float("inf")] * len(self.graph.spots)
        nearest = [-1] * len(direct)
        for number, (room, point) in enumerate(zip(self.rooms, self.points, strict=True)):
            length, _ = self.crossings.path(room, self.crossings.middle(room), point)
            time = length * self.crossings.pace(room)
            if time < direct[room]:
                direct[room], nearest[room] = time, number
        return direct, nearest

    def _ends(self, direct: list[float]) -> "Ends":
        from smoldesk.buildings.routing.corners import np
        from smoldesk.buildings.routing.search import all_middles

        return replace(all_middles(self.crossings), direct=np.array(direct))

    def _ordered(self, following: list[int]) -> tuple[list[int], list[int]]:
        """Return all places on ways, each after the one that follows it, and the exit of each place."""
        previous: dict[int, list[int]] = {}
        for place, after in enumerate(following):
            if after >= 0:
                previous.setdefault(after, []).append(place)
        nodes = len(following) - len(self.exits)
        exit_of = [-1] * nodes + [*range(len(self.exits))]
        order = [*range(nodes, len(following))]
        for place in order:  # it grows
            for earlier in previous.get(place, ()):
                exit_of[earlier] = exit_of[place]
                order.append(earlier)
        return order, exit_of

    def _walked(
        self, order: list[int], seconds: list[float], following: list[int], areas: list[int]
    ) -> list[float]:
        """Return the seconds that are walked from each place to its exit, without doors and links."""
        walked = [0.0] * len(seconds)
        for place in order:
            after = following[place]
            if after < 0:
                continue
            passing = sum(DOOR_SECONDS / 2 for end in (place, after) if self._is_door(end))
            is_link = areas[after] >= len(self.graph.spots)
            walked[place] = walked[after] + (0.0 if is_link else seconds[place] - seconds[after] - passing)
        return walked

    def _is_door(self, place: int) -> bool:
        return place < len(self.graph.places) and self.graph.places[place].kind == "door"
