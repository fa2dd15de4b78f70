"""What the page is given for one agent response."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smoldesk.messages import as_json
from smoldesk.output_parser import OutputParser

ROOMS = ["Room1", "Room2", "Kitchen", "Living room (east)", "会議室"]
LEFT = {"type": "arrow", "content": {"room": "Kitchen", "direction": "left"}}
UP = {"type": "arrow", "content": {"room": "Room1", "direction": "up"}}
CLEAR_ARROWS = {"type": "clear_arrows", "content": {}}
CLEAR_MAP = {"type": "clear_map", "content": {}}
MAP = {
    "floorId": "1F",
    "timestamp": "2025-10-30T10:30:00Z",
    "rectangles": [
        {"name": "Room1", "color": "#FF0000", "strokeOpacity": 1, "fillOpacity": 0.3, "showName": True}
    ],
    "overlays": [
        {"type": "bitmap", "bitmapId": "arrow_up", "position": {"type": "rectangle", "name": "Room1"}},
        {"type": "text", "text": "Exit", "position": {"type": "coordinate", "x": 50, "y": 30.5}},
    ],
}


def parse(response: dict[str, Any]) -> list[dict[str, Any]]:
    return [as_json(message) for message in OutputParser(ROOMS).parse(response)]


def commands(text: str) -> list[dict[str, Any]]:
    return parse({"tool_results": [text]})


def test_one_response_gives_every_kind_in_page_order() -> None:
    table = {
        "table_id": "t1",
        "name": "stats",
        "columns": [{"name": "age", "kind": "number"}],
        "rows": [[29.7]],
    }
    messages = parse(
        {
            "text": "Done.",
            "error": "ZeroDivisionError: division by zero",
            "tool_results": [
                "ARROW_COMMAND: room=Kitchen, direction=left",
                "MAP_COMMAND: " + json.dumps(MAP),
            ],
            "files": [{"file_id": "f2", "name": "out.csv", "size": 12, "media_type": "text/csv"}],
            "images": [{"file_id": "f1", "format": "png", "path": "plot.png", "width": 640, "height": 480}],
            "tables": [table | {"row_count": 1}],
            "code_steps": [{"code": "print(1)", "step": "Step 1"}],
        }
    )
    assert [message["type"] for message in messages] == [
        *("code", "table", "image", "file", "arrow", "map", "error", "text")
    ]
    assert messages[0] == {"type": "code", "content": "print(1)", "language": "python", "step": "Step 1"}
    assert messages[1]["content"] == {
        "tableId": "t1",
        "name": "stats",
        "columns": [{"name": "age", "kind": "number"}],
        "rows": [[29.7]],
        "rowCount": 1,
    }
    assert messages[2] == {
        "type": "image",
        "content": "",
        "format": "png",
        "path": "plot.png",
        "fileId": "f1",
        "width": 640,
        "height": 480,
    }
    assert messages[3]["content"] == {"fileId": "f2", "name": "out.csv", "size": 12, "mediaType": "text/csv"}
    assert messages[5]["content"]["rectangles"] == MAP["rectangles"]
    assert messages[6] == {
        "type": "error",
        "content": "ZeroDivisionError: division by zero",
        "code": "code_error",
        "hint": "",
    }
    assert messages[7] == {"type": "text", "content": "Done.", "tone": "answer"}


def test_an_empty_response_gives_nothing() -> None:
    assert parse({}) == []
    assert parse({"text": None, "error": None, "code_steps": [{"code": "  \n"}], "images": []}) == []


def test_the_same_code_is_shown_once() -> None:
    steps = [{"code": "x = 1", "step": "Step 1"}, {"code": "x = 1", "step": "Step 1"}, {"code": "x = 2"}]
    messages = parse({"code_steps": steps})
    assert [message["content"] for message in messages] == ["x = 1", "x = 2"]
    assert "step" not in messages[1]


def test_half_a_surrogate_pair_does_not_lose_the_answer() -> None:
    assert parse({"text": "caf\ud83d"})[0]["content"] == "caf?"


def test_cells_that_json_cannot_write_become_empty() -> None:
    table = {"table_id": "t", "name": "n", "columns": [{"name": "a", "kind": "number"}], "row_count": 2}
    messages = parse({"tables": [table | {"rows": [(float("nan"),), [float("-inf")]]}]})
    assert messages[0]["content"]["rows"] == [[None], [None]]


def test_a_file_name_that_is_not_unicode_is_still_shown() -> None:
    file = {"file_id": "f", "name": "b\udcffd.csv", "size": 1, "media_type": "text/csv"}
    assert parse({"files": [file]})[0]["content"]["name"] == "b?d.csv"


@pytest.mark.parametrize(
    ("key", "entry"),
    [
        ("images", {"file_id": "f", "format": "exe"}),
        ("images", {"format": "png"}),
        ("images", {"file_id": 3, "format": "png"}),
        ("tables", {"table_id": "t", "name": "n", "columns": "ab", "row_count": "many"}),
        ("files", {"file_id": "f", "name": "n", "size": "12", "media_type": "x/y"}),
        ("code_steps", {"code": b"x"}),
    ],
)
def test_an_entry_that_does_not_fit_is_left_out_and_the_rest_kept(key: str, entry: dict[str, Any]) -> None:
    assert parse({key: [entry, None, 7], "text": "kept"}) == [
        {"type": "text", "content": "kept", "tone": "answer"}
    ]


# --- commands in results and prints ------------------------------------------------------------------------


def test_tool_results_keep_their_order() -> None:
    results = ["CLEAR_MAP_COMMAND", "ARROW_COMMAND: room=Kitchen, direction=left", "CLEAR_ARROWS_COMMAND"]
    assert parse({"tool_results": results}) == [CLEAR_MAP, LEFT, CLEAR_ARROWS]


def test_a_printed_tool_result_is_not_doubled() -> None:
    arrow = "ARROW_COMMAND: room=Kitchen, direction=left"
    assert parse({"tool_results": [arrow], "raw_output": f"{arrow}\n"}) == [LEFT]


def test_an_arrow_that_stands_is_not_drawn_again_until_it_was_cleared() -> None:
    arrow, up = "ARROW_COMMAND: room=Kitchen, direction=left", "ARROW_COMMAND: room=Room1, direction=up"
    assert parse({"tool_results": [arrow, arrow], "raw_output": arrow}) == [LEFT]
    assert parse({"tool_results": [arrow], "raw_output": f"{arrow}\n{arrow}"}) == [LEFT]
    assert parse({"tool_results": [arrow, up], "raw_output": f"{up}\n{arrow}"}) == [LEFT, UP]
    assert parse({"tool_results": [arrow, "CLEAR_ARROWS_COMMAND", arrow]}) == [LEFT, CLEAR_ARROWS, LEFT]


def test_what_was_only_printed_comes_where_it_was_printed() -> None:
    arrow, up = "ARROW_COMMAND: room=Kitchen, direction=left", "ARROW_COMMAND: room=Room1, direction=up"
    printed = f"CLEAR_MAP_COMMAND\n{arrow}\nCLEAR_ARROWS_COMMAND\n{up}"
    assert parse({"tool_results": [arrow, up], "raw_output": printed}) == [CLEAR_MAP, LEFT, CLEAR_ARROWS, UP]


some = st.lists(st.sampled_from(["CLEAR_MAP_COMMAND", "CLEAR_ARROWS_COMMAND"]), max_size=8)


@settings(deadline=None)
@given(returned=some, printed=some)
def test_merging_gives_the_multiset_maximum_and_keeps_the_order_of_results(
    returned: list[str], printed: list[str]
) -> None:
    messages = parse({"tool_results": returned, "raw_output": "\n".join(printed)})
    names = [f"{message['type'].upper()}_COMMAND" for message in messages]
    for name in ("CLEAR_MAP_COMMAND", "CLEAR_ARROWS_COMMAND"):
        assert names.count(name) == max(returned.count(name), printed.count(name))
    iterator = iter(names)
    assert all(name in iterator for name in returned)  # a subsequence


@pytest.mark.parametrize(
    ("text", "room"),
    [
        ("ARROW_COMMAND: room=Living room (east), direction=left", "Living room (east)"),
        ("ARROW_COMMAND:room=会議室,direction=LEFT\r", "会議室"),
        ("Result: ARROW_COMMAND: room=Kitchen , direction=left.", "Kitchen"),
        ("['ARROW_COMMAND: room=Kitchen, direction=left']", "Kitchen"),
    ],
)
def test_an_arrow_is_found_with_the_room_as_the_building_names_it(text: str, room: str) -> None:
    assert commands(text) == [{"type": "arrow", "content": {"room": room, "direction": "left"}}]


@pytest.mark.parametrize(
    "text",
    [
        "ARROW_COMMAND: room=Nowhere, direction=left",
        "ARROW_COMMAND: room=kitchen, direction=left",
        "ARROW_COMMAND: room=Kitchen, direction=sideways",
        "ARROW_COMMAND: room=Kitchen, direction=",
        "ARROW_COMMAND: room=Kitchen",
        "ARROW_COMMAND: room=Kitchen\n, direction=left",
        "MY_ARROW_COMMAND: room=Kitchen, direction=left",
        "Error: Invalid direction 'sideways'. Must be one of: up, down, left, right",
        "MAP_COMMAND: {not json}",
        'MAP_COMMAND: {"floorId": "1F"',
        'MAP_COMMAND: {"floorId": "1F"}',
        "MAP_COMMAND: []",
        "MAP_COMMAND:",
        "MAP_COMMAND: " + '{"a":' * 5000,
        "MAP_COMMAND: " + json.dumps(MAP | {"rectangles": [{"name": "Nowhere"}]}),
        "MAP_COMMAND: " + json.dumps(MAP | {"rectangles": [{"name": "Room1", "color": "red"}]}),
        "MAP_COMMAND: " + json.dumps(MAP | {"rectangles": [{"name": "Room1", "fillOpacity": 2}]}),
        "MAP_COMMAND: " + json.dumps(MAP).replace("30.5", "NaN"),
        "MAP_COMMAND: " + json.dumps(MAP).replace("30.5", "1e999"),
        "MAP_COMMAND: " + json.dumps(MAP).replace("30.5", "9" * 5000),
        "MAP_COMMAND: " + json.dumps(MAP).replace("30.5", '"30.5"'),
        "MAP_COMMAND: " + json.dumps(MAP).replace("Exit", "\\ud800"),
        "MAP_COMMAND: " + json.dumps(MAP | {"extra": 1}),
    ],
)
def test_a_malformed_or_unknown_command_is_no_message(text: str) -> None:
    assert commands(text) == []


def test_a_broken_command_does_not_hide_the_next_in_its_line() -> None:
    assert commands("MAP_COMMAND: {oops ARROW_COMMAND: room=Kitchen, direction=left") == [LEFT]
    assert commands("ARROW_COMMAND: room=Nope, direction=up ARROW_COMMAND: room=Kitchen, direction=left") == [
        LEFT
    ]


def test_a_command_inside_the_text_of_a_map_is_only_text() -> None:
    overlay = {
        "type": "text",
        "text": "CLEAR_MAP_COMMAND ARROW_COMMAND: room=Kitchen, direction=left",
        "position": {"type": "rectangle", "name": "Room1"},
    }
    messages = commands("MAP_COMMAND: " + json.dumps(MAP | {"overlays": [overlay]}))
    assert [message["type"] for message in messages] == ["map"]
    assert messages[0]["content"]["overlays"][0]["text"] == overlay["text"]


@pytest.mark.parametrize(
    "text",
    ["CLEAR_MAP_COMMAND", "  CLEAR_MAP_COMMAND\r\n", "Result: CLEAR_MAP_COMMAND", "['CLEAR_MAP_COMMAND']"],
)
def test_a_clear_command_that_stands_alone_or_after_a_label_counts(text: str) -> None:
    assert commands(text) == [CLEAR_MAP]


@pytest.mark.parametrize(
    "text",
    [
        "The tool returns CLEAR_MAP_COMMAND when it is called.",
        "returns CLEAR_MAP_COMMAND",
        "CLEAR_MAP_COMMAND is what it returns",
        "CLEAR_MAP_COMMANDS",
        "clear_map_command",
    ],
)
def test_a_clear_command_that_is_only_mentioned_does_not_count(text: str) -> None:
    assert commands(text) == []


def test_several_commands_may_share_a_line() -> None:
    line = "CLEAR_MAP_COMMAND ARROW_COMMAND: room=Kitchen, direction=left CLEAR_ARROWS_COMMAND"
    assert commands(line) == [CLEAR_MAP, LEFT, CLEAR_ARROWS]


# --- replayed responses that kept only their code ----------------------------------------------------------


def test_calls_in_code_count_when_no_tool_result_was_kept() -> None:
    code = (
        "draw_arrow(room_name='Kitchen', direction='left')\nclear_map()\nprint(draw_arrow('Room1', 'UP'))\n"
    )
    steps = {"code_steps": [{"code": code}]}
    assert parse(steps)[1:] == [LEFT, CLEAR_MAP, UP]
    assert parse(steps | {"raw_output": ""})[1:] == [LEFT, CLEAR_MAP, UP]
    assert parse(steps | {"raw_output": "ARROW_COMMAND: room=Room1, direction=up"})[1:] == [
        LEFT,
        CLEAR_MAP,
        UP,
    ]
    assert parse(steps | {"tool_results": []})[1:] == []


@pytest.mark.parametrize(
    "code",
    [
        "draw_arrow(room, 'left')",
        "draw_arrow('Nowhere', 'left')",
        "draw_arrow('Kitchen', 7)",
        "draw_arrow('Kitchen', 'left', 3)",
        "draw_arrow('Kitchen', 'left', direction='left')",
        "draw_arrow(*where)",
        "draw_arrow(**where)",
        "tools.draw_arrow('Kitchen', 'left')",
        "# draw_arrow('Kitchen', 'left')",
        '\'draw_arrow("Kitchen", "left")\'',
        "clear_map(now=True)",
        "draw_arrow('Kitchen', 'left'",
        "\0",
        "(" * 5000,
        "-" * 50_000 + "1",
        "x." * 40_000 + "x",
    ],
)
def test_a_call_that_is_not_plain_gives_no_command(code: str) -> None:
    assert [message["type"] for message in parse({"code_steps": [{"code": code}]})] == ["code"]


# --- junk --------------------------------------------------------------------------------------------------

keys = st.sampled_from(
    [
        "code_steps",
        "tool_results",
        "raw_output",
        "images",
        "tables",
        "files",
        "error",
        "text",
        "logs",
        "result",
        "map_data",
    ]
)
inner = st.sampled_from(
    [
        "code",
        "step",
        "file_id",
        "format",
        "table_id",
        "columns",
        "rows",
        "name",
        "kind",
        "size",
        "points",
        "lat",
        "lon",
        "x",
    ]
)
scraps = st.sampled_from(
    [
        "_COMMAND",
        "MAP",
        "CLEAR_",
        "ARROW_COMMAND: room=",
        ", direction=",
        '{"a":',
        "}",
        "\n",
        "🗺",
        "```",
        "```json\n",
        "Kitchen",
    ]
)
leaves = st.none() | st.booleans() | st.integers() | st.floats() | st.text() | scraps | st.binary(max_size=4)
junk = st.recursive(leaves, lambda sub: st.lists(sub, max_size=4) | st.dictionaries(inner, sub, max_size=4))


@settings(deadline=None)
@given(st.dictionaries(keys, junk, max_size=6))
def test_junk_never_raises_and_what_is_found_can_be_sent(response: dict[str, Any]) -> None:
    for message in OutputParser(ROOMS).parse(response):
        json.dumps(as_json(message), allow_nan=False).encode()


@settings(deadline=None)
@given(st.lists(scraps | st.text(max_size=5), max_size=30).map("".join))
def test_junk_text_never_raises(text: str) -> None:
    parse({"tool_results": [text], "raw_output": text, "code_steps": [{"code": text}]})
    parse({"code_steps": [{"code": text}], "text": text, "error": text})


def test_what_ended_code_from_outside_has_its_code_and_no_other_text_becomes_one() -> None:
    given = ("code_timeout", "<b>", 7, None)
    codes = [parse({"error": "x", "error_code": code})[0]["code"] for code in given]
    assert codes == ["code_timeout", "code_error", "code_error", "code_error"]
