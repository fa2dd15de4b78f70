"""Checks of a building, all at once: names, places, outlines, doors, links. Pure.

Takes a definition whose shape is valid; `reach.py` finds the rooms that cannot be reached.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from smoldesk.buildings.bounds import Bounds
from smoldesk.buildings.names import fold
from smoldesk.messages import (
    XY,
    CoordinateSystem,
    Floor,
    Link,
    MapDefinitionContent,
    Rectangle,
)
from smoldesk.messages.building import (
    Finding,
    clipped,
    error,
    join_names,
    warning,
)

# Plane geometry of a room's outline: a list of (x, y), the last joined to the first. Pure.
#
# Whether an outline crosses itself is found out where a file is read (`importers/inside`), which may take long. What
# stands there too is there because a child's code imports nothing of the server's.
Point = tuple[float, float]


def area(points: Sequence[Point]) -> float:
    """Return the area inside a simple outline; 0 for a line or a point."""
    x0, y0 = points[0] if points else (0.0, 0.0)  # near the origin small rooms keep their digits
    twice = 0.0
    for (x1, y1), (x2, y2) in _edges(points):
        twice += (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0)
    return abs(twice) / 2


def box(points: Sequence[Point]) -> tuple[float, float, float, float]:
    """Return the least x and y, greatest x and y."""
    xs, ys = [x for x, _ in points], [y for _, y in points]
    return min(xs), min(ys), max(xs), max(ys)


def _edges(points: Sequence[Point]) -> Iterator[tuple[Point, Point]]:
    return zip(points, [*points[1:], *points[:1]], strict=True)


def faults(definition: MapDefinitionContent) -> Iterator[Finding]:
    """Yield every fault, floor by floor, then the links; costs what the building is large."""
    floors = definition.floors
    if not floors:
        yield error("floors", "there is no floor.")
    yield from _once("floor", "floors[{}].floorId", [floor.floor_id for floor in floors])
    yield from _once("bitmap", "bitmaps[{}].bitmapId", [bitmap.bitmap_id for bitmap in definition.bitmaps])
    for number, floor in enumerate(floors):
        yield from _plain_name(f"floors[{number}].floorImage", floor.floor_image, empty=True)
    for number, bitmap in enumerate(definition.bitmaps):
        yield from _plain_name(f"bitmaps[{number}].bitmapFile", bitmap.bitmap_file, empty=False)
    for number, floor in enumerate(floors):
        yield from _floor_faults(f"floors[{number}]", floor)
    links = definition.links or []
    yield from _once("link", "links[{}].linkId", [link.link_id for link in links])
    by_id = {floor.floor_id: floor for floor in floors}
    rooms = {floor.floor_id: _FloorRooms.of(floor) for floor in floors}
    for number, link in enumerate(links):
        yield from _link_faults(f"links[{number}]", link, by_id, rooms)


def _floor_faults(where: str, floor: Floor) -> Iterator[Finding]:
    if not fold(floor.floor_id):
        yield error(f"{where}.floorId", "a floor has no id.")
    yield from _system_faults(f"{where}.coordinateSystem", floor.coordinate_system)
    bounds = Bounds.of(floor.coordinate_system)
    names = [fold(room.name) for room in floor.rectangles]
    yield from _once(f"room of floor {clipped(floor.floor_id)}", f"{where}.rectangles[{{}}].name", names)
    for number, room in enumerate(floor.rectangles):
        yield from _room_faults(f"{where}.rectangles[{number}]", floor, bounds, room)
    rooms = _FloorRooms.of(floor)
    doors = floor.doors or []
    ids = [(number, door.door_id) for number, door in enumerate(doors) if door.door_id is not None]
    seen_names: set[str] = set()
    for number, door_id in ids:
        if door_id in seen_names:
            yield error(f"{where}.doors[{number}].doorId", f"door {clipped(door_id)!r} is there twice.")
        seen_names.add(door_id)
    for number, door in enumerate(doors):
        at = f"{where}.doors[{number}]"
        for place, room in enumerate(door.rooms):
            yield from _check_room(f"{at}.rooms[{place}]", "a door", floor, room, rooms)
        if len(door.rooms) == 2 and door.rooms[0] == door.rooms[1]:
            yield error(f"{at}.rooms", f"a door joins {clipped(door.rooms[0])} with itself.")
        yield from _on_floor(f"{at}.at", "a door", floor, bounds, door.at)


def _system_faults(where: str, system: CoordinateSystem) -> Iterator[Finding]:
    top_left, other = system.top_left, system.bottom_right
    numbers = (top_left.px, top_left.py, top_left.x, top_left.y, other.px, other.py, other.x, other.y)
    if not all(map(math.isfinite, numbers)):
        yield error(where, "a corner has a coordinate that is not a finite number.")
    elif 0 in (other.px - top_left.px, other.py - top_left.py, other.x - top_left.x, other.y - top_left.y):
        yield error(where, "its two corners span no area.")


def _room_faults(where: str, floor: Floor, bounds: Bounds, room: Rectangle) -> Iterator[Finding]:
    named, on = f"room {clipped(room.name)}", f"floor {clipped(floor.floor_id)}"
    if not fold(room.name):
        yield error(f"{where}.name", f"a room of {on} has no name.")
    corners = [room.top_left, room.bottom_right]
    top_left, other = corners
    if top_left.x == other.x or top_left.y == other.y:
        yield error(where, f"{named} of {on} has no area.")
        return
    if not all(bounds.holds(corner.x, corner.y) for corner in corners):
        yield error(where, f"{named} lies outside {on}, which spans {bounds}.")
    if room.polygon is not None:
        yield from _polygon_faults(where, f"{named} of {on}", room)


def _polygon_faults(where: str, named: str, room: Rectangle) -> Iterator[Finding]:
    points = [(point.x, point.y) for point in room.polygon or []]
    corners = (room.top_left, room.bottom_right)
    x1, x2 = sorted(corner.x for corner in corners)
    y1, y2 = sorted(corner.y for corner in corners)
    bounds = box(points)
    slack = 1e-6 * max(x2 - x1, y2 - y1)
    if any(abs(is_ - expected) > slack for is_, expected in zip(bounds, (x1, y1, x2, y2), strict=True)):
        yield error(f"{where}.polygon", f"{named}: its corners are not those of the box around its polygon.")
    holes = [[(point.x, point.y) for point in hole] for hole in room.holes or []]
    if any(len(hole) < 3 for hole in holes):
        yield error(f"{where}.holes", f"{named}: a hole has fewer than three corners.")
    if area(points) - sum(map(area, holes)) <= slack * slack:
        yield error(f"{where}.polygon", f"{named} has no area.")


def _link_faults(
    where: str, link: Link, floors: dict[str, Floor], rooms: "dict[str, _FloorRooms]"
) -> Iterator[Finding]:
    touched: set[str] = set()
    for number, stop in enumerate(link.stops):
        at = f"{where}.stops[{number}]"
        floor = floors.get(stop.floor_id)
        if floor is None:
            yield error(
                f"{at}.floorId",
                f"{clipped(link.name)} stops on floor {clipped(stop.floor_id)!r}, which is not there. "
                f"Floors: {join_names(list(floors))}.",
            )
            continue
        if stop.floor_id in touched:
            yield error(
                f"{at}.floorId", f"{clipped(link.name)} stops twice on floor {clipped(stop.floor_id)}."
            )
        touched.add(stop.floor_id)
        yield from _check_room(f"{at}.room", clipped(link.name), floor, stop.room, rooms[floor.floor_id])
        yield from _on_floor(
            f"{at}.at", clipped(link.name), floor, Bounds.of(floor.coordinate_system), stop.at
        )
    if len(touched) < 2:
        message = f"{clipped(link.name)} joins no two floors: it has one stop."
        yield warning(f"{where}.stops", message, "link_one_level", name=clipped(link.name))


@dataclass(frozen=True)
class _FloorRooms:
    """Names of a floor's rooms, and the listing of them for errors: made once, as each door may be wrong."""

    names: frozenset[str]
    listing: str

    @classmethod
    def of(cls, floor: Floor) -> "_FloorRooms":
        names = [room.name for room in floor.rectangles]
        return cls(frozenset(names), join_names(names))


def _check_room(where: str, what: str, floor: Floor, room: str, rooms: _FloorRooms) -> Iterator[Finding]:
    if room not in rooms.names:
        yield error(
            where,
            f"{what} of floor {clipped(floor.floor_id)} leads to {clipped(room)!r}. Rooms there: {rooms.listing}.",
        )


def _on_floor(where: str, what: str, floor: Floor, bounds: Bounds, at: XY) -> Iterator[Finding]:
    if not bounds.holds(at.x, at.y):
        yield error(where, f"{what} lies outside floor {clipped(floor.floor_id)}, which spans {bounds}.")


def _plain_name(where: str, name: str, empty: bool) -> Iterator[Finding]:
    if name == "" and empty:
        return
    if name in ("", ".", "..") or any(sign in name for sign in "/\\\0"):
        yield error(where, f"{clipped(name)!r} is not a plain file name.")


def _once(what: str, where: str, names: Sequence[str]) -> Iterator[Finding]:
    seen_ids: set[str] = set()
    for number, name in enumerate(names):
        if name and name in seen_ids:
            yield error(where.format(number), f"{what} {clipped(name)!r} is there twice.")
        seen_ids.add(name)
