"""All ways of a building as one graph in arrays, built once: places to be at, and edges between them.

A node is a door, a stop of a lift or a staircase, or a corner one turns around. An edge crosses one room, or takes one link.
Doors into dead ends (rooms with no other way) are nodes too, but without edges: only a route that begins or ends
there wakes them up. So a corridor with a thousand offices costs a thousand, not their square.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal, NamedTuple

from smoldesk.buildings.routing.inside import Inside, inside
from smoldesk.buildings.routing.passages import Passage, passages
from smoldesk.messages import Floor, Link, MapDefinitionContent

# A room: (floor id, name).
Spot = tuple[str, str]

# Metres per second: the usual walking speed on level ground.
WALKING = 1.3
# Cost of a door in seconds: opening it, letting others pass.
DOOR_SECONDS = 2.0
# Diagonal in metres of a floor without a scale. Used for costs only; no length is shown.
UNKNOWN_DIAGONAL = 60.0


@dataclass(frozen=True)
class Place:
    """Position of a node: on a floor, in virtual coordinates. `passage` for doors, `link` for stops."""

    floor_id: str
    x: float
    y: float
    kind: Literal["door", "stop", "corner", "middle"]
    passage: Passage | None = None
    link: int | None = None
    room: str = ""


@dataclass
class Edges:
    """Parallel lists: ends, cost in seconds, length in virtual units, and what is crossed (a room or a link, by index)."""

    source: list[int] = field(default_factory=list[int])
    target: list[int] = field(default_factory=list[int])
    seconds: list[float] = field(default_factory=list[float])
    length: list[float] = field(default_factory=list[float])
    room: list[int] = field(default_factory=list[int])
    link: list[int] = field(default_factory=list[int])

    def add(
        self, source: int, target: int, seconds: float, length: float, room: int = -1, link: int = -1
    ) -> None:
        """Add one edge, in both directions; `length` in metres."""
        self.source.append(source)
        self.target.append(target)
        self.seconds.append(seconds)
        self.length.append(length)
        self.room.append(room)
        self.link.append(link)


class EdgeArrays(NamedTuple):
    """The lists of `Edges` as NumPy arrays, without the lengths."""

    source: Any
    target: Any
    seconds: Any
    room: Any
    link: Any


class RouteGraph:
    """The graph of one building; cheap to ask, and never changed, so threads may share it."""

    def __init__(self, building: MapDefinitionContent) -> None:
        self.building = building
        self.links: list[Link] = list(building.links or [])
        self.places: list[Place] = []
        self.edges = Edges()
        self.assumed: set[str] = set()
        """Floors whose ways between rooms were assumed."""
        self.spots: dict[Spot, int] = {}
        self.insides: list[Inside] = []
        self._spot_list: list[Spot] = []
        self._nodes: list[list[int]] = []
        """For each room the nodes on its edge and inside it."""
        self._awake: list[bool] = []
        for floor in building.floors:
            self._add_floor(floor)
        for number, link in enumerate(self.links):
            self._add_link(number, link)
        self._join_rooms()

    @cached_property
    def metres(self) -> dict[str, float]:
        """Metres of one virtual unit of each floor; a guess where the floor has no scale (`scaled` says whether)."""
        return {floor.floor_id: floor.metres_per_unit or _guess(floor) for floor in self.building.floors}

    @cached_property
    def scaled(self) -> bool:
        """True when every floor says what a unit is, so that lengths can be told in metres."""
        return all(floor.metres_per_unit for floor in self.building.floors)

    @cached_property
    def ordinals(self) -> dict[str, int]:
        """The height of each floor: its ordinal, else its place in the file."""
        return {
            floor.floor_id: place if floor.ordinal is None else floor.ordinal
            for place, floor in enumerate(self.building.floors)
        }

    def nodes_of(self, spot: Spot) -> list[int]:
        """Return the doors, stops and corners of a room."""
        return self._nodes[self.spots[spot]]

    def spot_at(self, room: int) -> Spot:
        """Return the room of this index."""
        return self._spot_list[room]

    def is_dead_end(self, spot: Spot) -> bool:
        """Return True for a room with one door and no other connection."""
        neighbours = [node for node in self.nodes_of(spot) if self.places[node].kind != "corner"]
        return len(neighbours) == 1 and self.places[neighbours[0]].kind == "door"

    @cached_property
    def arrays(self) -> "EdgeArrays":
        """The edges as NumPy arrays; made when first needed, as NumPy is heavy."""
        import numpy as np

        edges = self.edges
        return EdgeArrays(
            source=np.array(edges.source, np.int64),
            target=np.array(edges.target, np.int64),
            seconds=np.array(edges.seconds, float),
            room=np.array(edges.room, np.int64),
            link=np.array(edges.link, np.int64),
        )

    @cached_property
    def matrix(self) -> Any:
        """The edges as a sparse matrix of seconds in both directions, for routes without closures."""
        arrays = self.arrays
        return edge_matrix(arrays.source, arrays.target, arrays.seconds, len(self.places))

    def is_awake(self, node: int) -> bool:
        """Return False for a door into a dead end: it has no edges of its own."""
        return self._awake[node]

    def rooms_at(self, node: int) -> list[int]:
        """Return the rooms (by index) that a node belongs to: two for a door, else one."""
        place = self.places[node]
        names = place.passage.rooms if place.passage else (place.room,)
        return [self.spots[place.floor_id, name] for name in names]

    def crossing(self, room: int, floor_id: str, start: Place, end: Place) -> tuple[float, float] | None:
        """(seconds, length) of the straight way between two places of a room; None when a wall is in between."""
        if not self.insides[room].is_visible((start.x, start.y), (end.x, end.y)):
            return None
        length = ((start.x - end.x) ** 2 + (start.y - end.y) ** 2) ** 0.5
        doors = (start.kind == "door") + (end.kind == "door")
        return length * self.metres[floor_id] / WALKING + doors * DOOR_SECONDS / 2, length

    def _add_floor(self, floor: Floor) -> None:
        for room in floor.rectangles:
            self.spots[floor.floor_id, room.name] = len(self.insides)
            self._spot_list.append((floor.floor_id, room.name))
            self.insides.append(inside(room))
            self._nodes.append([])
        floor_passages = passages(floor)
        if floor_passages.assumed:
            self.assumed.add(floor.floor_id)
        for passage in floor_passages.passages:
            place = Place(floor.floor_id, passage.x, passage.y, "door", passage=passage)
            self._add_node(place, [(floor.floor_id, name) for name in passage.rooms])
        for room in floor.rectangles:
            spot = (floor.floor_id, room.name)
            for x, y in self.insides[self.spots[spot]].corners:
                self._add_node(Place(floor.floor_id, x, y, "corner", room=room.name), [spot])

    def _add_link(self, number: int, link: Link) -> None:
        nodes: list[int] = []
        for stop in link.stops:
            place = Place(stop.floor_id, stop.at.x, stop.at.y, "stop", link=number, room=stop.room)
            nodes.append(self._add_node(place, [(stop.floor_id, stop.room)]))
        for at, node in enumerate(nodes):
            for other in nodes[at + 1 :]:
                floors = abs(self._ordinal(node) - self._ordinal(other))
                seconds = link.wait_seconds + max(1, floors) * link.floor_seconds
                self.edges.add(node, other, seconds, 0.0, link=number)

    def _ordinal(self, node: int) -> int:
        return self.ordinals[self.places[node].floor_id]

    def _add_node(self, place: Place, spots: Iterable[Spot]) -> int:
        """Add a node of all these rooms. Raises KeyError for an unknown room (a building is checked before)."""
        node = len(self.places)
        self.places.append(place)
        self._awake.append(True)
        for spot in spots:
            self._nodes[self.spots[spot]].append(node)
        return node

    def _join_rooms(self) -> None:
        for spot in self.spots:
            if self.is_dead_end(spot):
                for node in self.nodes_of(spot):
                    self._awake[node] = self.places[node].kind == "corner"
        for (floor_id, _), room in self.spots.items():
            nodes = [node for node in self._nodes[room] if self._awake[node]]
            places = [(self.places[node].x, self.places[node].y) for node in nodes]
            turns = [self.places[node].kind == "corner" for node in nodes]
            for a, b in self.insides[room].pairs(places, turns):
                first, other = self.places[nodes[a]], self.places[nodes[b]]
                length = ((first.x - other.x) ** 2 + (first.y - other.y) ** 2) ** 0.5
                doors = (first.kind == "door") + (other.kind == "door")
                seconds = length * self.metres[floor_id] / WALKING + doors * DOOR_SECONDS / 2
                self.edges.add(nodes[a], nodes[b], seconds, length, room=room)


def _guess(floor: Floor) -> float:
    system = floor.coordinate_system
    wide = system.bottom_right.x - system.top_left.x
    high = system.bottom_right.y - system.top_left.y
    return UNKNOWN_DIAGONAL / max(1e-9, (wide**2 + high**2) ** 0.5)


def edge_matrix(source: Any, target: Any, cost: Any, count: int) -> Any:
    """Return edges of `count` nodes as a sparse matrix in both directions, with the cheapest of several between two.

    A sparse matrix would add them up.
    """
    import numpy as np
    from scipy.sparse import coo_array

    low, high = np.minimum(source, target), np.maximum(source, target)
    order = np.lexsort((cost, high, low))
    low, high, cost = low[order], high[order], cost[order]
    first = np.ones(len(low), bool)
    first[1:] = (low[1:] != low[:-1]) | (high[1:] != high[:-1])
    low, high, cost = low[first], high[first], cost[first]
    rows, columns = np.concatenate([low, high]), np.concatenate([high, low])
    return coo_array((np.concatenate([cost, cost]), (rows, columns)), shape=(count, count)).tocsr()
