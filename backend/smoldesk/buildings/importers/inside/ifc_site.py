"""A site from the records and meshes of an IFC file: spaces, doors, stairs, lifts and ramps."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely

from .draft import Unreadable
from .findings import Findings
from .footprints import mesh_outline
from .ifc_doors import REACH, DoorFinder, Room
from .ifc_placement import Placements, find_reference, length_unit
from .ifc_storeys import IfcStorey, SpatialStructure, levels_of
from .site import Area, Connector, ConnectorKind, Level, Opening, Site
from .step_file import StepFile, StepRecord

DOORS = ("IFCDOOR", "IFCDOORSTANDARDCASE")
RISES: dict[str, ConnectorKind] = {
    "IFCSTAIR": "stairs",
    "IFCRAMP": "ramp",
    "IFCSTAIRFLIGHT": "stairs",
    "IFCRAMPFLIGHT": "ramp",
}
TRANSPORT: dict[str, ConnectorKind] = {"ELEVATOR": "lift", "ESCALATOR": "escalator"}
# Spaces that are the way between floors, by their names; German names occur in most public files.
_SPACE_KINDS: tuple[tuple[ConnectorKind, "re.Pattern[str]"], ...] = (
    (
        "lift",
        re.compile(r"\b(lift|elevator|aufzug|fahrstuhl|ascenseur)\b|エレベーター?|昇降機", re.IGNORECASE),
    ),
    ("escalator", re.compile(r"\bescalator\b|エスカレーター?", re.IGNORECASE)),
    (
        "stairs",
        re.compile(r"\b(stair(s|case|well|way)?|treppe(nhaus|nraum)?|escalier)\b|階段", re.IGNORECASE),
    ),
)
_NOT_ITSELF = re.compile(
    r"\b(lobby|hall|vestibule|machine|vorraum|under)\b|ホール|機械室|前室|下", re.IGNORECASE
)
# Names that programs give to a building without one.
_PLACEHOLDER = re.compile(
    r"(default\s|project\s|my\s)?(building|project|name|number|site)|undefined|untitled|unbenannt|\W.*|.*\.(ifc|rvt|pln)",
    re.IGNORECASE,
)
# A space covers others if they fill this share of it.
COVERED = 0.7
INSIDE = 0.95
# Metres that rooms beside each other share in height.
SAME_HEIGHT = 0.5
# What the library makes meshes of, besides holes in walls; the others cost most of the time and give nothing.
MESHED = ("IFCSPACE", *DOORS, *RISES, "IFCTRANSPORTELEMENT")
NO_SPACES = (
    "The file has no rooms (IfcSpace). Export them: in Revit with rooms and the option to export rooms in 3D views, in "
    "Archicad with zones, in Vectorworks with spaces."
)


@dataclass(frozen=True)
class Mesh:
    """Triangles of one product in world coordinates, in metres."""

    vertices: Any
    faces: Any


def meshed_ids(file: StepFile) -> set[int]:
    """Return the records whose shapes a site is made of; a hole in a wall only if no window fills it.

    Raises Unreadable without a room.
    """
    if not any(file.of("IFCSPACE")):
        raise Unreadable(NO_SPACES)
    doors = {door.id for door in file.of(*DOORS)}
    windows = {relation.ref(4) for relation in file.of("IFCRELFILLSELEMENT") if relation.ref(5) not in doors}
    holes = {hole.id for hole in file.of("IFCOPENINGELEMENT")}
    parts = {
        int(part)
        for relation in file.of("IFCRELAGGREGATES")
        if (parent := file.get(relation.ref(4))) is not None and parent.kind in RISES
        for part in relation.refs(5)
    }
    return (
        {record.id for record in file.of(*MESHED)} | parts | {hole for hole in holes if hole not in windows}
    )


class SiteBuilder:
    """Makes a site of records and meshes by record number."""

    def __init__(self, file: StepFile, meshes: Mapping[int, Mesh], findings: Findings) -> None:
        self._file = file
        self._meshes = meshes
        self._findings = findings
        unit = length_unit(file)
        self._placements = Placements(file, unit)
        self._structure = SpatialStructure(file, self._placements, unit)
        self._site = Site("ifc", unit="metres")
        self._rooms: list[Room] = []

    def build(self) -> Site:
        """Return the site. Raises Unreadable without a room that has a shape."""
        self._site.name = self._name()
        self._site.reference = find_reference(self._file, self._placements)
        self._add_spaces()
        self._add_connectors()
        self._add_doors()
        self._add_levels()
        return self._site

    def _name(self) -> str:
        buildings = list(self._file.of("IFCBUILDING"))
        records = [*(buildings if len(buildings) == 1 else []), *self._file.of("IFCPROJECT")]
        texts = [
            record.text(7 if record.kind == "IFCBUILDING" else 5) or record.text(2) for record in records
        ]
        return next((text for text in texts if text and not _PLACEHOLDER.fullmatch(text)), "")

    def _add_spaces(self) -> None:
        spaces = list(self._file.of("IFCSPACE"))
        rooms = [space for space in spaces if space.value(9) != "GFA"]
        self._note("covering", [space for space in spaces if space.value(9) == "GFA"])
        with_mesh = [space for space in rooms if space.id in self._meshes]
        used = {storey.id for space in with_mesh if (storey := self._structure.storey_of(space))}
        if used:
            self._structure.keep(used)
        elif not self._structure.storeys:
            self._structure.add_storeys(
                float(self._meshes[space.id].vertices[:, 2].min()) for space in with_mesh
            )
        missing = [space for space in rooms if space.id not in self._meshes]
        for space in with_mesh:
            mesh = self._meshes[space.id]
            shape = mesh_outline(mesh.vertices, mesh.faces)
            low, high = float(mesh.vertices[:, 2].min()), float(mesh.vertices[:, 2].max())
            storey = self._structure.storey_of(space) or self._structure.storey_at(low)
            if shape is None or storey is None:
                missing.append(space)
                continue
            self._site.areas.append(_area(space, shape, storey))
            self._rooms.append(Room(f"#{space.id}", shape, storey.id, low, high))
        if not self._rooms:
            raise Unreadable(
                f"None of the {len(spaces)} rooms (IfcSpace) has a shape. Export them with their geometry."
            )
        self._note("no_shape", missing)
        covers = _covers(self._rooms)
        self._note("covering", [space for space in rooms if f"#{space.id}" in covers])
        self._rooms = [room for room in self._rooms if room.id not in covers]
        self._site.areas = [area for area in self._site.areas if area.id not in covers]

    def _add_connectors(self) -> None:
        parts = {
            child
            for stair in self._file.of("IFCSTAIR", "IFCRAMP")
            for child in self._structure.children(stair)
        }
        for record in self._file.of(*RISES):
            if record.id not in parts:
                self._add_connector(record, RISES[record.kind])
        for record in self._file.of("IFCTRANSPORTELEMENT"):
            kind = TRANSPORT.get(str(record.value(8)))
            if kind:
                self._add_connector(record, kind)
        for area in self._site.areas:
            kind = _kind_of_name(area.name)
            if kind and not self._is_served(area, kind):
                self._site.connectors.append(
                    Connector(area.where, kind, area.shape, area.levels, area.name, building=area.building)
                )

    def _add_connector(self, record: StepRecord, kind: ConnectorKind) -> None:
        meshes = [
            self._meshes[number]
            for number in (record.id, *self._structure.children(record))
            if number in self._meshes
        ]
        shape = shapely.union_all(
            [part for mesh in meshes if (part := mesh_outline(mesh.vertices, mesh.faces))]
        )
        if shape.is_empty:
            self._note("no_shape", [record])
            return
        heights = [float(height) for mesh in meshes for height in mesh.vertices[:, 2]]
        low, high = min(heights), max(heights)
        storey = self._structure.storey_of(record)
        storeys = self._structure.storeys_between(low, high, storey.building if storey else "")
        self._site.connectors.append(
            Connector(
                f"#{record.id}",
                kind,
                shape,
                [storey.id for storey in storeys],
                record.text(2),
                building=storeys[0].building if storeys else "",
            )
        )

    def _is_served(self, area: Area, kind: ConnectorKind) -> bool:
        """Check whether stairs or a lift stand in a space that is named so."""
        return any(
            connector.kind == kind
            and set(connector.levels) & set(area.levels)
            and connector.shape.intersects(area.shape)
            for connector in self._site.connectors
        )

    def _add_doors(self) -> None:
        finder = DoorFinder(self._file, self._rooms, self._placements, self._meshes)
        inside: list[StepRecord] = []
        apart: list[StepRecord] = []
        for record in self._file.of(*DOORS):
            storey = self._structure.storey_of(record)
            door = finder.find(record, storey.id if storey else "")
            if door is None:
                apart.append(record)
            elif door.is_inside:
                inside.append(record)
            else:
                self._site.openings.append(
                    Opening(
                        f"#{record.id}",
                        door.shape,
                        [door.level],
                        record.text(2),
                        door.rooms,
                        building=storey.building if storey else "",
                    )
                )
        self._note("door_in_room", inside)
        for record in apart:
            self._findings.add("door_nowhere", f"#{record.id}", distance=REACH)
        for passage in finder.passages():
            self._site.openings.append(passage)

    def _add_levels(self) -> None:
        used = {level for area in self._site.areas for level in area.levels}
        storeys = [storey for storey in self._structure.storeys if storey.id in used]
        buildings = {storey.building for storey in storeys}
        for building in sorted(buildings):
            self._site.levels += levels_of([storey for storey in storeys if storey.building == building])
        self._site.levels += [
            Level(storey.id, storey.name, where=storey.id, building=storey.building)
            for storey in self._structure.dropped
        ]
        self._site.buildings = {
            key: name for key, name in self._structure.buildings.items() if key in buildings
        }
        for connector in self._site.connectors:
            connector.levels = [level for level in connector.levels if level in used]
        self._site.connectors = [connector for connector in self._site.connectors if connector.levels]
        self._site.openings = [opening for opening in self._site.openings if set(opening.levels) <= used]
        self._drop_balconies()

    def _drop_balconies(self) -> None:
        """Leave out doors of one room above the ground floor: they would count as ways out of the building."""
        upper = {level.id for level in self._site.levels if (level.ordinal or 0) > 0}
        doors = [
            door for door in self._site.openings if len(door.areas) == 1 and upper.issuperset(door.levels)
        ]
        for door in doors:
            self._findings.add("balconies", door.where, name=door.name or door.where)
        self._site.openings = [door for door in self._site.openings if door not in doors]

    def _note(self, code: str, records: Iterable[StepRecord]) -> None:
        for record in records:
            self._findings.add(code, f"#{record.id}", name=record.text(2) or f"#{record.id}")


def _covers(rooms: list[Room]) -> set[str]:
    """Return the rooms that are mostly other rooms: areas of a floor or a dwelling beside its rooms."""
    shapes = np.array([room.shape for room in rooms])
    outer, inner = shapely.STRtree(shapes).query(shapes, predicate="intersects")
    levels = np.array([room.level for room in rooms])
    areas = shapely.area(shapes)
    low, high = np.array([room.low for room in rooms]), np.array([room.high for room in rooms])
    likely = (outer != inner) & (levels[outer] == levels[inner]) & (areas[outer] > areas[inner])
    # Rooms above each other can be in one storey, as a cellar in that of the ground floor.
    likely &= (low[outer] < high[inner] - SAME_HEIGHT) & (low[inner] < high[outer] - SAME_HEIGHT)
    outer, inner = outer[likely], inner[likely]
    shared = shapely.area(shapely.intersection(shapes[outer], shapes[inner], grid_size=0.001))
    inside = shared >= INSIDE * areas[inner]
    filled = np.bincount(outer[inside], weights=shared[inside], minlength=len(rooms))
    several = np.bincount(outer[inside], minlength=len(rooms)) > 1
    return {rooms[place].id for place in np.flatnonzero(several & (filled >= COVERED * areas))}


def _area(space: StepRecord, shape: Any, storey: IfcStorey) -> Area:
    """Return the room of a space. People use its long name; the name is its number."""
    name, number = space.text(7), space.text(2)
    return Area(
        f"#{space.id}",
        shape,
        [storey.id],
        name or number,
        kind="parking" if space.value(9) == "PARKING" else _kind_of_name(name or number) or "",
        aliases=[number] if name and number and name != number else [],
        id=f"#{space.id}",
        building=storey.building,
    )


def _kind_of_name(name: str) -> ConnectorKind | None:
    if _NOT_ITSELF.search(name):
        return None
    return next((kind for kind, pattern in _SPACE_KINDS if pattern.search(name)), None)
