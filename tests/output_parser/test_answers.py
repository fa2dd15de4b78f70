"""What a whole response becomes beyond its commands: blocks and data in answers, rooms, points."""

import json
from typing import Any

import pytest

from smoldesk.buildings.building import Building
from smoldesk.messages import as_json
from smoldesk.output_parser import DrawnLayers, OutputParser, parse
from smoldesk.output_parser.drawing import MapCall
from smoldesk.tools.map import ShowMap

ROOMS = ["Room1", "Kitchen", "Bathroom", "会議室"]
LEFT = "ARROW_COMMAND: room=Kitchen, direction=left"


def messages(response: dict[str, Any], drawn: DrawnLayers | None = None) -> list[dict[str, Any]]:
    return [as_json(message) for message in OutputParser(ROOMS).parse(response, drawn)]


def short(response: dict[str, Any], drawn: DrawnLayers | None = None) -> list[tuple[str, Any]]:
    return [(message["type"], message["content"]) for message in messages(response, drawn)]


# --- blocks of an answer -----------------------------------------------------------------------------------


def test_blocks_of_an_answer_are_messages_where_they_stand() -> None:
    text = 'Use\n```c++\nint x;\n```\nor\n```json\n{"a": [1]}\n```\nas **you** like.\n'
    result = messages({"text": text})
    assert [(message["type"], message["content"]) for message in result] == [
        ("text", "Use"),
        ("code", "int x;"),
        ("text", "or"),
        ("json", {"a": [1]}),
        ("text", "as **you** like."),
    ]
    assert result[1]["language"] == "c++" and "step" not in result[1]


def test_a_block_that_repeats_code_of_the_response_stays_in_the_answer() -> None:
    response = {
        "code_steps": [{"code": "x = 1\ny = 2"}],
        "text": "I ran\n```python\nx = 1 \ny = 2\n\n```\nand so.",
    }
    assert short(response) == [
        ("code", "x = 1\ny = 2"),
        ("text", "I ran"),
        ("code", "x = 1 \ny = 2\n"),
        ("text", "and so."),
    ]
    only = {"code_steps": [{"code": "x"}], "text": "```\nx\n```"}
    assert short(only) == [("code", "x"), ("code", "x")]


def test_an_answer_without_blocks_is_not_touched() -> None:
    text = '  see [1], {"a": 1},\r\nCreated: a.py and `code` \x1b[1m '
    assert short({"text": text}) == [("text", text)]


def test_an_open_block_is_shown_and_broken_json_is_code() -> None:
    assert short({"text": "```json\n{oops"}) == [("code", "{oops")]


# --- answers that are data ---------------------------------------------------------------------------------


def test_an_answer_that_is_data_is_told_as_data_and_in_words() -> None:
    assert short({"text": "{'rows': 3}", "result": {"rows": 3}}) == [
        ("json", {"rows": 3}),
        ("text", "{'rows': 3}"),
    ]


@pytest.mark.parametrize(
    "result", [{}, [], "text", 7, {"x": float("nan")}, {1, 2}, [[]] * 600_000, [object()]]
)
def test_what_is_no_data_is_told_in_words_only(result: object) -> None:
    assert short({"text": "words", "result": result}) == [("text", "words")]


def test_data_nested_too_deep_is_told_in_words_only() -> None:
    deep: Any = 1
    for _ in range(5_000):
        deep = [deep]
    assert short({"text": "words", "result": deep}) == [("text", "words")]


def test_a_result_stands_in_for_a_missing_text() -> None:
    assert short({"result": "42"}) == short({"text": "", "result": 42}) == [("text", "42")]


# --- rooms that an answer names ----------------------------------------------------------------------------


def test_rooms_named_in_the_answer_are_highlighted_before_it() -> None:
    result = short(
        {
            "text": "kitchenは25度、会議室は20度。",
            "raw_output": "Room1",
            "code_steps": [{"code": "'Bathroom'"}],
        }
    )
    assert result[1:] == [
        ("highlight_room", {"rooms": ["Kitchen", "会議室"]}),
        ("text", "kitchenは25度、会議室は20度。"),
    ]


def test_a_room_that_was_drawn_on_is_not_highlighted_over_it() -> None:
    text = "An arrow is in the Kitchen; the Bathroom is next to it."
    assert ("highlight_room", {"rooms": ["Bathroom"]}) in short({"tool_results": [LEFT], "text": text})
    drawn = DrawnLayers().after(OutputParser(ROOMS).parse({"tool_results": [LEFT]}))
    assert short({"text": "The Kitchen has it."}, drawn) == [("text", "The Kitchen has it.")]


@pytest.mark.parametrize("command", ["CLEAR_MAP_COMMAND", "CLEAR_ARROWS_COMMAND"])
def test_after_clearing_nothing_is_highlighted(command: str) -> None:
    result = short({"tool_results": [LEFT, command], "text": "The arrow is gone from the Kitchen."})
    assert "highlight_room" not in [kind for kind, _ in result]


# --- maps --------------------------------------------------------------------------------------------------

POINTS = {"points": [{"lat": 35.6762, "lon": 139.6503, "name": "Tokyo"}], "description": "Cities"}


@pytest.mark.parametrize("points", [POINTS["points"], [{"x": 1, "y": 2.5}]])
def test_points_are_a_map_from_map_data_and_from_a_command(points: list[dict[str, Any]]) -> None:
    content = {"points": points, "description": "Cities"}
    expected = [("map", content)]
    assert short({"map_data": content}) == expected
    assert short({"tool_results": ["MAP_COMMAND: " + json.dumps(content)]}) == expected
    assert short({"map_data": points}) == [("map", {"points": points, "description": ""})]
    assert short({"map_data": {"points": [points[0] | {"weight": 3}], "description": "Cities"}}) == expected


@pytest.mark.parametrize(
    "data",
    [
        {"points": []},
        {"points": [{"lat": 91, "lon": 0}]},
        {"points": [{"x": "1", "y": 2}]},
        {"points": 7},
        [],
        [3],
        "x",
        7,
    ],
)
def test_map_data_that_does_not_fit_is_left_out(data: object) -> None:
    assert short({"map_data": data, "text": "kept"}) == [("text", "kept")]


def test_show_map_in_code_is_replayed_by_who_can_draw_it() -> None:
    tool = ShowMap(Building.load())

    def perform(call: MapCall) -> str:
        return str(tool.forward(**call.arguments))  # pyright: ignore

    response = {
        "code_steps": [{"code": "show_map('1F', highlight_rooms='Kitchen')\nshow_map(floor, 'Room1')"}]
    }
    result = OutputParser(ROOMS, perform).parse(response)
    assert [message.type for message in result] == ["code", "map"]
    assert [message.type for message in OutputParser(ROOMS).parse(response)] == ["code"]


def test_commands_in_the_answer_count_and_one_that_went_all_the_way_is_one() -> None:
    arrow = ("arrow", {"room": "Kitchen", "direction": "left"})
    assert short({"tool_results": [], "text": LEFT}) == [arrow, ("text", LEFT)]
    assert short({"tool_results": [LEFT], "raw_output": LEFT + "\n", "text": LEFT}) == [arrow, ("text", LEFT)]


def test_one_response_can_be_parsed_with_the_rooms_at_hand() -> None:
    assert [message.type for message in parse({"text": "Kitchen"}, ["Kitchen"])] == ["highlight_room", "text"]


def test_an_answer_that_lists_most_of_the_building_points_at_none_of_its_rooms() -> None:
    rooms = [f"Lab {letter}" for letter in "ABCDEFGH"]

    def named(count: int) -> list[str]:
        text = f"There is no such room; there are: {', '.join(rooms[:count])}."
        return [message.type for message in parse({"text": text}, rooms)]

    assert named(4) == ["highlight_room", "text"]
    assert named(5) == ["text"]
    assert named(8) == ["text"]
