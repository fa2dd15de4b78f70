"""Contents of a building file before they become a plan: levels, areas, openings and connectors in the file's coordinates.

Each importer returns a `Site`; `assemble.py` makes floors, rooms, doors and links of it. An importer reads only what the
file states. Projection, repair, names of unnamed rooms, doors on walls and links between floors are the same for all
formats and belong to `assemble.py`.
"""

from dataclasses import dataclass, field
from typing import Any, Literal

ConnectorKind = Literal["stairs", "lift", "escalator", "ramp"]
Geometry = Any
"""A shapely geometry. Importers build it without checks; it may cross itself."""


@dataclass
class Level:
    """A level of the file. `ordinal` is its height among the levels: 0 at the ground, negative below, None if unknown.

    A level between two others, such as 0.5, is a landing of stairs and becomes no floor.
    """

    id: str
    name: str = ""
    ordinal: float | None = None
    names: dict[str, str] = field(default_factory=dict[str, str])
    """Names by language tag, as in the file."""
    where: str = ""
    building: str = ""


@dataclass
class Area:
    """A room or another closed space on one or more levels. `shape` is a Polygon or a MultiPolygon, with its holes."""

    where: str
    shape: Geometry
    levels: list[str]
    name: str = ""
    kind: str = ""
    """A kind of `kinds.py` if the file's category means one, else the file's own word; empty if it states none."""
    names: dict[str, str] = field(default_factory=dict[str, str])
    aliases: list[str] = field(default_factory=list[str])
    """Other names: room numbers, short names, old names."""
    kinds: list[str] = field(default_factory=list[str])
    """All words of the file for what it is: bakery, shop."""
    id: str = ""
    """The file's own id, which openings and connectors refer to."""
    building: str = ""


@dataclass
class Opening:
    """A door or another opening. `shape` is a Point, or a LineString along the wall."""

    where: str
    shape: Geometry
    levels: list[str]
    name: str = ""
    areas: list[str] = field(default_factory=list[str])
    """Ids of the one or two areas that it joins, if the file states them; else they are found by geometry."""
    accessible: bool = True
    building: str = ""


@dataclass
class Connector:
    """Stairs, a lift, an escalator or a ramp, or a part of one. Parts of one `group` are one link.

    Without a group, parts of one kind whose shapes overlap on neighbouring levels are joined by `assemble.py`.
    """

    where: str
    kind: ConnectorKind
    shape: Geometry
    levels: list[str]
    name: str = ""
    group: str = ""
    building: str = ""


@dataclass(frozen=True)
class PartFinding:
    """A finding about a part of one building, which counts if this building is chosen."""

    code: str
    where: str
    building: str
    values: dict[str, str] = field(default_factory=dict[str, str])
    count: int = 1


@dataclass(frozen=True)
class Reference:
    """Place of metre coordinates on the earth: WGS 84 degrees of the point (0, 0), and `bearing`, the clockwise angle in
    degrees from north to +y.
    """

    longitude: float
    latitude: float
    bearing: float = 0.0


@dataclass
class Site:
    """All that a file describes. Coordinates are degrees (longitude, latitude; WGS 84) or metres with y upwards."""

    format: str
    name: str = ""
    unit: Literal["degrees", "metres"] = "metres"
    levels: list[Level] = field(default_factory=list[Level])
    areas: list[Area] = field(default_factory=list[Area])
    openings: list[Opening] = field(default_factory=list[Opening])
    connectors: list[Connector] = field(default_factory=list[Connector])
    notes: list[PartFinding] = field(default_factory=list[PartFinding])
    buildings: dict[str, str] = field(default_factory=dict[str, str])
    """Name by id of each building in the file, if there are several. The parts above refer to these ids."""
    footprint: Geometry = None
    """Outline of the building, if the file has one; else that of all areas gives the axis."""
    reference: Reference | None = None
    """Place of coordinates in metres on the earth, if the file states it."""
