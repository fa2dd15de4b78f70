"""People in the rooms of a building: given by a person, or assumed from the floor area. Pure."""

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from numbers import Real
from typing import Any, cast

from smoldesk.buildings.building import Building
from smoldesk.buildings.kinds import CIRCULATION, kind_of
from smoldesk.buildings.overlay_text import clip
from smoldesk.buildings.places import Spot
from smoldesk.buildings.room_facts import size_of
from smoldesk.buildings.room_index import match_rooms
from smoldesk.errors import BadInput

# People for each square metre where nothing is known, an assumption: one for each 10 m².
PEOPLE_PER_M2 = 0.1
MAX_PEOPLE = 1_000_000
# Longest text about people, in characters: Python neither reads nor writes numbers of any length.
MAX_TEXT = 100
EXPECTED = 'Expected a number of people in all, "2 per room", "0.2 per m2", or rooms with their people: {"Room1": 4}.'
_NUMBER = r"(\d+(?:\.\d+)?)"
_PEOPLE = r"(?: ?(?:people|persons?|人))?"
_METRES = r" ?(?:m2|m\^2|m²|㎡|sq\.? ?m|square met(?:re|er)s?|平方メートル)"
_EACH = r" ?(?:per|a|each|in every|in each|/|for every|for each) ?"
_PER_AREA = re.compile(rf"{_NUMBER}{_PEOPLE}{_EACH}{_NUMBER}?{_METRES}", re.IGNORECASE)
_AREA_FIRST = re.compile(
    rf"{_NUMBER}?{_METRES}(?:あたり|当たり|に|ごとに|につき)?{_NUMBER}人?", re.IGNORECASE
)
_PER_ROOM = re.compile(
    rf"{_NUMBER}{_PEOPLE}{_EACH}room|(?:1|各|一)?(?:部屋|室)(?:あたり|当たり|に|ごとに|につき)?{_NUMBER}人?"
)
_TOTAL = re.compile(rf"{_NUMBER}{_PEOPLE}")


@dataclass(frozen=True)
class Occupancy:
    """People by room, whole numbers, and the rule they come from; `per_m2` and `per_room` are 0 for another rule."""

    people: dict[Spot, int]
    per_m2: float = 0.0
    per_room: float = 0.0

    @property
    def total(self) -> int:
        """Return all people."""
        return sum(self.people.values())


def read_occupancy(building: Building, people: object, floor_id: str = "") -> Occupancy:
    """Return the people of the rooms; a total is that of the floor if one is named.

    Corridors, stairs, lifts and exits are empty unless they are named. Raises BadInput for what means none, too many, or
    rooms that do not exist.
    """
    if isinstance(people, Mapping):
        return _checked(_by_room(building, cast("Mapping[Any, Any]", people)))
    rooms = _rooms_to_be_in(building)
    rooms = {spot: size for spot, size in rooms.items() if spot[0] == floor_id} or rooms
    if people is None or (isinstance(people, str) and not people.strip()):
        return _checked(_by_area(rooms, PEOPLE_PER_M2))
    if not isinstance(people, str):
        return _checked(Occupancy(_shared(rooms, _whole_number(people, "people"))))
    text = people.strip().replace(",", "")
    if len(text) > MAX_TEXT:
        raise BadInput(f"people has {len(text)} characters.", EXPECTED)
    if match := _PER_AREA.fullmatch(text):
        return _checked(_by_area(rooms, _positive(match[1]) / _positive(match[2] or "1")))
    if match := _AREA_FIRST.fullmatch(text):
        return _checked(_by_area(rooms, _positive(match[2]) / _positive(match[1] or "1")))
    if match := _PER_ROOM.fullmatch(text):
        each = float(match[1] or match[2])
        _check_size(each * len(rooms))
        shared = _shared(dict.fromkeys(rooms, 1.0), round(each * len(rooms)))
        return _checked(Occupancy(shared, per_room=each))
    if match := _TOTAL.fullmatch(text):
        return _checked(Occupancy(_shared(rooms, _whole_number(float(match[1]), "people"))))
    raise BadInput(f"people is {clip(people)}.", EXPECTED)


def occupancy_of_floor(building: Building, occupancy: Occupancy, floor_id: str) -> Occupancy:
    """Return the people of one floor; one in each of its rooms if nobody is there."""
    people = {spot: count for spot, count in occupancy.people.items() if spot[0] == floor_id}
    rooms = (floor for floor in building.floors if floor.floor_id == floor_id)
    return replace(
        occupancy, people=people or {(floor_id, room.name): 1 for floor in rooms for room in floor.rectangles}
    )


def _rooms_to_be_in(building: Building) -> dict[Spot, float]:
    """Return the rooms that people are in, with their areas; all rooms if the plan has only corridors and the like."""
    rooms = [(floor, room) for floor in building.floors for room in floor.rectangles]
    rooms = [pair for pair in rooms if kind_of(pair[1]) not in CIRCULATION] or rooms
    sizes = {(floor.floor_id, room.name): size_of(floor, room) for floor, room in rooms}
    in_metres = all(size.in_metres for size in sizes.values())
    return {spot: size.value if in_metres else 0.0 for spot, size in sizes.items()}


def _by_area(rooms: dict[Spot, float], per_m2: float) -> Occupancy:
    """Return at least one person in each room; one each if the plan has no scale."""
    _check_size(per_m2 * sum(rooms.values()))
    if not any(rooms.values()):
        return Occupancy(dict.fromkeys(rooms, 1), per_room=1.0)
    return Occupancy({spot: max(1, round(size * per_m2)) for spot, size in rooms.items()}, per_m2=per_m2)


def _by_room(building: Building, people: Mapping[Any, Any]) -> Occupancy:
    names = {
        name: _whole_number(count, f"people in {clip(name)}")
        for name, count in ((_room_name(key), count) for key, count in people.items())
    }
    matches = match_rooms(building.places, names)
    if matches.unknown:
        raise BadInput(f"There is no room {', '.join(map(clip, matches.unknown[:12]))}.", EXPECTED)
    counts: dict[Spot, int] = {}
    for name, spot in matches.spots.items():
        counts[spot] = counts.get(spot, 0) + names[name]
    return Occupancy(counts)


def _room_name(key: object) -> str:
    """Return the name of a room, which may be a number."""
    if isinstance(key, int):
        _check_size(key)
        return str(key)
    if not isinstance(key, str):
        raise BadInput("people has something else than rooms.", EXPECTED)
    return key


def _shared(rooms: Mapping[Spot, float], total: int) -> dict[Spot, int]:
    """Share whole people out among rooms by their areas, the largest remainders first."""
    all_area = sum(rooms.values())
    is_sized = 0 < all_area < math.inf
    weights = {spot: size / all_area if is_sized else 1 / len(rooms) for spot, size in rooms.items()}
    counts = {spot: int(weight * total) for spot, weight in weights.items()}
    remaining = total - sum(counts.values())
    by_remainder = sorted(rooms, key=lambda spot: counts[spot] - weights[spot] * total)
    for spot in by_remainder[:remaining]:
        counts[spot] += 1
    return counts


def _positive(text: str) -> float:
    number = float(text)
    if number <= 0:
        raise BadInput(f"people by area is {clip(text)}, expected a number above 0.", EXPECTED)
    return number


def _whole_number(value: object, name: str) -> int:
    is_number = not isinstance(value, bool) and isinstance(value, Real)
    number = cast("Any", value) if is_number else -1
    if number < 0 or number != number // 1:
        raise BadInput(f"{name} must be a whole number of at least 0.", EXPECTED)
    _check_size(number)
    return int(number)


def _check_size(count: float) -> None:
    if not -MAX_PEOPLE <= count <= MAX_PEOPLE:  # true for nan, too
        raise BadInput("These are too many people.", f"At most {MAX_PEOPLE:,}.")


def _checked(occupancy: Occupancy) -> Occupancy:
    _check_size(occupancy.total)
    if occupancy.total < 1:
        raise BadInput("There would be no people in the building.", EXPECTED)
    return occupancy
