"""IMDF archives as the child reads them: the standard's features, and files that are off the standard."""

import json
from pathlib import Path
from typing import Any

import pytest

from smoldesk.buildings.importers.inside.draft import Draft, SeveralBuildings, Unreadable
from smoldesk.buildings.importers.inside.findings import Findings, finding_text
from smoldesk.buildings.importers.inside.imdf_features import features_of
from smoldesk.buildings.importers.inside.report import read_plan
from tests.support.imdf_archives import (
    archive,
    box,
    collection,
    feature,
    house,
    level,
    line,
    uid,
    unit,
)


def read(data: bytes, tmp_path: Path, building: str = "") -> tuple[Draft, dict[str, str]]:
    """The plan, and the findings' texts by code."""
    findings = Findings()
    path = tmp_path / "plan"
    path.write_bytes(data)
    draft = read_plan(path, findings, building)
    return draft, {
        group.code: finding_text(group.code, group.count, group.values()) for group in findings.groups()
    }


def rooms(draft: Draft) -> dict[str, dict[str, Any]]:
    return {room["name"]: room for floor in draft.floors for room in floor["rectangles"]}


def test_an_archive_becomes_floors_rooms_doors_and_a_lift(tmp_path: Path) -> None:
    draft, report = read(archive(house()), tmp_path)
    assert (draft.format, draft.name) == ("imdf", "Talo")  # the manifest's language
    floors = {floor["floorName"]: (floor["ordinal"], floor["names"]["en"]) for floor in draft.floors}
    assert floors == {"Kerros 0": (0, "Ground"), "Kerros 2": (2, "Second"), "Kerros -1": (-1, "Cellar")}
    kinds = {name: room.get("kind") for name, room in rooms(draft).items()}
    assert kinds == {
        "Aula": "corridor", "Office 12": "office", "Toilet 1": "toilet", "Kahvila Oy": None, "Tickets": "shop",
        "Planetarium 1": "planetarium", "Board room": "meeting", "Lift 1": "lift", "Lift 2": "lift",
        "Lift 3": "lift",
    }  # fmt: skip
    assert rooms(draft)["Office 12"]["aliases"] == ["12", "Tsto"]
    assert rooms(draft)["Kahvila Oy"]["names"] == {"en": "Kahvila", "fi": "Kahvila Oy"}
    doors = {frozenset(door["rooms"]) for floor in draft.floors for door in floor.get("doors", [])}
    assert doors >= {
        frozenset(pair)
        for pair in (
            ("Aula", "Office 12"),
            ("Aula", "Toilet 1"),
            ("Aula", "Kahvila Oy"),
            ("Aula",),
            ("Aula", "Tickets"),
        )
    }
    (lift,) = draft.links
    assert (lift["kind"], sorted(stop["room"] for stop in lift["stops"])) == (
        "lift",
        ["Lift 1", "Lift 2", "Lift 3"],
    )
    assert "2 of column, opentobelow" in report["not_used"] or "column" in report["not_used"]


@pytest.mark.parametrize("form", ["folder", "one file"])
def test_a_folder_in_the_zip_and_one_file_of_all_types_give_the_same_building(
    tmp_path: Path, form: str
) -> None:
    expected, _ = read(archive(house()), tmp_path)
    data = (
        archive(house(), folder="campus/") if form == "folder" else json.dumps(collection(house())).encode()
    )
    draft, _ = read(data, tmp_path)
    assert [len(floor["rectangles"]) for floor in draft.floors] == [
        len(floor["rectangles"]) for floor in expected.floors
    ]
    assert [floor.get("doors") and len(floor["doors"]) for floor in draft.floors] == [
        floor.get("doors") and len(floor["doors"]) for floor in expected.floors
    ]


def test_several_buildings_are_a_choice_and_levels_without_rooms_are_none(tmp_path: Path) -> None:
    annex = [
        feature("building", 2, None, name={"en": "Annex"}),
        feature("building", 3, None, name={"en": "Shed"}),
        level(13, 0, "Annex ground", building=2),
        level(14, 0, "Shed ground", building=3),
        unit(80, box(40, 0, 9, 9), 13, "room", {"en": "Studio"}),
    ]
    data = archive([*house(), *annex])
    with pytest.raises(SeveralBuildings) as caught:
        read(data, tmp_path)
    choices = {choice["name"]: choice["id"] for choice in caught.value.choices}
    assert list(choices) == ["Talo", "Annex"]
    draft, _ = read(data, tmp_path, choices["Annex"])
    assert (draft.name, list(rooms(draft))) == ("Annex", ["Studio"])


def test_the_outdoor_level_of_a_floor_is_part_of_the_floor(tmp_path: Path) -> None:
    outdoor = level(15, 0, "Terrace", outdoor=True) | {"geometry": box(0, 20, 30, 10)}
    terrace = [
        outdoor,
        unit(81, box(0, 20, 30, 10), 15, "terrace"),
        feature("opening", 82, line(4, 20, 6, 20), category="pedestrian", level_id=uid(15)),
    ]
    draft, _ = read(archive([*house(), *terrace]), tmp_path)
    ground = next(floor for floor in draft.floors if floor["ordinal"] == 0)
    assert "Terrace 1" in {room["name"] for room in ground["rectangles"]}
    assert ["Aula", "Terrace 1"] in [sorted(door["rooms"]) for door in ground["doors"]]


def test_files_of_a_drawing_program_without_levels_ids_and_types_are_read(tmp_path: Path) -> None:
    multi = {"type": "MultiPolygon", "coordinates": [box(0, 0, 9, 9)["coordinates"]]}
    lines = {"type": "MultiLineString", "coordinates": [line(9, 2, 9, 3)["coordinates"]]}
    plain = [{"type": "Feature", "geometry": geometry, "properties": {"name": name}}
             for geometry, name in ((multi, "Shop"), (box(9, 0, 9, 9), None))]  # fmt: skip
    draft, _ = read(
        archive(
            [],
            unit=collection(plain),
            unit2=collection(plain[:1]),
            opening=collection([{"type": "Feature", "geometry": lines, "properties": {}}]),
        ),
        tmp_path,
    )
    assert [[room["name"] for room in floor["rectangles"]] for floor in draft.floors] == [
        ["Shop", "Room 1"],
        ["Shop"],
    ]
    assert draft.floors[0]["doors"][0]["rooms"] == ["Shop", "Room 1"]


def test_a_broken_file_of_amenities_is_a_warning_and_one_of_units_an_error(tmp_path: Path) -> None:
    _, report = read(archive(house(), amenity=b'{"features": [1,]}'), tmp_path)
    assert "amenity.geojson: The file is not JSON: line 1" in report["file_left_out"]
    with pytest.raises(Unreadable) as caught:
        read(archive(house(), unit=b"{"), tmp_path)
    assert caught.value.where == "unit.geojson"


def test_a_unit_of_no_level_and_one_without_a_polygon_are_left_out_and_named(tmp_path: Path) -> None:
    bad = [
        unit(83, box(0, 0, 2, 2), 99, "room", {"en": "Lost"}),
        unit(84, line(0, 0, 2, 2), 11, "room", {"en": "Flat"}),
        unit(85, {"type": "Polygon", "coordinates": [[["x"]]]}, 11, "room", {"en": "Broken"}),
    ]
    loop = feature("unit", 86, box(0, 0, 2, 2), category="room", name={"en": "Loop"}, unit_ids=[uid(86)])
    draft, report = read(archive([*house(), *bad, loop]), tmp_path)
    assert not {"Lost", "Flat", "Broken", "Loop"} & set(rooms(draft))
    assert "Loop" in report["no_level"]
    assert "99" in report["unknown_level"]
    assert (
        "Flat" in report["no_shape"] and "Broken" in report["no_shape"] and "Lost" not in report["no_shape"]
    )


def test_numbers_of_levels_and_categories_as_types_are_read_off_the_standard(tmp_path: Path) -> None:
    plain: list[Any] = [
        {
            "type": "Feature",
            "geometry": box(0, 0, 4, 4),
            "properties": {"feature_type": "unit", "level_id": 0},
        },
        {
            "type": "Feature",
            "geometry": box(0, 0, 4, 4),
            "properties": {"feature_type": "corridor", "level_id": 1},
        },
    ]
    plain.append({"type": "Feature", "geometry": box(9, 0, 9, 4), "properties": {"feature_type": "unit"}})
    for what in (["unit"], {"unit": 1}, None):
        odd = {"type": "Feature", "geometry": None, "feature_type": what, "properties": [what]}
        plain.append(odd | {"properties": {"feature_type": what}} if what else odd)
    draft, report = read(json.dumps(collection(plain)).encode(), tmp_path)
    assert [item.type for item in features_of(collection(plain), "unit.geojson")] == ["unit"] * 6, (
        "not a crash"
    )
    assert "no_level" in report
    assert [(floor["floorId"], floor["rectangles"][0].get("kind")) for floor in draft.floors] == [
        ("0", None),
        ("1", "corridor"),
    ]


def test_an_archive_without_units_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="no file has a feature of the type unit"):
        read(archive([], level=collection([level(11, 0, "Ground")])), tmp_path)
