"""Requests for the floor map: the tool calls the code makes are what the page will draw."""

from typing import Any

import pytest

from smoldesk.buildings.overlay_words import Entry, read_entries
from tests.analyst.desk import Desk

CASES: list[tuple[str, list[tuple[str, dict[str, Any]]]]] = [
    ("Kitchenに左矢印を表示して", [("draw_arrow", {"room_name": "Kitchen", "direction": "left"})]),
    (
        "left arrow in Kitchen and up arrow in Room1",
        [
            ("draw_arrow", {"room_name": "Kitchen", "direction": "left"}),
            ("draw_arrow", {"room_name": "Room1", "direction": "up"}),
        ],
    ),
    (
        "1階のRoom1を赤色でハイライトして",
        [("show_map", {"floor_id": "1F", "highlight_rooms": "Room1", "room_colors": "#FF0000"})],
    ),
    ("マップをクリアして", [("clear_map", {})]),
    ("reset the map", [("clear_map", {})]),
    ("矢印をクリアして", [("clear_arrows", {})]),
    ("clear the arrows please", [("clear_arrows", {})]),
    ("remove all arrows", [("clear_arrows", {})]),
    ("delete the arrows", [("clear_arrows", {})]),
    ("remove everything from the map", [("clear_map", {})]),
    (
        "Show an up arrow in Room1 with the text 'Exit'",
        [
            (
                "show_map",
                {"floor_id": "1F", "bitmap_overlays": "arrow_up:Room1", "text_overlays": "Exit:Room1"},
            )
        ],
    ),
    (
        "Show an up arrow in Room1 with the text Exit",
        [
            (
                "show_map",
                {"floor_id": "1F", "bitmap_overlays": "arrow_up:Room1", "text_overlays": "Exit:Room1"},
            )
        ],
    ),
    (
        "Kitchenに上矢印と「非常口」の文字を表示して",
        [
            (
                "show_map",
                {"floor_id": "1F", "bitmap_overlays": "arrow_up:Kitchen", "text_overlays": "非常口:Kitchen"},
            )
        ],
    ),
    (
        "Highlight Kitchen and Bathroom in blue and green",
        [
            (
                "show_map",
                {"floor_id": "1F", "highlight_rooms": "Kitchen,Bathroom", "room_colors": "#0066FF,#00AA44"},
            )
        ],
    ),
    (
        "Room1を赤、キッチンを青でハイライトして",
        [
            (
                "show_map",
                {"floor_id": "1F", "highlight_rooms": "Room1,Kitchen", "room_colors": "#FF0000,#0066FF"},
            )
        ],
    ),
    (
        "highlight Room1 in red and put a down arrow in Kitchen",
        [
            (
                "show_map",
                {
                    "floor_id": "1F",
                    "highlight_rooms": "Room1",
                    "room_colors": "#FF0000",
                    "bitmap_overlays": "arrow_down:Kitchen",
                },
            )
        ],
    ),
    ("Show floor 2F", [("show_map", {"floor_id": "2F"})]),
    ("show the second floor", [("show_map", {"floor_id": "2F"})]),
    ("2階を表示して", [("show_map", {"floor_id": "2F"})]),
    ("地下1階を見せて", [("show_map", {"floor_id": "B1"})]),
    ("show the basement", [("show_map", {"floor_id": "B1"})]),
    ("highlight the garage", [("show_map", {"floor_id": "B1", "highlight_rooms": "Garage"})]),
    ("Put a person icon in Room2", [("show_map", {"floor_id": "1F", "bitmap_overlays": "person:Room2"})]),
    ("Room2に人のアイコンを置いて", [("show_map", {"floor_id": "1F", "bitmap_overlays": "person:Room2"})]),
    ("show a fire icon at (250, 100)", [("show_map", {"floor_id": "1F", "bitmap_overlays": "fire:250,100"})]),
    (
        'put the text "Meeting" at 100,50',
        [("show_map", {"floor_id": "1F", "text_overlays": "Meeting:100,50"})],
    ),
    (
        "x=100, y=50に「集合」というラベルを赤で",
        [("show_map", {"floor_id": "1F", "text_overlays": "集合:100,50|color=#FF0000"})],
    ),
    (
        "Show coordinates (123.4567, 50) on the map",
        [("show_map", {"floor_id": "1F", "text_overlays": '"123.4567,50":123.4567,50'})],
    ),
    ("where is the Kitchen?", [("show_map", {"floor_id": "1F", "highlight_rooms": "Kitchen"})]),
    ("highlight the kitchn", [("show_map", {"floor_id": "1F", "highlight_rooms": "Kitchen"})]),
    (
        "highlight all rooms in green on the second floor",
        [
            (
                "show_map",
                {
                    "floor_id": "2F",
                    "highlight_rooms": "Office1,Office2,Hall",
                    "room_colors": "#00AA44,#00AA44,#00AA44",
                },
            )
        ],
    ),
]


@pytest.mark.parametrize(("request_", "calls"), CASES, ids=[request for request, _ in CASES])
def test_a_map_request_makes_these_tool_calls(
    desk: Desk, request_: str, calls: list[tuple[str, dict[str, Any]]]
) -> None:
    seen = desk.ask(request_)
    assert seen.calls == calls
    assert seen.answer


@pytest.mark.parametrize(
    "request_", ["Show 5 random coordinates on the map", "マップにランダムな座標を5つ表示して"]
)
def test_random_coordinates_lie_on_the_floor_and_are_listed(desk: Desk, request_: str) -> None:
    seen = desk.ask(request_)
    labels = seen.tool("show_map")["text_overlays"].split(";")
    assert len(labels) == 5
    for label, (x, y) in zip(labels, seen.tables[0].itertuples(index=False), strict=True):
        assert label.split(":")[1] == f"{x},{y}"
        assert 0 <= x <= 500 and 0 <= y <= 200
        assert f"({x}, {y})" in seen.answer


@pytest.mark.parametrize(
    "request_", ["colour each room by its average temperature", "部屋を平均温度で色分けして"]
)
def test_rooms_are_coloured_by_a_figure(desk: Desk, request_: str) -> None:
    seen = desk.ask(request_)
    arguments = seen.tool("show_map")
    averages = desk.frames["measurement"].groupby("roomname")["Temperature"].mean()
    rooms = arguments["highlight_rooms"].split(",")
    assert rooms == ["Room1", "Room2", "Bathroom", "Kitchen"]
    colours = dict(zip(rooms, arguments["room_colors"].split(","), strict=True))
    reds = {room: int(colour[1:3], 16) - int(colour[5:7], 16) for room, colour in colours.items()}
    assert sorted(rooms, key=lambda room: reds[room]) == sorted(rooms, key=lambda room: averages[room])
    assert arguments["text_overlays"].split(";") == [f"{averages[room]:.1f}:{room}" for room in rooms]
    assert "Bathroom" in seen.answer and "Room1" in seen.answer


@pytest.mark.parametrize(
    ("request_", "room"),
    [
        ("highlight the warmest room", "Bathroom"),
        ("highlight the room with the lowest humidity", "Room1"),
        ("一番暑い部屋をハイライトして", "Bathroom"),
    ],
)
def test_the_room_of_a_superlative_is_highlighted(desk: Desk, request_: str, room: str) -> None:
    seen = desk.ask(request_)
    assert seen.tool("show_map") == {"floor_id": "1F", "highlight_rooms": room}
    assert room in seen.answer


def test_a_new_colour_repeats_the_drawing(desk: Desk) -> None:
    seen = desk.ask("highlight Room1 in red", "now in blue")
    assert seen.tool("show_map") == {"floor_id": "1F", "highlight_rooms": "Room1", "room_colors": "#0066FF"}


@pytest.mark.parametrize(
    ("request_", "named", "offered"),
    [
        ("highlight Room9", "Room9", "Kitchen"),
        ("Room9をハイライトして", "Room9", "Kitchen"),
        ("highlight the ballroom in red", "ballroom", "Kitchen"),
        ("show floor 7", "floor 7", "B1"),
        ("5階を表示して", "5階", "B1"),
        ("put a unicorn icon in Room1", "unicorn", "person"),
        ("highlight Garage on floor 1F", "Garage", "Kitchen"),
        ("draw a left arrow", "1F", "Kitchen"),
    ],
)
def test_what_is_not_there_is_named_and_nothing_is_drawn(
    desk: Desk, request_: str, named: str, offered: str
) -> None:
    seen = desk.ask(request_)
    assert not seen.calls
    assert named in seen.answer and offered in seen.answer


def test_a_label_cannot_break_the_tools_grammar(desk: Desk) -> None:
    overlays = desk.ask("""put the text "a;b:c" in Room1""").tool("show_map")["text_overlays"]
    assert read_entries(overlays) == [Entry("a;b:c", "Room1")]
