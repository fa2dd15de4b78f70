"""Passages between the rooms of a floor: the file's doors, or, without any, the places where rooms touch. Such places
are assumed, and every route through them says so.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from smoldesk.messages import Floor, Rectangle

if TYPE_CHECKING:
    from shapely import Polygon

# Rooms closer than this share of the floor's diagonal are separated by a wall only.
WALL = 0.02
# A gap wider than this share of the narrower room is not a wall: on a large floor another room fits in it.
THIN = 0.75
# A shared wall shorter than this share of the diagonal has no space for a door.
LEAST_OPENING = 0.004


@dataclass(frozen=True)
class Passage:
    """A way between two rooms of one floor, at one place; `name` is the door's own, if the file gives one.

    `width` is in metres, None if unknown.
    """

    rooms: tuple[str, str]
    x: float
    y: float
    name: str = ""
    accessible: bool = True
    width: float | None = None


@dataclass(frozen=True)
class Passages:
    """All ways between the rooms of a floor; `assumed` when they were found by where rooms touch."""

    passages: list[Passage]
    assumed: bool


def outline(room: Rectangle) -> list[tuple[float, float]]:
    """Return the corners of a room, in order: those of its polygon, else of its rectangle."""
    if room.polygon:
        return [(point.x, point.y) for point in room.polygon]
    top_left, other = room.top_left, room.bottom_right
    return [(top_left.x, top_left.y), (other.x, top_left.y), (other.x, other.y), (top_left.x, other.y)]


def passages(floor: Floor) -> Passages:
    """Return the floor's passages between rooms; doors out of the building are excluded."""
    if floor.doors:
        return Passages(
            [
                Passage(
                    (door.rooms[0], door.rooms[1]),
                    door.at.x,
                    door.at.y,
                    door.door_id or "",
                    door.accessible,
                    door.width,
                )
                for door in floor.doors
                if len(door.rooms) == 2
            ],
            assumed=False,
        )
    return Passages(list(_touching(floor)), assumed=len(floor.rectangles) > 1)


def _touching(floor: Floor) -> Iterator[Passage]:
    """Yield a passage for each two rooms with only a wall between them, in the middle of their shared side."""
    import numpy as np  # heavy, both: only floors without doors need them
    import shapely

    system = floor.coordinate_system
    wide = system.bottom_right.x - system.top_left.x
    high = system.bottom_right.y - system.top_left.y
    diagonal = (wide**2 + high**2) ** 0.5
    rooms: Any = [shapely.Polygon(outline(room)) for room in floor.rectangles]
    if len(rooms) < 2:
        return
    rooms = np.array(rooms)
    first, second = shapely.STRtree(rooms).query(rooms, predicate="dwithin", distance=WALL * diagonal)
    once = first < second
    first, second = first[once], second[once]
    min_x, top, right, bottom = shapely.bounds(rooms).T
    narrow = THIN * np.minimum(right - min_x, bottom - top)
    gaps = cast(Any, shapely.distance(rooms[first], rooms[second]))
    walled = gaps <= np.minimum(narrow[first], narrow[second])
    joined: list[tuple[int, int]] = sorted(zip(first[walled].tolist(), second[walled].tolist(), strict=True))
    for one, other in joined:
        if place := _between(rooms[one], rooms[other], diagonal):
            names = (floor.rectangles[one].name, floor.rectangles[other].name)
            yield Passage(names, round(place[0], 3), round(place[1], 3))


def _between(first: "Polygon", second: "Polygon", diagonal: float) -> tuple[float, float] | None:
    """Return the middle of the wall that two rooms share, or None if they only meet at a corner.

    Each room is grown by half a wall. The intersection is the wall (or their overlap), as long as they share it.
    """
    half = max(WALL * diagonal / 2, first.distance(second) / 2) * 1.001
    shared = first.buffer(half, join_style="mitre").intersection(second.buffer(half, join_style="mitre"))
    if shared.is_empty:
        return None
    min_x, top, right, bottom = shared.bounds
    if max(right - min_x, bottom - top) - 2 * half < LEAST_OPENING * diagonal:
        return None
    middle = shared.centroid if shared.covers(shared.centroid) else shared.representative_point()
    return middle.x, middle.y
