"""The building: what is bundled, how names are found, and what a bad file is told."""

import json
from pathlib import Path
from typing import Any

import pytest

from smoldesk.buildings.building import BUNDLED, Building
from smoldesk.errors import DeskError, NotFound


@pytest.fixture
def building() -> Building:
    return Building.load()


def bundled() -> dict[str, Any]:
    return json.loads(BUNDLED.read_text(encoding="utf-8"))


def saved(tmp_path: Path, data: object) -> Path:
    path = tmp_path / "building.json"
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return path


def test_floor_1f_comes_first_and_has_the_rooms_of_the_design(building: Building) -> None:
    assert building.floor_ids() == ["1F", "2F", "B1"]
    rooms = [room.name for room in building.floor("1F").rectangles]
    assert rooms == ["Room1", "Room2", "Bathroom", "Kitchen", "Toilet", "Level1", "Level2", "Hallway"]
    assert str(building.bounds("1F")) == "x 0..500, y 0..200"


def test_every_room_belongs_to_one_floor(building: Building) -> None:
    for room in building.rooms():
        assert len(building.floors_with(room)) == 1
    assert building.floors_with("Server Room") == ["B1"]
    assert building.floors_with("Ballroom") == []


def test_floors_have_their_heights_and_a_scale(building: Building) -> None:
    assert {floor.floor_id: floor.ordinal for floor in building.floors} == {"1F": 0, "2F": 1, "B1": -1}
    assert all(floor.metres_per_unit for floor in building.floors)


def test_a_lift_and_a_staircase_join_all_three_floors(building: Building) -> None:
    assert [link.kind for link in building.links] == ["lift", "stairs"]
    for link in building.links:
        assert [stop.floor_id for stop in link.stops] == ["B1", "1F", "2F"]


def test_every_door_stands_beside_the_rooms_it_joins(building: Building) -> None:
    for floor in building.floors:
        for door in floor.doors or []:
            for name in door.rooms:
                room = building.room(floor.floor_id, name)
                gap_x = max(room.top_left.x - door.at.x, 0, door.at.x - room.bottom_right.x)
                gap_y = max(room.top_left.y - door.at.y, 0, door.at.y - room.bottom_right.y)
                assert max(gap_x, gap_y) <= 12, (door.door_id, name)


def test_the_kinds_of_rooms_are_known_each_once(building: Building) -> None:
    kinds = building.kinds()
    assert "corridor" in kinds and len(kinds) == len(set(kinds))


def test_rooms_of_a_floor_do_not_overlap(building: Building) -> None:
    for floor in building.floors:
        for index, rectangle in enumerate(floor.rectangles):
            for other in floor.rectangles[index + 1 :]:
                apart = (
                    rectangle.bottom_right.x <= other.top_left.x
                    or other.bottom_right.x <= rectangle.top_left.x
                    or rectangle.bottom_right.y <= other.top_left.y
                    or other.bottom_right.y <= rectangle.top_left.y
                )
                assert apart, (rectangle.name, other.name)


def test_the_catalogue_has_the_arrows_and_icons(building: Building) -> None:
    assert building.bitmap_ids == [
        *(f"arrow_{direction}" for direction in ("up", "down", "left", "right")),
        *("person", "exit", "warning", "stairs", "lift", "fire"),
    ]


@pytest.mark.parametrize("text", ["Kitchen", "kitchen", " KITCHEN ", "Ｋｉｔｃｈｅｎ", "ｋitchen"])
def test_a_loosely_spelt_room_is_found(building: Building, text: str) -> None:
    assert building.find_room(text) == "Kitchen"


def test_spaces_inside_a_name_may_be_full_width_or_doubled(building: Building) -> None:
    assert building.find_room("meeting　 room") == "Meeting Room"
    assert building.find_room("meetingroom") is None
    assert building.find_room("") is None


@pytest.mark.parametrize(
    ("text", "floor"),
    [("1f", "1F"), ("１Ｆ", "1F"), ("1階", "1F"), ("１階", "1F"), ("地下1階", "B1"), ("3F", None)],
)
def test_a_floor_is_found_by_id_or_name(building: Building, text: str, floor: str | None) -> None:
    assert building.find_floor(text) == floor


def test_an_unknown_floor_is_refused_naming_the_floors(building: Building) -> None:
    with pytest.raises(NotFound, match=r"9F.*1F, 2F, B1"):
        building.floor("9F")


def test_a_missing_file_is_a_clear_fault(tmp_path: Path) -> None:
    with pytest.raises(DeskError, match=r"nowhere\.json cannot be read") as caught:
        Building.load(tmp_path / "nowhere.json")
    assert caught.value.code == "bad_building"
    assert str(tmp_path) not in str(caught.value)


@pytest.mark.parametrize(
    "text", ["", "[]", "{", '{"floors": []}', '{"floors": "1F", "bitmaps": []}', "[" * 9999]
)
def test_a_file_of_another_shape_is_a_clear_fault(tmp_path: Path, text: str) -> None:
    with pytest.raises(DeskError, match="is not a map definition"):
        Building.load(saved(tmp_path, text))


def broken(what: str) -> dict[str, Any]:
    data = bundled()
    floor, room = data["floors"][0], data["floors"][0]["rectangles"][0]
    match what:
        case "no floor":
            data["floors"] = []
        case "floor twice":
            data["floors"].append(floor)
        case "room twice":
            floor["rectangles"].append({**room, "name": "ＲＯＯＭ1"})
        case "room outside":
            room["bottomRight"]["x"] = 501
        case "room without area":
            room["bottomRight"]["x"] = room["topLeft"]["x"]
        case "room without name":
            room["name"] = " "
        case "image elsewhere":
            floor["floorImage"] = "../secrets.png"
        case "door to nowhere":
            floor["doors"][1]["rooms"][1] = "Ballroom"
        case "door outside":
            floor["doors"][1]["at"]["y"] = 201
        case "door twice":
            floor["doors"].append(floor["doors"][0])
        case "door into itself":
            floor["doors"][1]["rooms"] = ["Room1", "Room1"]
        case "link to nowhere":
            data["links"][0]["stops"][1]["room"] = "Kitchn"
        case "link to no floor":
            data["links"][0]["stops"][1]["floorId"] = "9F"
        case "link twice":
            data["links"].append(data["links"][0])
        case "no number":
            room["topLeft"]["x"] = float("nan")
        case "line":
            room["polygon"] = [{"x": x, "y": y} for x, y in ((4, 4), (136, 80), (70, 42))]
        case "other box":
            room["polygon"] = [{"x": x, "y": y} for x, y in ((4, 4), (130, 4), (130, 80))]
        case "bitmap elsewhere":
            data["bitmaps"][0]["bitmapFile"] = "/etc/passwd"
        case _:
            raise AssertionError(what)
    return data


@pytest.mark.parametrize(
    ("what", "report"),
    [
        ("no floor", "there is no floor"),
        ("floor twice", "floor '1F' is there twice"),
        ("room twice", "room of floor 1F 'room1' is there twice"),
        ("room outside", "room Room1 lies outside floor 1F"),
        ("room without area", "room Room1 of floor 1F has no area"),
        ("room without name", "a room of floor 1F has no name"),
        ("image elsewhere", "'../secrets.png' is not a plain file name"),
        (
            "door to nowhere",
            r"a door of floor 1F leads to 'Ballroom'. Rooms there: Room1, .*doors\[1\].rooms\[1\]",
        ),
        ("door outside", r"a door lies outside floor 1F, which spans x 0..500, y 0..200"),
        ("door twice", "door '1f-entrance' is there twice"),
        ("door into itself", "a door joins Room1 with itself"),
        (
            "link to nowhere",
            r"Lift of floor 1F leads to 'Kitchn'. Rooms there: .*Kitchen.*links\[0\].stops\[1\]",
        ),
        ("link to no floor", "Lift stops on floor '9F', which is not there. Floors: 1F, 2F, B1"),
        ("link twice", "link 'lift' is there twice"),
        ("no number", "floors.0.rectangles.0.topLeft.x: Input should be a finite number"),
        ("line", "room Room1 of floor 1F has no area"),
        ("other box", "its corners are not those of the box around its polygon"),
        ("bitmap elsewhere", "'/etc/passwd' is not a plain file name"),
    ],
)
def test_a_building_at_odds_with_itself_is_refused(tmp_path: Path, what: str, report: str) -> None:
    with pytest.raises(DeskError, match=report):
        Building.load(saved(tmp_path, broken(what)))
