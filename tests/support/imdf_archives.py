"""A small IMDF archive after the examples of the standard: a house with a cellar, a ground floor and a second floor."""

import io
import json
import zipfile
from typing import Any

Json = dict[str, Any]

EAST, NORTH = 1 / 55_660, 1 / 110_574  # a metre in degrees, at 60° north roughly


def uid(number: int) -> str:
    return f"{number:08d}-0000-4000-8000-000000000000"


def at(x: float, y: float) -> list[float]:
    """A point by its metres east and north."""
    return [24 + x * EAST, 60 + y * NORTH]


def box(x: float, y: float, width: float, height: float) -> Json:
    """A rectangle as a Polygon."""
    ring = [at(x, y), at(x + width, y), at(x + width, y + height), at(x, y + height), at(x, y)]
    return {"type": "Polygon", "coordinates": [ring]}


def line(x1: float, y1: float, x2: float, y2: float) -> Json:
    return {"type": "LineString", "coordinates": [at(x1, y1), at(x2, y2)]}


def feature(kind: str, number: int, geometry: Json | None, **properties: Any) -> Json:
    return {"id": uid(number), "type": "Feature", "feature_type": kind, "geometry": geometry,
            "properties": properties}  # fmt: skip


def level(number: int, ordinal: int, name: str, building: int = 1, outdoor: bool = False) -> Json:
    labels = {"en": name, "fi": f"Kerros {ordinal}"}
    return feature("level", number, box(0, 0, 30, 20), category="unspecified", outdoor=outdoor, ordinal=ordinal,
                   name=labels, short_name={"en": name[:2]}, building_ids=[uid(building)])  # fmt: skip


def unit(number: int, shape: Json, on: int, category: str, name: Any = None, **properties: Any) -> Json:
    return feature("unit", number, shape, category=category, level_id=uid(on), name=name, **properties)


def house() -> list[Json]:
    """Return the features of the house: 12 units of which two are no rooms, four openings, a lift and an occupant."""
    reference = [{"id": uid(number), "feature_type": "unit"} for number in (31, 32, 33)]
    return [
        feature("venue", 90, box(-5, -5, 40, 30), category="businesscampus", name={"en": "Campus"}),
        feature("building", 1, None, category="unspecified", name={"fi": "Talo", "en": "House"}),
        feature("footprint", 91, box(0, 0, 30, 20), category="ground", building_ids=[uid(1)]),
        level(10, -1, "Cellar"),
        level(11, 0, "Ground"),
        level(12, 2, "Second"),
        unit(20, box(0, 0, 20, 20), 11, "walkway", {"en": "Hall", "fi": "Aula"}),
        unit(21, box(20, 0, 10, 10), 11, "office", {"en": "Office 12"}, alt_name={"en": "12", "fi": "Tsto"}),
        unit(22, box(20, 10, 10, 5), 11, "restroom.female.wheelchair"),
        unit(23, box(20, 15, 10, 5), 11, "room"),
        unit(24, box(8, 8, 1, 1), 11, "column"),
        unit(25, box(10, 8, 1, 1), 11, "opentobelow"),
        unit(26, box(0, 0, 28, 20), 10, "planetarium"),
        unit(27, box(0, 0, 28, 20), 12, "conferenceroom", {"en": "Board room"}),
        # The shaft moves from floor to floor, so that only the relationship says that it is one lift.
        unit(31, box(28, 0, 2, 2), 10, "elevator"),
        unit(32, box(14, 14, 2, 2), 11, "elevator"),
        unit(33, box(28, 6, 2, 2), 12, "elevator"),
        feature("relationship", 40, None, category="elevator", direction="undirected", origin=reference[0],
                intermediary=[reference[1]], destination=reference[2], hours=None),
        feature("opening", 50, line(20, 4, 20, 5), category="pedestrian", level_id=uid(11)),
        feature("opening", 51, line(20, 12, 20, 13), category="pedestrian", level_id=uid(11)),
        feature("opening", 52, line(20, 16, 20, 17), category="pedestrian", level_id=uid(11)),
        feature("opening", 53, line(4, 0, 6, 0), category="pedestrian.principal", level_id=uid(11)),
        feature("anchor", 60, {"type": "Point", "coordinates": at(25, 17)}, unit_id=uid(23)),
        feature("occupant", 61, None, category="cafe", name={"en": "Kahvila", "fi": "Kahvila Oy"},
                anchor_id=uid(60)),
        feature("kiosk", 70, box(2, 2, 2, 1), level_id=uid(11), name={"en": "Tickets"}),
        feature("fixture", 71, box(3, 6, 1, 1), level_id=uid(11), category="furniture"),
    ]  # fmt: skip


def collection(features: list[Json]) -> Json:
    return {"type": "FeatureCollection", "features": features}


def archive(features: list[Json], folder: str = "", **files: Any) -> bytes:
    """Return a zip with one file for each type; `files` are more by their stems, bytes or JSON."""
    by_type: dict[str, list[Json]] = {}
    for item in features:
        by_type.setdefault(item["feature_type"], []).append(item)
    contents: dict[str, Any] = {f"{kind}.geojson": collection(items) for kind, items in by_type.items()}
    contents |= {"manifest.json": {"version": "1.0.0", "language": "fi", "created": "2020-09-09T12:34:56"}}
    contents |= {f"{stem}.geojson": content for stem, content in files.items()}
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as zipped:
        for name, content in contents.items():
            data = content if isinstance(content, bytes) else json.dumps(content).encode()
            zipped.writestr(f"{folder}{name}", data)
    return buffer.getvalue()
