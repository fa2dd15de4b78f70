"""IndoorGML 1.0 and 1.1: cells, boundaries, states and transitions as records, read element by element."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import shapely

from .draft import MAX_POINTS, MAX_ROOMS, Unreadable, too_many
from .footprints import faces_outline, parts_of
from .plan_file import xml_elements

Point3 = tuple[float, float, float]
# Corners of all faces: a solid has about ten times as many as its outline.
MAX_CORNERS_READ = 2 * MAX_POINTS
MAX_RECORDS = 500_000
_MEMBERS = ("cellSpaceMember", "cellSpaceBoundaryMember", "stateMember", "transitionMember")
_FACT = re.compile(r"(\w+)\s*=\s*\"?([^\":;]*)")


@dataclass
class Cell:
    """A cell of the primal space: `kind` is its class, such as TransitionSpace; heights are in the file's unit."""

    id: str
    kind: str
    name: str
    storey: str
    use: str
    shape: Any
    low: float
    high: float
    boundaries: list[str] = field(default_factory=list[str])


@dataclass(frozen=True)
class Boundary:
    """Boundary of a cell, seen from above: a Point or a LineString."""

    id: str
    kind: str
    shape: Any


@dataclass(frozen=True)
class Transition:
    """An edge of the dual graph between two states; `boundary` is the surface it goes through, if the file states it."""

    id: str
    ends: tuple[str, str]
    boundary: str
    shape: Any


@dataclass
class IndoorRecords:
    """Contents of a file; the dual of a state is a cell, that of a transition a boundary."""

    cells: list[Cell] = field(default_factory=list[Cell])
    boundaries: dict[str, Boundary] = field(default_factory=dict[str, Boundary])
    cells_of_states: dict[str, str] = field(default_factory=dict[str, str])
    boundaries_of_transitions: dict[str, str] = field(default_factory=dict[str, str])
    transitions: list[Transition] = field(default_factory=list[Transition])
    without_shape: list[str] = field(default_factory=list[str])
    system: str = ""


def read_records(path: Path) -> IndoorRecords:
    """Read all records. Raises Unreadable, also for entities and documents that are cut off."""
    records = IndoorRecords()
    reader = _Reader(records)
    for name, element in xml_elements(path, frozenset((*_MEMBERS, "Envelope"))):
        reader.take(name, element)
    return records


class _Reader:
    """Takes the members of lists as they end."""

    def __init__(self, records: IndoorRecords) -> None:
        self._records = records
        self._corners = 0
        self._count = 0

    def take(self, name: str, element: Any) -> None:
        """Add the records of one member; the first envelope names the coordinate system."""
        if name == "Envelope":
            self._records.system = self._records.system or element.get("srsName") or ""
            return
        self._count += 1
        if self._count > MAX_RECORDS:
            raise too_many("cells, boundaries, states and transitions", self._count, MAX_RECORDS, "")
        for child in element:
            {
                "cellSpaceMember": self._cell,
                "cellSpaceBoundaryMember": self._boundary,
                "stateMember": self._state,
                "transitionMember": self._transition,
            }[name](child)

    def _cell(self, element: Any) -> None:
        if len(self._records.cells) >= MAX_ROOMS:
            raise too_many("cells", len(self._records.cells) + 1, MAX_ROOMS, "")
        facts = dict(_FACT.findall(_text(element, "description")))
        shape, low, high = self._shape(element)
        if shape is None:
            self._records.without_shape.append(_id(element))
            return
        use = [facts.get(key, "") for key in ("indoor", "room", "usage", "class", "function")]
        use += [_text(element, key) for key in ("usage", "function", "class")]
        storey = [_text(element, key) for key in ("storey", "level", "floor")]
        storey += [facts.get(key, "").strip() for key in ("storey", "level", "floor")]
        name = _text(element, "name") or next(
            (
                text
                for child in element.iter()
                if local_name(child) == "GenericMetaData" and (text := _flat(child))
            ),
            "",
        )
        cell = Cell(
            _id(element),
            local_name(element),
            name,
            next((text for text in storey if text), ""),
            next((text.strip() for text in use if text.strip()), ""),
            shape,
            low,
            high,
        )
        cell.boundaries = [_target(child) for child in element if local_name(child) == "partialboundedBy"]
        self._records.cells.append(cell)

    def _boundary(self, element: Any) -> None:
        points = [point for ring in self._rings(element) for point in ring]
        if points:
            key = _id(element)
            self._records.boundaries[key] = Boundary(key, local_name(element), _plan_line(points))
            for child in element:
                if local_name(child) == "duality":
                    self._records.boundaries_of_transitions.setdefault(_target(child), key)

    def _state(self, element: Any) -> None:
        for child in element:
            if local_name(child) == "duality":
                self._records.cells_of_states[_id(element)] = _target(child)

    def _transition(self, element: Any) -> None:
        ends = [_target(child) for child in element if local_name(child) == "connects"]
        duals = [_target(child) for child in element if local_name(child) == "duality"]
        points = [point for ring in self._rings(element) for point in ring]
        line = shapely.LineString([point[:2] for point in points]) if len(points) > 1 else None
        if len(ends) == 2:
            self._records.transitions.append(
                Transition(_id(element), (ends[0], ends[1]), duals[0] if duals else "", line)
            )

    def _shape(self, cell: Any) -> tuple[Any, float, float]:
        """Return the outline of a cell's solid or polygon, and its lowest and highest point."""
        solids = [child for child in cell.iter() if local_name(child) == "Solid"]
        outer = [part for solid in solids for part in solid if local_name(part) == "exterior"]
        inner = [part for solid in solids for part in solid if local_name(part) == "interior"]
        faces = [ring for part in outer or inner or [cell] for ring in self._rings(part, with_holes=False)]
        if not outer:
            faces = faces or self._rings(cell)
        points = [point for ring in faces for point in ring]
        if not points:
            return None, 0.0, 0.0
        shape = faces_outline([[point[:2] for point in ring] for ring in faces])
        holes = self._holes(outer or [cell]) + [
            faces_outline([[point[:2] for point in ring] for ring in self._rings(part)])
            for part in inner
            if outer
        ]
        for hole in holes:
            if shape is not None and hole is not None:
                shape = shape.difference(hole)
        heights = [point[2] for point in points]
        usable = shape is not None and parts_of(shape)
        return (shape if usable else None), min(heights), max(heights)

    def _holes(self, parts: list[Any]) -> list[Any]:
        """Return the holes of flat faces, which go through the cell from floor to ceiling."""
        return [
            faces_outline([[point[:2] for point in ring]])
            for part in parts
            for polygon in part.iter()
            if local_name(polygon) == "Polygon"
            for hole in polygon
            if local_name(hole) == "interior"
            for ring in self._rings(hole)
        ]

    def _rings(self, element: Any, with_holes: bool = True) -> list[list[Point3]]:
        """Return the points of each ring or line below an element."""
        rings: list[list[Point3]] = []
        pending = [element]
        while pending:
            current = pending.pop()
            name = local_name(current)
            if name in ("LinearRing", "LineString", "LineStringSegment", "Point"):
                rings.append(self._points(current))
            elif with_holes or name != "interior" or current is element:
                pending.extend(reversed(list(current)))
        return rings

    def _points(self, element: Any) -> list[Point3]:
        points: list[Point3] = []
        for child in element:
            if local_name(child) in ("pos", "posList"):
                points += _numbers(child, element)
        self._corners += len(points)
        if self._corners > MAX_CORNERS_READ:
            raise too_many("corners", self._corners, MAX_CORNERS_READ, "")
        return points


def local_name(element: Any) -> str:
    """Return the name of an element without its namespace, "" for a comment."""
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else ""


def _numbers(element: Any, parent: Any) -> list[Point3]:
    try:
        values = [float(text) for text in (element.text or "").replace(",", " ").split()]
    except ValueError:
        raise Unreadable(
            f"{_flat(element)[:60]!r} is not a coordinate. Expected numbers.", _id(parent)
        ) from None
    stated = element.get("srsDimension") or parent.get("srsDimension")
    size = int(stated) if stated in ("2", "3") else 3
    if local_name(element) == "pos":
        size = len(values)
    elif stated is None and len(values) % 3:
        size = 2
    if size not in (2, 3) or len(values) % size or not all(abs(value) < 1e9 for value in values):
        raise Unreadable(f"{_flat(element)[:60]!r} is not a list of points of 2 or 3 numbers.", _id(parent))
    return [
        (values[at], values[at + 1], values[at + 2] if size == 3 else 0.0)
        for at in range(0, len(values), size)
    ]


def _plan_line(points: list[Point3]) -> Any:
    """Return the longest line between the points in the plan."""
    box: Any = shapely.MultiPoint([point[:2] for point in points]).minimum_rotated_rectangle
    if box.geom_type != "Polygon":
        return box
    corners: list[Any] = list(box.exterior.coords)
    sides = sorted(
        (shapely.LineString(corners[at : at + 2]) for at in range(4)), key=lambda side: side.length
    )
    return shapely.LineString([sides[0].centroid, sides[1].centroid])


def _id(element: Any) -> str:
    return next((value for key, value in element.attrib.items() if key.rpartition("}")[2] == "id"), "")


def _target(element: Any) -> str:
    href = next((value for key, value in element.attrib.items() if key.rpartition("}")[2] == "href"), "")
    return href.removeprefix("#")


def _text(element: Any, name: str) -> str:
    return next((_flat(child) for child in element if local_name(child) == name and _flat(child)), "")


def _flat(element: Any) -> str:
    return " ".join((element.text or "").split())
