"""Reachability of rooms: finds those that are cut off from most of the others. Pure.

Doors join rooms; on a floor without doors, all rooms count as joined; links join the floors they stop on.
"""

from collections.abc import Iterator

from smoldesk.messages import MapDefinitionContent
from smoldesk.messages.building import (
    Finding,
    clipped,
    warning,
)

Room = tuple[str, str]


def unreachable(definition: MapDefinitionContent) -> Iterator[Finding]:
    """Yield a warning for each floor without doors or with rooms that are cut off. The definition has passed its checks."""
    above: dict[Room, Room] = {
        (floor.floor_id, room.name): (floor.floor_id, room.name)
        for floor in definition.floors
        for room in floor.rectangles
    }

    def top(room: Room) -> Room:
        while above[room] != room:
            above[room] = above[above[room]]
            room = above[room]
        return room

    for number, floor in enumerate(definition.floors):
        rooms = [(floor.floor_id, room.name) for room in floor.rectangles]
        if not floor.doors:
            if len(rooms) > 1:
                yield warning(
                    f"floors[{number}].doors",
                    f"Floor {clipped(floor.floor_id)} has no doors: rooms that touch are taken as joined.",
                    "no_doors",
                    floor=clipped(floor.floor_id),
                )
            for room in rooms[1:]:
                above[top(room)] = top(rooms[0])
        for door in floor.doors or []:
            if len(door.rooms) == 2:
                first, other = ((floor.floor_id, name) for name in door.rooms)
                above[top(first)] = top(other)
    for link in definition.links or []:
        stops = [(stop.floor_id, stop.room) for stop in link.stops]
        for stop in stops[1:]:
            above[top(stop)] = top(stops[0])
    sizes: dict[Room, int] = {}
    for room in above:
        sizes[top(room)] = sizes.get(top(room), 0) + 1
    largest = max(sizes, key=lambda room: sizes[room], default=None)
    for number, floor in enumerate(definition.floors):
        rooms = enumerate(floor.rectangles)
        cut_off = {at: room.name for at, room in rooms if top((floor.floor_id, room.name)) != largest}
        if cut_off and len(cut_off) == len(floor.rectangles):
            yield warning(
                f"floors[{number}].doors",
                f"No stairs and no lift lead to floor {clipped(floor.floor_id)} from the others.",
                "unreachable_floor",
                floor=clipped(floor.floor_id),
            )
            continue
        for at, name in cut_off.items():
            yield warning(
                f"floors[{number}].rectangles[{at}]",
                f"No door leads to {clipped(name)} on floor {clipped(floor.floor_id)}.",
                "unreachable_rooms",
                name=clipped(name),
            )
