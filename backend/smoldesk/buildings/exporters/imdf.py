"""Export as an IMDF 1.0.0 archive: a zip of GeoJSON files and a manifest (OGC 20-094).

A building without a georeference stands at 0° 0'. The standard wants an address, which
the desk does not know: the feature has the building's name and the country ZZ, unknown.
"""

import io
import itertools
import json
import zipfile
from typing import Any

from smoldesk.buildings.exporters.plan_features import (
    FloorDegrees,
    Json,
    PlanIds,
    floor_corners,
    outline_of,
    plain_definition,
)
from smoldesk.buildings.importers.inside.exported import labels_of, plan_facts
from smoldesk.buildings.importers.inside.imdf_kinds import LINK_KINDS, UNIT_KINDS
from smoldesk.buildings.kinds import find_kind
from smoldesk.messages import Door, Floor, Link, MapDefinitionContent, Rectangle

EXTENSION = "imdf:extension:smoldesk:plan#1.0.0"
# A stable date: two exports of a building are the same bytes. Zip has no dates before 1980.
CREATED = "1980-01-01T00:00:00"
_ZIP_DATE = (1980, 1, 1, 0, 0, 0)
FILES = ("address", "venue", "building", "footprint", "level", "unit", "opening", "amenity", "relationship")

_CATEGORY_OF_LINK = {kind: category for category, kind in LINK_KINDS.items()}
# Categories of the standard that a kind may have, as they are.
_CATEGORIES = frozenset(
    ("auditorium", "classroom", "kitchen", "laboratory", "library", "lobby", "nonpublic", "office", "platform",
     "ramp", "recreation", "road", "stairs", "escalator", "storage", "terrace", "theater")
)  # fmt: skip


def export_imdf(definition: MapDefinitionContent, name: str) -> bytes:
    """Return the bytes of the archive."""
    features = ImdfExport(definition, name).features()
    manifest = {
        "version": "1.0.0",
        "created": CREATED,
        "generated_by": "smoldesk",
        "language": "en",
        "extensions": [EXTENSION],
    }
    files: list[tuple[str, Json]] = [("manifest.json", manifest)]
    files += [
        (f"{kind}.geojson", {"type": "FeatureCollection", "features": features[kind]})
        for kind in FILES
        if features[kind]
    ]
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, content in files:
            text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
            info = zipfile.ZipInfo(path, _ZIP_DATE)
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, text)
    return buffer.getvalue()


class ImdfExport:
    """Features of a building by type."""

    def __init__(self, definition: MapDefinitionContent, name: str) -> None:
        self._definition = definition
        self._name = name
        self._ids = PlanIds(definition, name)
        self._features: dict[str, list[Json]] = {kind: [] for kind in FILES}
        self._degrees = {
            floor.floor_id: FloorDegrees.of(floor, definition.georeference) for floor in definition.floors
        }

    def features(self) -> dict[str, list[Json]]:
        """Return all features; the order of floors, rooms, doors and links is that of the definition."""
        for number, floor in enumerate(self._definition.floors):
            self._add_level(number, floor)
            for room in floor.rectangles:
                self._add_unit(floor, room)
            rooms = {room.name: room for room in floor.rectangles}
            for place, door in enumerate(floor.doors or []):
                self._add_opening(floor, place, door, rooms[door.rooms[0]])
        for link in self._definition.links or []:
            self._add_link(link)
        self._add_building()
        return self._features

    def _add(self, kind: str, id_: str, geometry: Any, properties: Json, facts: Json | None = None) -> None:
        if facts:
            properties["smoldesk"] = facts
        self._features[kind].append(
            {
                "id": id_,
                "type": "Feature",
                "feature_type": kind,
                "geometry": geometry,
                "properties": properties,
            }
        )

    def _add_building(self) -> None:
        ids, name = self._ids, {"en": self._name}
        facts = plan_facts(plain_definition(self._definition), itertools.chain(*self._features.values()))
        outlines = [
            self._degrees[floor.floor_id].polygon([floor_corners(floor)])["coordinates"]
            for floor in self._definition.floors
        ]
        outline: Json = {"type": "Polygon", "coordinates": [_box(outlines)]}
        address_id, building_id = ids.id_of("address"), ids.id_of("building")
        self._add(
            "address",
            address_id,
            None,
            {"address": self._name, "unit": None, "locality": "Unknown", "province": None, "country": "ZZ",
             "postal_code": None, "postal_code_ext": None, "postal_code_vanity": None},
        )  # fmt: skip
        self._add(
            "venue",
            ids.id_of("venue"),
            outline,
            {"category": "businesscampus", "restriction": None, "name": name, "alt_name": None, "hours": None,
             "website": None, "phone": None, "display_point": _middle(outline), "address_id": address_id},
        )  # fmt: skip
        self._add(
            "building",
            building_id,
            None,
            {"category": "unspecified", "restriction": None, "name": name, "alt_name": None, "address_id": None,
             "display_point": _middle(outline)},
            facts,
        )  # fmt: skip
        self._add(
            "footprint",
            ids.id_of("footprint"),
            outline,
            {"category": "ground", "name": None, "building_ids": [building_id]},
        )

    def _add_level(self, number: int, floor: Floor) -> None:
        self._add(
            "level",
            self._ids.floor(floor.floor_id),
            self._degrees[floor.floor_id].polygon([floor_corners(floor)]),
            {"category": "unspecified", "restriction": None, "outdoor": False,
             "ordinal": number if floor.ordinal is None else floor.ordinal, "name": labels_of(floor.floor_name, floor.names)[0],
             "short_name": {"en": floor.floor_id}, "display_point": None, "address_id": None,
             "building_ids": [self._ids.id_of("building")]},
            {"floor": floor.floor_id},
        )  # fmt: skip

    def _add_unit(self, floor: Floor, room: Rectangle) -> None:
        self._add(
            "unit",
            self._ids.room(floor.floor_id, room.name),
            self._degrees[floor.floor_id].polygon([outline_of(room), *(room.holes or [])]),
            {"category": category_of(room.kind or ""), "restriction": None, "accessibility": None,
             "name": labels_of(room.name, room.names)[0], "display_point": None,
             "alt_name": {"en": room.aliases[0]} if room.aliases else None,
             "level_id": self._ids.floor(floor.floor_id)},
            {"floor": floor.floor_id, "room": room.name},
        )  # fmt: skip

    def _add_opening(self, floor: Floor, number: int, door: Door, room: Rectangle) -> None:
        degrees = self._degrees[floor.floor_id]
        self._add(
            "opening",
            self._ids.id_of("opening", floor.floor_id, number),
            degrees.door_line(room, door.at),
            {"category": "pedestrian" if len(door.rooms) == 2 else "pedestrian.principal",
             "accessibility": ["wheelchair"] if door.accessible else None, "access_control": None, "door": None,
             "name": None, "alt_name": None, "display_point": degrees.point(door.at),
             "level_id": self._ids.floor(floor.floor_id)},
        )  # fmt: skip

    def _add_link(self, link: Link) -> None:
        """Add an amenity at each stop, and the relationship from the first room to the last through them."""
        category = _CATEGORY_OF_LINK[link.kind]
        units = [self._ids.room(stop.floor_id, stop.room) for stop in link.stops]
        amenities = [self._ids.id_of("amenity", link.link_id, stop.floor_id) for stop in link.stops]
        for stop, unit, amenity in zip(link.stops, units, amenities, strict=True):
            self._add(
                "amenity",
                amenity,
                self._degrees[stop.floor_id].point(stop.at),
                {"category": category, "accessibility": None, "name": {"en": link.name}, "alt_name": None,
                 "hours": None, "phone": None, "website": None, "unit_ids": [unit], "address_id": None,
                 "correlation_id": None},
            )  # fmt: skip
        self._add(
            "relationship",
            self._ids.id_of("relationship", link.link_id),
            None,
            {"category": category, "direction": "undirected",
             "origin": {"id": units[0], "feature_type": "unit"},
             "intermediary": [{"id": amenity, "feature_type": "amenity"} for amenity in amenities],
             "destination": {"id": units[-1], "feature_type": "unit"}, "hours": None},
        )  # fmt: skip


def category_of(kind: str) -> str:
    """Return the category of the standard for a kind of rooms: that of the same meaning, else `room`."""
    for word in (kind.lower(), find_kind(kind) or ""):
        if word in _CATEGORIES:
            return word
        category = next((category for category, meant in UNIT_KINDS.items() if word and meant == word), "")
        if category and category not in ("corridor", "retail"):  # words of files off the standard
            return category
    return "room"


def _box(outlines: list[Any]) -> list[list[float]]:
    """Return the ring of the box around polygons, counterclockwise."""
    points = [point for outline in outlines for point in outline[0]]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    west, south, east, north = min(xs), min(ys), max(xs), max(ys)
    return [[west, south], [east, south], [east, north], [west, north], [west, south]]


def _middle(outline: Json) -> Json:
    ring = outline["coordinates"][0]
    return {
        "type": "Point",
        "coordinates": [round((ring[0][axis] + ring[2][axis]) / 2, 9) for axis in (0, 1)],
    }
