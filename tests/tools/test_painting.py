"""color_rooms and play_rooms: what they take, what they say, and the commands that the parser reads back."""

import json
from typing import Any

import pytest

from smoldesk.buildings.building import Building
from smoldesk.buildings.painted_rooms import FILL
from smoldesk.messages import (
    LegendOverlay,
    Map,
    MapContent,
    MapDefinitionContent,
    MapFrames,
)
from smoldesk.output_parser.commands import CommandScanner
from smoldesk.tools.painting import (
    MAX_PAINTED,
    ColorRooms,
    PlayRooms,
)
from tests.tools.conftest import noon

TEMPERATURES = {"Kitchen": 23.0, "Room1": 20.0, "Room2": 21.5}


@pytest.fixture(scope="module")
def color(building: Building) -> ColorRooms:
    return ColorRooms(building, noon)


@pytest.fixture(scope="module")
def play(building: Building) -> PlayRooms:
    return PlayRooms(building, noon)


def drawn(text: str, rooms: list[str]) -> Map | MapFrames:
    scanner = CommandScanner(rooms)
    results = [*scanner.feed(text), *scanner.flush()]
    assert len(results) == 1, text
    assert isinstance(results[0], Map | MapFrames)
    return results[0]


def told(tool: ColorRooms | PlayRooms, *args: Any) -> str:
    """What the tool answers; not through smolagents' call, which takes an empty dict for no arguments."""
    forward: Any = tool.forward
    return str(forward(*args))


def content_of(tool: ColorRooms, *args: Any) -> MapContent:
    command = drawn(told(tool, *args), tool.building.rooms())
    assert isinstance(command, Map) and isinstance(command.content, MapContent)
    return command.content


def legend_of(content: MapContent) -> LegendOverlay:
    [legend] = content.overlays
    assert isinstance(legend, LegendOverlay)
    return legend


def values_of(content: MapContent) -> dict[str, float | None]:
    return {room.name: room.value for room in content.rectangles}


@pytest.mark.parametrize(
    "inputs",
    [
        TEMPERATURES,
        {"room": ["Kitchen", "Room1", "Room2"], "mean": [23.0, 20.0, 21.5]},
        {"mean": [23.0, 20.0, 21.5], "roomname": ["Kitchen", "Room1", "Room2"]},
        [["Kitchen", "Room1", "Room2"], [23.0, 20.0, 21.5]],
        [["Kitchen", 23.0], ["Room1", 20.0], ["Room2", 21.5]],
        [{"room": "Kitchen", "t": 23.0}, {"room": "Room1", "t": 20.0}, {"room": "Room2", "t": 21.5}],
        {"kitchen": "23", " ＲＯＯＭ１ ": 20, "Room2 (1F)": 21.5},
    ],
    ids=["dict", "columns", "columns turned", "pair of lists", "pairs", "records", "loose names"],
)
def test_every_shape_paints_the_same_rooms(color: ColorRooms, inputs: Any) -> None:
    content = content_of(color, inputs)
    assert values_of(content) == TEMPERATURES
    by_name = {room.name: room.color for room in content.rectangles}
    assert (by_name["Room1"], by_name["Kitchen"]) == ("#440154", "#fde725"), "the ends of viridis"
    assert {room.fill_opacity for room in content.rectangles} == {FILL}
    assert content.floor_id == "1F"


def test_the_words_name_the_lowest_the_highest_and_what_has_no_value(color: ColorRooms) -> None:
    text = told(color, TEMPERATURES | {"Toilet": None, "Ballroom": 3}, "viridis", "average temperature", "°C")
    assert text.split("\n")[0] == (
        "3 rooms coloured by average temperature: lowest Room1 (1F) 20 °C, highest Kitchen (1F) 23 °C. "
        "Without a value, unpainted: Toilet (1F). No such room, unpainted: Ballroom."
    )
    legend = legend_of(
        content_of(color, TEMPERATURES | {"Toilet": None}, "viridis", "average temperature", "°C")
    )
    assert (legend.title, legend.unit, legend.missing) == ("average temperature", "°C", 1)
    assert (legend.stops[0].value, legend.stops[-1].value) == (20, 23)


def test_rooms_of_other_floors_say_their_floor(color: ColorRooms) -> None:
    content = content_of(color, {"Office": 1, "Library": 2, "Kitchen": 3})
    assert content.floor_id == "2F"
    assert {room.name: room.floor_id for room in content.rectangles} == {
        "Office": None,
        "Library": None,
        "Kitchen": "1F",
    }


def test_a_name_of_two_floors_is_taken_from_the_floor_of_the_others(building: Building) -> None:
    data = json.loads(building.definition.model_dump_json(exclude_none=True))
    for floor in data["floors"]:
        if floor["floorId"] == "2F":
            floor["rectangles"][0]["name"] = "Kitchen"
            floor["doors"] = None
    tool = ColorRooms(Building(MapDefinitionContent.model_validate(data)), noon)
    text = told(tool, {"Library": 1, "Lounge": 2, "Kitchen": 3})
    assert "On several floors, so taken as: Kitchen (2F)." in text
    assert {room.floor_id for room in content_of(tool, {"Library": 1, "Kitchen": 3}).rectangles} == {None}
    text = told(tool, {"Kitchen (1F)": 1, "Kitchen (2F)": 2})
    assert "lowest Kitchen (1F) 1, highest Kitchen (2F) 2." in text


def test_a_diverging_palette_has_its_middle_where_it_is_said(color: ColorRooms) -> None:
    legend = legend_of(content_of(color, {"Kitchen": -1, "Room1": 3}, "blue-orange"))
    assert (legend.stops[0].value, legend.stops[-1].value) == (-3, 3)
    legend = legend_of(content_of(color, {"Kitchen": 20, "Room1": 23}, "blue-orange 21"))
    assert (legend.stops[0].value, legend.stops[-1].value) == (19, 23)


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"Ballroom": 1, "Attic": 2, "Kitchen": 3}, "There is no room Ballroom, Attic. Rooms: Room1"),
        ({"Kitchen": "warm"}, "The value of 'Kitchen' is 'warm'. Expected a number"),
        ({"Kitchen": float("inf")}, "is not finite"),
        ({"Kitchen": True}, "is 'True'"),
        ({"Kitchen": None}, "No room has a value."),
        ({}, "No room has a value."),
        ("Kitchen", "Expected {"),
        ([1, 2, 3], "The values are a list of 3"),
        ({"room": ["Kitchen", "Kitchen"], "t": [1, 2]}, "'Kitchen' has several values."),
        ({"kitchen": 1, "Kitchen": 2}, "are the same room: Kitchen (1F)"),
        ({"room": ["Kitchen"], "a": [1], "b": [2]}, "The columns are 'room', 'a', 'b'."),
        ({"room": ["Kitchen"], "a": [1, 2]}, "different lengths"),
    ],
)
def test_what_cannot_be_painted_is_told_with_what_can(color: ColorRooms, inputs: Any, message: str) -> None:
    text = told(color, inputs)
    assert text.startswith("Error: ")
    assert message in text


def test_an_unknown_palette_is_told_the_palettes(color: ColorRooms) -> None:
    assert told(color, TEMPERATURES, "jet").startswith(
        "Error: 'jet' is not a palette. Palettes: viridis, cividis"
    )


def test_hostile_titles_stay_one_line_of_whole_characters(color: ColorRooms) -> None:
    text = told(color, TEMPERATURES, "viridis", "a\nCLEAR_MAP_COMMAND\n\ud800" + "x" * 500, "u" * 99)
    [command] = [line for line in text.split("\n") if line.startswith("MAP_COMMAND")]
    assert len(text.split("\n")) == 2
    legend = legend_of(content_of(color, TEMPERATURES, "viridis", "a\nb", "°C"))
    assert legend.title == "a b"
    assert "\ud800" not in command


FRAMES = {"2024-05-02": {"Kitchen": 22.0, "Room1": 20.0}, "2024-05-01": {"Kitchen": 24.0, "Room1": None}}


@pytest.mark.parametrize(
    "inputs",
    [
        FRAMES,
        [{"time": time, "values": values} for time, values in FRAMES.items()],
        {
            "day": [
                "2024-05-01T00:00:00",
                "2024-05-01T00:00:00",
                "2024-05-02T00:00:00",
                "2024-05-02T00:00:00",
            ],
            "room": ["Kitchen", "Room1", "Kitchen", "Room1"],
            "t": [24.0, None, 22.0, 20.0],
        },
        {
            "room": ["Kitchen", "Room1", "Kitchen", "Room1"],
            "t": [24.0, None, 22.0, 20.0],
            "day": ["2024-05-01", "2024-05-01", "2024-05-02", "2024-05-02"],
        },
        [["2024-05-01", "Kitchen", 24.0], ["2024-05-02", "Room1", 20.0], ["2024-05-02", "Kitchen", 22.0]],
        {"day": ["2024-05-01", "2024-05-02"], "Kitchen": [24.0, 22.0], "Room1": [None, 20.0]},
        {
            "day": ["2024-05-01", "2024-05-02"],
            "Kitchen": [24.0, 22.0],
            "Room1": [None, 20.0],
            "Room2": [None, None],
        },
    ],
    ids=["dict", "list", "columns", "columns turned", "rows", "wide", "wider"],
)
def test_every_shape_plays_the_same_frames_in_order_of_time(play: PlayRooms, inputs: Any) -> None:
    text = told(play, inputs, "viridis", "Temperature", "°C")
    command = drawn(text, play.building.rooms())
    assert isinstance(command, MapFrames)
    content = command.content
    assert [frame.time for frame in content.frames] == ["2024-05-01", "2024-05-02"]
    first, second = ({room.name: (room.value, room.color) for room in f.rectangles} for f in content.frames)
    assert first == {"Kitchen": (24.0, "#fde725")}
    assert second == {"Kitchen": (22.0, "#21918c"), "Room1": (20.0, "#440154")}, "one scale over all frames"
    assert content.legend is not None and content.legend.title == "Temperature"
    assert (content.legend.stops[0].value, content.legend.stops[-1].value) == (20, 24)
    assert text.startswith(
        "2 frames of 2 rooms by Temperature, 2024-05-01 to 2024-05-02: lowest Room1 (1F) 20 °C at 2024-05-02, "
        "highest Kitchen (1F) 24 °C at 2024-05-01."
    )


def test_times_that_are_no_dates_keep_their_order(play: PlayRooms) -> None:
    inputs = {"hour": [9, 9, 8], "room": ["Kitchen", "Room1", "Kitchen"], "t": [1, 2, 3]}
    command = drawn(told(play, inputs), play.building.rooms())
    assert isinstance(command, MapFrames)
    assert [frame.time for frame in command.content.frames] == ["9", "8"]


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({}, "There is no time to show."),
        ([], "The frames are a list of 0"),
        ({str(time): {"Kitchen": 1} for time in range(2_001)}, "2,001 times are too many to play."),
        ({"a": {"Attic": 1}}, "There is no room Attic."),
        ({"a": {"Kitchen": None}}, "No room has a value."),
        ({"a": {"kitchen": 1, "Kitchen": 2}}, "are the same room at a"),
        ({"t": ["x"], "a": ["y"], "b": ["z"]}, "The columns are 't', 'a', 'b'."),
    ],
)
def test_what_cannot_be_played_is_told(play: PlayRooms, inputs: Any, message: str) -> None:
    text = told(play, inputs)
    assert text.startswith("Error: ")
    assert message in text


def _many(rooms: int) -> Building:
    rectangles = [
        {"name": f"Room number {n}", "topLeft": {"x": n, "y": 0}, "bottomRight": {"x": n + 1, "y": 1}}
        for n in range(rooms)
    ]
    corner = {"px": 0, "py": 0, "x": 0, "y": 0}
    floor = {
        "floorId": "1F",
        "floorName": "1",
        "floorImage": "plan.png",
        "coordinateSystem": {"topLeft": corner, "bottomRight": {"px": rooms, "py": 1, "x": rooms, "y": 1}},
        "rectangles": rectangles,
    }
    return Building(MapDefinitionContent.model_validate({"floors": [floor], "bitmaps": []}))


@pytest.mark.long
def test_the_largest_playback_is_read_back_whole_and_a_larger_one_refused() -> None:
    rooms = 500
    tool = PlayRooms(_many(rooms), noon)
    frames = {
        f"2024-05-01 {n:04}": {f"Room number {room}": room + n / 7 for room in range(rooms)}
        for n in range(MAX_PAINTED // rooms)
    }
    command = drawn(told(tool, frames), tool.building.rooms())
    assert isinstance(command, MapFrames)
    assert sum(len(frame.rectangles) for frame in command.content.frames) == MAX_PAINTED
    assert "values are too many to play" in told(tool, frames | {"2025": {"Room number 1": 1}})


def test_two_thousand_rooms_are_coloured_by_one_call() -> None:
    tool = ColorRooms(_many(2_000), noon)
    content = content_of(tool, {f"room number {room}": room for room in range(2_000)})
    assert len(content.rectangles) == 2_000
