"""A site from the records of an IndoorGML file: cells are rooms or doors, transitions are doors or ways between floors."""

import re
from collections import Counter
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import shapely
from shapely import affinity
from shapely.ops import nearest_points

from .draft import Unreadable
from .findings import Findings
from .indoorgml import Cell, IndoorRecords, Transition, read_records
from .site import Area, Connector, ConnectorKind, Level, Opening, Site

# Metres of each unit, and the heights of a room in metres by which it is recognised; else one is assumed.
UNITS = ((1.0, 1.8, 8.0), (0.001, 1.8, 8.0), (0.01, 1.8, 4.5), (0.3048, 2.1, 4.0))
# Widths of most rooms beyond which a flat plan is in millimetres or centimetres.
WIDE = ((1000, 0.001), (100, 0.01))
ASSUMED_HEIGHT = 3.0
NEW_STOREY = 1.5
# The two faces of a wall have a door each; closer than this they are one.
SAME_DOOR = 0.8
DOOR_SPACES = ("ConnectionSpace", "AnchorSpace")
DOOR_BOUNDARIES = ("ConnectionBoundary", "AnchorBoundary", "TransferBoundary", "PublicSafetyDoor")
_CONNECTORS: tuple[tuple[ConnectorKind, "re.Pattern[str]"], ...] = (
    ("lift", re.compile(r"lift|elevator", re.IGNORECASE)),
    ("escalator", re.compile(r"escalator", re.IGNORECASE)),
    ("stairs", re.compile(r"stair", re.IGNORECASE)),
    ("ramp", re.compile(r"\bramp\b", re.IGNORECASE)),
)


def read_indoorgml(path: Path, findings: Findings) -> Site:
    """Read the building in a file. Raises Unreadable."""
    return build_site(read_records(path), findings)


def build_site(records: IndoorRecords, findings: Findings) -> Site:
    """Return the site of a file. Raises Unreadable without a room."""
    return _Builder(records, findings).build()


class _Builder:
    def __init__(self, records: IndoorRecords, findings: Findings) -> None:
        self._records = records
        self._findings = findings
        self._site = Site("indoorgml", unit="metres")
        self._cells = {cell.id: cell for cell in records.cells}
        self._rooms: dict[str, Cell] = {}
        self._level: dict[str, str] = {}

    def build(self) -> Site:
        self._scale()
        doors = [cell for cell in self._records.cells if _is_door(cell)]
        walls = [cell for cell in self._records.cells if cell.kind == "NonNavigableSpace"]
        for cell in walls:
            self._findings.add("no_entry", cell.id, name=cell.name or cell.id)
        for name in self._records.without_shape:
            self._findings.add("no_shape", name, name=name)
        self._rooms = {
            cell.id: cell
            for cell in self._records.cells
            if not _is_door(cell) and cell.kind != "NonNavigableSpace"
        }
        if not self._rooms:
            raise Unreadable(
                "The file has no room: no cell with a polygon or a solid. Export the cells' geometry."
            )
        self._add_levels()
        for cell in self._rooms.values():
            self._site.areas.append(
                Area(cell.id, cell.shape, [self._level[cell.id]], cell.name, _kind(cell), id=cell.id)
            )
        self._add_door_cells(doors)
        self._add_transitions()
        self._add_boundaries()
        return self._site

    def _scale(self) -> None:
        """Bring the coordinates to metres; degrees stay."""
        if re.search(r"\b4326\b|CRS84", self._records.system):
            self._site.unit = "degrees"
            if "urn:" in self._records.system and "CRS84" not in self._records.system:
                self._transform(_swapped)
            return
        heights = [cell.high - cell.low for cell in self._records.cells if cell.high > cell.low]
        if (
            not self._records.cells or len(heights) < len(self._records.cells) / 2
        ):  # floors alone have no height
            widths = [max(_extent(cell.shape)) for cell in self._records.cells]
            factor = next((factor for least, factor in WIDE if widths and median(widths) > least), 1.0)
        else:
            factor = self._factor(median(heights))
        if factor == 1.0:
            return
        self._transform(partial(affinity.scale, xfact=factor, yfact=factor, origin=(0, 0)))
        for cell in self._records.cells:
            cell.low, cell.high = cell.low * factor, cell.high * factor

    def _factor(self, height: float) -> float:
        for factor, low, high in UNITS:
            if low <= height * factor <= high:
                return factor
        self._findings.add("assumed_height", "", metres=ASSUMED_HEIGHT)
        return ASSUMED_HEIGHT / height

    def _transform(self, change: Any) -> None:
        for cell in self._records.cells:
            cell.shape = change(cell.shape)
        self._records.boundaries = {
            key: replace(boundary, shape=change(boundary.shape))
            for key, boundary in self._records.boundaries.items()
        }
        self._records.transitions = [
            replace(item, shape=None if item.shape is None else change(item.shape))
            for item in self._records.transitions
        ]

    def _add_levels(self) -> None:
        """Make a level of each stated storey, else of each height of floors."""
        heights: dict[str, list[float]] = {}
        for cell in self._rooms.values():
            heights.setdefault(cell.storey, []).append(cell.low)
        if set(heights) == {""}:
            self._add_levels_by_height()
            return
        usual = Counter(cell.storey for cell in self._rooms.values() if cell.storey).most_common(1)[0][0]
        numbers = {name: _number(name) for name in heights if name}
        ordered = sorted((name for name in heights if name), key=lambda name: (median(heights[name]), name))
        if None in numbers.values() or len(set(numbers.values())) < len(numbers):
            ordinals = {name: float(place) for place, name in enumerate(ordered)}
        else:
            values = [value for value in numbers.values() if value is not None]
            # Numbers from 1 are floors as people count them where the ground floor is 1.
            shift = 0 if any(value == 0 for value in values) else 1
            ordinals = {
                name: value - shift if value > 0 else value
                for name, value in numbers.items()
                if value is not None
            }
        for name in sorted(ordinals, key=lambda name: ordinals[name]):
            self._site.levels.append(Level(name, re.sub(r"_map$", "", name), ordinals[name]))
        for cell in self._rooms.values():
            self._level[cell.id] = cell.storey or usual

    def _add_levels_by_height(self) -> None:
        floors: list[float] = []
        for cell in sorted(self._rooms.values(), key=lambda cell: cell.low):
            if not floors or cell.low - floors[-1] > NEW_STOREY:
                floors.append(cell.low)
            self._level[cell.id] = f"level {len(floors)}"
        ground = min(
            range(len(floors)), key=lambda place: (abs(floors[place]) > NEW_STOREY, abs(floors[place]), place)
        )
        if abs(floors[ground]) > NEW_STOREY:
            ground = 0
        self._site.levels = [
            Level(f"level {place + 1}", "", float(place - ground)) for place in range(len(floors))
        ]

    def _neighbours(self) -> dict[str, list[str]]:
        joined: dict[str, list[str]] = {}
        for transition in self._records.transitions:
            first, second = (self._cell_of(end) for end in transition.ends)
            if first and second and first != second:
                for one, other in ((first, second), (second, first)):
                    if other not in joined.setdefault(one, []):
                        joined[one].append(other)
        return joined

    def _cell_of(self, end: str) -> str:
        cell = self._records.cells_of_states.get(end, end)
        return cell if cell in self._cells else ""

    def _add_door_cells(self, doors: list[Cell]) -> None:
        """Make an opening of each cell that is a door, between the rooms that transitions join it with."""
        neighbours = self._neighbours() if doors else {}
        for cell in doors:
            rooms = [name for name in neighbours.get(cell.id, []) if name in self._rooms][:2]
            level = self._level[rooms[0]] if rooms else self._level_at(cell)
            box = cell.shape.minimum_rotated_rectangle
            self._site.openings.append(Opening(cell.id, box.centroid, [level], cell.name, rooms))

    def _level_at(self, cell: Cell) -> str:
        if cell.storey and any(level.id == cell.storey for level in self._site.levels):
            return cell.storey
        nearest = min(
            self._rooms.values(),
            key=lambda room: (abs(room.low - cell.low) > 1, room.shape.distance(cell.shape)),
        )
        return self._level[nearest.id]

    def _add_transitions(self) -> None:
        placed: dict[tuple[str, str], list[Any]] = {}
        groups = _Groups()
        for transition in self._records.transitions:
            unknown = next((end for end in transition.ends if not self._cell_of(end)), "")
            if unknown:
                self._findings.add("unknown_area", transition.id, name=unknown)
            # Both directions of a transition give the same door.
            first, second = (self._rooms.get(cell) for cell in sorted(map(self._cell_of, transition.ends)))
            if first is None or second is None or first is second:
                continue
            if self._level[first.id] == self._level[second.id]:
                shape = self._door_shape(transition, first, second)
                doors = placed.setdefault((first.id, second.id), [])
                if all(shape.distance(other) > SAME_DOOR for other in doors):
                    doors.append(shape)
                    where = self._boundary_of(transition).removesuffix("-REVERSE") or first.id
                    self._site.openings.append(
                        Opening(where, shape, [self._level[first.id]], areas=[first.id, second.id])
                    )
            else:
                self._join_floors(first, second, groups)
        self._site.connectors = groups.connectors(self._level)
        self._add_single_connectors()

    def _door_shape(self, transition: Transition, first: Cell, second: Cell) -> Any:
        boundary = self._records.boundaries.get(self._boundary_of(transition))
        if boundary is not None:
            return boundary.shape
        if transition.shape is not None:
            crossing = transition.shape.intersection(first.shape.boundary)
            if not crossing.is_empty:
                return shapely.get_parts(crossing)[0].centroid
        near, far = nearest_points(first.shape, second.shape)
        return shapely.LineString([near, far]).centroid if near.distance(far) > 0 else near

    def _boundary_of(self, transition: Transition) -> str:
        dual = self._records.boundaries_of_transitions.get(transition.id, "")
        return transition.boundary if transition.boundary in self._records.boundaries else dual

    def _join_floors(self, first: Cell, second: Cell, groups: "_Groups") -> None:
        kinds: list[ConnectorKind | None] = [_connector_kind(first), _connector_kind(second)]
        kind: ConnectorKind = kinds[0] or kinds[1] or "stairs"
        near, far = nearest_points(first.shape, second.shape)
        shapes = [
            cell.shape if cell_kind or kinds == [None, None] else point
            for cell, cell_kind, point in zip((first, second), kinds, (near, far), strict=True)
        ]
        groups.join(kind, (first, shapes[0], kinds[0]), (second, shapes[1], kinds[1]))

    def _add_single_connectors(self) -> None:
        """Add stairs and lifts that no transition joins with another floor; overlapping ones are joined later."""
        joined = {connector.where for connector in self._site.connectors}
        for cell in self._rooms.values():
            kind = _connector_kind(cell)
            if kind and cell.id not in joined:
                self._site.connectors.append(
                    Connector(cell.id, kind, cell.shape, [self._level[cell.id]], cell.name)
                )

    def _add_boundaries(self) -> None:
        """Add doors that only a boundary of its own class states: ways out, and doors of a file without transitions."""
        owners: dict[str, list[str]] = {}
        for cell in self._rooms.values():
            for boundary in cell.boundaries:
                owners.setdefault(boundary.removesuffix("-REVERSE"), []).append(cell.id)
        used = {opening.where for opening in self._site.openings}
        through = {self._boundary_of(item).removesuffix("-REVERSE") for item in self._records.transitions}
        for boundary in self._records.boundaries.values():
            key = boundary.id.removesuffix("-REVERSE")
            if boundary.kind not in DOOR_BOUNDARIES or key in used or key in through:
                continue
            used.add(key)
            rooms = list(dict.fromkeys(owners.get(key, [])))[:2]
            if rooms:
                # A connection joins two rooms; of one that only one room names, geometry finds the other.
                stated = rooms if len(rooms) == 2 or boundary.kind == "AnchorBoundary" else []
                self._site.openings.append(
                    Opening(key, boundary.shape, [self._level[rooms[0]]], areas=stated)
                )


class _Groups:
    """Cells joined across floors: parts of one stairs or lift have one group."""

    def __init__(self) -> None:
        self._parents: dict[str, str] = {}
        self._parts: dict[tuple[str, str], tuple[ConnectorKind, Cell, Any]] = {}

    def join(self, kind: ConnectorKind, *parts: tuple[Cell, Any, ConnectorKind | None]) -> None:
        """Join two cells. A corridor beside stairs or a lift can be part of several groups."""
        special = [cell.id for cell, _, is_special in parts if is_special]
        key = special[0] if special else "+".join(sorted(cell.id for cell, _, _ in parts))
        for other in special[1:]:
            self._parents[self._root(other)] = self._root(key)
        for cell, shape, _ in parts:
            self._parts.setdefault((key if cell.id not in special else cell.id, cell.id), (kind, cell, shape))

    def connectors(self, levels: dict[str, str]) -> list[Connector]:
        """Return the parts with their groups."""
        return [
            Connector(cell.id, kind, shape, [levels[cell.id]], cell.name, group=self._root(key))
            for (key, _), (kind, cell, shape) in self._parts.items()
        ]

    def _root(self, key: str) -> str:
        while self._parents.get(key, key) != key:
            key = self._parents[key]
        return key


def _is_door(cell: Cell) -> bool:
    return cell.kind in DOOR_SPACES or re.search(r"\bdoor\b", cell.use, re.IGNORECASE) is not None


def _kind(cell: Cell) -> str:
    """Return the kind that a cell states; codes of a code list state none."""
    if kind := _connector_kind(cell):
        return kind
    if cell.kind == "TransitionSpace":
        return "corridor"
    return "" if cell.use.lower() in ("", "room") or not re.search(r"[^\W\d_]", cell.use) else cell.use


def _connector_kind(cell: Cell) -> ConnectorKind | None:
    for text in (cell.use, cell.name):
        for kind, pattern in _CONNECTORS:
            if pattern.search(text):
                return kind
    return None


def _number(storey: str) -> float | None:
    """Return the number of a storey: F1, 1F, B2, -1, 3."""
    match = re.fullmatch(
        r"(?:(b)|f|l|level|floor)?\s*_?(-?\d{1,3})f?(?:_\w*)?", storey.strip(), re.IGNORECASE
    )
    if match is None:
        return None
    number = float(match[2])
    return -number if match[1] else number


def _swapped(shape: Any) -> Any:
    """Exchange latitude and longitude."""
    return shapely.transform(shape, lambda points: np.asarray(points)[:, ::-1])


def _extent(shape: Any) -> tuple[float, float]:
    left, low, right, high = shape.bounds
    return right - left, high - low
