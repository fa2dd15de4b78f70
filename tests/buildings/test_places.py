"""Which rooms loose words mean, and what rooms are for."""

import pytest

from smoldesk.buildings.building import Building
from smoldesk.buildings.kinds import find_kind, kind_of, kinds_in
from smoldesk.buildings.places import find_floor, find_places
from smoldesk.errors import NotFound
from smoldesk.messages import XY, MapDefinitionContent, Rectangle

BUILDING = Building.load().definition


def called(name: str, kind: str | None = None) -> Rectangle:
    return Rectangle(name=name, top_left=XY(x=0, y=0), bottom_right=XY(x=1, y=1), kind=kind)  # pyright: ignore[reportCallIssue]


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
    assert find_places(BUILDING, text) == [("2F", "Meeting Room")]


@pytest.mark.parametrize("text", ["kitchen on 2F", "Kitchen (B1)", "2階のキッチン"])
def test_a_room_of_another_floor_is_not_taken_for_it(text: str) -> None:
    with pytest.raises(NotFound):
        find_places(BUILDING, text)


def test_an_unknown_name_is_told_with_near_ones() -> None:
    with pytest.raises(NotFound, match="Did you mean Kitchen") as fault:
        find_places(BUILDING, "Kitchn")
    assert "Rooms: Room1, " in str(fault.value)


def test_a_name_comes_before_a_kind() -> None:
    floor = BUILDING.floors[0]
    named = MapDefinitionContent(
        floors=[floor.model_copy(update={"rectangles": [called("Toilet"), called("Room 9", "toilet")]})],
        bitmaps=[],
    )
    assert find_places(named, "toilet") == [("1F", "Toilet")]
    assert find_places(named, "restroom") == [("1F", "Toilet"), ("1F", "Room 9")]


@pytest.mark.parametrize("text", ["2F", "2f", "２Ｆ", "2階", "floor 2", "2nd floor"])
def test_a_floor_is_found_in_any_spelling(text: str) -> None:
    assert find_floor(BUILDING, text).floor_id == "2F"


def test_an_unknown_floor_is_told_with_the_floors_there_are() -> None:
    with pytest.raises(NotFound, match="Floors: 1F, 2F, B1"):
        find_floor(BUILDING, "7F")


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
    assert kind_of(called("男子トイレ")) == "toilet"
    assert kind_of(called("Staff Kitchen 2")) == "kitchen"
    assert kind_of(called("Workshopping")) is None
    assert kind_of(called("Room 9", "restroom")) == "toilet"
    assert kind_of(called("Room 9", "Chapel")) == "chapel"


def test_a_buildings_kinds_are_listed() -> None:
    assert {"toilet", "kitchen", "meeting"} <= set(kinds_in(BUILDING))
