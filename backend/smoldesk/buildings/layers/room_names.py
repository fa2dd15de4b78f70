"""Names that the readings of one layer use -> rooms, remembered; and which names have no room. Pure."""

from collections.abc import Iterable
from threading import Lock

from smoldesk.buildings.building import Building
from smoldesk.buildings.places import Spot
from smoldesk.buildings.room_index import match_rooms

# Maximum names that a layer remembers, unknown ones that it lists, and names that it matches loosely.
MAX_NAMES, MAX_LISTED, MAX_LOOSE = 20_000, 10, 40


class RoomNames:
    """Names of one building's rooms. May be used from any thread: thousands of new names take about a second."""

    def __init__(self) -> None:
        self.unknown: dict[str, None] = {}
        self.unknown_values = 0
        self._building: Building | None = None
        self._spots: dict[str, Spot | None] = {}
        self._lock = Lock()

    def resolve(self, building: Building, names: Iterable[str]) -> dict[str, Spot | None]:
        """Return the rooms of these names; names of no room are looked for loosely only as often as a layer may.

        What was remembered counts for this building only: a renamed one is another object.
        """
        requested = [*names]
        with self._lock:
            if building is not self._building:
                self._building, self._spots = building, {}
                self.unknown, self.unknown_values = {}, 0
            spots = self._spots
            new = [name for name in requested if name not in spots]
            if not new:
                return {name: spots[name] for name in requested}
            loose = max(0, MAX_LOOSE - sum(spot is None for spot in spots.values()))
            matches = match_rooms(building.places, new, loose)
            matched = {name: matches.spots.get(name) for name in new}
            resolved = {name: matched[name] if name in matched else spots[name] for name in requested}
            if len(spots) + len(matched) > MAX_NAMES:
                spots.clear()
            spots.update(matched)
            return resolved

    def note_unknown(self, names: Iterable[str]) -> None:
        """Count values whose names have no room, and list the first names."""
        with self._lock:
            for name in names:
                self.unknown_values += 1
                if len(self.unknown) < MAX_LISTED:
                    self.unknown.setdefault(name)
