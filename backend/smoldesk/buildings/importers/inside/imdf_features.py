"""Features of an IMDF archive by their type, with their geometries and labels; tolerant of files that are off the standard."""

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from .arrays import shapely
from .draft import LONGEST_NAME, Json
from .imdf_kinds import UNIT_KINDS
from .site import Geometry

FEATURE_TYPES = frozenset(
    ("address", "amenity", "anchor", "building", "detail", "fixture", "footprint", "geofence", "kiosk", "level",
     "occupant", "opening", "relationship", "section", "unit", "venue")
)  # fmt: skip
# Types whose features stand for themselves; the others only say more about them.
PLACES = ("unit", "kiosk")
# Geometries that are parsed in one call.
TOGETHER = 1_000
_LANGUAGE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8})*")


@dataclass(frozen=True)
class ImdfFeature:
    """A feature with its place: `key` is the part of its file's name that is not the type, "2" of `unit2.geojson`."""

    type: str
    id: str
    where: str
    properties: Json
    geometry: Any
    key: str = ""

    def text(self, name: str) -> str:
        """Return a text property, or an empty one; a number, such as a level's, as its text."""
        value = self.properties.get(name)
        return str(value).strip() if isinstance(value, str | int) else ""

    def ids(self, name: str) -> list[str]:
        """Return the ids in a property: one, or a list of them."""
        value = self.properties.get(name)
        items = cast("list[Any]", value) if isinstance(value, list) else [value]
        return [item for item in items if isinstance(item, str) and item]

    def labels(self, name: str) -> dict[str, str]:
        """Return the texts of a LABELS property by language; a plain text has the language "".

        Members such as `name_en` beside it count, too: files made of tables have them.
        """
        value = self.properties.get(name)
        pairs = list(cast(Json, value).items()) if isinstance(value, dict) else [("", value)]
        starts = (f"{name}_", f"{name}:")
        pairs += [
            (key[len(name) + 1 :], text) for key, text in self.properties.items() if key.startswith(starts)
        ]
        return {
            language: " ".join(text.split())[:LONGEST_NAME]
            for language, text in pairs
            if isinstance(text, str) and text.strip() and (not language or _LANGUAGE.fullmatch(language))
        }

    @property
    def shape(self) -> Geometry:
        """The geometry as of `shape_of`."""
        return shape_of(self.geometry)


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


def shape_of(geometry: Any) -> Geometry:
    """Return the shape of GeoJSON in two dimensions, not checked; None if there is none or its JSON is broken."""
    for candidate in (geometry, _closed(geometry)):
        if isinstance(candidate, dict):
            shape = shapely.from_geojson(json.dumps(candidate), on_invalid="ignore")
            if shape is not None and not shape.is_empty:
                return shapely.force_2d(shape)
    return None


def shapes_of(geometries: Sequence[Any]) -> list[Geometry]:
    """Return the shapes of many as of `shape_of`: parsed together, and one by one where one of them is broken."""
    shapes: list[Geometry] = []
    for start in range(0, len(geometries), TOGETHER):
        chunk = geometries[start : start + TOGETHER]
        text = json.dumps({"type": "GeometryCollection", "geometries": chunk})
        parts = shapely.get_parts(shapely.from_geojson(text, on_invalid="ignore"))
        if len(parts) == len(chunk) and not shapely.is_empty(parts).any():
            shapes += list(shapely.force_2d(parts))
        else:
            shapes += map(shape_of, chunk)
    return shapes


def feature_type(feature: Json, path: str) -> str:
    """Return the type of a feature: what it states, else what the names of its file and folders mean; or ""."""
    properties = feature.get("properties")
    properties = cast(Json, properties) if isinstance(properties, dict) else {}
    for stated in (feature.get("feature_type"), properties.get("feature_type")):
        if not isinstance(stated, str):
            continue
        if stated in FEATURE_TYPES:
            return stated
        if stated in UNIT_KINDS:
            return "unit"
    return _type_and_key(path)[0]


def features_of(collection: Json, path: str) -> Iterable[ImdfFeature]:
    """Yield the features of one file whose type is known."""
    features = collection.get("features")
    for number, item in enumerate(cast("list[Any]", features) if isinstance(features, list) else []):
        if not isinstance(item, dict):
            continue
        feature = cast(Json, item)
        properties = feature.get("properties")
        properties = cast(Json, properties) if isinstance(properties, dict) else {}
        kind = feature_type(feature, path)
        # Files off the standard have a category as the type.
        stated = properties.get("feature_type")
        if kind == "unit" and isinstance(stated, str) and stated in UNIT_KINDS:
            properties = properties | {"category": stated}
        if kind:
            yield ImdfFeature(
                kind,
                _id_of(feature, properties),
                f"{path}: features[{number}]" if path else f"features[{number}]",
                properties,
                feature.get("geometry"),
                _type_and_key(path)[1],
            )


def _id_of(feature: Json, properties: Json) -> str:
    value = feature.get("id", properties.get("id"))
    return str(value) if isinstance(value, str | int) else ""


def _type_and_key(path: str) -> tuple[str, str]:
    """Return ("unit", "2") for `unit2.geojson`, ("unit", "floor1") for `units/floor1.json`."""
    parts = path.lower().removesuffix(".geojson").removesuffix(".json").split("/")
    *folders, stem = [part.strip() for part in parts]
    name, key = re.fullmatch(r"(.*?)[ _-]?(\d*)", stem).groups()  # pyright: ignore[reportOptionalMemberAccess]
    if _singular(name):
        return _singular(name), key
    folder = next((kind for kind in map(_singular, reversed(folders)) if kind), "")
    return folder, stem if folder else ""


def _singular(word: str) -> str:
    for candidate in (word, word.removesuffix("s"), word.removesuffix("es"), f"{word.removesuffix('ies')}y"):
        if candidate in FEATURE_TYPES:
            return candidate
    return ""


def _closed(geometry: Any) -> Any:
    """Return a polygon with its rings closed, for files that leave out the last corner."""
    if not isinstance(geometry, dict):
        return None
    data = cast(Json, geometry)
    try:
        polygons = [data["coordinates"]] if data["type"] == "Polygon" else data["coordinates"]
        closed = [[[*ring, ring[0]] for ring in polygon] for polygon in polygons]
    except (KeyError, IndexError, TypeError):
        return None
    return {"type": "MultiPolygon", "coordinates": closed}
