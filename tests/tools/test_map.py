"""The map tools: commands in words for what is right, "Error: ..." naming the valid ones for what is not."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smoldesk.buildings.building import Building
from smoldesk.buildings.overlay_text import quoted
from smoldesk.messages import MapContent
from smoldesk.tools.map import (
    ClearArrows,
    ClearMap,
    DrawArrow,
    ShowMap,
)
from tests.tools.conftest import noon

BUILDING = Building.load()


@pytest.fixture
def show_map(building: Building) -> ShowMap:
    return ShowMap(building, now=noon)


def drawn(command: str) -> dict[str, Any]:
    """The command's content, after checking that it is one line the protocol accepts."""
    assert command.startswith("MAP_COMMAND: {"), command
    assert "\n" not in command
    content = json.loads(command.removeprefix("MAP_COMMAND: "))
    MapContent.model_validate(content)
    return content


def test_a_floor_alone_is_shown_plain(show_map: ShowMap) -> None:
    assert drawn(show_map("1F")) == {
        "floorId": "1F",
        "timestamp": "2025-10-30T12:00:00Z",
        "rectangles": [],
        "overlays": [],
    }


def test_a_room_is_highlighted_in_red(show_map: ShowMap) -> None:
    content = drawn(show_map(floor_id="1F", highlight_rooms="Room1", room_colors="#FF0000"))
    assert content["rectangles"] == [
        {"name": "Room1", "color": "#FF0000", "strokeOpacity": 1.0, "fillOpacity": 0.3, "showName": True}
    ]


def test_without_a_colour_a_highlight_is_blue(show_map: ShowMap) -> None:
    content = drawn(show_map(floor_id="1F", highlight_rooms="Kitchen, Toilet"))
    assert [(r["name"], r["color"]) for r in content["rectangles"]] == [
        ("Kitchen", "#0066FF"),
        ("Toilet", "#0066FF"),
    ]


def test_the_last_colour_serves_the_rooms_after_it(show_map: ShowMap) -> None:
    content = drawn(show_map("1F", "Room1,Room2,Kitchen", "red,#00ff00"))
    assert [r["color"] for r in content["rectangles"]] == ["#FF0000", "#00FF00", "#00FF00"]


def test_names_may_be_hidden(show_map: ShowMap) -> None:
    assert drawn(show_map("1F", "Room1", show_names=False))["rectangles"][0]["showName"] is False


def test_names_are_matched_loosely_and_given_back_as_they_are(show_map: ShowMap) -> None:
    content = drawn(show_map("１階", "kitchen、ＲＯＯＭ1", bitmap_overlays="PERSON:bathroom"))
    assert content["floorId"] == "1F"
    assert [r["name"] for r in content["rectangles"]] == ["Kitchen", "Room1"]
    assert content["overlays"][0] == {
        "type": "bitmap",
        "bitmapId": "person",
        "position": {"type": "rectangle", "name": "Bathroom"},
    }


def test_the_example_of_the_protocol_is_drawn(show_map: ShowMap) -> None:
    content = drawn(
        show_map(
            "1F",
            bitmap_overlays="arrow_up:Room1;person:50.5,30.2",
            text_overlays="Exit:Room1;Warning:45.0,60.0",
        )
    )
    assert content["overlays"] == [
        {"type": "bitmap", "bitmapId": "arrow_up", "position": {"type": "rectangle", "name": "Room1"}},
        {"type": "bitmap", "bitmapId": "person", "position": {"type": "coordinate", "x": 50.5, "y": 30.2}},
        {
            "type": "text",
            "text": "Exit",
            "fontSize": 14.0,
            "color": "#000000",
            "position": {"type": "rectangle", "name": "Room1"},
        },
        {
            "type": "text",
            "text": "Warning",
            "fontSize": 14.0,
            "color": "#000000",
            "position": {"type": "coordinate", "x": 45.0, "y": 60.0},
        },
    ]


def test_a_real_list_is_taken_as_a_list(show_map: ShowMap) -> None:
    arguments: dict[str, Any] = {"highlight_rooms": ["Room1", "Kitchen"], "room_colors": ["red", "blue"]}
    content = drawn(show_map("1F", **arguments, bitmap_overlays=["exit:Toilet"]))
    assert [r["color"] for r in content["rectangles"]] == ["#FF0000", "#0066FF"]
    assert content["overlays"][0]["bitmapId"] == "exit"


def test_a_room_named_twice_is_highlighted_once(show_map: ShowMap) -> None:
    content = drawn(show_map("1F", "Room1,room1", "red,green"))
    assert [(r["name"], r["color"]) for r in content["rectangles"]] == [("Room1", "#00A651")]


def test_none_means_left_out(show_map: ShowMap) -> None:
    content = drawn(show_map("1F", None, None, None, None, None))
    assert (content["rectangles"], content["overlays"]) == ([], [])


@pytest.mark.parametrize(
    ("arguments", "report"),
    [
        ({"floor_id": "9F"}, "There is no floor '9F'. Floors: 1F, 2F, B1."),
        ({"highlight_rooms": "Attic"}, "There is no room 'Attic'. Rooms of floor 1F: Room1, Room2,"),
        ({"text_overlays": "Hi:Office"}, "Office is on floor 2F, not on 1F."),
        (
            {"highlight_rooms": "Room1", "room_colors": "reddish"},
            "'reddish' is not a colour. Write #RRGGBB or one of: red",
        ),
        ({"highlight_rooms": "Room1", "room_colors": "red,blue"}, "There are 2 colours for 1 rooms."),
        ({"bitmap_overlays": "dog:Room1"}, "There is no bitmap 'dog'. Bitmaps: arrow_up, arrow_down,"),
        ({"bitmap_overlays": "person"}, "'person' does not say what to show and where."),
        ({"bitmap_overlays": "person:"}, "'person:' does not say what to show and where."),
        ({"bitmap_overlays": ":Room1"}, "':Room1' does not say what to show and where."),
        (
            {"bitmap_overlays": "person:500.5,10"},
            "The point '500.5,10' lies outside floor 1F. It spans x 0..500, y 0..200.",
        ),
        ({"text_overlays": "Hi:nan,nan"}, "There is no room 'nan,nan'."),
        ({"text_overlays": 'Hi:Room1;"Bye:Room2'}, "is never closed"),
        ({"text_overlays": "x" * 201 + ":Room1"}, "is too long. At most 200 characters fit."),
        ({"bitmap_overlays": "person:Room1;" * 201}, "201 overlays are too many."),
        ({"highlight_rooms": 7}, "'7' is not a text."),
        (
            {"text_overlays": "Hi:Room1|colour=reddish"},
            "'reddish' is not a colour. Write #RRGGBB or one of: red",
        ),
        (
            {"text_overlays": "Hi:Room1|blink=1"},
            "There is no option 'blink'. Options here: size, color, background, offset.",
        ),
        ({"text_overlays": "Hi:Room1|size=900"}, "size='900' is out of range. A number from 8 to 72."),
        ({"text_overlays": "Hi:Room1|size"}, "'size' is not an option. Write options as \"|name=value\""),
        ({"bitmap_overlays": "person:Room1|size=9"}, "There is no option 'size'. Options here: offset."),
        ({"bitmap_overlays": "person:Room1|offset=5"}, "offset='5' is not an offset. Write \"offset=x,y\""),
        ({"highlight_rooms": "Room1|fill=2"}, "fill='2' is out of range. A number from 0 to 1."),
        ({"highlight_rooms": "Room1|fill=nan"}, "fill='nan' is out of range."),
        ({"highlight_rooms": "Room1", "room_colors": "red|fill=1"}, "There is no option 'fill'. None are"),
    ],
)
def test_what_is_wrong_is_said_with_what_is_right(
    show_map: ShowMap, arguments: dict[str, Any], report: str
) -> None:
    answer = show_map(**{"floor_id": "1F", **arguments})  # pyright: ignore[reportArgumentType]
    assert answer.startswith("Error: ")
    assert report in answer


def test_a_huge_wrong_argument_makes_a_short_error(show_map: ShowMap) -> None:
    for argument in ("floor_id", "highlight_rooms", "room_colors", "bitmap_overlays", "text_overlays"):
        answer = show_map(**{"floor_id": "1F", argument: "'" + "x" * 100_000})  # pyright: ignore[reportArgumentType]
        assert answer.startswith("Error: ")
        assert len(answer) < 500, argument


def test_options_of_a_text_follow_its_place(show_map: ShowMap) -> None:
    content = drawn(
        show_map("1F", text_overlays="Time 10:30:Room1|size=18px|color=red, background=#fff, offset=5,-3")
    )
    assert content["overlays"] == [
        {
            "type": "text",
            "text": "Time 10:30",
            "fontSize": 18.0,
            "color": "#FF0000",
            "backgroundColor": "#FFFFFF",
            "position": {"type": "rectangle", "name": "Room1"},
            "offset": {"x": 5.0, "y": -3.0},
        }
    ]


def test_a_bitmap_may_be_shifted_from_its_room(show_map: ShowMap) -> None:
    content = drawn(show_map("1F", bitmap_overlays="person:Room1|offset=-12.5, 0;exit: ( 10 , 20 ) "))
    assert content["overlays"][0]["offset"] == {"x": -12.5, "y": 0.0}
    assert content["overlays"][1]["position"] == {"type": "coordinate", "x": 10.0, "y": 20.0}


def test_opacities_are_options_of_a_room_or_the_last_digits_of_a_colour(show_map: ShowMap) -> None:
    content = drawn(show_map("1F", "Room1|fill=0.6|stroke=50%,Kitchen,Toilet", "red,#00FF0080,rebeccapurple"))
    assert [(r["color"], r["strokeOpacity"], r["fillOpacity"]) for r in content["rectangles"]] == [
        ("#FF0000", 0.5, 0.6),
        ("#00FF00", 1.0, 0.5),
        ("#663399", 1.0, 0.3),
    ]


ANYTHING = st.text() | st.text(alphabet=":;,|=\\\"'「」：、 Room1personx\n\ud800", max_size=40)


@settings(max_examples=300, deadline=None)
@given(ANYTHING, ANYTHING, ANYTHING, ANYTHING)
def test_any_words_are_drawn_or_refused_and_never_raise(
    rooms: str, colours: str, bitmaps: str, texts: str
) -> None:
    show_map = ShowMap(BUILDING, now=noon)
    for answer in (
        show_map("1F", rooms, colours, True, bitmaps, texts),
        show_map("1F", f"Room1{rooms}", f"red{colours}", None, f"person:{bitmaps}", f"{texts}:Room1"),
    ):
        if not answer.startswith("Error: "):
            # A line before the drawing names rooms that do not exist.
            drawn(answer[answer.find("MAP_COMMAND: {") :])


@settings(max_examples=200, deadline=None)
@given(st.lists(st.text(min_size=1, max_size=60), min_size=1, max_size=5))
def test_texts_written_with_the_quoting_helper_are_drawn_unchanged(texts: list[str]) -> None:
    answer = ShowMap(BUILDING, now=noon)(
        "1F", text_overlays=" ; ".join(f"{quoted(text)} : Room1|size=9" for text in texts)
    )
    assert [overlay["text"] for overlay in drawn(answer)["overlays"]] == texts


@pytest.mark.parametrize("direction", ["left", "LEFT", " Left ", "ｌｅｆｔ"])
def test_an_arrow_is_a_command_in_words(building: Building, direction: str) -> None:
    assert DrawArrow(building)("kitchen", direction) == "ARROW_COMMAND: room=Kitchen, direction=left"


def test_an_arrow_may_be_on_any_floor(building: Building) -> None:
    assert DrawArrow(building)(room_name="server room", direction="up") == (
        "ARROW_COMMAND: room=Server Room, direction=up"
    )


def test_a_wrong_arrow_is_refused_naming_the_right_ones(building: Building) -> None:
    draw_arrow = DrawArrow(building)
    assert draw_arrow("Attic", "up").startswith("Error: There is no room 'Attic'. Rooms: Room1, Room2,")
    assert draw_arrow("Kitchen", "sideways") == (
        "Error: 'sideways' is not a direction. Directions: up, down, left, right."
    )


def test_clearing_is_a_command_of_one_word(building: Building) -> None:
    assert ClearMap(building)() == "CLEAR_MAP_COMMAND"
    assert ClearArrows(building)() == "CLEAR_ARROWS_COMMAND"


def test_a_list_of_rooms_names_the_unknown_one_and_highlights_the_others(show_map: ShowMap) -> None:
    remark, _, command = show_map("1F", highlight_rooms="Kitchen, Attic, bedrooms, Library").partition("\n")
    assert remark == "No such room, not highlighted: Attic."
    rectangles = json.loads(command.removeprefix("MAP_COMMAND: "))["rectangles"]
    assert [(item["name"], item.get("floorId")) for item in rectangles] == [
        ("Kitchen", None),
        ("Room1", None),
        ("Room2", None),
        ("Library", "2F"),
    ]
