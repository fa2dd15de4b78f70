"""GeoJSON with levels, in general: polygons are rooms, points and lines on walls doors, and stairs and lifts connectors.

What a feature is follows from its properties, whose names differ between programs: the tables below list them. Files
with the tags of OpenStreetMap are read by the same code as its own formats.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, cast

from .arrays import np, shapely
from .draft import LONGEST_NAME, MAX_POINTS, Draft, Json, Unreadable, clipped, too_many
from .exported import read_exported_geojson
from .fields import Fields
from .findings import Findings
from .imdf_features import shapes_of
from .levels import levels_of
from .osm_tags import Element, read_tagged
from .plan_file import PlanFile
from .site import Area, Connector, ConnectorKind, Geometry, Opening, Site

# Features of a file, of all kinds, and corners of all of them.
MAX_FEATURES = 400_000
MAX_COORDINATES = 4 * MAX_POINTS


def _ranked(names: Iterable[str]) -> Mapping[str, int]:
    """Return names of properties with their ranks: of several the first counts."""
    return {name: rank for rank, name in enumerate(names)}


LEVELS = _ranked((
    "level", "levels", "floor", "floors", "storey", "story", "level_id", "floor_id", "levelname", "level_name", "floor_name",
    "floorlevel", "floor_level", "floornumber", "floor_number", "etage", "stockwerk", "geschoss", "ebene", "階", "フロア",
))  # fmt: skip
NAMES = _ranked((
    "name", "title", "label", "room_name", "roomname", "long_name", "longname", "ref", "number", "room_number", "roomnumber",
    "room_no", "short_name", "shortname", "alt_name", "名称", "部屋名",
))  # fmt: skip
KINDS = _ranked((
    "kind", "category", "indoor", "room", "amenity", "usage", "use", "room_type", "roomtype", "use_type", "class",
    "function", "type",
))  # fmt: skip
BUILDINGS = _ranked(("building", "building_id", "building_name", "buildingid", "buildingname"))
DOORS = frozenset(("door", "doors", "opening", "entrance", "exit", "gate"))
CONNECTORS: dict[str, ConnectorKind] = {
    "stairs": "stairs", "stair": "stairs", "steps": "stairs", "staircase": "stairs", "stairway": "stairs",
    "lift": "lift", "elevator": "lift", "escalator": "escalator", "ramp": "ramp",
}  # fmt: skip
# Polygons that are no rooms.
OTHERS = frozenset(("building", "footprint", "outline", "floor", "level", "storey", "venue", "wall", "column", "pillar",
                    "window", "furniture", "fixture", "kiosk"))  # fmt: skip
POLYGONS = ("Polygon", "MultiPolygon")
GEOMETRIES = ("Point", "LineString", *POLYGONS)
POSITIONS = {"Point": "[x, y]", "LineString": "[[x, y], …]", "Polygon": "[[[x, y], [x, y], [x, y], …]]"}
# Tags of OpenStreetMap's indoor maps, new and old: files with one of them are read by its rules.
TAGS = ("indoor", "buildingpart")
# Values of a property that say only that there is something.
_YES = frozenset(("yes", "no", "true", "false", "1", "0"))
_LANGUAGE = re.compile(r"name[:_]([a-z]{2,3}(?:-[A-Za-z]{2,8})?)", re.ASCII)


def read_geojson(file: PlanFile) -> Site | Draft:
    """Read a FeatureCollection; one that a desk exported is a plan already. Raises Unreadable if it contains no room."""
    top = file.top
    if exported := read_exported_geojson(file):
        return exported
    others: Counter[str] = Counter()
    features = list(_features(top, others))
    if any(not properties.values.keys().isdisjoint(TAGS) for properties, _ in features):
        return _read_tagged(features, others, top)
    site = Site("geojson", top.text("name", "") if isinstance(top.raw("name"), str) else "")
    door_rooms: list[tuple[Opening, list[str]]] = []
    for properties, shape in features:
        if unused := _add_feature(properties, shape, site, door_rooms):
            others[unused] += 1
    for kind, count in others.items():
        top.findings.add("not_used", "features", count, kind=kind)
    if not site.areas:
        raise Unreadable(
            "There is no room: no feature is a Polygon or a MultiPolygon of a room. Expected the rooms' outlines.",
            "features",
        )
    _name_door_rooms(site, door_rooms, top.findings)
    _group_connectors(site.connectors)
    _set_unit(site, top)
    return site


def _features(top: Fields, others: Counter[str]) -> "Iterator[tuple[Properties, Geometry]]":
    """Yield the features that have a geometry of use; counts those that have none. Raises Unreadable beyond the limits."""
    usable: list[Fields] = []
    for fields in top.objects("features", "features", MAX_FEATURES):
        geometry: Any = fields.raw("geometry")
        kind = str(cast("Json", geometry).get("type")) if isinstance(geometry, dict) else "no geometry"
        if kind in GEOMETRIES:
            usable.append(fields)
        else:
            others[kind[:40]] += 1
    shapes = shapes_of([fields.raw("geometry") for fields in usable])
    if (corners := int(shapely.get_num_coordinates(np.array(shapes, object)).sum())) > MAX_COORDINATES:
        raise too_many("corners", corners, MAX_COORDINATES, "features")
    for fields, shape in zip(usable, shapes, strict=True):
        if shape is None:
            kind = str(fields.raw("geometry")["type"])
            fields.expected("geometry", POSITIONS.get(kind, POSITIONS["Polygon"]), kind)
            others[kind[:40]] += 1
        else:
            yield Properties(fields), shape


def _read_tagged(features: "list[tuple[Properties, Geometry]]", others: Counter[str], top: Fields) -> Site:
    """Return the site of an export that keeps OpenStreetMap's tags as properties."""
    elements = [
        Element(properties.id, properties.tags(), shape, properties.where) for properties, shape in features
    ]
    site = read_tagged(elements, top.findings, others.total())
    site.name = site.name or (top.text("name", "") if isinstance(top.raw("name"), str) else "")
    return site


class Properties:
    """Properties of a feature without regard to case; those of `tags`, as osmtogeojson writes them, too."""

    def __init__(self, fields: Fields) -> None:
        self.where = fields.where
        self.findings = fields.findings
        self._at = fields.at("properties")
        self.id = str(fields.raw("id") or "")
        properties: Any = fields.raw("properties")
        self.values: Json = cast("Json", properties) if isinstance(properties, dict) else {}
        if isinstance(tags := self.values.get("tags"), dict):
            self.values = {**self.values, **cast("Json", tags)}
        self.values = {key.casefold(): value for key, value in self.values.items()}
        self._add_level(self.values.get("relations"))
        self.id = self.id or str(self.values.get("@id") or self.values.get("id") or self.where)

    def _add_level(self, relations: Any) -> None:
        """Take the level of the relation that a feature is a part of, as osmtogeojson lists them."""
        for relation in cast("list[Any]", relations) if isinstance(relations, list) else []:
            tags: Any = cast("Json", relation).get("reltags") if isinstance(relation, dict) else None
            if isinstance(tags, dict) and "level" in tags:
                self.values.setdefault("level", cast("Json", tags)["level"])

    def tags(self) -> dict[str, str]:
        """Return the properties that are texts or numbers as OpenStreetMap's tags."""
        return {
            key: value if isinstance(value, str) else _digits(value)
            for key, value in self.values.items()
            if isinstance(value, str | int | float) and not isinstance(value, bool)
        }

    def levels(self) -> list[str]:
        """Return the ids of the levels; an invalid one is an error."""
        names = [
            name for name in self.values.keys() & LEVELS.keys() if self.values[name] not in (None, "", [])
        ]
        name = min(names, key=LEVELS.__getitem__, default="level")
        return levels_of(self.values.get(name), f"{self._at}.{name}", self.findings)

    def texts(self, names: Mapping[str, int]) -> list[str]:
        """Return the texts and numbers under the names, each once, in their order."""
        texts: list[str] = []
        for name in sorted(self.values.keys() & names.keys(), key=names.__getitem__):
            value = self.values[name]
            if isinstance(value, dict):
                value = next(iter(cast("Json", value).values()), None)
            if isinstance(value, int | float) and not isinstance(value, bool):
                value = _digits(value)
            if isinstance(value, str) and value.strip() and value.strip() not in texts:
                texts.append(value.strip()[:LONGEST_NAME])
        return texts

    def names_by_language(self) -> dict[str, str]:
        """Return names such as `name:en`, `name_ja`, or those of an object `name`."""
        value = self.values.get("name")
        names = cast("Json", value) if isinstance(value, dict) else {}
        names |= {match[1]: text for key, text in self.values.items() if (match := _LANGUAGE.fullmatch(key))}
        return {
            str(tag): text[:LONGEST_NAME] for tag, text in names.items() if isinstance(text, str) and text
        }

    def kind(self) -> str:
        """Return the kind in small letters; stairs and lifts under one word each."""
        kinds = [text.casefold() for text in self.texts(KINDS) if text.casefold() not in _YES]
        usable = (kind for kind in kinds if kind in CONNECTORS or kind in DOORS)
        kind = next(usable, kinds[0] if kinds else "")
        return CONNECTORS.get(kind, kind)

    @property
    def is_accessible(self) -> bool:
        return self.values.get("accessible") is not False and self.values.get("wheelchair") != "no"


def _add_feature(
    properties: Properties, shape: Geometry, site: Site, door_rooms: list[tuple[Opening, list[str]]]
) -> str:
    """Add a feature to the site; returns what it is if nothing is made of it."""
    kind, levels, names = properties.kind(), properties.levels(), properties.texts(NAMES)
    building = next((text for text in properties.texts(BUILDINGS) if text.casefold() not in _YES), "")
    name, where = next(iter(names), ""), properties.where
    is_polygon = shape.geom_type in POLYGONS
    if kind in DOORS:
        place = shape.centroid if is_polygon else shape
        opening = Opening(where, place, levels, name, accessible=properties.is_accessible, building=building)
        rooms = properties.values.get("rooms")
        if isinstance(rooms, list):
            door_rooms.append((opening, [str(room) for room in cast("list[Any]", rooms)[:2]]))
        site.openings.append(opening)
        return ""
    if kind in CONNECTORS:
        site.connectors.append(
            Connector(where, CONNECTORS[kind], shape, list(levels), name, building=building)
        )
    if not is_polygon:
        return "" if kind in CONNECTORS else f"{shape.geom_type} {clipped(kind, 30)}".strip()
    if OTHERS.issuperset(re.split(r"[\s_-]+", kind)):
        return f"{shape.geom_type} {kind}"
    area = Area(where, shape, levels, name, kind, properties.names_by_language(), names[1:])
    area.kinds, area.id, area.building = properties.texts(KINDS), where, building
    site.areas.append(area)
    if building:
        site.buildings.setdefault(building, building)
    return ""


def _name_door_rooms(site: Site, door_rooms: list[tuple[Opening, list[str]]], findings: Findings) -> None:
    """Give doors that name their rooms the ids of these."""
    by_name: dict[str, list[Area]] = {}
    for area in site.areas:
        for name in (area.name, *area.aliases):
            by_name.setdefault(name.casefold(), []).append(area)
    for opening, names in door_rooms:
        for name in names:
            areas = [
                area
                for area in by_name.get(name.casefold(), [])
                if not opening.levels or set(area.levels) & set(opening.levels)
            ]
            if areas:
                opening.areas.append(areas[0].id)
            else:
                findings.add("unknown_area", opening.where, name=name)


def _digits(value: float) -> str:
    """Return a number as people write it: the room 1234567, not 1.23457e+06."""
    return str(value) if isinstance(value, int) else f"{value:.15g}"


def _group_connectors(connectors: list[Connector]) -> None:
    """Make one link of connectors with one name, unless it is a word for several: then a level has two of them."""
    levels: dict[tuple[str, str], list[str]] = {}
    for part in connectors:
        levels.setdefault((part.kind, part.name.casefold()), []).extend(part.levels)
    for part in connectors:
        served = levels[part.kind, part.name.casefold()]
        if part.name and len(set(served)) == len(served):
            part.group = part.name.casefold()


# --- coordinates

# Half the width of Web Mercator (EPSG:3857) in metres, and its names in `crs`.
MERCATOR = 20_037_508.342789244
MERCATOR_CODES = ("3857", "900913", "102100", "3785")
DEGREE_CODES = ("4326", "CRS84", "4258", "4269", "6668", "4612")
# Rooms with a smaller median diagonal are in degrees.
LARGEST_IN_DEGREES = 0.02


def _set_unit(site: Site, top: Fields) -> None:
    """Set the unit by the members `coordinates` and `crs`, else by the sizes of the rooms; Web Mercator becomes degrees."""
    crs = str(top.raw("crs") or "").upper()
    if any(code in crs for code in MERCATOR_CODES):
        _from_mercator(site)
        site.unit = "degrees"
    elif top.text("coordinates", "") in ("degrees", "metres"):
        site.unit = "degrees" if top.text("coordinates", "") == "degrees" else "metres"
    elif crs:
        site.unit = "degrees" if any(code in crs for code in DEGREE_CODES) else "metres"
    else:
        site.unit = "degrees" if _are_degrees(site) else "metres"


def _are_degrees(site: Site) -> bool:
    boxes = shapely.bounds(np.array([area.shape for area in site.areas], dtype=object))
    on_earth = np.abs(boxes).max() <= 180
    diagonals = np.hypot(boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1])
    return bool(on_earth and np.median(diagonals) <= LARGEST_IN_DEGREES)


def _from_mercator(site: Site) -> None:
    def degrees(coordinates: Any) -> Any:
        longitude, latitude = (coordinates / MERCATOR * 180).T
        return np.column_stack((longitude, np.degrees(2 * np.arctan(np.exp(np.radians(latitude)))) - 90))

    for part in (*site.areas, *site.openings, *site.connectors):
        part.shape = shapely.transform(part.shape, degrees)
