"""The rooms on both sides of the doors of an IFC file, by its space boundaries, else by geometry."""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely

from .ifc_placement import Placements
from .site import Opening
from .step_file import StepFile, StepRecord

# Metres from the wall to the room beside a door; and to a room inside of one that covers the wall.
REACH = 1.0
INNER_REACH = 0.15
# Metres between rooms whose boundary has no wall.
NEAR = 0.3
# Square metres of a room in front of a door.
SMALLEST_PART = 0.005
# Depth of a door's own mesh; a deeper one is drawn open.
DEEPEST = 0.6
# A passage in a wall: its width and height, and how far its lower edge may be above the floor.
PASSAGE = (0.6, 1.8, 0.3)
BOUNDARIES = ("IFCRELSPACEBOUNDARY", "IFCRELSPACEBOUNDARY1STLEVEL", "IFCRELSPACEBOUNDARY2NDLEVEL")
WALLS = ("IFCWALL", "IFCWALLSTANDARDCASE", "IFCWALLELEMENTEDCASE", "IFCCURTAINWALL", "IFCPLATE")


@dataclass(frozen=True)
class Room:
    """A room as doors see it: its outline, its level, and the heights of its floor and ceiling in metres."""

    id: str
    shape: Any
    level: str
    low: float
    high: float


@dataclass(frozen=True)
class DoorPlace:
    """A door on its wall and the one or two rooms it joins; inside if the same room is on both sides."""

    shape: Any
    level: str
    rooms: list[str]
    is_inside: bool = False


@dataclass(frozen=True)
class _Gap:
    """A hole in a wall: its middle, the direction along the wall, its size and its lowest and highest point."""

    middle: Any
    along: Any
    width: float
    depth: float
    low: float
    high: float


class DoorFinder:
    """Finds the rooms of each door, and passages without a door."""

    def __init__(
        self, file: StepFile, rooms: list[Room], placements: Placements, meshes: Mapping[int, Any]
    ) -> None:
        self._file = file
        self._rooms = {room.id: room for room in rooms}
        self._list = rooms
        self._tree = shapely.STRtree([room.shape for room in rooms])
        self._placements = placements
        self._meshes = meshes
        self._holes = {
            int(filling): int(opening)
            for relation in file.of("IFCRELFILLSELEMENT")
            if (filling := relation.ref(5)) is not None and (opening := relation.ref(4)) is not None
        }
        self._bounded = self._boundaries()

    def find(self, door: StepRecord, level: str) -> DoorPlace | None:
        """Return a door with its rooms, None if it has no place or touches no room."""
        gap = self._gap(door)
        if gap is None:
            return None
        sides = self._sides(gap, level)
        if sides[0] and sides[0] == sides[1]:
            sides = self._inner_sides(gap, level, sides[0])
        stated = [name for name in self._bounded.get(door.id, []) if name in self._rooms]
        rooms = stated if len(stated) == 2 else list(dict.fromkeys(side for side in sides if side))
        if not rooms:
            return None
        is_inside = len(stated) < 2 and sides[0] == sides[1]
        return DoorPlace(_line(gap), self._rooms[rooms[0]].level, rooms, is_inside)

    def passages(self) -> Iterator[Opening]:
        """Yield the ways between rooms without a door: holes in walls, and boundaries without a wall."""
        yield from self._holes_without_door()
        for element in self._file.of("IFCVIRTUALELEMENT"):
            rooms = [self._rooms[name] for name in self._bounded.get(element.id, []) if name in self._rooms]
            # Stairwells have such boundaries with the storey above.
            if len(rooms) == 2 and rooms[0].level == rooms[1].level:
                shared = rooms[0].shape.buffer(NEAR).intersection(rooms[1].shape.buffer(NEAR))
                if not shared.is_empty:
                    point = shared.representative_point()
                    yield Opening(
                        f"#{element.id}", point, [rooms[0].level], areas=[room.id for room in rooms]
                    )

    def _holes_without_door(self) -> Iterator[Opening]:
        filled = set(self._holes.values())
        walls = {wall.id for wall in self._file.of(*WALLS)}
        for relation in self._file.of("IFCRELVOIDSELEMENT"):
            opening = self._file.get(relation.ref(5))
            if opening is None or opening.id in filled or relation.ref(4) not in walls:
                continue
            gap = self._gap(opening)
            # The axes of a hole need not be those of its wall.
            for turned in (gap, _turned(gap)) if gap is not None else ():
                if passage := self._passage(opening, turned):
                    yield passage
                    break

    def _passage(self, opening: StepRecord, gap: _Gap) -> Opening | None:
        if gap.width < PASSAGE[0] or gap.high - gap.low < PASSAGE[1]:
            return None
        rooms = [self._rooms[side] for side in self._sides(gap, "") if side]
        if len(rooms) < 2 or rooms[0] is rooms[1] or rooms[0].level != rooms[1].level:
            return None
        if gap.low - rooms[0].low > PASSAGE[2]:
            return None
        return Opening(f"#{opening.id}", _line(gap), [rooms[0].level], areas=[room.id for room in rooms])

    def _boundaries(self) -> dict[int, list[str]]:
        """Return the spaces that the file states for each door, or for the hole it fills."""
        doors = {opening: door for door, opening in self._holes.items()}
        bounded: dict[int, list[str]] = {}
        for relation in self._file.of(*BOUNDARIES):
            element, space = relation.ref(5), relation.ref(4)
            if element is None or space is None:
                continue
            spaces = bounded.setdefault(doors.get(int(element), int(element)), [])
            if f"#{space}" not in spaces:
                spaces.append(f"#{space}")
        return bounded

    def _gap(self, record: StepRecord) -> _Gap | None:
        """Measure the hole of a door in its wall, or the door itself, along the axes of its placement."""
        hole = self._holes.get(record.id)
        mesh = self._meshes.get(hole) if hole is not None else None
        opening = self._file.get(hole)
        if mesh is None or opening is None:
            mesh, opening = self._meshes.get(record.id), record
        matrix = self._placements.matrix(record)
        along = matrix[:2, 0]
        length = float(np.linalg.norm(along))
        if length < 1e-6:
            return None
        along = along / length
        across = np.array([-along[1], along[0]])
        if mesh is None:
            return _Gap(matrix[:2, 3], along, 1.0, 0.0, float(matrix[2, 3]), float(matrix[2, 3]) + 2.0)
        points = mesh.vertices
        x, y = points[:, :2] @ along, points[:, :2] @ across
        width, depth = float(np.ptp(x)), float(np.ptp(y))
        middle_y = (float(y.min()) + float(y.max())) / 2
        if opening.kind != "IFCOPENINGELEMENT" and depth > DEEPEST:
            middle_y, depth = float(matrix[:2, 3] @ across), 0.0
        middle = along * (float(x.min()) + float(x.max())) / 2 + across * middle_y
        return _Gap(middle, along, width, depth, float(points[:, 2].min()), float(points[:, 2].max()))

    def _sides(self, gap: _Gap, level: str) -> tuple[str, str]:
        across = np.array([-gap.along[1], gap.along[0]])
        return self._nearest_room(gap, across, level), self._nearest_room(gap, -across, level)

    def _inner_sides(self, gap: _Gap, level: str, cover: str) -> tuple[str, str]:
        """Return the rooms on both sides of a door whose wall lies in one room, as where a space covers a floor."""
        across = np.array([-gap.along[1], gap.along[0]])
        sides = [
            self._nearest_room(gap, side, level, INNER_REACH, cover) or cover for side in (across, -across)
        ]
        return sides[0], sides[1]

    def _nearest_room(
        self, gap: _Gap, direction: Any, level: str, reach: float = REACH, cover: str = ""
    ) -> str:
        """Return the nearest room on one side of a door, "" if there is none within reach."""
        start, end = gap.middle + direction * 0.02, gap.middle + direction * (gap.depth / 2 + reach)
        half = gap.along * gap.width * 0.3
        strip = shapely.Polygon([start - half, start + half, end + half, end - half])
        # The upper part of a door with steps is still beside its rooms.
        height = gap.low + min(1.0, (gap.high - gap.low) / 2)
        best, nearest = "", math.inf
        for index in self._tree.query(strip, predicate="intersects"):
            room = self._list[int(index)]
            if room.id == cover or not room.low - 0.3 <= height <= room.high + 0.3:
                continue
            part = room.shape.intersection(strip)
            if part.area < SMALLEST_PART:
                continue
            distance = part.distance(shapely.Point(start)) + (0 if not level or room.level == level else 0.05)
            if distance < nearest:
                best, nearest = room.id, distance
        return best


def _turned(gap: _Gap) -> _Gap:
    along = np.array([-gap.along[1], gap.along[0]])
    return _Gap(gap.middle, along, gap.depth, gap.width, gap.low, gap.high)


def _line(gap: _Gap) -> Any:
    half = gap.along * max(gap.width, 0.1) / 2
    return shapely.LineString([gap.middle - half, gap.middle + half])
