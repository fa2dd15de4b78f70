"""All ways of a building as one graph: nodes to be at, and what they lie between.

A node is a door, or a stop of a lift or a staircase. It lies between two areas: two rooms, or a room and a link. No edges are
stored: `crossings.py` knows what crossing an area costs, and `search.py` finds the shortest ways.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

from smoldesk.buildings.routing.passages import Passage, passages
from smoldesk.messages import Floor, Link, MapDefinitionContent, Rectangle

if TYPE_CHECKING:
    from smoldesk.buildings.routing.crossings import Crossings

# A room: (floor id, name).
Spot = tuple[str, str]

# Metres per second: the usual walking speed on level ground.
WALKING = 1.3
# Cost of a door in seconds: opening it, letting others pass.
DOOR_SECONDS = 2.0
# Cost of a link that takes no time: ways in a circle must cost something, or a shortest way may hold one.
LEAST_SECONDS = 1e-6
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


class RouteGraph:
    """The graph of one building; cheap to ask, and never changed, so threads may share it."""

    def __init__(self, building: MapDefinitionContent) -> None:
        self.building = building
        self.links: list[Link] = list(building.links or [])
        self.places: list[Place] = []
        self.assumed: set[str] = set()
        """Floors whose ways between rooms were assumed."""
        self.spots: dict[Spot, int] = {}
        self._spot_list: list[Spot] = []
        self._rooms: list[Rectangle] = []
        self._nodes: list[list[int]] = []
        """For each room its doors and stops."""
        self._stops: list[list[int]] = []
        for floor in building.floors:
            self._add_floor(floor)
        for number, link in enumerate(self.links):
            self._add_link(number, link)

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
        """Return the doors and stops of a room."""
        return self._nodes[self.spots[spot]]

    def spot_at(self, room: int) -> Spot:
        """Return the room of this index."""
        return self._spot_list[room]

    @cached_property
    def doors_with_steps(self) -> list[int]:
        """The doors that a wheelchair cannot take."""
        return [
            node for node, place in enumerate(self.places) if place.passage and not place.passage.accessible
        ]

    @cached_property
    def crossings(self) -> "Crossings":
        """Costs of crossing each room and link; made when first needed, as NumPy and shapely are heavy."""
        from smoldesk.buildings.routing.crossings import Crossings

        return Crossings(
            self._rooms,
            [*self._nodes, *self._stops],
            [(place.x, place.y) for place in self.places],
            [DOOR_SECONDS / 2 if place.kind == "door" else 0.0 for place in self.places],
            [self.metres[floor_id] / WALKING for floor_id, _ in self._spot_list],
            [self._link_costs(*pair) for pair in zip(self.links, self._stops, strict=True)],
        )

    def rooms_at(self, node: int) -> list[int]:
        """Return the rooms (by index) that a node belongs to: two for a door, else one."""
        place = self.places[node]
        names = place.passage.rooms if place.passage else (place.room,)
        return [self.spots[place.floor_id, name] for name in names]

    def _add_floor(self, floor: Floor) -> None:
        for room in floor.rectangles:
            self.spots[floor.floor_id, room.name] = len(self._rooms)
            self._spot_list.append((floor.floor_id, room.name))
            self._rooms.append(room)
            self._nodes.append([])
        floor_passages = passages(floor)
        if floor_passages.assumed:
            self.assumed.add(floor.floor_id)
        for passage in floor_passages.passages:
            place = Place(floor.floor_id, passage.x, passage.y, "door", passage=passage)
            self._add_node(place, [(floor.floor_id, name) for name in passage.rooms])

    def _add_link(self, number: int, link: Link) -> None:
        nodes: list[int] = []
        for stop in link.stops:
            place = Place(stop.floor_id, stop.at.x, stop.at.y, "stop", link=number, room=stop.room)
            nodes.append(self._add_node(place, [(stop.floor_id, stop.room)]))
        self._stops.append(nodes)

    def _link_costs(self, link: Link, nodes: Sequence[int]) -> list[list[float]]:
        """Return the seconds from each stop of a link to each other, waiting included; infinite to itself."""
        heights = [(node, self.ordinals[self.places[node].floor_id]) for node in nodes]
        return [
            [
                max(LEAST_SECONDS, link.wait_seconds + max(1, abs(height - other)) * link.floor_seconds)
                if node != end
                else float("inf")
                for end, other in heights
            ]
            for node, height in heights
        ]

    def _add_node(self, place: Place, spots: Iterable[Spot]) -> int:
        """Add a node of all these rooms. Raises KeyError for an unknown room (a building is checked before)."""
        node = len(self.places)
        self.places.append(place)
        for spot in spots:
            self._nodes[self.spots[spot]].append(node)
        return node


def _guess(floor: Floor) -> float:
    system = floor.coordinate_system
    wide = system.bottom_right.x - system.top_left.x
    high = system.bottom_right.y - system.top_left.y
    return UNKNOWN_DIAGONAL / max(1e-9, (wide**2 + high**2) ** 0.5)
