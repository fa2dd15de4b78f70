"""The incremental scanners: borders of chunks make no difference, and cost is the length of the text."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smoldesk.messages import MapFrames, Source
from smoldesk.output_parser import (
    CommandScanner,
    MapCommand,
    parse,
)
from smoldesk.output_parser.commands import LineScanner
from tests.output_parser import cut
from tests.support.holding import characters_of

ROOMS = ["Room1", "Kitchen"]
pieces = st.lists(
    st.sampled_from(
        [
            *(
                "ARROW_COMMAND: room=",
                "Kitchen",
                "Room1",
                ", direction=",
                "left",
                "up",
                "\n",
                "\r\n",
                " ",
                "Result: ",
            ),
            *(
                "CLEAR_MAP_COMMAND",
                "CLEAR_ARROWS_COMMAND",
                "MAP_COMMAND: ",
                "{",
                "}",
                '"floorId"',
                "x",
                "_COMMAND",
            ),
            '{"floorId": "1F", "timestamp": "t", "rectangles": [{"name": "Kitchen"}]}',
            "MAP_FRAMES_COMMAND: ",
            '{"floorId": "1F", "frames": [{"time": "8", "rectangles": [{"name": "Kitchen"}]}]}',
        ]
    ),
    max_size=40,
)


@settings(deadline=None)
@given(parts=pieces, at=st.lists(st.integers(0, 10_000), max_size=60))
def test_any_chunking_finds_the_commands_of_one_chunk(parts: list[str], at: list[int]) -> None:
    text = "".join(parts)
    complete, chunked = CommandScanner(ROOMS), CommandScanner(ROOMS)
    expected = [*complete.feed(text), *complete.flush()]
    commands = [command for chunk in cut(text, at) for command in chunked.feed(chunk)] + chunked.flush()
    assert commands == expected


def test_a_command_is_given_out_as_soon_as_its_line_ends() -> None:
    scanner = CommandScanner(ROOMS)
    assert scanner.feed("ARROW_COMMAND: room=Kit") == []
    assert scanner.feed("chen, direction=left") == []
    assert [command.type for command in scanner.feed("\nCLEAR_")] == ["arrow"]
    assert [command.type for command in scanner.feed("MAP_COMMAND")] == []
    assert [command.type for command in scanner.flush()] == ["clear_map"]
    assert scanner.flush() == []


@settings(deadline=None)
@given(text=st.text(alphabet="ab\r\n", max_size=60), at=st.lists(st.integers(0, 100), max_size=20))
def test_lines_are_the_same_however_the_text_is_cut_and_too_long_ones_are_left_out(
    text: str, at: list[int]
) -> None:
    scanner = LineScanner(max_line=5)
    lines = [line for chunk in cut(text, at) for line in scanner.feed(chunk)] + scanner.flush()
    assert lines == [line for line in text.split("\n") if 0 < len(line) <= 5]


def test_a_line_without_end_takes_no_memory_beyond_the_limit() -> None:
    scanner = LineScanner(max_line=1000)
    for _ in range(10_000):
        scanner.feed("x" * 100)
        assert characters_of(scanner) <= 1000
    assert scanner.feed("\nnext\n") == ["next"]


def test_lines_made_to_be_slow_are_read_to_their_end() -> None:
    """Were any of these quadratic, this test would run into the suite's timeout."""
    size = 300_000
    for unit in (
        *(
            "ARROW_COMMAND: room=",
            "ARROW_COMMAND: room=a, direction=",
            "CLEAR_MAP_COMMAND ",
            "CLEAR_MAP_COMMAND:",
        ),
        *(
            'MAP_COMMAND: {"',
            'MAP_COMMAND: {"a":',
            'MAP_COMMAND: {","b":"',
            "MAP_COMMAND: {",
            "_COMMAND",
            ":",
            "[",
        ),
    ):
        scanner = CommandScanner(ROOMS)
        scanner.feed(unit * (size // len(unit)) + " and then CLEAR_ARROWS_COMMAND")
        scanner.flush()
        assert [command.type for command in scanner.feed("CLEAR_ARROWS_COMMAND\n")] == ["clear_arrows"]


PLAYED = 'MAP_FRAMES_COMMAND: {"floorId": "1F", "frames": [{"time": "8", "rectangles": [{"name": "Kitchen", "value": 21.5}]}]}'


def scanned(text: str) -> list[MapCommand]:
    scanner = CommandScanner(ROOMS)
    return [*scanner.feed(text), *scanner.flush()]


def test_a_playback_is_a_command_like_a_map() -> None:
    [command] = scanned(f"Done: {PLAYED} and more")
    assert isinstance(command, MapFrames)
    [frame] = command.content.frames
    assert (frame.time, frame.rectangles[0].name, frame.rectangles[0].value) == ("8", "Kitchen", 21.5)


@pytest.mark.parametrize(
    "broken",
    [
        PLAYED.replace("Kitchen", "Attic"),
        PLAYED.replace("21.5", "'warm'").replace("'", chr(34)),
        PLAYED.replace('"frames"', '"pictures"'),
        PLAYED[:-2],
        PLAYED.replace("MAP_FRAMES_COMMAND", "MAP_COMMAND"),
        PLAYED.replace("[{", "[", 1),
        'MAP_FRAMES_COMMAND: {"floorId": "1F", "frames": []}',
        "X" + PLAYED,
    ],
    ids=["no room", "no number", "no frames", "cut", "a map", "bad json", "empty", "part of a word"],
)
def test_a_broken_playback_is_no_command(broken: str) -> None:
    assert scanned(broken) == []


def test_a_command_cannot_say_itself_where_it_came_from() -> None:
    forged = PLAYED.replace('"floorId"', '"source": {"step": 1, "code": "nothing"}, "floorId"')
    [command] = scanned(forged)
    assert isinstance(command, MapFrames)
    assert command.content.source is None


def test_a_drawing_knows_the_step_and_line_of_the_tool_that_returned_it() -> None:
    source = {"step": 2, "line": 7, "code": "play_rooms(frames)"}
    response = {
        "tool_results": ["nothing", PLAYED],
        "tool_sources": [None, source],
        "raw_output": f"{PLAYED}\n",
    }
    [command] = parse(response, ROOMS)
    assert isinstance(command, MapFrames)
    assert command.content.source == Source(step=2, line=7, code="play_rooms(frames)")


@pytest.mark.parametrize("sources", [None, [], "x", [7, {"step": "two"}], [None, {"step": 1, "more": 2}]])
def test_a_drawing_without_a_source_that_makes_sense_has_none(sources: object) -> None:
    [command] = parse({"tool_results": ["nothing", PLAYED], "tool_sources": sources}, ROOMS)
    assert isinstance(command, MapFrames)
    assert command.content.source is None


@pytest.mark.parametrize(
    "piece", [PLAYED[:40], "MAP_FRAMES_COMMAND: {", PLAYED[:-1], "MAP_FRAMES_COMMAND: {} "]
)
def test_many_broken_playbacks_in_a_line_cost_its_length(piece: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted, not timed: characters that JSON's decoder is given, in lines ten times as long."""
    read: list[int] = []
    decode = json.JSONDecoder.raw_decode

    def counting(self: json.JSONDecoder, s: str, idx: int = 0) -> tuple[Any, int]:
        try:
            decoded = decode(self, s, idx)
        except json.JSONDecodeError as fault:
            read.append(fault.pos - idx + 1)
            raise
        read.append(decoded[1] - idx)
        return decoded

    costs: list[int] = []
    monkeypatch.setattr(json.JSONDecoder, "raw_decode", counting)
    for times in (1_000, 10_000):
        read.clear()
        assert scanned(piece * times) == []
        assert read, "the decoder was asked"
        costs.append(sum(read))
    assert costs[1] <= costs[0] * 10 + 100
