"""IMDF (Indoor Mapping Data Format 1.0.0): a zip of GeoJSON files, or one GeoJSON file with features of several types.

Units become areas, openings doors; elevators, escalators, stairs and ramps are connectors as well. Occupants name the
unit of their anchor, amenities a unit of the same category. Files that are off the standard are read as far as they go:
a missing manifest or level, geometries in the multi forms, categories and ids of their own.
"""

import itertools
from dataclasses import dataclass, field
from typing import Any

from .arrays import shapely
from .draft import Draft, Json, Unreadable, join_names
from .exported_files import read_exported_imdf
from .findings import Findings
from .imdf_features import ImdfFeature, feature_type, features_of
from .imdf_kinds import LINK_KINDS, NO_ROOMS, kind_of_category
from .imdf_links import linked_parts
from .imdf_names import UnitNames, main_name
from .plan_file import PlanFile, parse_json
from .site import Area, Connector, Level, Opening, Site

# Types whose features stand for themselves; the others only say more about them.
_PLACES = ("unit", "kiosk")
_ESSENTIAL = ("unit", "level", "opening")
# Levels of one ordinal are one floor if they share less than this part of their area.
SAME_FLOOR_OVERLAP = 0.1
_UNUSED = ("detail", "fixture", "geofence", "section")


@dataclass
class ImdfArchive:
    """Features of an archive by type, and the manifest."""

    features: dict[str, list[ImdfFeature]] = field(default_factory=dict[str, list[ImdfFeature]])
    manifest: Json = field(default_factory=dict[str, Any])

    def of(self, kind: str) -> list[ImdfFeature]:
        return self.features.get(kind, [])

    @property
    def language(self) -> str:
        value = self.manifest.get("language")
        return value if isinstance(value, str) else ""


def is_imdf(file: PlanFile) -> bool:
    """Return whether a file is a zip with a file of units, or a FeatureCollection with features of IMDF's types."""
    if file.is_zip:
        names = [name.lower() for name in file.archive.names]
        with_manifest = any(name.endswith("manifest.json") for name in names)
        return any(
            feature_type({}, name) == "unit" or (with_manifest and name.endswith(".geojson"))
            for name in names
        )
    if not file.is_json or file.top.raw("type") != "FeatureCollection":
        return False
    features = file.top.raw("features")
    return (
        isinstance(features, list)
        and any(
            isinstance(item, dict) and feature_type(item, "") in _PLACES  # pyright: ignore[reportUnknownArgumentType]
            for item in features[:1000]  # pyright: ignore[reportUnknownVariableType]
        )
    )


def read_imdf(file: PlanFile) -> Site | Draft:
    """Read an archive or a file; one that a desk exported is a plan already.

    Raises Unreadable if it has no unit, or a file of units, levels or openings is broken.
    """
    archive = read_archive(file)
    if exported := read_exported_imdf(archive.of, file.findings):
        return exported
    if not any(archive.of(kind) for kind in _PLACES):
        raise Unreadable("There is no room: no file has a feature of the type unit.")
    return ImdfReader(archive, file.findings).site()


def read_archive(file: PlanFile) -> ImdfArchive:
    """Collect the features of all files. A broken file is a warning, if the building does without it."""
    archive = ImdfArchive()
    for path, collection in _collections(file):
        if path.rpartition("/")[2] == "manifest.json":
            archive.manifest = collection
        for feature in features_of(collection, path):
            archive.features.setdefault(feature.type, []).append(feature)
    return archive


def _collections(file: PlanFile) -> "list[tuple[str, Json]]":
    if not file.is_zip:
        return [("", {"features": file.top.raw("features")})]
    collections: list[tuple[str, Json]] = []
    for name in file.archive.names:
        if not name.lower().endswith((".json", ".geojson")):
            continue
        try:
            collections.append((name, parse_json(file.archive.read(name))))
        except Unreadable as fault:
            if feature_type({}, name) in _ESSENTIAL:
                raise Unreadable(fault.message, name) from None
            file.findings.warning(name, f"The file is left out. {fault.message}")
    return collections


class ImdfReader:
    """Makes a site of an archive."""

    def __init__(self, archive: ImdfArchive, findings: Findings) -> None:
        self._archive = archive
        self._findings = findings
        self._names = UnitNames(archive.of, archive.language)
        self._units = {unit.id: unit for unit in archive.of("unit")}
        self._ids_by_key: dict[str, str] = {}
        self._levels = self._read_levels()
        self._buildings = self._group_buildings()
        self._same_floor = self._join_levels()

    def site(self) -> Site:
        """Return levels, areas, openings and connectors; coordinates are degrees, as the standard says."""
        units, kiosks = self._areas("unit"), self._areas("kiosk")
        used = dict.fromkeys(area.building for area in units + kiosks)
        names = {group: self._building_name(group) for group in used}
        venue = next(
            (main_name(item.labels("name"), self._language) for item in self._archive.of("venue")), ""
        )
        for kind in _UNUSED:
            if count := len(self._archive.of(kind)):
                self._findings.add("not_used", "", n=count, kind=kind)
        return Site(
            "imdf",
            name=next(iter(names.values()), "") if len(names) == 1 else venue,
            unit="degrees",
            levels=self._floors_of(units + kiosks),
            areas=units + kiosks,
            openings=self._openings() + [_counter_of(kiosk) for kiosk in kiosks],
            connectors=self._connectors(),
            buildings=names if len(names) > 1 else {},
            footprint=self._footprint(names),
        )

    def _floors_of(self, areas: list[Area]) -> list[Level]:
        """Return the levels with rooms: others, of other buildings or of nothing, would lie between the floors."""
        used = {level for area in areas for level in area.levels}
        for level in self._levels.values():
            level.building = self._building_of(level.id)
        return [level for level in self._levels.values() if level.id in used]

    @property
    def _language(self) -> str:
        return self._archive.language

    # Levels and buildings

    def _read_levels(self) -> dict[str, Level]:
        """Return the levels by id; those that only units and openings refer to, or their files mean, come last."""
        levels: dict[str, Level] = {}
        for number, feature in enumerate(self._archive.of("level")):
            id_ = feature.id or f"level-{number + 1}"
            self._ids_by_key.setdefault(feature.key, id_)
            labels = feature.labels("name")
            short = feature.labels("short_name")
            name = main_name(labels, self._language) or main_name(short, self._language) or feature.key
            ordinal = feature.properties.get("ordinal")
            levels[id_] = Level(
                id_,
                name,
                float(ordinal) if isinstance(ordinal, int | float) and abs(ordinal) < 1000 else None,
                {language: label for language, label in labels.items() if language},
                feature.where,
                next(iter(feature.ids("building_ids")), ""),
            )
        if not levels:
            self._findings.note("", "There is no file of levels; the levels are those that the units name.")
        without_levels, only_one = not levels, len(levels) == 1
        for feature in (feature for kind in _PLACES for feature in self._archive.of(kind)):
            id_ = self._level_id(feature)
            if not id_ and feature.key not in self._ids_by_key and not only_one:
                id_ = self._ids_by_key[feature.key] = feature.key
            elif not without_levels:
                continue
            levels.setdefault(id_, Level(id_, id_, None if id_ else 0.0, where=feature.where))
        return levels

    @staticmethod
    def _level_id(feature: ImdfFeature) -> str:
        return feature.text("level_id") or feature.text("level")

    def _level_of(self, feature: ImdfFeature) -> Level | None:
        """Return the level of a feature's floor, or None if it is not in the file."""
        level = self._stated_level(feature)
        return self._levels[self._same_floor.get(level.id, level.id)] if level else None

    def _stated_level(self, feature: ImdfFeature) -> Level | None:
        """Return the level that a feature or the unit of an amenity states, else that of its file, else the only one."""
        stated = self._level_id(feature)
        if stated:
            return self._levels.get(stated)
        if unit := next((self._units[id_] for id_ in feature.ids("unit_ids") if id_ in self._units), None):
            return self._stated_level(unit)
        if len(self._levels) == 1:
            return next(iter(self._levels.values()))
        return self._levels.get(self._ids_by_key.get(feature.key, "no such level"))

    def _group_buildings(self) -> dict[str, str]:
        """Return building id -> the first id of those that share levels with it: they are one building here."""
        groups: dict[str, str] = {}

        def root(id_: str) -> str:
            while groups.setdefault(id_, id_) != id_:
                id_ = groups[id_]
            return id_

        for feature in self._archive.of("level"):
            first, *others = feature.ids("building_ids") or [""]
            for other in others:
                groups[root(other)] = root(first)
        return {id_: root(id_) for id_ in list(groups)}

    def _join_levels(self) -> dict[str, str]:
        """Return level id -> id of the level that is the same floor: of one building and ordinal, and beside it.

        The standard has a level of its own for the outdoor part of a floor.
        """
        joined: dict[str, str] = {}
        floors: dict[tuple[str, float], list[ImdfFeature]] = {}
        features = [feature for feature in self._archive.of("level") if feature.id in self._levels]
        for feature in sorted(features, key=lambda feature: feature.properties.get("outdoor") is True):
            level, shape = self._levels[feature.id], feature.shape
            if level.ordinal is None or shape is None:
                continue
            same_floor = floors.setdefault((self._building_of(level.id), level.ordinal), [])
            shapes = shapely.make_valid([other.shape for other in same_floor])
            shape = shapely.make_valid(shape)
            covered = shapely.area(shapely.intersection(shapes, shape)).sum()
            if same_floor and covered < SAME_FLOOR_OVERLAP * min(shape.area, shapely.area(shapes).sum()):
                joined[level.id] = same_floor[0].id
                self._findings.note(
                    feature.where,
                    f"The level {level.name} is part of the floor {self._levels[same_floor[0].id].name}.",
                )
            same_floor.append(feature)
        return joined

    def _building_of(self, level_id: str) -> str:
        building = self._levels[level_id].building
        return self._buildings.get(building, building)

    def _building_name(self, group: str) -> str:
        for feature in self._archive.of("building"):
            if self._buildings.get(feature.id, feature.id) == group:
                labels = feature.labels("name") or feature.labels("alt_name")
                if labels:
                    return main_name(labels, self._language)
        venue = next(
            (main_name(item.labels("name"), self._language) for item in self._archive.of("venue")), ""
        )
        return venue or group

    def _footprint(self, groups: dict[str, str]) -> Any:
        """Return the outline of the only building; with several, their rooms give each its axis."""
        if len(groups) != 1:
            return None
        shapes = [
            feature.shape
            for feature in self._archive.of("footprint")
            if not feature.ids("building_ids")
            or {self._buildings.get(id_, id_) for id_ in feature.ids("building_ids")} & set(groups)
        ]
        outlines = [shapely.make_valid(shape) for shape in shapes if shape is not None]
        return shapely.union_all(outlines) if outlines else None

    # Rooms, doors, links

    def _areas(self, kind: str) -> list[Area]:
        areas: list[Area] = []
        for feature in self._archive.of(kind):
            category = feature.text("category") or ("retail" if kind == "kiosk" else "")
            if category.lower().partition(".")[0] in NO_ROOMS:
                self._findings.add("not_used", feature.where, kind=category)
                continue
            place = self._place(feature, ("Polygon", "MultiPolygon"))
            if place is None:
                continue
            level, shape = place
            names = self._names.of_unit(feature)
            areas.append(
                Area(
                    feature.where,
                    shape,
                    [level.id],
                    names.name,
                    kind_of_category(category),
                    names.labels,
                    names.aliases,
                    feature.id,
                    self._building_of(level.id),
                )
            )
        return areas

    def _openings(self) -> list[Opening]:
        openings: list[Opening] = []
        for feature in self._archive.of("opening"):
            place = self._place(feature, ("LineString", "MultiLineString", "Point"))
            if place is not None:
                level, shape = place
                openings.append(
                    Opening(
                        feature.where,
                        max(shapely.get_parts(shape), key=lambda part: part.length),
                        [level.id],
                        main_name(feature.labels("name"), self._language),
                        building=self._building_of(level.id),
                    )
                )
        return openings

    def _connectors(self) -> list[Connector]:
        """Return a part for each unit of a link's category, and for what relationships refer to besides."""
        linked = linked_parts(self._archive.of, self._findings)
        parts: list[Connector] = []
        for feature in [
            *(unit for unit in self._archive.of("unit") if unit.text("category").lower() in LINK_KINDS),
            *(part for part in linked.parts if part.text("category").lower() not in LINK_KINDS),
        ]:
            group = linked.groups.get(feature.id)
            kind = group.kind if group else LINK_KINDS[feature.text("category").lower()]
            level = self._level_of(feature)
            if level is None or feature.shape is None:
                continue  # reported as an area
            name = main_name(feature.labels("name"), self._language)
            parts.append(
                Connector(
                    feature.where,
                    kind,
                    feature.shape,
                    [level.id],
                    name or (group.name if group else ""),
                    group.id if group else "",
                    self._building_of(level.id),
                )
            )
        return parts

    def _place(self, feature: ImdfFeature, kinds: tuple[str, ...]) -> "tuple[Level, Any] | None":
        """Return the level and the shape of a feature; a finding and None without either."""
        level = self._level_of(feature)
        if level is None:
            stated = self._level_id(feature)
            self._findings.add(*(("unknown_level", feature.where) if stated else ("no_level", feature.where)),
                               level=stated, name=main_name(feature.labels("name"), self._language))  # fmt: skip
            return None
        shape = feature.shape
        if shape is None or shape.geom_type not in kinds:
            found = shape.geom_type if shape is not None else "no geometry"
            self._findings.warning(
                feature.where,
                f"The {feature.type} is left out. Expected {join_names(list(kinds))}, got {found}.",
            )
            return None
        return level, shape


def _counter_of(kiosk: Area) -> Opening:
    """Return the way into a kiosk, which has no opening of its own: its longest side."""
    corners = shapely.get_coordinates(shapely.get_parts(kiosk.shape)[0].exterior)
    sides = shapely.linestrings([[first, second] for first, second in itertools.pairwise(corners)])
    longest = max(sides, key=lambda side: side.length)
    return Opening(kiosk.where, longest, kiosk.levels, building=kiosk.building)
