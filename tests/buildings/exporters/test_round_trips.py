"""Exports are read back as the same building: the bundled one, and generated ones."""

import itertools
import json
import zipfile
from io import BytesIO
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smoldesk.buildings.building import Building
from smoldesk.buildings.exporters.formats import ExportFormat, export_building
from smoldesk.buildings.importers.inside.draft import MAX_ALIASES, MAX_TAG, Draft
from smoldesk.buildings.importers.inside.findings import Findings
from smoldesk.buildings.importers.inside.report import read_plan
from smoldesk.messages import MapDefinitionContent, as_json

FORMATS: list[ExportFormat] = ["imdf", "geojson", "smoldesk"]
WORDS = st.text("abcdef 012会議室é", min_size=1, max_size=8).filter(lambda text: text.strip() == text)
LANGUAGES = st.dictionaries(st.sampled_from(("en", "ja", "pt-BR", "und")), WORDS, min_size=1, max_size=3)
KINDS = st.sampled_from(
    (None, "toilet", "meeting room", "corridor", "lift", "bedroom", "room", "foodservice", "売店")
)


def exported(definition: MapDefinitionContent, format_: ExportFormat, name: str = "House") -> bytes:
    return export_building(format_, definition, name, {}).data


def read(data: bytes) -> tuple[Draft, list[Any]]:
    findings = Findings()
    with NamedTemporaryFile() as file:
        Path(file.name).write_bytes(data)
        return read_plan(Path(file.name), findings), findings.entries()


def content_of(draft: Draft) -> MapDefinitionContent:
    """Return what the server makes of the child's answer."""
    return MapDefinitionContent.model_validate(
        {"floors": draft.floors, "bitmaps": [], "links": draft.links or None,
         "georeference": draft.georeference, "groundFloor": draft.ground_floor}
    )  # fmt: skip


def plain(definition: MapDefinitionContent) -> dict[str, Any]:
    """Return the parts of a definition without geometry and images, each ring as its number of corners."""
    data = as_json(definition)
    for floor in data["floors"]:
        floor["floorImage"] = ""
        for room in floor["rectangles"]:
            room["rings"] = [len(ring) for ring in rings_of(room)]
            for member in ("topLeft", "bottomRight", "polygon", "holes"):
                room.pop(member, None)
        for part in floor.get("doors", []):
            del part["at"]
    for link in data.get("links", []):
        for stop in link["stops"]:
            del stop["at"]
    return {member: data.get(member) for member in ("floors", "links", "georeference", "groundFloor")}


def rings_of(room: dict[str, Any]) -> list[list[tuple[float, float]]]:
    (x1, y1), (x2, y2) = [(corner["x"], corner["y"]) for corner in (room["topLeft"], room["bottomRight"])]
    outline = [(x1, y1), (x1, y2), (x2, y2), (x2, y1)]
    rings = [room["polygon"]] if "polygon" in room else []
    rings += room.get("holes", [])
    found = [[(point["x"], point["y"]) for point in ring] for ring in rings]
    return found if "polygon" in room else [outline, *found]


def points_of(definition: MapDefinitionContent) -> list[tuple[float, list[tuple[float, float]]]]:
    """Return the metres of a unit, and the points in an order that does not depend on where rings begin."""
    points: list[tuple[float, list[tuple[float, float]]]] = []
    data = as_json(definition)
    scale = {floor["floorId"]: floor.get("metresPerUnit", 0.2) for floor in data["floors"]}
    for floor in data["floors"]:
        metres = scale[floor["floorId"]]
        for room in floor["rectangles"]:
            points += [(metres, sorted(ring)) for ring in rings_of(room)]
        points += [(metres, [(door["at"]["x"], door["at"]["y"])]) for door in floor.get("doors", [])]
    for link in data.get("links", []):
        points += [(scale[stop["floorId"]], [(stop["at"]["x"], stop["at"]["y"])]) for stop in link["stops"]]
    return points


def assert_same(read_back: MapDefinitionContent, definition: MapDefinitionContent) -> None:
    assert plain(read_back) == plain(definition)
    for (metres, found), (_, expected) in zip(points_of(read_back), points_of(definition), strict=True):
        for (x, y), (there_x, there_y) in zip(found, expected, strict=True):
            assert max(abs(x - there_x), abs(y - there_y)) * metres <= 0.01


@pytest.mark.parametrize("format_", FORMATS)
def test_the_bundled_building_is_read_back_to_the_last_digit(format_: ExportFormat) -> None:
    definition = Building.load().definition
    draft, report = read(exported(definition, format_))
    assert report == [] or format_ == "smoldesk"
    assert draft.name == "House"
    images = {"floor_image": ""}
    expected = definition.model_copy(
        update={"bitmaps": [], "floors": [floor.model_copy(update=images) for floor in definition.floors]}
    )
    found = content_of(draft)
    assert (
        found.model_copy(update={"floors": [floor.model_copy(update=images) for floor in found.floors]})
        == expected
    )


@st.composite
def definitions(draw: st.DrawFn) -> MapDefinitionContent:
    """Return buildings of one to three floors with a grid of rooms, some with a notch, a hole, or other names."""
    scale = draw(st.sampled_from((None, 0.05, 1.0, 0.3048)))
    floors: list[dict[str, Any]] = []
    for number in range(draw(st.integers(1, 3))):
        columns = draw(st.integers(1, 3))
        rooms = [_room(draw, f"{draw(WORDS)} {column}", 100.0 * column) for column in range(columns)]
        names = [room["name"] for room in rooms]
        up = draw(st.booleans())
        floor: dict[str, Any] = {
            "floorId": f"F{number}", "floorName": draw(WORDS), "floorImage": "", "rectangles": rooms,
            "coordinateSystem": {
                "topLeft": {"px": 0, "py": 0, "x": 0, "y": 500 if up else 0},
                "bottomRight": {"px": 1000, "py": 1000, "x": 500, "y": 0 if up else 500}},
            "doors": [{"rooms": draw(st.permutations(pair)), "at": {"x": 100.0 * place, "y": draw(st.floats(1, 99))},
                       "accessible": draw(st.booleans())}
                      for place, pair in enumerate([names[:1], *itertools.pairwise(names)])],
        }  # fmt: skip
        if up:
            for room in rooms:
                top, bottom = room["topLeft"]["y"], room["bottomRight"]["y"]
                room["topLeft"]["y"], room["bottomRight"]["y"] = bottom, top
        optional = {"ordinal": draw(st.none() | st.integers(-3, 9)), "metresPerUnit": scale,
                    "names": draw(st.none() | LANGUAGES),
                    "aliases": draw(st.none() | st.lists(WORDS, min_size=1, max_size=3))}  # fmt: skip
        floors.append(floor | {name: value for name, value in optional.items() if value is not None})
    stops = [
        {"floorId": floor["floorId"], "room": floor["rectangles"][0]["name"], "at": {"x": 5.5, "y": 5.25}}
        for floor in floors
    ]
    kinds = draw(st.lists(st.sampled_from(("stairs", "lift", "escalator", "ramp")), max_size=3))
    links = [{"linkId": f"l{number}", "kind": kind, "name": draw(WORDS), "stops": stops,
              "waitSeconds": 20, "floorSeconds": 7.5} for number, kind in enumerate(kinds)]  # fmt: skip
    place = draw(st.none() | st.builds(dict, longitude=st.floats(-179, 179), latitude=st.floats(-80, 80),
                                       bearing=st.floats(-45, 45)))  # fmt: skip
    content = {"floors": floors, "bitmaps": [], "links": links if len(floors) > 1 and links else None,
               "georeference": place, "groundFloor": draw(st.sampled_from((None, 0, 1)))}  # fmt: skip
    return MapDefinitionContent.model_validate(content)


def _room(draw: st.DrawFn, name: str, x: float) -> dict[str, Any]:
    room: dict[str, Any] = {
        "name": name,
        "topLeft": {"x": x, "y": 0.0},
        "bottomRight": {"x": x + 100, "y": 100.0},
    }
    if draw(st.booleans()):
        dent = draw(st.floats(20, 80))
        corners = ((x, 0), (x + 100, 0), (x + 100, 100), (x + 50, 100), (x + 50, dent), (x, dent))
        room["polygon"] = [{"x": float(px), "y": py} for px, py in corners]
    if draw(st.booleans()):
        hole = ((x + 60, 5), (x + 70, 5), (x + 70, 15))
        room["holes"] = [[{"x": px, "y": float(py)} for px, py in hole]]
    optional = {"kind": draw(KINDS), "names": draw(st.none() | LANGUAGES),
                "aliases": draw(st.none() | st.lists(WORDS, min_size=1, max_size=3))}  # fmt: skip
    return room | {name: value for name, value in optional.items() if value is not None}


@settings(max_examples=40, deadline=None)
@given(definition=definitions(), format_=st.sampled_from(FORMATS))
def test_a_generated_building_is_read_back_as_it_was(
    definition: MapDefinitionContent, format_: ExportFormat
) -> None:
    draft, _ = read(exported(definition, format_))
    assert_same(content_of(draft), definition)


def test_names_and_walls_changed_in_another_program_are_the_new_ones() -> None:
    data = exported(Building.load().definition, "imdf")
    with zipfile.ZipFile(BytesIO(data)) as archive:
        files = {name: json.loads(archive.read(name)) for name in archive.namelist()}
    kitchen = next(
        item for item in files["unit.geojson"]["features"] if item["properties"]["name"]["en"] == "Kitchen"
    )
    kitchen["properties"]["name"] = {"en": "Galley", **{"x" * number: "Many" for number in range(1, 60)}}
    draft, report = read(packed(files))
    assert report == []
    names = {room["name"] for room in draft.floors[0]["rectangles"]}
    assert "Galley" in names and "Kitchen" not in names
    [galley] = [room for room in draft.floors[0]["rectangles"] if room["name"] == "Galley"]
    assert len(galley["names"]) == MAX_ALIASES and max(map(len, galley["names"])) <= MAX_TAG
    assert ["Hallway", "Galley"] in [door["rooms"] for door in draft.floors[0]["doors"]]
    ring = kitchen["geometry"]["coordinates"][0]
    kitchen["geometry"]["coordinates"] = [[ring[0], ring[1], ring[2], ring[0]]]
    moved, _ = read(packed(files))
    galley = next(room for room in moved.floors[0]["rectangles"] if room["name"] == "Galley")
    assert len(galley["polygon"]) == 3
    assert [len(floor["rectangles"]) for floor in moved.floors] == [
        len(floor["rectangles"]) for floor in draft.floors
    ]


def packed(files: dict[str, Any]) -> bytes:
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, json.dumps(content))
    return buffer.getvalue()


# Members that the standard requires of each feature's properties, and the geometry of the feature (OGC 20-094).
REQUIRED = {
    "address": ({"address", "locality", "country"}, None),
    "venue": ({"category", "name", "address_id", "display_point"}, "Polygon"),
    "building": ({"name", "category"}, None),
    "footprint": ({"category", "building_ids"}, "Polygon"),
    "level": ({"category", "outdoor", "ordinal", "name", "short_name", "building_ids"}, "Polygon"),
    "unit": ({"category", "level_id", "name"}, "Polygon"),
    "opening": ({"category", "level_id"}, "LineString"),
    "amenity": ({"category", "unit_ids"}, "Point"),
    "relationship": ({"category", "direction", "origin", "intermediary", "destination"}, None),
}


def test_an_archive_has_what_the_standard_requires_and_the_same_bytes_each_time() -> None:
    definition = Building.load().definition
    data = exported(definition, "imdf")
    assert data == exported(definition, "imdf")
    with zipfile.ZipFile(BytesIO(data)) as archive:
        files = {name: json.loads(archive.read(name)) for name in archive.namelist()}
    manifest = files.pop("manifest.json")
    assert {"version", "created", "language"} <= manifest.keys()
    assert set(files) == {f"{kind}.geojson" for kind in REQUIRED}
    ids = [item["id"] for content in files.values() for item in content["features"]]
    assert len(set(ids)) == len(ids)
    for kind, (members, geometry) in REQUIRED.items():
        for item in files[f"{kind}.geojson"]["features"]:
            assert item["feature_type"] == kind
            assert members <= item["properties"].keys()
            assert (item["geometry"] or {}).get("type") == geometry
            for member in ("level_id", "address_id"):
                assert item["properties"].get(member) in {None, *ids}
            for member in ("building_ids", "unit_ids"):
                assert set(item["properties"].get(member) or []) <= set(ids)
    for item in files["unit.geojson"]["features"]:
        outer = item["geometry"]["coordinates"][0]
        assert outer[0] == outer[-1]
        assert sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in itertools.pairwise(outer)) > 0
