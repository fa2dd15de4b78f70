"""What a run shows of a program's text, without a program: streamed pieces, batches, limits."""

from itertools import pairwise
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from smoldesk.agents.terminal.report import LONGEST_RUN, LONGEST_TEXT, ClippedText, Report
from smoldesk.events import (
    Delta,
    RunEvent,
    Shown,
    StepFinished,
)
from smoldesk.messages import (
    Debug,
    File,
    StepOutput,
    Text,
)
from smoldesk.output_parser import joined, parse_text
from tests.agents.terminal.contexts import RecordingContext

TEXT = 'words\n```py\nx = 1\n\n```\nmore [File: a.txt] words\n\n{"a": [1, 2]}\nlast\n'


def reported(*pieces: str, folder: Path = Path("/")) -> RecordingContext:
    context = RecordingContext(folder)
    report = Report(context, "term", clock=lambda: 5.0)  # pyright: ignore[reportArgumentType]
    report.begin_step()
    for piece in pieces:
        report.take(piece, ["a row"])
    report.end_step(["a row"], is_answer=True)
    return context


def messages(events: list[RunEvent]) -> list[StepOutput]:
    return [
        event.message for event in events if isinstance(event, Shown) and not isinstance(event.message, Debug)
    ]  # pyright: ignore


LINES = st.lists(
    st.sampled_from(["words", "", "```python", "```", "x = 1", '{"a": 1}', "[File: a.txt]", "[1,", "2]", "  more",
                     "Traceback (most recent call last):", '  File "a.py", line 1', "ValueError: no"]),
    max_size=20,
).map("\n".join)  # fmt: skip


@given(text=LINES, cuts=st.lists(st.integers(0, 200), max_size=6))
def test_any_pieces_show_what_one_piece_shows(text: str, cuts: list[int]) -> None:
    places = sorted({min(cut, len(text)) for cut in cuts} | {0, len(text)})
    pieces = [text[start:other] for start, other in pairwise(places)]
    assert messages(reported(*pieces).events) == messages(reported(text).events)
    assert len(messages(reported(text).events)) == len(joined(parse_text(text)))


@given(text=LINES, cuts=st.lists(st.integers(0, 200), max_size=6))
def test_streamed_pieces_are_the_text_that_is_shown_after_them(text: str, cuts: list[int]) -> None:
    places = sorted({min(cut, len(text)) for cut in cuts} | {0, len(text)})
    streamed = ""
    for event in reported(*(text[start:other] for start, other in pairwise(places))).events:
        if isinstance(event, Delta):
            streamed += event.text
        elif isinstance(event, Shown) and not isinstance(event.message, Debug):
            assert streamed == "" or event.message == Text(content=streamed), (
                "it is shown before anything else is"
            )
            streamed = ""
    assert streamed == ""


def test_a_batch_is_one_write_and_begins_with_debug() -> None:
    context = reported(TEXT)
    for batch in context.batches[1:]:
        assert isinstance(batch[0], Shown) and isinstance(batch[0].message, Debug)
        outputs = [event for event in batch[1:] if isinstance(event, Shown)]
        assert batch[0].message.content.output_count == len(outputs)
    assert isinstance(context.batches[-1][-1], StepFinished)


def test_a_text_is_streamed_as_soon_as_its_line_ends() -> None:
    context = RecordingContext(Path("/"))
    report = Report(context, "term")  # pyright: ignore[reportArgumentType]
    report.begin_step()
    report.take("half a", [])
    assert [event for event in context.events if isinstance(event, Delta)] == []
    report.take(" line\n", [])
    assert [event for event in context.events if isinstance(event, Delta)] == [
        Delta(step=1, kind="output", text="half a line")
    ]


def test_the_answer_is_all_texts_and_no_more_than_fits() -> None:
    context = RecordingContext(Path("/"))
    report = Report(context, "term")  # pyright: ignore[reportArgumentType]
    report.begin_step()
    report.take("one\n```\ncode\n```\ntwo\n", [])
    report.end_step([])
    assert report.answer == "one\n\ntwo"
    report.begin_step()
    report.take("x" * 200_000 + "\n", [])
    report.end_step([])
    assert len(report.answer) == 100_001


def test_more_than_is_shown_is_counted() -> None:
    context = reported("y" * (LONGEST_RUN - 10) + "\n", "z" * 50)
    size = sum(len(event.text) for event in context.events if isinstance(event, Delta))
    assert size <= LONGEST_RUN
    assert messages(context.events)[-1] == Text(
        content="The program's output is too long: 41 characters are left out.",
        tone="notice",
        code="program_cut",
        facts={"left": 41},
    )


def test_a_long_text_is_shown_in_parts() -> None:
    context = reported(*["line\n" * 1000] * 30)
    parts = messages(context.events)
    assert len(parts) > 1
    assert all(isinstance(part, Text) and len(part.content) <= LONGEST_TEXT + 5000 for part in parts)
    assert "".join(part.content for part in parts if isinstance(part, Text)) == ("line\n" * 30_000).strip()


def test_debug_is_short_however_much_there_was() -> None:
    context = reported("a" * 300_000 + "\n```\n" + "b\n" * 100_000 + "```\n")
    for event in context.events:
        if isinstance(event, Shown) and isinstance(event.message, Debug):
            assert len(event.message.model_dump_json()) < 100_000
    raw = str(
        next(event for event in context.events if isinstance(event, Shown)).message.content.agent_response[  # pyright: ignore[reportAttributeAccessIssue, reportOptionalMemberAccess]
            "raw_output"
        ]
    )  # pyright: ignore
    assert "characters left out" in raw and raw.startswith("aaa")


def test_a_file_named_twice_is_kept_once(tmp_path: Path) -> None:
    (tmp_path / "made.txt").write_text("x")
    context = reported(f"Created: made.txt\nWrote: ./made.txt\nWrote: {tmp_path}/made.txt\n", folder=tmp_path)
    assert context.stored_files == ["made.txt"]
    assert [message.content.file_id for message in messages(context.events) if isinstance(message, File)] == [
        "f_1"
    ] * 3


def test_a_file_outside_of_the_folder_is_only_named(tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("x")
    inside = tmp_path / "chat"
    inside.mkdir()
    context = reported("Created: ../secret.txt\nCreated: /etc/passwd\nCreated: ~/a.txt\n", folder=inside)
    assert context.stored_files == []
    assert [message.content.file_id for message in messages(context.events) if isinstance(message, File)] == [
        "",
        "",
        "",
    ]


def test_clipped_text_keeps_both_ends() -> None:
    clipped = ClippedText(10)
    for piece in ("abc", "defgh", "ijklmnop", "qrstuvwxyz"):
        clipped.add(piece)
    assert clipped.take() == "abcde\n… 16 characters left out …\nvwxyz"
    clipped.add("short")
    assert clipped.take() == "short"
