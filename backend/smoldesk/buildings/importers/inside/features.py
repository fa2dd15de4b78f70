"""The features of a GeoJSON file, sorted into rooms (rings) and points; and the plane, in metres, that they map to."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, cast

from .draft import MAX_CORNERS, MAX_DOORS, MAX_POINTS, MAX_ROOMS, Findings, Unreadable, clipped, too_many
from .fields import Fields, as_point
from .levels import levels_of
from .outlines import Point, area, tidy

MAX_FEATURES = MAX_ROOMS + MAX_DOORS
KINDS = {"elevator": "lift", "steps": "stairs", "staircase": "stairs", "stair": "stairs"}


@dataclass(frozen=True)
class Feature:
    """A named thing on its levels. `rings` are outlines (none for a point), `where` its path in the file."""

    where: str
    name: str
    kind: str
    levels: list[str]
    rings: list[list[Point]]
    point: Point | None
    rooms: list[str]
    accessible: bool


def read_features(top: Fields) -> list[Feature]:
    """Return the usable features of the file. Raises Unreadable beyond the limits."""
    features: list[Feature] = []
    other: dict[str, int] = {}
    points = 0
    for fields in top.objects("features", "features", MAX_FEATURES):
        geometry = fields.below("geometry")
        kind = geometry.text("type", "")
        if kind not in ("Polygon", "MultiPolygon", "Point"):
            other[kind or "no geometry"] = other.get(kind or "no geometry", 0) + 1
            continue
        feature = _feature(fields, geometry, kind)
        points += sum(len(ring) for ring in feature.rings)
        if points > MAX_POINTS:
            raise too_many("corners", points, MAX_POINTS, fields.where)
        features.append(feature)
    for kind, count in other.items():
        top.findings.note(
            "features",
            f"Not used: {count} of type {clipped(kind, 40)!r}. Rooms are Polygon or MultiPolygon, doors Point.",
        )
    if not any(feature.rings for feature in features):
        raise Unreadable("There is no room: no feature is a Polygon or a MultiPolygon.", "features")
    return features


def _feature(fields: Fields, geometry: Fields, kind: str) -> Feature:
    properties = (
        fields.below("properties")
        if "properties" in fields
        else Fields({}, fields.at("properties"), fields.findings)
    )
    kind_text = _word(properties, "kind", "category", "indoor")
    rooms = properties.read_list("rooms", "rooms of a door", 2)
    return Feature(
        where=fields.where,
        name=properties.text("name", ""),
        kind=KINDS.get(kind_text.lower(), kind_text),
        levels=levels_of(properties.raw("level"), properties.at("level"), fields.findings),
        rings=[] if kind == "Point" else _rings(geometry, kind),
        point=as_point(geometry.raw("coordinates"), geometry.at("coordinates"), fields.findings)
        if kind == "Point"
        else None,
        rooms=[room for room in rooms if isinstance(room, str)],
        accessible=properties.raw("accessible") is not False and properties.raw("wheelchair") != "no",
    )


def _word(properties: Fields, *names: str) -> str:
    for name in names:
        value = properties.raw(name)
        if isinstance(value, str) and value.strip():
            return properties.text(name).strip()
    return ""


def _rings(geometry: Fields, kind: str) -> list[list[Point]]:
    """Return the outer ring of each polygon, without its closing corner."""
    at = geometry.at("coordinates")
    coordinates: Any = geometry.raw("coordinates")
    polygons = [(at, coordinates)]
    if kind == "MultiPolygon":
        parts = cast("list[Any]", coordinates) if isinstance(coordinates, list) else []
        polygons = [(f"{at}[{number}]", part) for number, part in enumerate(parts)]
    rings: list[list[Point]] = []
    for where, polygon in polygons:
        ring = _ring(polygon, where, geometry.findings)
        if ring:
            rings.append(ring)
    if not polygons:
        geometry.findings.error(at, "Expected the polygons' rings.")
    return sorted(rings, key=area, reverse=True)


def _ring(polygon: Any, where: str, findings: Findings) -> list[Point]:
    rings = cast("list[Any]", polygon) if isinstance(polygon, list) else []
    corners = cast("list[Any]", rings[0]) if rings and isinstance(rings[0], list) else []
    if len(corners) > MAX_CORNERS + 1:
        raise too_many("corners", len(corners), MAX_CORNERS, f"{where}[0]")
    if len(corners) < 3:
        findings.error(where, "Expected rings of at least three positions.")
        return []
    if len(rings) > 1:
        findings.note(where, f"Not used: {len(rings) - 1} holes.")
    points = [as_point(corner, f"{where}[0][{number}]", findings) for number, corner in enumerate(corners)]
    return tidy([point for point in points if point is not None]) if None not in points else []


METRES_PER_DEGREE = 111_320.0
# Coordinates within this span in both directions are degrees, if they can be.
MAX_DEGREES = 0.2
MARGIN = 0.02
# Metres; a larger span is not a building.
WIDEST = 100_000.0


class Plane:
    """Maps the file's points; `width` and `height` in metres. y grows downwards, as on an image."""

    def __init__(self, points: Iterable[Point], unit: str) -> None:
        """Choose the projection: `unit` is "degrees", "metres", or "" to guess from the numbers. Raises Unreadable."""
        xs, ys = zip(*points, strict=True)
        box = min(xs), min(ys), max(xs), max(ys)
        self.degrees = unit == "degrees" or (unit == "" and _are_degrees(*box))
        if self.degrees and (min(box[0], box[1] * 2) < -180 or max(box[2], box[3] * 2) > 180):
            raise Unreadable("The coordinates are not degrees of longitude and latitude.", "features")
        self._x_scale = self._y_scale = 1.0
        if self.degrees:
            self._y_scale = METRES_PER_DEGREE
            self._x_scale = METRES_PER_DEGREE * math.cos(math.radians((box[1] + box[3]) / 2))
        wide, high = (box[2] - box[0]) * self._x_scale, (box[3] - box[1]) * self._y_scale
        if max(wide, high) > WIDEST:
            raise Unreadable(
                f"The rooms span {max(wide, high) / 1000:,.0f} km; a building has at most {WIDEST / 1000:g}.",
                "features",
            )
        margin = max(MARGIN * max(wide, high), 0.5)
        self._min_x, self._top = box[0], box[3]
        self._margin = margin
        self.width, self.height = round(wide + 2 * margin, 3), round(high + 2 * margin, 3)

    def __call__(self, point: Point) -> Point:
        x = (point[0] - self._min_x) * self._x_scale + self._margin
        y = (self._top - point[1]) * self._y_scale + self._margin
        return round(x, 3), round(y, 3)


def _are_degrees(x1: float, y1: float, x2: float, y2: float) -> bool:
    on_earth = x1 >= -180 and x2 <= 180 and y1 >= -90 and y2 <= 90
    return on_earth and x2 - x1 <= MAX_DEGREES and y2 - y1 <= MAX_DEGREES
