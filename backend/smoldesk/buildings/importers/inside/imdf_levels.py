"""Levels and buildings of an IMDF archive: which levels are floors, of which building, and on which a feature lies."""

from collections import Counter
from typing import Any

from .arrays import shapely
from .findings import Findings
from .imdf_features import PLACES, ImdfArchive, ImdfFeature
from .imdf_names import main_name
from .site import Level

# Levels of one ordinal are one floor if they share less than this part of their area.
SAME_FLOOR_OVERLAP = 0.1


class ImdfLevels:
    """Levels by id; features refer to them by `level_id`, or in files off the standard by the name of their file."""

    def __init__(self, archive: ImdfArchive, findings: Findings) -> None:
        self._archive = archive
        self._findings = findings
        self._language = archive.language
        self._units = {unit.id: unit for unit in archive.of("unit")}
        self._ids_by_key: dict[str, str] = {}
        self._levels = self._read_levels()
        self._buildings = self._group_buildings()
        self._same_floor = self._join_levels()

    @property
    def floors(self) -> list[Level]:
        """Levels with their buildings, without those that are parts of another level's floor."""
        for level in self._levels.values():
            level.building = self.building_of(level.id)
        return [level for level in self._levels.values() if level.id not in self._same_floor]

    def _read_levels(self) -> dict[str, Level]:
        """Return the levels by id; those that only units and openings refer to, or their files mean, come last."""
        levels: dict[str, Level] = {}
        keys = Counter(feature.key for feature in self._archive.of("level"))
        for number, feature in enumerate(self._archive.of("level")):
            id_ = feature.id or f"level-{number + 1}"
            # Of several levels in one file, the file means none, unless it only has outlines of one.
            if "ordinal" not in feature.properties or keys[feature.key] == 1:
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
            self._findings.add("levels_of_rooms", "")
        without_levels, only_one = not levels, len(levels) == 1
        places = [feature for kind in PLACES for feature in self._archive.of(kind)]
        states_levels = any(self.level_id(feature) for feature in places)
        for feature in places:
            id_ = self.level_id(feature)
            if states_levels and not (id_ or feature.key):
                continue  # a finding of its own
            if not id_ and feature.key not in {*self._ids_by_key, *keys} and not only_one:
                id_ = self._ids_by_key[feature.key] = feature.key
            elif not without_levels:
                continue
            levels.setdefault(id_, Level(id_, id_, None if id_ else 0.0, where=feature.where))
        return levels

    @staticmethod
    def level_id(feature: ImdfFeature) -> str:
        return feature.text("level_id") or feature.text("level")

    def level_of(self, feature: ImdfFeature) -> Level | None:
        """Return the level of a feature's floor, or None if it is not in the file."""
        level = self._stated_level(feature)
        return self._levels[self._same_floor.get(level.id, level.id)] if level else None

    def _stated_level(self, feature: ImdfFeature) -> Level | None:
        """Return the level that a feature or the unit of an amenity states, else that of its file, else the only one."""
        stated = self.level_id(feature)
        if stated:
            return self._levels.get(stated)
        if feature.type == "amenity":
            units = [self._units[id_] for id_ in feature.ids("unit_ids") if id_ in self._units]
            return self._stated_level(units[0]) if units else None
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
            first, *more_ids = feature.ids("building_ids") or [""]
            for other in more_ids:
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
            same_floor = floors.setdefault((self.building_of(level.id), level.ordinal), [])
            shapes = shapely.make_valid([other.shape for other in same_floor])
            shape = shapely.make_valid(shape)
            covered = shapely.area(shapely.intersection(shapes, shape)).sum()
            if same_floor and covered < SAME_FLOOR_OVERLAP * min(shape.area, shapely.area(shapes).sum()):
                joined[level.id] = same_floor[0].id
                self._findings.add("joined_levels", feature.where, level=level.name)
            same_floor.append(feature)
        return joined

    def building_of(self, level_id: str) -> str:
        building = self._levels[level_id].building
        return self._buildings.get(building, building)

    def building_name(self, group: str) -> str:
        for feature in self._archive.of("building"):
            if self._buildings.get(feature.id, feature.id) == group:
                labels = feature.labels("name") or feature.labels("alt_name")
                if labels:
                    return main_name(labels, self._language)
        return self.venue_name or group

    @property
    def venue_name(self) -> str:
        """Name of the first venue, or empty."""
        venues = self._archive.of("venue")
        return main_name(venues[0].labels("name"), self._language) if venues else ""

    def footprint(self, groups: dict[str, str]) -> Any:
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
