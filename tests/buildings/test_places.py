"""Which rooms loose words mean, and what rooms are for."""

from typing import Any

import pytest

from smoldesk.buildings.building import Building
from smoldesk.buildings.kinds import find_kind, kind_of, kinds_in
from smoldesk.buildings.places import PlaceIndex
from smoldesk.errors import NotFound
from smoldesk.messages import XY, MapDefinitionContent, Rectangle

BUILDING = Building.load().definition
PLACES = PlaceIndex(BUILDING)


def called(name: str, kind: str | None = None) -> Rectangle:
    return Rectangle(name=name, top_left=XY(x=0, y=0), bottom_right=XY(x=1, y=1), kind=kind)  # pyright: ignore[reportCallIssue]


def plan(rooms: list[Rectangle]) -> MapDefinitionContent:
    floor = BUILDING.floors[0].model_copy(update={"rectangles": rooms})
    return MapDefinitionContent(floors=[floor], bitmaps=[], ground_floor=None)


@pytest.mark.parametrize(
    "text",
    [
        "Meeting Room",
        "the meeting room",
        "meeting room on 2F",
        "Meeting Room (2F)",
        "meeting room, 2f",
        "2F Meeting Room",
        "the meeting room on the 2nd floor",
        "会議室",
        "2階の会議室",
        "conference room on floor 2",
        "ＭＥＥＴＩＮＧ　ＲＯＯＭ",
    ],
)
def test_a_room_is_found_by_name_kind_and_floor(text: str) -> None:
    assert PLACES.find(text) == [("2F", "Meeting Room")]


@pytest.mark.parametrize("text", ["kitchen on 2F", "Kitchen (B1)", "2階のキッチン"])
def test_a_room_of_another_floor_is_not_taken_for_it(text: str) -> None:
    with pytest.raises(NotFound):
        PLACES.find(text)


@pytest.mark.parametrize(
    ("kana", "name"),
    [
        ("マクドナルド", "McDonald's"),
        ("スターバックス", "Starbucks"),
        ("コスタコーヒー", "Costa Coffee"),
        ("バーガーキング", "Burger King"),
        ("カーディオロジー", "Cardiology"),
    ],
)
def test_a_foreign_name_is_also_found_as_it_is_written_in_katakana(kana: str, name: str) -> None:
    rooms = [called("Rossmann"), called("K Wards"), called(name)]
    places = PlaceIndex(plan(rooms))
    assert places.find(kana) == [("1F", name)]
    assert places.sounding("ワード") == [], "two consonants are too few"
    assert PlaceIndex(plan([*rooms, called(f"A {name}")])).sounding(kana) == [], "two rooms sound so"


def test_a_room_is_found_by_every_word_of_its_file_for_what_it_is() -> None:
    shop = called("Kamps", "shop").model_copy(update={"kinds": ["bakery", "takeaway"]})
    places = PlaceIndex(plan([shop, called("Rail", "toilet"), called("W", "female toilet")]))
    for text in ("bakery", "all bakeries", "パン屋", "takeaway", "shops"):
        assert places.find(text) == [("1F", "Kamps")]
    for text in ("women's toilets", "ladies' restroom", "女子トイレ"):
        assert places.find(text) == [("1F", "W")]
    assert places.find("toilets") == [("1F", "Rail"), ("1F", "W")]
    with pytest.raises(NotFound):
        places.find("men's toilet")


def test_a_name_that_stands_several_times_means_all_of_its_rooms() -> None:
    places = PlaceIndex(
        plan([called(name) for name in ("Stairs", "Stairs (2)", "Exam", "Exam (2)", "K Wards", "Main Ward")])
    )
    assert places.find("the stairs") == [("1F", "Stairs"), ("1F", "Stairs (2)")]
    assert places.find("wards") == [("1F", "K Wards"), ("1F", "Main Ward")]
    assert places.by_kind[places.kind("exam rooms") or ""] == [("1F", "Exam"), ("1F", "Exam (2)")]
    assert places.kind("toilets") == "toilet", "a kind of rooms"


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("CMD CONFERENCE RM", "会議室"),
        ("MTG. RM 2", "meeting room"),
        ("WOMENS RR", "女性用トイレ"),
        ("W.C.", "toilet"),
        ("ELEC RM", "electrical room"),
        ("JAN CL.", "janitor"),
        ("A/V SERVER RM", "サーバー室"),
        ("conference_room", "conference rooms"),
    ],
)
def test_the_words_of_a_name_say_its_kind_also_abbreviated(name: str, asked: str) -> None:
    assert PlaceIndex(plan([called("Hall"), called(name)])).find(asked) == [("1F", name)]


def test_the_beginning_of_numbered_names_means_all_of_them() -> None:
    index = PlaceIndex(plan([called(f"Buero Mueller {number}") for number in ("I", "II", "VI + VII")]))
    assert [name for _, name in index.find("Buero Mueller")] == [
        "Buero Mueller I",
        "Buero Mueller II",
        "Buero Mueller VI + VII",
    ]


def test_words_that_capitals_join_are_read_apart() -> None:
    places = PlaceIndex(plan([called("MeetingRoom1"), called("PhoneBooth2"), called("PhoneBooth3")]))
    assert places.find("meeting room 1") == places.find("meeting room") == [("1F", "MeetingRoom1")]
    assert [name for _, name in places.find("phone booths")] == ["PhoneBooth2", "PhoneBooth3"]


def test_a_word_in_the_middle_of_a_name_is_no_kind() -> None:
    places = PlaceIndex(plan([called("ELEV EQ RM"), called("TEAM RM"), called("TEAM RM (2)")]))
    assert "lift" not in places.by_kind
    assert places.find("team rooms") == [("1F", "TEAM RM"), ("1F", "TEAM RM (2)")]
    with pytest.raises(NotFound):
        places.find("server room")


def test_an_unknown_name_is_told_with_near_ones() -> None:
    with pytest.raises(NotFound, match="Did you mean Kitchen") as fault:
        PLACES.find("Kitchn")
    assert "Rooms: Room1, " in str(fault.value)


@pytest.mark.parametrize("text", ["The Phone Store", "the phone store (1F)", "Phone Store"])
def test_a_name_with_an_article_is_found(text: str) -> None:
    assert PlaceIndex(plan([called("The Phone Store")])).find(text) == [("1F", "The Phone Store")]


def test_a_name_comes_before_a_kind() -> None:
    floor = BUILDING.floors[0]
    named = MapDefinitionContent(
        floors=[floor.model_copy(update={"rectangles": [called("Toilet"), called("Room 9", "toilet")]})],
        bitmaps=[],
        ground_floor=None,
    )
    assert PlaceIndex(named).find("toilet") == [("1F", "Toilet")]
    assert PlaceIndex(named).find("restroom") == [("1F", "Toilet"), ("1F", "Room 9")]


@pytest.mark.parametrize("text", ["2F", "2f", "２Ｆ", "2階", "floor 2", "2nd floor"])
def test_a_floor_is_found_in_any_spelling(text: str) -> None:
    assert PLACES.find_floor(text).floor_id == "2F"


def test_an_unknown_floor_is_told_with_the_floors_there_are() -> None:
    with pytest.raises(NotFound, match="Floors: 1F, 2F, B1"):
        PLACES.find_floor("7F")


@pytest.mark.parametrize(
    ("word", "kind"),
    [
        ("restrooms", "toilet"),
        ("お手洗い", "toilet"),
        ("nearest exit", "exit"),
        ("一番近い出口", "exit"),
        ("elevator", "lift"),
        ("banana", None),
    ],
)
def test_words_mean_kinds(word: str, kind: str | None) -> None:
    assert find_kind(word) == kind


def test_a_rooms_kind_is_its_files_or_its_names() -> None:
    assert kind_of(called("男子トイレ")) == "men's toilet"
    assert kind_of(called("Staff Kitchen 2")) == "kitchen"
    assert kind_of(called("Workshopping")) is None
    assert kind_of(called("Room 9", "restroom")) == "toilet"
    assert kind_of(called("Room 9", "Chapel")) == "chapel"


def test_a_buildings_kinds_are_listed() -> None:
    assert {"toilet", "kitchen", "meeting"} <= set(kinds_in(BUILDING))


def numbered(**more: Any) -> PlaceIndex:
    """Two floors called 0 and 1 with numbered rooms, some with other names."""
    rooms = [
        called("0104"),
        called("E001").model_copy(update={"aliases": ["Great Hall"], "names": {"ja": "大ホール"}}),
        called("Room 2101"),
        called("A-12 Seminar 3305"),
    ]
    floors = [
        BUILDING.floors[0].model_copy(update={"floor_id": "0", "floor_name": "Level 0", "ordinal": 0}),
        BUILDING.floors[0].model_copy(
            update={"floor_id": "1", "floor_name": "Level 1", "ordinal": 1, "aliases": ["Mezzanine"]}
        ),
    ]
    rooms_on = [rooms, [called("0104"), called("2F Store")]]
    placed = [
        floor.model_copy(update={"rectangles": on, "doors": None})
        for floor, on in zip(floors, rooms_on, strict=True)
    ]
    return PlaceIndex(MapDefinitionContent(floors=placed, bitmaps=[], **more))


@pytest.mark.parametrize(
    ("text", "room"),
    [
        ("e001", "E001"),
        ("Ｅ００１", "E001"),
        ("room E001", "E001"),
        ("great hall", "E001"),
        ("大ホール", "E001"),
        ("2101", "Room 2101"),
        ("2101.0", "Room 2101"),
        ("２１０１号室", "Room 2101"),
        ("3305", "A-12 Seminar 3305"),
        ("104 (Level 0)", "0104"),
        ("レベル0の104", "0104"),
    ],
)
def test_a_room_is_found_by_its_number_and_its_other_names(text: str, room: str) -> None:
    assert numbered().find(text) == [("0", room)]


def test_a_number_of_several_floors_is_told_apart_by_the_floor() -> None:
    assert numbered().find("104") == [("0", "0104"), ("1", "0104")]
    assert numbered().find("104 on the mezzanine") == [("1", "0104")]
    assert numbered().find_each("104 (1), 2101, 77") == ([("1", "0104"), ("0", "Room 2101")], ["77"])


@pytest.mark.parametrize(
    ("ground_floor", "text", "floor"),
    [
        (None, "floor 1", "1"),
        (None, "1階", "1"),
        (None, "ground floor", "0"),
        (None, "最上階", "1"),
        (0, "first floor", "1"),
        (0, "1F", "1"),
        (1, "first floor", "0"),
        (1, "2階", "1"),
        (1, "２Ｆ", "1"),
        (1, "Level 1", "1"),
    ],
)
def test_floors_are_counted_as_the_building_counts_them(
    ground_floor: int | None, text: str, floor: str
) -> None:
    assert numbered(ground_floor=ground_floor).find_floor(text).floor_id == floor


def test_an_id_of_a_floor_means_that_floor_however_floors_are_counted() -> None:
    building = Building(numbered(ground_floor=1).definition)
    assert (building.find_floor("1"), building.find_floor("1階"), building.find_floor("2階")) == (
        "1",
        "0",
        "1",
    )


def test_the_label_of_a_floor_is_its_number_though_levels_count_from_0() -> None:
    labelled = [
        floor.model_copy(update={"floor_name": label, "aliases": None})
        for floor, label in zip(numbered().definition.floors, "12", strict=True)
    ]
    building = Building(MapDefinitionContent(floors=labelled, bitmaps=[], ground_floor=None))
    assert (building.find_floor("1階"), building.find_floor("second floor")) == ("0", "1")


@pytest.mark.parametrize("part", [" 1()", " -1-1", " 1(1)", " 11", "()", " ("])
def test_a_hostile_name_of_a_room_is_read_at_once(part: str) -> None:
    assert kind_of(called("x" + part * (193 // len(part)) + " x")) is None
