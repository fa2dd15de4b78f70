"""Exits of a building: doors that lead out, and rooms that are an exit and have no such door."""

import re
from dataclasses import dataclass

from smoldesk.buildings.names import fold
from smoldesk.buildings.places import PlaceIndex
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


# Names of the exit that people enter by, where the plan does not say which it is: the first one of the file.
_MAIN = re.compile(r"(?:main|front) (?:entrance|exit|door)|(?:正面|メイン)(?:玄関|入口|出口|エントランス)")
_IN_ROOM = re.compile(
    r"(?:exits?|entrances?|way out) (?:in|of|at|from) (?:the )?(.+)|(.+)の(?:出口|入口|出入口|非常口)"
)
_NAMED = re.compile(r"(?:exit|entrance|出口|入口|非常口) ?(.+)")


def find_exits(places: PlaceIndex, text: str) -> list[Exit]:
    """Return the exits that a text means: the main one, those of a room, one by its own name; empty for none."""
    name, exits = fold(text).removeprefix("the "), exits_of(places)
    if _MAIN.fullmatch(name):
        return exits[:1]
    named = _NAMED.fullmatch(name)
    names = {name, named[1]} if named else {name}
    if by_name := [exit_ for exit_ in exits if fold(exit_.name) in names]:
        return by_name
    if match := _IN_ROOM.fullmatch(name):
        spots = places.named(match[1] or match[2])
        return [exit_ for exit_ in exits if exit_.goal.spot in spots]
    return []


def exit_closure(exit_: Exit) -> Closure:
    """Return the closure of an exit."""
    (floor_id, room), at = exit_.goal.spot, exit_.goal.at
    return Closure(kind="door" if at else "room", floor_id=floor_id, rooms=(room,), at=at)
