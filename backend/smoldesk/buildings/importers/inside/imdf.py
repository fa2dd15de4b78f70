"""IMDF (Indoor Mapping Data Format 1.0.0): a zip of GeoJSON files, or one GeoJSON file with features of several types.

Units become areas, openings doors; elevators, escalators, stairs and ramps are connectors as well. Occupants name the
unit of their anchor, amenities a unit of the same category. Files that are off the standard are read as far as they go:
a missing manifest or level, geometries in the multi forms, categories and ids of their own.
"""

import itertools
from typing import Any

from .arrays import shapely
from .draft import Draft, Json, Unreadable
from .exported import read_exported_imdf
from .findings import Findings
from .imdf_features import PLACES, ImdfArchive, ImdfFeature, feature_type, features_of
from .imdf_kinds import LINK_KINDS, NO_ROOMS, kind_of_category
from .imdf_levels import ImdfLevels
from .imdf_links import linked_parts
from .imdf_names import UnitNames, main_name
from .plan_file import PlanFile, parse_json
from .site import Area, Connector, Level, Opening, Site

_ESSENTIAL = ("unit", "level", "opening")
_UNUSED = ("detail", "fixture", "geofence", "section")


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
            isinstance(item, dict) and feature_type(item, "") in PLACES  # pyright: ignore[reportUnknownArgumentType]
            for item in features[:1000]  # pyright: ignore[reportUnknownVariableType]
        )
    )


def read_imdf(file: PlanFile) -> Site | Draft:
    """Read an archive or a file; one that a desk exported is a plan already.

    Raises Unreadable if it has no unit, or a file of units, levels or openings is broken.
    """
    archive = read_archive(file)
    if exported := read_exported_imdf(archive, file.findings):
        return exported
    if not any(archive.of(kind) for kind in PLACES):
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
            file.findings.add("file_left_out", name, name=name, fault=fault.message)
    return collections


class ImdfReader:
    """Makes a site of an archive."""

    def __init__(self, archive: ImdfArchive, findings: Findings) -> None:
        self._archive = archive
        self._findings = findings
        self._names = UnitNames(archive.of, archive.language)
        self._levels = ImdfLevels(archive, findings)

    def site(self) -> Site:
        """Return levels, areas, openings and connectors; coordinates are degrees, as the standard says."""
        units, kiosks = self._areas("unit"), self._areas("kiosk")
        used = dict.fromkeys(area.building for area in units + kiosks)
        names = {group: self._levels.building_name(group) for group in used}
        for kind in _UNUSED:
            if count := len(self._archive.of(kind)):
                self._findings.add("not_used", "", n=count, kind=kind)
        return Site(
            "imdf",
            name=next(iter(names.values()), "") if len(names) == 1 else self._levels.venue_name,
            unit="degrees",
            levels=self._levels.floors,
            areas=units + kiosks,
            openings=self._openings() + [_counter_of(kiosk) for kiosk in kiosks],
            connectors=self._connectors(),
            buildings=names if len(names) > 1 else {},
            footprint=self._levels.footprint(names),
        )

    @property
    def _language(self) -> str:
        return self._archive.language

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
                    names.kinds,
                    feature.id,
                    self._levels.building_of(level.id),
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
                        building=self._levels.building_of(level.id),
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
            level = self._levels.level_of(feature)
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
                    self._levels.building_of(level.id),
                )
            )
        return parts

    def _place(self, feature: ImdfFeature, kinds: tuple[str, ...]) -> "tuple[Level, Any] | None":
        """Return the level and the shape of a feature; a finding and None without either."""
        level = self._levels.level_of(feature)
        if level is None:
            stated = self._levels.level_id(feature)
            self._findings.add(*(("unknown_level", feature.where) if stated else ("no_level", feature.where)),
                               level=stated, name=main_name(feature.labels("name"), self._language))  # fmt: skip
            return None
        shape = feature.shape
        if shape is None or shape.geom_type not in kinds:
            name = main_name(feature.labels("name"), self._language) or feature.type
            self._findings.add("no_shape", feature.where, name=name)
            return None
        return level, shape


def _counter_of(kiosk: Area) -> Opening:
    """Return the way into a kiosk, which has no opening of its own: its longest side."""
    corners = shapely.get_coordinates(shapely.get_parts(kiosk.shape)[0].exterior)
    sides = shapely.linestrings([[first, second] for first, second in itertools.pairwise(corners)])
    longest = max(sides, key=lambda side: side.length)
    return Opening(kiosk.where, longest, kiosk.levels, building=kiosk.building)
