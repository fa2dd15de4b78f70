"""Elements with OpenStreetMap's tags as a Site: Simple Indoor Tagging, and its older forms.

`osm.py` reads elements from OpenStreetMap's files, `geojson.py` from exports that keep the tags as properties. What an
element is stands in `osm_roles.py`, what a room is for in `osm_kinds.py`; `osm_buildings.py` divides several buildings.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from .arrays import np, shapely
from .draft import Unreadable
from .findings import Findings
from .osm_buildings import OsmOutline, divide, repaired
from .osm_footways import Footway, add_footways, footway_of
from .osm_kinds import kind_of, words_of
from .osm_levels import is_landing, levels_of, missing_levels, ordinal_of
from .osm_names import aliases_of, name_of, names_of
from .osm_roles import area_purpose, connector_kind, is_opening
from .site import Area, Connector, Geometry, Level, Opening, Site

EXPECTED = (
    "Expected rooms in OpenStreetMap's Simple Indoor Tagging: closed ways with indoor=room (or area, corridor) and a "
    "level."
)


# Distance in degrees, a metre, within which a door or a lift without a level takes that of a room.
_NEAR = 1e-5


@dataclass(frozen=True)
class Element:
    """A node, way or relation. `geometry` is a Point, a LineString (closed or not), a Polygon or a MultiPolygon, in
    degrees; `where` is its place in the file.
    """

    id: str
    tags: Mapping[str, str]
    geometry: Geometry
    where: str


@dataclass
class _Parts:
    areas: list[Area] = field(default_factory=list[Area])
    uses: list[Area] = field(default_factory=list[Area])
    """Areas without an indoor tag: shops, toilets, platforms with a level. They count inside a building alone."""
    openings: list[tuple[Element, Opening]] = field(default_factory=list[tuple[Element, Opening]])
    connectors: list[Connector] = field(default_factory=list[Connector])
    footways: list[Footway] = field(default_factory=list[Footway])
    outlines: list[OsmOutline] = field(default_factory=list[OsmOutline])
    levels: list[Element] = field(default_factory=list[Element])
    labels: dict[str, Counter[str]] = field(default_factory=dict[str, Counter[str]])
    """Level -> what its rooms call it in `level:ref`."""
    other: int = 0


def read_tagged(elements: Iterable[Element], findings: Findings, others: int = 0) -> Site:
    """Return what tagged elements describe. `others` were left out before. Raises Unreadable if there is no room."""
    all_elements = list(elements)
    missing = frozenset[str]().union(*(missing_levels(element.tags) for element in all_elements))
    parts = _Parts(other=others)
    for element in _each_once(all_elements):
        _sort(element, parts, missing)
    if not parts.areas and not parts.uses:
        count = len(all_elements) + others
        raise Unreadable(f"The file has {count:,} elements with tags, but no room. {EXPECTED}")
    site = Site("osm", unit="degrees", areas=parts.areas + parts.uses)
    _default_levels(site, parts, findings)
    site.levels = _levels(site, parts)
    parts.other += divide(site, parts.outlines, {id(area) for area in parts.uses})
    parts.other += add_footways(site, parts.footways)
    if parts.other:
        findings.add("osm_outdoors", "", parts.other)
    return site


def _each_once(elements: list[Element]) -> Iterator[Element]:
    """Yield elements without repetitions: GDAL exports a closed way as a line and as a polygon."""
    element_ids: set[object] = set()
    shapes = np.array([_simplest(element.geometry) for element in elements], dtype=object)
    for element, shape in zip(elements, shapely.to_wkb(shapely.normalize(shapes)), strict=True):
        key = (shape, frozenset(element.tags.items()))
        if key not in element_ids:
            element_ids.add(key)
            yield element


def _simplest(shape: Geometry) -> Geometry:
    """Return a closed line, and a MultiPolygon of one part, as a Polygon."""
    if shape.geom_type == "MultiPolygon" and len(shape.geoms) == 1:
        return shape.geoms[0]
    return shapely.Polygon(shape.coords) if _is_ring(shape) else shape


def _sort(element: Element, parts: _Parts, missing: frozenset[str]) -> None:
    tags, shape = element.tags, element.geometry
    levels = levels_of(tags, missing)
    area = _as_area(tags, shape)
    purpose = area_purpose(tags) if area is not None else ""
    kind = connector_kind(tags)
    if purpose in ("room", "use"):
        (parts.areas if purpose == "room" else parts.uses).append(_area(element, area, levels))
        if tags.get("level:ref") and len(levels) == 1:
            parts.labels.setdefault(levels[0], Counter())[tags["level:ref"]] += 1
    elif purpose == "level":
        parts.levels.append(element)
    elif purpose == "building":
        parts.outlines.append(_outline(element, area))
    if kind:
        parts.connectors.append(
            Connector(element.where, kind, area if area is not None else shape, levels, name_of(tags))
        )
    if is_opening(tags) and purpose == "":
        parts.openings.append((element, _opening(element, levels)))
    elif not kind and not purpose:
        footway = footway_of(tags, shape, levels, element.where)
        if footway:
            parts.footways.append(footway)
        else:
            parts.other += 1


def _as_area(tags: Mapping[str, str], shape: Geometry) -> Geometry | None:
    """Return the area of a polygon, or of a closed line unless its tags make it a line."""
    if shape.geom_type in ("Polygon", "MultiPolygon"):
        return shape
    if not _is_ring(shape):
        return None
    is_line = tags.get("area") == "no" or (
        tags.get("area") != "yes"
        and "indoor" not in tags
        and tags.get("highway") in ("steps", "footway", "corridor", "path")
    )
    return None if is_line else shapely.Polygon(shape.coords)


def _is_ring(shape: Geometry) -> bool:
    return shape.geom_type == "LineString" and len(shape.coords) > 3 and shape.coords[0] == shape.coords[-1]


def _area(element: Element, shape: Geometry, levels: list[str]) -> Area:
    tags = element.tags
    return Area(
        element.where,
        shape,
        levels,
        name_of(tags),
        connector_kind(tags) or kind_of(tags),
        names_of(tags),
        aliases_of(tags),
        words_of(tags),
        element.id,
    )


def _opening(element: Element, levels: list[str]) -> Opening:
    shape = element.geometry
    if shape.geom_type not in ("Point", "LineString"):
        shape = shape.representative_point()
    return Opening(
        element.where,
        shape,
        levels,
        name_of(element.tags),
        accessible=element.tags.get("wheelchair") != "no",
    )


def _outline(element: Element, shape: Geometry) -> OsmOutline:
    name = name_of(element.tags)
    return OsmOutline(element.id, name or _address(element.tags), repaired(shape), bool(name))


def _address(tags: Mapping[str, str]) -> str:
    street, number = tags.get("addr:street", tags.get("addr:place", "")), tags.get("addr:housenumber", "")
    return tags.get("addr:housename", "") or f"{street} {number}".strip()


def _default_levels(site: Site, parts: _Parts, findings: Findings) -> None:
    """Give parts that state no level those of the rooms they touch; rooms without one are on level 0."""
    for area in site.areas:
        if not area.levels:
            area.levels = ["0"]
            findings.add("osm_no_level", area.where, name=area.name or area.kind)
    tree = shapely.STRtree([area.shape for area in site.areas])

    def touched(shape: Geometry) -> list[str]:
        near = tree.query(shape, predicate="dwithin", distance=_NEAR)
        return list(dict.fromkeys(level for index in near for level in site.areas[int(index)].levels))

    for connector in parts.connectors:
        connector.levels = connector.levels or touched(connector.shape)
    site.connectors = [connector for connector in parts.connectors if connector.levels]
    parts.other += len(parts.connectors) - len(site.connectors)
    for element, opening in parts.openings:
        if not opening.levels:
            levels = touched(opening.shape)
            if "entrance" in element.tags and len(levels) > 1:
                levels = [min(levels, key=lambda level: abs(ordinal_of(level) or 0.0))]
            opening.levels = levels
        if opening.levels:
            site.openings.append(opening)
        else:
            parts.other += 1


def _levels(site: Site, parts: _Parts) -> list[Level]:
    """Return the levels that have rooms, and landings of stairs, from below, with the names that the file has for them."""
    drawn = {level for area in site.areas for level in area.levels}
    drawn |= {level for link in site.connectors for level in link.levels if is_landing(level)}
    described = {level: element for element in parts.levels for level in levels_of(element.tags)}
    levels: list[Level] = []
    for level in sorted(drawn, key=lambda level: (ordinal_of(level) is None, ordinal_of(level) or 0.0)):
        tags: Mapping[str, str] = described[level].tags if level in described else {}
        labels = parts.labels.get(level)
        label = tags.get("level:ref", "") or (labels.most_common(1)[0][0] if labels else "")
        levels.append(
            Level(level, name_of(tags) or label, ordinal_of(level), names_of(tags), where=f"level {level}")
        )
    return levels
