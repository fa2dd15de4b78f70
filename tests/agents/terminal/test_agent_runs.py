"""Real programs behind real runs: what their answers become in the log of a chat."""

import asyncio
from datetime import UTC, datetime
from pathlib import Path

import pytest

from smoldesk.agents.wrapper.memory import steps_from
from smoldesk.events import (
    Delta,
    LateOutput,
    RunFailed,
    RunFinished,
    RunStarted,
    Shown,
    StoredEvent,
)
from smoldesk.messages import (
    Code,
    Debug,
    Error,
    File,
    FileContent,
    Json,
    Text,
)
from smoldesk.wires.ai_sdk import encoder as ui_stream
from smoldesk.wires.four_pane import socket_writer as four_pane
from tests.agents.terminal.desk import (
    Desk,
    closings,
    debugs,
    desk,
    make_profile,
    of_runs,
    outputs_of,
    profile,
    streamed,
)
from tests.support.aio import run_async

pytestmark = pytest.mark.long


def texts(events: list[StoredEvent]) -> list[str]:
    """The text of each run that finished."""
    return [end.text for end in closings(events) if isinstance(end, RunFinished)]


# --- output ---------------------------------------------------------------------------------------------------------


def test_an_answer_is_streamed_then_shown_then_the_runs_text(demo: Desk) -> None:
    events = run_async(demo.post("hello there"))
    assert closings(events) == [RunFinished(text="hello there")]
    assert streamed(events) == "hello there"
    assert outputs_of(events) == [Text(content="hello there")]
    assert [event.event.type for event in events] == [
        "run_queued", "run_started", "step_started", "delta", "shown", "shown", "step_finished", "run_finished"
    ]  # fmt: skip


def test_lines_come_while_the_program_is_still_at_work(demo: Desk) -> None:
    async def scenario() -> list[StoredEvent]:
        chat_id = await demo.chat()
        await demo.runs.start(chat_id, "slow 3")
        early = await demo.until(chat_id, lambda events: "Line 1." in streamed(events))
        assert closings(early) == [] and outputs_of(early) == []
        return await demo.until_closed(chat_id)

    assert texts(run_async(scenario())) == ["Line 1.\nLine 2.\nLine 3.\nDone."]


def test_blocks_are_shown_in_their_order_and_the_text_around_them_once(demo: Desk) -> None:
    message = (
        "before\n```python\nprint('x')\n```\nbetween\n```json\n{\"a\": 1}\n```\n"
        "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\nValueError: no\nafter"
    )  # fmt: skip
    events = run_async(demo.post(message))
    assert outputs_of(events) == [
        Text(content="before"),
        Code(content="print('x')", language="python", step="Step 1"),
        Text(content="between"),
        Json(content={"a": 1}),
        Error(
            content='Traceback (most recent call last):\n  File "a.py", line 1, in <module>\nValueError: no',
            code="traceback",
        ),
        Text(content="after"),
    ]
    assert isinstance(closings(events)[0], RunFinished), "text that looks like an error fails nothing"
    assert "```" not in streamed(events)


def test_a_file_it_names_is_kept_when_it_lies_in_the_chats_folder(tmp_path: Path) -> None:
    with desk(tmp_path / "data", profile("shell")) as at:
        events = run_async(
            at.post("echo data > made.csv; echo 'Created: made.csv'; echo 'Created: /gone/away.csv'")
        )
        created, away = (output.content for output in outputs_of(events) if isinstance(output, File))
        assert (created.name, created.size, created.media_type) == ("made.csv", 5, "text/csv")
        assert at.store.files.path(created.file_id).read_bytes() == b"data\n"
        assert (away.name, away.file_id) == ("/gone/away.csv", "")


def test_a_file_that_was_only_named_has_no_address_on_any_wire() -> None:
    """There would be nothing behind it."""
    named = File(content=FileContent(file_id="", name="/gone/away.csv", size=0, media_type="text/csv"))
    at = datetime(2025, 1, 1, tzinfo=UTC)
    stored = StoredEvent(chat_id="c_1", seq=1, run_id="r_1", at=at, event=Shown(message=named))
    [chunk] = ui_stream.ChunkEncoder("sse", chat_id="c_1").take(stored)
    assert chunk["type"] == "data-file" and "url" not in chunk["data"] and "id" not in chunk
    sent: list[str] = []

    class Socket:
        async def send_text(self, text: str) -> None:
            sent.append(text)

    run_async(four_pane.SocketWriter(Socket(), None, True).send_event(stored))  # pyright: ignore
    assert "/gone/away.csv" in sent[0] and '"url"' not in sent[0]


def test_the_raw_screen_goes_to_the_debug_pane(demo: Desk) -> None:
    [debug] = debugs(run_async(demo.post("hello")))
    response = debug.content.agent_response
    assert response["agent"] == "term"
    assert "hello" in str(response["raw_output"])
    assert "hello" in list(response["screen"])  # pyright: ignore
    assert debug.content.output_count == 1


def test_every_batch_begins_with_debug_that_counts_it(demo: Desk) -> None:
    events = run_async(demo.post("a\n```\nb\n```\nc"))
    messages = [event.event.message for event in events if isinstance(event.event, Shown)]
    while messages:
        debug = messages.pop(0)
        assert isinstance(debug, Debug)
        batch, messages = messages[: debug.content.output_count], messages[debug.content.output_count :]
        assert all(not isinstance(output, Debug) for output in batch)
        assert [output["type"] for output in debug.content.parsed_outputs] == [
            output.type for output in batch
        ]


def test_a_flood_is_shown_in_part_and_says_so(tmp_path: Path) -> None:
    with desk(tmp_path / "data", profile("shell")) as at:
        events = run_async(at.post("seq -w 1 200000"))  # 1.4 MB
        assert isinstance(closings(events)[0], RunFinished)
        assert len(streamed(events)) <= 1_000_000
        assert len(closings(events)[0].text) <= 100_001  # pyright: ignore
        [notice] = [
            output for output in outputs_of(events) if isinstance(output, Text) and output.tone == "notice"
        ]
        assert "characters are left out" in notice.content
        assert texts(run_async(at.post("echo still here")))[-1] == "still here"


def test_what_the_program_wrote_is_memory_that_other_agents_can_read(demo: Desk) -> None:
    events = run_async(demo.post("remember the milk"))
    task, step = steps_from(events)
    assert "remember the milk" in task.task  # pyright: ignore
    assert step.observations == "remember the milk\n" and step.is_final_answer  # pyright: ignore


# --- one run after the other ----------------------------------------------------------------------------------------


def test_no_text_of_the_first_run_is_in_the_second(demo: Desk) -> None:
    first, second = of_runs(run_async(demo.post("apples", "pears")))
    assert "apples" in str(first) and "pears" not in str(first)
    for event in second:
        if isinstance(event, Shown) and isinstance(event.message, Debug):
            assert "apples" not in str(
                event.message.content.agent_response["raw_output"]
            )  # the screen shows it still
        else:
            assert "apples" not in str(event)
    assert "pears" in str(second)


def test_the_program_lives_on_between_runs(tmp_path: Path) -> None:
    with desk(tmp_path / "data", profile("shell")) as at:
        assert texts(run_async(at.post("word=42", "echo it is $word"))) == ["", "it is 42"]


def test_a_second_message_waits_for_the_first_to_be_done(demo: Desk) -> None:
    async def scenario() -> list[StoredEvent]:
        chat_id = await demo.chat()
        await demo.runs.start(chat_id, "slow 2")
        await demo.runs.start(chat_id, "second")
        return await demo.until_closed(chat_id, 2)

    events = run_async(scenario())
    assert texts(events) == ["Line 1.\nLine 2.\nDone.", "second"]
    places = [at for at, event in enumerate(events) if isinstance(event.event, RunFinished | RunStarted)]
    kinds = [events[at].event.type for at in places]
    assert kinds == ["run_started", "run_finished", "run_started", "run_finished"]


def test_two_chats_side_by_side_hear_nothing_of_each_other(demo: Desk) -> None:
    async def scenario() -> list[list[StoredEvent]]:
        chats = [await demo.chat() for _ in range(2)]
        for number, chat_id in enumerate(chats):
            await demo.runs.start(chat_id, f"slow 2\nthis is chat {number}")
        return list(await asyncio.gather(*(demo.until_closed(chat_id) for chat_id in chats)))

    for number, events in enumerate(run_async(scenario())):
        assert texts(events) == [f"Line 1.\nLine 2.\nDone.\nthis is chat {number}"]
        assert f"chat {1 - number}" not in str(events)


def test_what_comes_after_the_end_is_late_output_and_no_part_of_the_next_run(tmp_path: Path) -> None:
    over = tmp_path / "over"
    with desk(tmp_path / "data", profile("shell")) as at:

        async def scenario() -> list[StoredEvent]:
            chat_id = await at.chat()
            later = f"(until [ -e '{over}' ]; do sleep 0.1; done; echo too late) & disown; echo done"
            await at.post(later, chat_id=chat_id)
            over.touch()
            await at.until(
                chat_id, lambda events: any(isinstance(stored.event, LateOutput) for stored in events)
            )
            return await at.post("echo next", chat_id=chat_id, closed=1)

        events = run_async(scenario())
        [late] = [event.event for event in events if isinstance(event.event, LateOutput)]
        assert late.agent == "term" and "too late" in late.text
        first, second = texts(events)
        assert "done" in first and "too late" not in first + second and "next" in second


def test_a_message_of_several_lines_is_one_message(demo: Desk) -> None:
    events = run_async(demo.post("first line\nsecond line\x03\x1b"))
    assert texts(events) == ["first line\nsecond line"]
    assert len(closings(events)) == 1


def test_a_slow_program_is_waited_for(tmp_path: Path) -> None:
    """Its old prompt stands there all the time, and means nothing."""
    slow = make_profile(
        "{python}", "-u", "-c",
        "import time\nwhile True:\n    word = input('own> ')\n    time.sleep(1.5)\n    print('heard', word)",
        submit="\n", echo=False, idle={"strategy": "pattern", "pattern": "own> $"}, startup={"ready": "own> $"},
    )  # fmt: skip
    with desk(tmp_path / "data", slow) as at:
        assert texts(run_async(at.post("one", "two"))) == ["heard one", "heard two"]


def test_a_greeting_is_no_part_of_the_answer(demo: Desk) -> None:
    events = run_async(demo.post("hi"))
    assert "This is the demo program" not in streamed(events) + str(outputs_of(events)) + texts(events)[0]


def test_a_program_that_is_not_there_fails_its_run_alone(tmp_path: Path) -> None:
    with desk(tmp_path / "data", make_profile("no-such-program-anywhere")) as at:
        [failed] = closings(run_async(at.post("hello")))
        assert isinstance(failed, RunFailed) and failed.code == "program_missing"
        at.agents.default = profile()
        assert texts(run_async(at.post("hello"))) == ["hello"]


@pytest.mark.parametrize(
    ("command", "text"),
    [
        ("printf abc", "abc"),
        ("printf 'one\ntwo'", "one\ntwo"),
        ("printf 'x%.0s' {1..117}", "x" * 117),
        ("true", ""),
    ],
    ids=["alone", "after a line", "the prompt wraps behind it", "nothing"],
)
def test_a_last_line_without_an_end_is_in_the_answer_the_prompt_is_not(
    tmp_path: Path, command: str, text: str
) -> None:
    with desk(tmp_path / "data", profile("shell")) as at:
        assert texts(run_async(at.post(command, command))) == [text, text]


def test_what_is_written_behind_the_prompt_does_not_hold_up_the_run(tmp_path: Path) -> None:
    with desk(tmp_path / "data", profile("shell")) as at:
        events = run_async(at.post("printf 'shell$ said from behind\\n'; sleep 600"))
        assert texts(events) == ["shell$ said from behind"]


def test_a_python_session_keeps_its_variables(tmp_path: Path) -> None:
    with desk(tmp_path / "data", profile("python")) as at:
        events = run_async(at.post("x = 20 + 1", "print(x * 2)", "1 / 0"))
        first, second, third = texts(events)
        assert (first, second) == ("", "42")
        assert "ZeroDivisionError" in str(outputs_of(events)) and third == "", (
            "an error is shown as one, and fails nothing"
        )


def test_deltas_and_the_text_they_make_up_are_the_same(demo: Desk) -> None:
    events = run_async(demo.post("one\ntwo\n\nthree\n```\ncode\n```\nfour\nfive"))
    pieces: list[str] = []
    for event in events:
        if isinstance(event.event, Delta):
            pieces.append(event.event.text)
        elif isinstance(event.event, Shown) and isinstance(event.event.message, Text):
            assert "".join(pieces) in ("", event.event.message.content)
            pieces = []
