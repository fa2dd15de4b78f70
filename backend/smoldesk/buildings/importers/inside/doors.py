"""Doors of a storey: each opening between the two rooms on its sides, and passages where rooms touch without a wall.

The wall gives an opening its two sides: probes go from the door across it, and the first room on each side is joined.
In rooms that overlap the smaller one wins. A room that the file states for an opening comes before what geometry finds.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from .arrays import np, shapely
from .draft import Json
from .findings import Findings
from .site import Geometry, Opening
from .storeys import CONNECTOR_KINDS, PlanRoom, Storey

# Greatest metres between a door and its nearest room.
REACH = 1.0
# Metres from the door, across the wall, at which a room is looked for: a thin wall first, then thicker ones.
PROBES = (0.15, 0.4, 0.8)
# Metres along the outline to both sides of a door that give the direction of its wall.
ALONG = 0.1
# Rooms of these kinds are open to each other where they touch.
OPEN_KINDS = frozenset(("corridor", "hall", "hallway", "lobby", "area", "concourse", "walkway", "foyer"))
# Greatest metres between rooms that touch, and least metres of wall they share.
TOUCHING = 0.05
LEAST_SHARED = 0.6
# A drawn door of this length in metres is as wide as it is drawn; what is shorter is a mark, what is longer a wall.
WIDTHS = (0.5, 12.0)

Point = tuple[float, float]


class RoomTree:
    """Rooms of one storey by place and by the file's ids."""

    def __init__(self, rooms: Sequence[PlanRoom]) -> None:
        self.rooms = rooms
        self.shapes: Any = np.array([room.shape for room in rooms], dtype=object)
        self.tree = shapely.STRtree(self.shapes)
        self.sizes: Any = shapely.area(self.shapes)
        self.by_id: dict[str, list[int]] = {}
        for number, room in enumerate(rooms):
            if room.area.id:
                self.by_id.setdefault(room.area.id, []).append(number)

    def holding(self, points: Any) -> Any:
        """Return the number of the smallest room around each point, -1 for none."""

        at, room = self.tree.query(points, predicate="intersects")
        order = np.lexsort((-self.sizes[room], at))
        result = np.full(len(points), -1)
        result[at[order]] = room[order]  # the last, smallest one stays
        return result

    def nearest(self, shapes: Any, reach: float) -> Any:
        """Return the number of the nearest room to each shape within `reach` metres, -1 for none."""

        result = np.full(len(shapes), -1)
        at, room = self.tree.query_nearest(shapes, max_distance=reach, all_matches=False)
        result[at] = room
        return result


def add_doors(storey: Storey, openings: list[Opening], index: RoomTree, findings: Findings) -> Iterator[str]:
    """Give the storey its doors; yields the `where` of each."""

    if not openings:
        return
    shapes: Any = np.array([opening.shape for opening in openings], dtype=object)
    points = _middles(shapes)
    places: list[list[float]] = shapely.get_coordinates(points).tolist()
    sides: list[list[int]] = _sides(shapes, points, index).tolist()
    lengths: list[float] = shapely.length(shapes).round(2).tolist()
    used: set[tuple[frozenset[str], Point]] = set()
    used_ids: set[str] = set()
    for number, opening in enumerate(openings):
        stated = _stated(opening, points[number], index, findings) if opening.areas else []
        candidates = [side for side in sides[number] if side >= 0]
        if len(stated) < 2 and len(set(candidates)) < 2:
            candidates += _near(points[number], index)
        numbers = sorted(list(dict.fromkeys([*stated, *candidates]))[:2])
        names = [index.rooms[room].name for room in numbers]
        if not names:
            findings.add("door_nowhere", opening.where, distance=REACH)
            continue
        if len(names) == 1:
            findings.add("one_sided", opening.where, name=names[0])
        at = (round(places[number][0], 3), round(places[number][1], 3))
        if (key := (frozenset(names), at)) in used:
            continue
        used.add(key)
        door: Json = {"rooms": names, "at": {"x": at[0], "y": at[1]}, "accessible": opening.accessible}
        if WIDTHS[0] <= lengths[number] <= WIDTHS[1]:
            door["width"] = lengths[number]
        if name := opening.name.strip():
            door["doorId"] = _free_id(name, used_ids)
        storey.doors.append(door)
        yield opening.where


def _free_id(name: str, used_ids: set[str]) -> str:
    """Return a door's name, with a number if the floor has another door with this name."""
    ids = (name, *(f"{name} ({number})" for number in range(2, len(used_ids) + 3)))
    free = next(id_ for id_ in ids if id_ not in used_ids)
    used_ids.add(free)
    return free


def add_open_passages(storey: Storey, index: RoomTree, findings: Findings) -> Iterator[str]:
    """Join corridors that touch without a wall, and stairs without a door to what is beside them; yields each `where`."""

    joined = {frozenset(door["rooms"]) for door in storey.doors}
    with_door = {name for door in storey.doors if len(door["rooms"]) == 2 for name in door["rooms"]}
    kinds = [room.area.kind.casefold() for room in index.rooms]
    open_rooms = [number for number, kind in enumerate(kinds) if kind in OPEN_KINDS]
    closed = [
        n for n, kind in enumerate(kinds) if kind in CONNECTOR_KINDS and index.rooms[n].name not in with_door
    ]
    first, second = index.tree.query(
        index.shapes[[*open_rooms, *closed]], predicate="dwithin", distance=TOUCHING
    )
    first = np.array([*open_rooms, *closed], dtype=int)[first]
    pairs: list[tuple[int, int]] = sorted(zip(first.tolist(), second.tolist(), strict=True))
    for first_room, other in pairs:
        names = frozenset((index.rooms[first_room].name, index.rooms[other].name))
        both_open = kinds[first_room] in OPEN_KINDS and kinds[other] in OPEN_KINDS and first_room < other
        stairs = kinds[first_room] in CONNECTOR_KINDS and kinds[other] in OPEN_KINDS
        if names in joined or len(names) < 2 or not (both_open or stairs):
            continue
        shared: Any = shapely.intersection(
            index.shapes[first_room].boundary, shapely.buffer(index.shapes[other], TOUCHING)
        )
        if shared.length < LEAST_SHARED:
            continue
        joined.add(names)
        longest: Any = max(shapely.get_parts(shapely.line_merge(shared)), key=lambda part: part.length)
        middle: Any = longest.interpolate(0.5, normalized=True)
        room = index.rooms[first_room]
        findings.add("open_passages", room.area.where, name=room.name)
        storey.doors.append(
            {
                "rooms": [room.name, index.rooms[other].name],
                "at": {"x": round(middle.x, 3), "y": round(middle.y, 3)},
                "width": round(longest.length, 2),
            }
        )
        yield room.area.where


def _middles(shapes: Any) -> Any:
    """Return the middle of each opening: of a line half its length."""

    lines: Any = shapely.get_dimensions(shapes) == 1
    points: Any = shapely.centroid(shapes)
    points[lines] = shapely.line_interpolate_point(shapes[lines], 0.5, normalized=True)
    return points


def _sides(shapes: Any, points: Any, index: RoomTree) -> Any:
    """Return for each opening the rooms on both sides of its wall as two columns, -1 for none."""

    directions = _wall_directions(shapes, points, index)
    across = np.column_stack((-directions[:, 1], directions[:, 0]))
    middles = shapely.get_coordinates(points)
    sides = np.full((len(points), 2), -1)
    for column, sign in enumerate((1, -1)):
        for distance in reversed(PROBES):
            rooms = index.holding(shapely.points(middles + sign * distance * across))
            sides[:, column] = np.where(rooms >= 0, rooms, sides[:, column])
    return sides


def _wall_directions(shapes: Any, points: Any, index: RoomTree) -> Any:
    """Return unit vectors along the walls of openings: along a line, else along the nearest room's outline."""

    start, end = shapely.get_coordinates(points), shapely.get_coordinates(points)
    nearest = index.nearest(points, REACH)
    has_room = nearest >= 0
    outlines = shapely.boundary(index.shapes[nearest[has_room]])
    along: Any = shapely.line_locate_point(outlines, points[has_room])
    lengths: Any = shapely.length(outlines)
    start[has_room] = shapely.get_coordinates(
        shapely.line_interpolate_point(outlines, np.maximum(along - ALONG, 0))
    )
    end[has_room] = shapely.get_coordinates(
        shapely.line_interpolate_point(outlines, np.minimum(along + ALONG, lengths))
    )
    lines: Any = (shapely.get_dimensions(shapes) == 1) & (shapely.length(shapes) > 2 * ALONG)
    start[lines] = shapely.get_coordinates(shapely.get_point(shapes[lines], 0))
    end[lines] = shapely.get_coordinates(shapely.get_point(shapes[lines], -1))
    vectors = end - start
    norms = np.hypot(vectors[:, 0], vectors[:, 1])
    vectors[norms == 0] = (1.0, 0.0)
    return vectors / np.where(norms == 0, 1.0, norms)[:, None]


def _stated(opening: Opening, point: Geometry, index: RoomTree, findings: Findings) -> list[int]:
    """Return the rooms that the file states for an opening; of several parts of one the nearest."""
    stated: list[int] = []
    for area_id in opening.areas[:2]:
        rooms = index.by_id.get(area_id, [])
        if not rooms:
            findings.add("unknown_area", opening.where, name=area_id)
            continue
        stated.append(min(rooms, key=lambda room: index.shapes[room].distance(point)))
    return stated


def _near(point: Geometry, index: RoomTree) -> list[int]:
    """Return rooms within a thin wall of a point, nearest first: for doors in corners, where the wall has no direction."""
    near = index.tree.query(point, predicate="dwithin", distance=PROBES[1])
    return sorted(
        (int(number) for number in near),
        key=lambda number: (index.shapes[number].distance(point), index.sizes[number]),
    )
