"""Many names at once -> the rooms they mean, on any floor. Pure.

Data names rooms as it likes and mostly without their floor. A name that several floors have is that of the floor on which
most of the other rooms lie; `places.py` reads what is written in more words.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from smoldesk.buildings.names import fold
from smoldesk.buildings.places import Spot, find_places
from smoldesk.errors import NotFound
from smoldesk.messages import MapDefinitionContent

# Maximum names that are matched loosely: each is compared with every room.
MAX_LOOSE = 40


@dataclass
class RoomMatches:
    """Rooms of some names; `unknown` names match no room, or several rooms of different names."""

    spots: dict[str, Spot] = field(default_factory=dict[str, Spot])
    unknown: list[str] = field(default_factory=list[str])
    settled: dict[str, list[Spot]] = field(default_factory=dict[str, list[Spot]])
    """Names that several floors have, with all rooms they may mean: the one in `spots` was taken."""


class RoomIndex:
    """The rooms of a building by name; a look-up costs the same in any building."""

    def __init__(self, definition: MapDefinitionContent) -> None:
        self._definition = definition
        self._by_name: dict[str, list[Spot]] = {}
        self._by_label: dict[str, Spot] = {}
        for floor in definition.floors:
            for room in floor.rectangles:
                spot = (floor.floor_id, room.name)
                self._by_name.setdefault(fold(room.name), []).append(spot)
                for label in (f"{room.name} ({floor.floor_id})", f"{floor.floor_id} {room.name}"):
                    self._by_label.setdefault(fold(label), spot)

    def find(self, names: Iterable[str]) -> RoomMatches:
        """Return each name's room, in the order of the names."""
        meant: dict[str, list[Spot]] = {}
        loose = 0
        for name in dict.fromkeys(names):
            spots = self._exact(name)
            if not spots and loose < MAX_LOOSE:
                loose += 1
                spots = self._loose(name)
            meant[name] = spots
        floors = Counter(spots[0][0] for spots in meant.values() if len(spots) == 1)
        matches = RoomMatches()
        for name, spots in meant.items():
            if not spots:
                matches.unknown.append(name)
                continue
            if len(spots) > 1:
                matches.settled[name] = spots
            matches.spots[name] = max(spots, key=lambda spot: floors[spot[0]])  # the first of equals
        return matches

    def _exact(self, name: str) -> list[Spot]:
        said = fold(name)
        if spots := self._by_name.get(said):
            return spots
        return [self._by_label[said]] if said in self._by_label else []

    def _loose(self, name: str) -> list[Spot]:
        try:
            spots = find_places(self._definition, name)
        except NotFound:
            return []
        return spots if len({room for _, room in spots}) == 1 else []
