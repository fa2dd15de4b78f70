"""The incremental scanners: borders of chunks make no difference, and cost is the length of the text."""

from hypothesis import given, settings
from hypothesis import strategies as st

from backend.output_parser import CommandScanner
from backend.output_parser.lines import LineScanner

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
        ]
    ),
    max_size=40,
)


def cut(text: str, at: list[int]) -> list[str]:
    places = sorted(place % (len(text) + 1) for place in at)
    return [text[start:end] for start, end in zip([0, *places], [*places, len(text)], strict=True)]


@settings(deadline=None)
@given(parts=pieces, at=st.lists(st.integers(0, 10_000), max_size=60))
def test_any_chunking_finds_the_commands_of_one_chunk(parts: list[str], at: list[int]) -> None:
    text = "".join(parts)
    whole, chunked = CommandScanner(ROOMS), CommandScanner(ROOMS)
    expected = [*whole.feed(text), *whole.flush()]
    found = [command for chunk in cut(text, at) for command in chunked.feed(chunk)] + chunked.flush()
    assert found == expected


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
    found = [line for chunk in cut(text, at) for line in scanner.feed(chunk)] + scanner.flush()
    assert found == [line for line in text.split("\n") if 0 < len(line) <= 5]


def test_a_line_without_end_takes_no_memory_beyond_the_limit() -> None:
    scanner = LineScanner(max_line=1000)
    for _ in range(10_000):
        scanner.feed("x" * 100)
        assert sum(map(len, scanner._pieces)) <= 1000
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
