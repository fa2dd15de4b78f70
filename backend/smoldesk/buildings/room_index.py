"""Many names at once -> the rooms they mean, on any floor. Pure.

Data names rooms as it likes and mostly without their floor. A name that several floors have is that of the floor on which
most of the other rooms lie.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from smoldesk.buildings.places import PlaceIndex, Spot
from smoldesk.errors import NotFound

# Maximum names that are matched loosely: each is compared with every room.
MAX_LOOSE = 40


@dataclass
class RoomMatches:
    """Rooms of some names; `unknown` names match no room, or several rooms of different names."""

    spots: dict[str, Spot] = field(default_factory=dict[str, Spot])
    unknown: list[str] = field(default_factory=list[str])
    settled: dict[str, list[Spot]] = field(default_factory=dict[str, list[Spot]])
    """Names that several floors have, with all rooms they may mean: the one in `spots` was taken."""


def match_rooms(places: PlaceIndex, names: Iterable[str], most_loose: int = MAX_LOOSE) -> RoomMatches:
    """Return each name's room, in the order of the names; at most so many are matched loosely."""
    meant: dict[str, list[Spot]] = {}
    loose = 0
    for name in dict.fromkeys(names):
        spots = places.named(name)
        if not spots and loose < most_loose:
            loose += 1
            spots = _loose(places, name)
        meant[name] = spots if _is_one_name(spots) else []
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


def _is_one_name(spots: list[Spot]) -> bool:
    return len({room for _, room in spots}) == 1


def _loose(places: PlaceIndex, name: str) -> list[Spot]:
    try:
        return places.find(name)
    except NotFound:
        return []
