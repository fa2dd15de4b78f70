"""Exits of a building: doors that lead out, and rooms that are an exit and have no such door."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from weakref import WeakKeyDictionary

from smoldesk.buildings.names import fold
from smoldesk.buildings.places import PlaceIndex, Spot
from smoldesk.buildings.routing.routes import EXIT, Goal
from smoldesk.messages import Closure, Door


@dataclass(frozen=True)
class Exit:
    """An exit: the place to reach, its clear width in metres if the plan states one, and the door's own name."""

    goal: Goal
    width: float | None = None
    name: str = ""


def exits_of(places: PlaceIndex) -> list[Exit]:
    """Return the exits of a building, in the order of the file."""
    exits = [
        _door_exit(floor.floor_id, door)
        for floor in places.definition.floors
        for door in floor.doors or []
        if len(door.rooms) == 1
    ]
    rooms = {exit_.goal.spot for exit_ in exits}
    exits += [Exit(Goal(spot)) for spot in places.by_kind.get("exit", ()) if spot not in rooms]
    return exits


def _door_exit(floor_id: str, door: Door) -> Exit:
    goal = Goal((floor_id, door.rooms[0]), door.at, EXIT, door.accessible)
    return Exit(goal, door.width, door.door_id or "")


# Ids that programs give to doors: 1f-entrance, way/12, a UUID. People know the exit by its room.
_ID = re.compile(r"[a-z0-9]+(?:[-_/:][a-z0-9]+)+")
_LONGEST_ID = 20


def exit_names(places: PlaceIndex, language: str) -> dict[Exit, str]:
    """Return the name of each exit with its room and floor; those of several without a name in a room get numbers.

    An id is left out where the room tells the exit, and a long one always. All exits count, also closed ones, so that
    a number means the same exit under all closures.
    """
    exits = exits_of(places)
    numbers = defaultdict[Spot, Iterator[str]](lambda: map(str, count(1)))
    in_room = Counter(exit_.goal.spot for exit_ in exits)
    reserved = {(exit_.goal.spot, fold(exit_.name)) for exit_ in exits}
    names: dict[Exit, str] = {}
    for exit_ in exits:
        spot, label = exit_.goal.spot, exit_.name
        if _ID.fullmatch(label) and (in_room[spot] == 1 or len(label) > _LONGEST_ID):
            label = ""
        if not label and in_room[spot] > 1:
            label = next(number for number in numbers[spot] if (spot, number) not in reserved)
        names[exit_] = _name_in_room(places, exit_, label, language)
    return names


def _name_in_room(places: PlaceIndex, exit_: Exit, label: str, language: str) -> str:
    floor_id, room = exit_.goal.spot
    if language == "ja":
        place = f"{places.label(floor_id, 'ja')}の{room}"
        return f"{place}の出口{label}" if exit_.goal.at else place
    place = f"{room} ({floor_id})"
    return f"{'exit ' + label if label else 'the exit'} in {place}" if exit_.goal.at else place


# Names of the exit that people enter by, where the plan does not say which it is: the first one of the file.
_MAIN = re.compile(
    r"(?:main|front) (?:entrance|exit|door|gate)(?: doors?)?"
    r"|(?:(?:正面|メイン|表)?玄関|(?:正面|メイン)(?:入口|出口|エントランス))(?:の?(?:ドア|扉))?"
)
_IN_ROOM = re.compile(
    r"(?:exits?|entrances?|way out) (?:in|of|at|from) (?:the )?(.+)|(.+?)(?:'s)? (?:exits?|entrance|gate)"
    r"|(.+)の(?:出口|入口|出入口|非常口|ゲート)"
)
_NAMED = re.compile(r"(?:exit|entrance|出口|入口|非常口) ?(.+)")


class _ExitIndex:
    """Exits of a building by what they are called, folded: by their doors' names, and by those of `exit_names`."""

    def __init__(self, places: PlaceIndex) -> None:
        self.exits = exits_of(places)
        self.by_name: dict[str, list[Exit]] = {}
        self.by_full_name: dict[str, list[Exit]] = {}
        for exit_ in self.exits:
            if name := fold(exit_.name):
                self.by_name.setdefault(name, []).append(exit_)
        for language in ("en", "ja"):
            for exit_, name in exit_names(places, language).items():
                if exit_.goal.at:
                    self.by_full_name.setdefault(fold(name).removeprefix("the "), []).append(exit_)


# A text may name many exits, and a building many more: the index of each is made once.
_INDEXES = WeakKeyDictionary[PlaceIndex, _ExitIndex]()


def find_exits(places: PlaceIndex, text: str) -> list[Exit]:
    """Return the exits that a text means, empty for none: one by its own name or by that of `exit_names`, the main one,
    or those of a room. A room of that name comes before the main exit.
    """
    index = _INDEXES.get(places)
    if index is None:
        index = _INDEXES[places] = _ExitIndex(places)
    name = fold(text).removeprefix("the ")
    match = _NAMED.fullmatch(name)
    for exits in (
        index.by_name.get(name),
        match and index.by_name.get(match[1]),
        index.by_full_name.get(name),
    ):
        if exits:
            return exits
    if places.named(name):
        return []
    if _MAIN.fullmatch(name):
        return index.exits[:1]
    if match := _IN_ROOM.fullmatch(name):
        spots = _rooms_named(places, match[1] or match[2] or match[3])
        return [exit_ for exit_ in index.exits if exit_.goal.spot in spots]
    return []


def _rooms_named(places: PlaceIndex, text: str) -> list[Spot]:
    """Return the rooms of a name or a kind, which may say the floor: Level1 (1F), 1階のLevel1, ガレージ."""
    for floors, name in places.readings(text):
        named = places.named(name) or places.by_kind.get(places.kind(name) or "", ())
        if spots := [spot for spot in named if spot[0] in floors]:
            return spots
    return []


def exit_closure(exit_: Exit) -> Closure:
    """Return the closure of an exit."""
    (floor_id, room), at = exit_.goal.spot, exit_.goal.at
    return Closure(kind="door" if at else "room", floor_id=floor_id, rooms=(room,), at=at)
