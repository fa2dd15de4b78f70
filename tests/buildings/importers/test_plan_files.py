"""Building files as the child reads them: the three forms, what is told of each fault, and where it lies."""

import json
import math
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any

import pytest

from smoldesk.buildings.importers.inside import geojson as geojson_reader
from smoldesk.buildings.importers.inside.draft import (
    MAX_ROOMS,
    Draft,
    Unreadable,
)
from smoldesk.buildings.importers.inside.findings import MAX_PLACES, Findings, finding_text
from smoldesk.buildings.importers.inside.images import read_image
from smoldesk.buildings.importers.inside.levels import levels_of, ordinal_of
from smoldesk.buildings.importers.inside.outlines import fault_of
from smoldesk.buildings.importers.inside.report import read_plan
from tests.support.plans import feature, floor, geojson, own, picture, room, square, system

Told = list[tuple[str, str, str]]


def read(data: Any) -> tuple[Draft, Told]:
    """The draft, and (severity, where, message) of what was found."""
    findings = Findings()
    with NamedTemporaryFile() as file:
        path = Path(file.name)
        path.write_bytes(data if isinstance(data, bytes) else json.dumps(data).encode())
        draft = read_plan(path, findings)
    return draft, [
        (group.severity, place.where, finding_text(group.code, 1, place.values))
        for group in findings.groups()
        for place in group.places
    ]


def errors(data: Any) -> list[tuple[str, str]]:
    return [(where, message) for severity, where, message in read(data)[1] if severity == "error"]


def refused(data: Any) -> Unreadable:
    with pytest.raises(Unreadable) as caught:
        read(data)
    return caught.value


# --- our own form ------------------------------------------------------------------------------------------------


def test_our_own_form_is_read_as_it_stands() -> None:
    draft, report = read({**own(), "buildingName": "Annex"})
    assert report == []
    assert (draft.format, draft.name) == ("smoldesk", "Annex")
    assert [floor["floorId"] for floor in draft.floors] == ["1F", "2F"]
    assert draft.floors[0]["doors"][0] == {
        "rooms": ["East", "West"],
        "at": {"x": 50.0, "y": 25.0},
        "accessible": True,
        "doorId": "d",
    }
    assert draft.links[0]["stops"][1]["floorId"] == "2F"


def test_a_polygon_gets_the_corners_of_its_box_whichever_way_y_grows() -> None:
    l_shape = [[0, 0], [40, 0], [40, 20], [20, 20], [20, 50], [0, 50]]
    draft, report = read({"floors": [floor(rectangles=[{"name": "L", "polygon": l_shape}], doors=[])]})
    assert report == []
    created = draft.floors[0]["rectangles"][0]
    assert (created["topLeft"], created["bottomRight"]) == ({"x": 0, "y": 0}, {"x": 40, "y": 50})
    assert created["polygon"][2] == {"x": 40, "y": 20}
    up = {"topLeft": {"px": 0, "py": 0, "x": 0, "y": 50}, "bottomRight": {"px": 9, "py": 9, "x": 100, "y": 0}}
    upwards = floor(rectangles=[{"name": "L", "polygon": l_shape}], coordinateSystem=up)
    created = read({"floors": [upwards]})[0].floors[0]["rectangles"][0]
    assert (created["topLeft"]["y"], created["bottomRight"]["y"]) == (50, 0)


def test_holes_other_names_and_the_place_on_earth_come_back_as_they_went() -> None:
    atrium = {"name": "Ring", "polygon": [[0, 0], [50, 0], [50, 50], [0, 49]], "holes": [[[9, 9], [20, 9], [9, 20]]],
              "names": {"ja": "中庭"}, "aliases": ["Court"]}  # fmt: skip
    place = {"longitude": 139.7, "latitude": 35.6, "bearing": -16.2}
    data = {"floors": [floor(rectangles=[atrium], doors=[], names={"ja": "1階"}, aliases=["Ground"])],
            "georeference": place, "groundFloor": 1}  # fmt: skip
    draft, report = read(data)
    assert report == []
    assert (draft.georeference, draft.ground_floor) == (place, 1)
    assert (draft.floors[0]["names"], draft.floors[0]["aliases"]) == ({"ja": "1階"}, ["Ground"])
    again = read({"floors": draft.floors, "georeference": place, "groundFloor": 1})[0]
    assert again.floors == draft.floors
    assert again.floors[0]["rectangles"][0]["holes"] == [
        [{"x": 9, "y": 9}, {"x": 20, "y": 9}, {"x": 9, "y": 20}]
    ]
    for change in ({"groundFloor": 2}, {"georeference": {"longitude": 190, "latitude": 0}}):
        assert errors(data | change)


def test_names_that_mean_something_to_a_page_are_names_like_any_other() -> None:
    names = ["__proto__", "constructor", "toString", "<img src=x onerror=alert(1)>", "'; DROP TABLE chat; --"]
    rooms = [room(name, 0, 10 * n, 50, 10 * n + 10) for n, name in enumerate(names)]
    draft, report = read({"floors": [floor(rectangles=rooms, doors=[])]})
    assert report == []
    assert [item["name"] for item in draft.floors[0]["rectangles"]] == names


def test_members_nobody_knows_are_noted_and_left_out() -> None:
    draft, report = read({"floors": [floor(__proto__={"polluted": True}, colour="red")], "bitmaps": []})
    assert "colour" not in draft.floors[0]
    assert {
        ("note", "floors[0]", "Not used: 1 of __proto__."),
        ("note", "", "Not used: 1 of bitmaps."),
    } < set(report)


@pytest.mark.parametrize(
    ("change", "where", "text"),
    [
        (lambda f: f.update(floorId=7), "floors[0].floorId", "Expected text, not number"),
        (lambda f: f.pop("floorId"), "floors[0].floorId", "It is missing. Expected text"),
        (
            lambda f: f.update(floorName="x" * 10_000),
            "floors[0].floorName",
            "Expected text ≤ 200, not 10,000",
        ),
        (
            lambda f: f.pop("coordinateSystem"),
            "floors[0].coordinateSystem",
            "It is missing. Expected {topLeft",
        ),
        (
            lambda f: f.update(coordinateSystem=[]),
            "floors[0].coordinateSystem",
            "Expected object, not list",
        ),
        (
            lambda f: f["coordinateSystem"].pop("topLeft"),
            "floors[0].coordinateSystem.topLeft",
            "It is missing",
        ),
        (lambda f: f.update(ordinal=1.5), "floors[0].ordinal", "Expected whole number, not 1.5"),
        (lambda f: f.update(metresPerUnit=0), "floors[0].metresPerUnit", "Expected number > 0"),
        (
            lambda f: f["rectangles"].append(None),
            "floors[0].rectangles[2]",
            "Expected object, not null",
        ),
        (
            lambda f: f["rectangles"][1]["topLeft"].update(x=math.nan),
            "floors[0].rectangles[1].topLeft.x",
            "Expected number ≤ 1e9, not nan",
        ),
        (
            lambda f: f["rectangles"][1]["topLeft"].update(y="0"),
            "floors[0].rectangles[1].topLeft.y",
            "Expected number, not text",
        ),
        (
            lambda f: f["rectangles"].append({"name": "X", "polygon": [[0, 0], [9, 9], [9, 0], [0, 9]]}),
            "floors[0].rectangles[2].polygon",
            "It crosses itself at 4.5, 4.5",
        ),
        (
            lambda f: f["rectangles"].append({"name": "X", "polygon": [[0, 0], [9, 9], [4, 4]]}),
            "floors[0].rectangles[2].polygon",
            "It crosses itself",
        ),
        (
            lambda f: f["rectangles"].append({"name": "X", "polygon": [[0, 0], [9, 9]]}),
            "floors[0].rectangles[2].polygon",
            "It has 2 different corners; a room needs three",
        ),
        (
            lambda f: f["rectangles"].append({"name": "X", "polygon": [[0, 0], [9, math.inf], [9, 0]]}),
            "floors[0].rectangles[2].polygon[1][1]",
            "Expected number ≤ 1e9, not inf",
        ),
        (
            lambda f: f["doors"][0].update(rooms=[]),
            "floors[0].doors[0].rooms",
            "Expected [room, room] / [room]",
        ),
        (
            lambda f: f["doors"][0].update(accessible="no"),
            "floors[0].doors[0].accessible",
            "Expected true / false",
        ),
        (lambda f: f["doors"][0].pop("at"), "floors[0].doors[0].at", "It is missing. Expected {x, y}"),
    ],
)
def test_a_fault_is_told_with_its_place(change: Any, where: str, text: str) -> None:
    broken = floor()
    change(broken)
    result = errors({"floors": [broken]})
    assert any(at == where and text in message for at, message in result), result


def test_a_link_is_told_its_choices_and_needs_two_stops() -> None:
    data = own()
    data["links"][0] |= {"kind": "rope", "waitSeconds": -1}
    data["links"][0]["stops"].pop()
    assert errors(data) == [
        ("links[0].kind", "Expected stairs / lift / escalator / ramp, not rope."),
        ("links[0].stops", "Expected [stop, stop, …], not 1."),
        ("links[0].waitSeconds", "Expected 0 … 3600, not -1."),
    ]


# --- an image and its rectangles ---------------------------------------------------------------------------------


def test_an_image_s_rectangles_are_one_floor() -> None:
    draft, report = read({"coordinateSystem": system(), "rectangles": [room("East", 50, 0, 100, 50)]})
    assert report == []
    assert (draft.format, draft.takes_image) == ("rectangles", True)
    assert [floor["floorId"] for floor in draft.floors] == ["1F"]
    assert draft.origins["floors[0].rectangles"] == "rectangles"


# --- GeoJSON -----------------------------------------------------------------------------------------------------


def test_geojson_in_metres_has_rooms_doors_and_levels() -> None:
    draft, report = read(
        geojson(
            feature("Polygon", square(0, 0, 10, 5), name="A", kind="Office", level=0),
            feature("Polygon", square(10.2, 0, 20, 5), name="B", level="0"),
            feature("Polygon", square(0, 0, 10, 5), name="A", level=1),
            feature("Polygon", square(9.9, 1.5, 10.3, 2.5), kind="door", level=0),
            feature("Polygon", square(0, 0, 20, 5), kind="floor_outline", level=0),
            feature("Point", [0, 2], kind="entrance", level=0, wheelchair="no"),
        )
    )
    ground, above = draft.floors
    assert [ground["floorId"], above["floorId"]] == ["0", "1"]
    assert [(item["name"], item.get("kind")) for item in ground["rectangles"]] == [
        ("A", "office"),
        ("B", None),
    ]
    assert (ground["metresPerUnit"], ground["ordinal"], above["ordinal"]) == (1.0, 0, 1)
    created = ground["rectangles"][0]
    assert (created["topLeft"], created["bottomRight"]) == ({"x": 0.5, "y": 0.5}, {"x": 10.5, "y": 5.5})
    assert "polygon" not in created
    assert [door["rooms"] for door in ground["doors"]] == [["A", "B"], ["A"]]
    assert [door["accessible"] for door in ground["doors"]] == [True, False]
    assert ground["doors"][0]["at"] == {"x": 10.6, "y": 3.5}, "y grows downwards"
    assert draft.origins["floors[0].rectangles[1]"] == "features[1]"
    assert not [item for item in report if item[0] != "note"]
    assert ("note", "features[5]", "Doors with a room on one side only lead out: 1.") in report


def test_geojson_in_degrees_keeps_the_shape_of_the_earth() -> None:
    draft, report = read(geojson(feature("Polygon", square(139.7, 35.6, 139.701, 35.601), name="A", level=0)))
    created = draft.floors[0]["rectangles"][0]
    wide = created["bottomRight"]["x"] - created["topLeft"]["x"]
    high = created["bottomRight"]["y"] - created["topLeft"]["y"]
    assert high == pytest.approx(111.3, abs=0.5)
    assert wide == pytest.approx(111.3 * math.cos(math.radians(35.6)), abs=0.5)
    assert any("Coordinates are degrees" in message for _, _, message in report)


def test_a_number_as_a_name_is_written_out() -> None:
    shapes = [(1234567, square(0, 0, 9, 9)), (1234567.0, square(9, 0, 18, 9)), (10.25, square(18, 0, 27, 9))]
    draft, _ = read(geojson(*(feature("Polygon", shape, name=name, level=0) for name, shape in shapes)))
    assert [room["name"] for room in draft.floors[0]["rectangles"]] == ["1234567", "1234567 (2)", "10.25"]


@pytest.mark.parametrize(("message", "width"), [("metres", 2.0), ("degrees", 5_789)])
def test_a_file_may_say_what_its_numbers_are(message: str, width: float) -> None:
    data = geojson(feature("Polygon", square(0, 0, 1, 1), name="A"), coordinates="metres")
    if message == "degrees":
        data = geojson(feature("Polygon", square(0, 0, 0.05, 0.05), name="A"), coordinates=message)
    assert read(data)[0].floors[0]["coordinateSystem"]["bottomRight"]["x"] == pytest.approx(width, rel=0.01)


def test_stairs_join_their_levels_and_one_that_joins_none_is_warned_of() -> None:
    draft, report = read(
        geojson(
            feature("Polygon", square(0, 0, 10, 5), name="Hall", level="0;1;-1"),
            feature("Polygon", square(10, 0, 12, 5), name="Stairs", kind="steps", level=[0, 1]),
            feature("Point", [1, 1], name="Lift", kind="elevator", level=0),
            feature("Point", [1, 1], name="Lift", kind="elevator", level=-1),
            feature("Point", [2, 2], name="Ladder", kind="stairs", level=0),
        )
    )
    assert [floor["floorId"] for floor in draft.floors] == ["0", "1", "-1"]
    assert [(link["kind"], link["name"]) for link in draft.links] == [("stairs", "Stairs"), ("lift", "Lift")]
    assert [(stop["floorId"], stop["room"]) for stop in draft.links[0]["stops"]] == [
        ("0", "Stairs"),
        ("1", "Stairs"),
    ]
    assert [(stop["floorId"], stop["room"]) for stop in draft.links[1]["stops"]] == [
        ("-1", "Hall"),
        ("0", "Hall"),
    ]
    assert (
        "warning",
        "features[4]",
        "Stairs left out, since they join no two floors with rooms: 1 (Ladder).",
    ) in report


def test_parts_and_repeated_names_get_names_of_their_own() -> None:
    parts = [square(0, 0, 1, 1), square(5, 0, 9, 4)]
    draft, report = read(
        geojson(
            feature("MultiPolygon", parts, name="WC", level=0),
            feature("Polygon", square(20, 0, 22, 2), name="wc", level=0),
            feature("Polygon", square(30, 0, 32, 2), level=0),
            feature("LineString", [[0, 0], [1, 1]], level=0),
            {"type": "Feature", "properties": None, "geometry": None},
        )
    )
    assert [item["name"] for item in draft.floors[0]["rectangles"]] == ["WC", "WC (2)", "wc (3)", "Room 1"]
    assert draft.floors[0]["rectangles"][0]["topLeft"]["x"] > 5, "the largest part has the plain name"
    assert any("LineString" in message for _, _, message in report)


@pytest.mark.parametrize(
    ("wrong", "where", "text"),
    [
        (feature("Polygon", square(0, 0, 9, math.nan), level=0), "geometry", "[[[x, y]"),
        (feature("Polygon", [[0, 0]], level=0), "geometry", "[[[x, y], [x, y], [x, y], …]]"),
        (
            feature("Polygon", square(0, 0, 9, 9), level={"a": 1}),
            "properties.level",
            'Expected 0 / -1 / "B1"',
        ),
        (feature("Polygon", square(0, 0, 9, 9), level=1e400), "properties.level", 'Expected 0 / -1 / "B1"'),
    ],
)
def test_a_fault_in_geojson_is_told_with_its_place(wrong: Any, where: str, text: str) -> None:
    good = feature("Polygon", square(20, 0, 29, 9), name="Good", level=0)
    result = errors(geojson(wrong, good))
    assert any(at == f"features[0].{where}" and text in message for at, message in result), result


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (geojson(), "There is no room"),
        (geojson(feature("Point", [0, 0], kind="door")), "There is no room"),
        (
            geojson(feature("Polygon", square(0, 0, 1e6, 9), level=0)),
            "span 1,000 km; a building has at most 10",
        ),
        (geojson(feature("Polygon", square(170, 89, 300, 99)), coordinates="degrees"), "are not degrees"),
        (geojson(feature("Polygon", square(0, 0, 9, 9), level=[])), None),
    ],
)
def test_geojson_without_a_building_is_refused_in_words(data: Any, text: str | None) -> None:
    if text is None:
        assert [floor["floorId"] for floor in read(data)[0].floors] == ["0"]
    else:
        assert text in refused(data).message


def test_more_features_than_the_limit_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(geojson_reader, "MAX_FEATURES", 2)
    rooms = [feature("Polygon", square(x, 0, x + 4, 4), level=0) for x in (0, 5, 10)]
    assert "There are 3 features; at most 2 are taken" in refused(geojson(*rooms)).message


@pytest.mark.parametrize(
    ("value", "ids", "ordinals"),
    [
        (0, ["0"], [0]),
        (-1.0, ["-1"], [-1]),
        ("２", ["2"], [2]),
        ("B1", ["B1"], [-1]),
        ("3F", ["3F"], [2]),
        ("地下2階", ["地下2階"], [-2]),
        ("Mezzanine", ["Mezzanine"], [None]),
        ("0;1; 1", ["0", "1"], [0, 1]),
        ([0, "0", 0.5], ["0", "0.5"], [0, None]),
        (" ", [], []),
    ],
)
def test_levels_are_understood(value: Any, ids: list[str], ordinals: list[int | None]) -> None:
    levels = levels_of(value, "level", Findings())
    assert levels == ids
    assert [ordinal_of(item) for item in levels] == ordinals


# --- files that are none -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", "This is not a building: it is empty"),
        (b"a,b\n1,2\n", "it begins with 'a,b"),
        (b'{"a"', "The file is not JSON: line 1, column 5"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b'{"\xfa', "The file is not text"),
        (b"\x89PNG\r\n\x1a\n", "This is not a building"),
        (b"[]", "Expected an object at the top of the file, not list"),
        (b"null", "it begins with 'null'"),
        (b'{"type": "Topology"}', "This is not a building: it has type. Expected our own form"),
        (b'{"floors": ' + b"1" * 5000 + b"}", "a number that is too large"),
    ],
)
def test_what_is_no_building_is_told_what_is_expected(data: bytes, text: str) -> None:
    assert text in refused(data).message


def test_half_surrogates_are_made_harmless() -> None:
    raw = json.dumps({"floors": [floor(rectangles=[room("a\ud800b", 0, 0, 9, 9)])]}).encode()
    assert read(raw)[0].floors[0]["rectangles"][0]["name"] == "a?b"


def test_a_byte_order_mark_and_other_encodings_are_read() -> None:
    for raw in (json.dumps(own()).encode("utf-8-sig"), json.dumps(own()).encode("utf-16")):
        assert len(read(raw)[0].floors) == 2


def test_a_million_rooms_are_refused_by_their_number() -> None:
    raw = b'{"floors":[{"rectangles":[' + b"0," * 999_999 + b"0]}]}"
    fault = refused(raw)
    assert fault.message == f"There are 1,000,000 rooms; at most {MAX_ROOMS:,} are taken."
    assert fault.where == "floors[0].rectangles"
    many = floor(rectangles=[room("a", 0, 0, 1, 1)] * (MAX_ROOMS // 2 + 1))
    assert f"at most {MAX_ROOMS:,}" in refused({"floors": [many, many]}).message, "of all floors together"


def test_different_errors_of_one_code_are_lines_of_their_own_up_to_eight() -> None:
    findings = Findings()
    for number in range(20):
        findings.add("expected", f"floors[{number // 2}].ordinal", expected="number", value=f"v{number // 2}")
    groups = findings.groups()
    assert [group.count for group in groups] == [2] * 8 + [4]
    assert groups[1].values() == {"expected": "number", "value": "v1"}


def test_a_thousand_faults_are_counted_and_the_first_are_listed() -> None:
    findings = Findings()
    for number in range(1000):
        findings.add("repaired", f"features[{number}]", name=f"Room {number}")
    group = findings.groups()[0]
    assert (group.count, len(group.places)) == (1000, MAX_PLACES)
    text = finding_text(group.code, group.count, group.values())
    assert text == (
        "Outlines that crossed themselves were repaired: 1,000 (Room 0, Room 1, Room 2, Room 3, Room 4, …)."
    )


# --- outlines ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "fault"),
    [
        ([(0, 0), (4, 0), (4, 3), (0, 3)], ""),
        ([(0, 0), (4, 0), (2, 0), (2, 3)], "crosses itself"),
        ([(0, 0), (4, 0), (4, 4), (2, 0), (0, 4)], "crosses itself at 2, 0"),
        ([(1e6, 1e6), (1e6 + 1, 1e6), (1e6 + 1, 1e6 + 1)], ""),
    ],
)
def test_an_outline_that_touches_or_crosses_itself_is_at_fault(
    points: list[tuple[float, float]], fault: str
) -> None:
    assert fault in fault_of(points) and bool(fault) == bool(fault_of(points))


# --- images ------------------------------------------------------------------------------------------------------


def seen(tmp_path: Path, data: bytes) -> tuple[Any, str]:
    path, findings = tmp_path / "image-0", Findings()
    path.write_bytes(data)
    image = read_image(path, "plan.png", findings)
    return image, "".join(group.values()["message"] for group in findings.groups())


@pytest.mark.parametrize(
    ("kind", "media_type"), [("PNG", "image/png"), ("JPEG", "image/jpeg"), ("WEBP", "image/webp")]
)
def test_an_image_is_known_by_its_bytes(tmp_path: Path, kind: str, media_type: str) -> None:
    results, report = seen(tmp_path, picture(kind))
    assert results == {"name": "plan.png", "media_type": media_type, "width": 220, "height": 120}
    assert report == ""


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (
            b'<svg xmlns="http://www.w3.org/2000/svg"/>',
            "SVG is a document that can hold scripts and is not taken.",
        ),
        (b"\xef\xbb\xbf\n<?xml version='1.0'?><SVG onload='alert(1)'>", "and this one has scripts in it"),
        (b"<!-- --><svg><script>alert(1)</script></svg>", "and this one has scripts in it"),
        (b"<svg>" + b" " * 100_000 + b"<script>", "and this one has scripts in it"),
        (picture("GIF"), "It is a GIF image. Send PNG, JPEG or WebP."),
        (picture("BMP"), "It is a BMP image"),
        (picture("TIFF"), "It is a TIFF image"),
        (b"%PDF-1.7", "It is a PDF document"),
        (b"<html><script>alert(1)</script></html>", "It is not an image that can be shown"),
        (picture()[:100], "The image is damaged"),
        (picture("JPEG")[:400], "The image is damaged"),
        (b"\x89PNG\r\n\x1a\n" + b"x" * 50, "Send PNG, JPEG or WebP"),
    ],
)
def test_an_image_of_another_kind_is_refused_in_words(tmp_path: Path, data: bytes, text: str) -> None:
    results, report = seen(tmp_path, data)
    assert results is None
    assert text in report


def test_an_image_of_too_many_pixels_is_refused_by_their_number(tmp_path: Path) -> None:
    results, report = seen(tmp_path, picture(size=(10_000, 6_001)))
    assert results is None
    assert "It has 10000 x 6001 pixels; at most 60,000,000" in report
