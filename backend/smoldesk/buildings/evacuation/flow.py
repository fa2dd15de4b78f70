"""Queues of people on their ways out, by the hydraulic model of egress.

Doors and stairs let at most their specific flow times their effective width pass, which is the clear width less a
boundary layer at each side. Source: Gwynne and Rosenbaum, "Employing the Hydraulic Model in Assessing Emergency Movement",
SFPE Handbook of Fire Protection Engineering, 5th edition (2016), chapter 59, after Nelson and Mowrer: at most 1.3 people
a second and metre through doors (k = 1.40 m/s), boundary layers of 0.15 m, and by its speed S = k (1 - a D) with a = 0.266
m² a flow of at most k / 4a, for stairs of 178 mm by 279 mm (k = 1.08 m/s) 1.01. Clear widths are those of the plan, else
assumptions: 0.9 m for doors, 1.2 m for stairs. Queues are computed as a fluid: people come in batches, first come first
served, and all take their shortest way, also if it has a queue.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from smoldesk.buildings.evacuation.escape_routes import EscapeRoutes
from smoldesk.buildings.places import Spot
from smoldesk.buildings.routing.graph import Place

DOOR_FLOW, STAIR_FLOW = 1.3, 1.01
BOUNDARY = 0.15
DOOR_WIDTH, STAIR_WIDTH = 0.9, 1.2
# Least effective width: the narrowest door of a plan still lets people pass.
LEAST_WIDTH = 0.2
OUTSIDE = -1
# Most batches behind one place. In a chain of rooms each would otherwise pass every batch of all before it.
MAX_BATCHES = 64

# From the first to the last arrival in seconds, and how many people.
Batch = tuple[float, float, float]


@dataclass(frozen=True)
class Queue:
    """Passing of one place: its people, people a second, and the seconds that the last of a group waits longest."""

    place: int
    people: float
    capacity: float
    wait: float
    last: float
    """When the last one has passed, in seconds from the start."""


@dataclass(frozen=True)
class Move:
    """People who leave one area for the next, evenly from `start` to `end`; OUTSIDE behind an exit."""

    area: int
    next_area: int
    start: float
    end: float
    people: float


@dataclass(frozen=True)
class Flow:
    """All that happens from the start until everyone who can is out."""

    people: dict[int, int]
    """People of each room, by its number, at the start."""
    queues: list[Queue]
    moves: list[Move]
    longest: float
    """Longest way of anyone who gets out, in seconds and without queues."""

    @property
    def clearance(self) -> float:
        """Return the seconds until everyone who can is out."""
        return max((move.end for move in self.moves if move.next_area == OUTSIDE), default=0.0)

    @property
    def saved(self) -> int:
        """Return the people who get out."""
        return round(sum(move.people for move in self.moves if move.next_area == OUTSIDE))

    def at(self, times: Sequence[float], areas: int) -> Any:
        """Return the people in each area at these times, and as the last row those outside."""
        import numpy  # heavy

        np: Any = numpy
        result = np.zeros((areas + 1, len(times)))
        for room, count in self.people.items():
            result[room] += count
        starts, ends = (np.array([getattr(move, name) for move in self.moves]) for name in ("start", "end"))
        count = np.array([move.people for move in self.moves])
        lengths = np.maximum(ends - starts, 1e-9)
        shares = np.clip((np.array(times)[None, :] - starts[:, None]) / lengths[:, None], 0.0, 1.0)
        moved = shares * count[:, None]
        np.subtract.at(result, [move.area for move in self.moves], moved)
        np.add.at(result, [move.next_area for move in self.moves], moved)
        return result


def capacity_of(routes: EscapeRoutes, place: int) -> float:
    """Return how many people a second pass a place."""
    flow, width = _flow_and_width(routes, place)
    return flow * max(width - 2 * BOUNDARY, LEAST_WIDTH)


def _flow_and_width(routes: EscapeRoutes, place: int) -> tuple[float, float]:
    nodes: list[Place] = routes.graph.places
    if place >= len(nodes):
        return DOOR_FLOW, routes.exits[place - len(nodes)].width or DOOR_WIDTH
    link = nodes[place].link
    if link is not None:
        is_ramp = routes.graph.links[link].kind == "ramp"
        return DOOR_FLOW if is_ramp else STAIR_FLOW, STAIR_WIDTH
    passage = nodes[place].passage
    return DOOR_FLOW, (passage.width if passage else None) or DOOR_WIDTH


def flow(routes: EscapeRoutes, people: Mapping[Spot, int]) -> Flow:
    """Return how the people leave. Those in closed rooms are left out, those without a way out stay."""
    spots = routes.graph.spots
    counts = {spots[spot]: count for spot, count in people.items() if spot not in routes.closures.rooms}
    waiting: dict[int, list[Batch]] = {}
    longest = 0.0
    for room, count in counts.items():
        if count and (place := routes.first[room]) >= 0:
            arrival = routes.seconds[room] - routes.place_seconds[place]
            waiting.setdefault(place, []).append((arrival, arrival, float(count)))
            longest = max(longest, routes.seconds[room])
    queues: list[Queue] = []
    moves: list[Move] = []
    for place in reversed(routes.order):
        if not (arrivals := waiting.pop(place, None)):
            continue
        capacity = capacity_of(routes, place)
        departures, wait = _served(sorted(arrivals), capacity)
        departures = _joined(departures, capacity)
        queues.append(
            Queue(
                place,
                sum(batch[2] for batch in departures),
                capacity,
                wait,
                max(batch[1] for batch in departures),
            )
        )
        after = routes.following[place]
        next_area = routes.areas[after] if after >= 0 else OUTSIDE
        moves += [Move(routes.areas[place], next_area, *batch) for batch in departures]
        if after >= 0:
            travel = routes.place_seconds[place] - routes.place_seconds[after]
            moved = [(start + travel, end + travel, count) for start, end, count in departures]
            waiting.setdefault(after, []).extend(moved)
    return Flow(counts, queues, moves, longest)


def _served(arrivals: Sequence[Batch], capacity: float) -> tuple[list[Batch], float]:
    """Return the batches behind a place, those that touch as one, and the longest wait of a batch's last person."""
    departures: list[Batch] = []
    busy = wait = 0.0
    for first, last, count in arrivals:
        start = max(first, busy)
        busy = start + count / capacity
        end = max(last, busy)
        wait = max(wait, end - last)
        if departures and start <= departures[-1][1]:
            earlier = departures.pop()
            departures.append((earlier[0], max(earlier[1], end), earlier[2] + count))
        else:
            departures.append((start, end, count))
    return departures, wait


def _joined(departures: list[Batch], capacity: float) -> list[Batch]:
    """Return at most MAX_BATCHES: an earlier batch waits for the next one, where the fewest people wait the shortest time.

    Both then pass at full capacity and end as before, so no more people pass than can, and not earlier than they can.
    """
    while (excess := len(departures) - MAX_BATCHES) > 0:
        pairs = range(len(departures) - 1)
        waits = [departures[at][2] * (departures[at + 1][0] - departures[at][1]) for at in pairs]
        chosen: set[int] = set()
        for at in sorted(pairs, key=waits.__getitem__):
            if len(chosen) < excess and at - 1 not in chosen and at + 1 not in chosen:
                chosen.add(at)
        joined: list[Batch] = []
        for at, (start, end, count) in enumerate(departures):
            if at - 1 in chosen:
                count += joined.pop()[2]
                start = end - count / capacity
            joined.append((start, end, count))
        departures = joined
    return departures
