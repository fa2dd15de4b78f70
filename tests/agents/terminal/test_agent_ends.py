"""How runs of terminal programs end: stopped, exited, hung, killed; and the next run works after each."""

from pathlib import Path

import pytest

from smoldesk.agents.terminal.report import RESTART_NOTICE
from smoldesk.events import (
    RunCancelled,
    RunFailed,
    RunFinished,
    StepFinished,
    StoredEvent,
)
from smoldesk.messages import Text
from smoldesk.store.asks import Answer
from tests.agents.terminal.desk import (
    Desk,
    closings,
    desk,
    make_profile,
    of_runs,
    outputs_of,
    profile,
    streamed,
)
from tests.support.aio import run_async
from tests.support.terminals import commands_below


def python_profile(code: str, **values: object) -> object:
    return make_profile(
        "{python}", "-u", "-c", code,
        **{"submit": "\n", "idle": {"strategy": "pattern", "pattern": "own> $"}, "startup": {"ready": "own> $"}} | values,
    )  # fmt: skip


async def stopped_after(at: Desk, message: str, sign: str) -> tuple[str, list[StoredEvent]]:
    """A chat whose run was stopped once this was streamed."""
    chat_id = await at.chat()
    run_id = await at.runs.start(chat_id, message)
    await at.until(chat_id, lambda events: sign in streamed(events))
    await at.runs.cancel(run_id, "enough")
    return chat_id, await at.until_closed(chat_id)


def notices(events: list[StoredEvent]) -> list[str]:
    return [
        output.content
        for output in outputs_of(events)
        if isinstance(output, Text) and output.tone == "notice"
    ]


def outputs_contain(events: list[StoredEvent], text: str) -> bool:
    return any(text in output.content for output in outputs_of(events) if isinstance(output, Text))


# --- stop -----------------------------------------------------------------------------------------------------------


def test_a_stop_interrupts_and_the_same_program_answers_next(demo: Desk) -> None:
    async def scenario() -> list[StoredEvent]:
        chat_id, _ = await stopped_after(demo, "slow 60", "Line 2.")
        return await demo.post("next", chat_id=chat_id, closed=1)

    events = run_async(scenario())
    first, second = of_runs(events)
    assert first[-1] == RunCancelled(reason="enough") and second[-1] == RunFinished(text="next")
    assert notices(events) == [], "it was not started anew"
    assert "Line" not in "".join(str(event) for event in second if event.type == "delta")
    assert Text(content="Line 1.\nLine 2.\n\nInterrupted.") in outputs_of(events), (
        "what it wrote by then is kept"
    )


def test_a_program_that_will_not_be_interrupted_is_ended_and_the_next_run_is_told(tmp_path: Path) -> None:
    deaf = python_profile(
        "import signal, time\nfor number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):\n"
        "    signal.signal(number, signal.SIG_IGN)\n"
        "while True:\n    told = input('own> ')\n    print('working')\n    time.sleep(60 if told == 'long' else 0)",
        stop_grace_seconds=0.5,
    )
    with desk(tmp_path / "data", deaf) as at:  # pyright: ignore

        async def scenario() -> tuple[list[StoredEvent], int]:
            chat_id, _ = await stopped_after(at, "long", "working")
            remaining = len([line for line in commands_below() if "SIG_IGN" in line])
            return await at.post("short", chat_id=chat_id, closed=1), remaining

        events, remaining = run_async(scenario())
        assert remaining == 0, "no process is left behind"
        assert closings(events) == [RunCancelled(reason="enough"), RunFinished(text="working")]
        assert notices(events) == [RESTART_NOTICE]


def test_a_stop_before_the_program_is_ready_cancels(tmp_path: Path) -> None:
    slow = python_profile(
        "import time\nprint('booting')\ntime.sleep(30)\ninput('own> ')",
        startup={"ready": "own> $", "seconds": 60},
    )
    with desk(tmp_path / "data", slow) as at:  # pyright: ignore

        async def scenario() -> list[StoredEvent]:
            chat_id = await at.chat()
            run_id = await at.runs.start(chat_id, "hello")
            await at.until(
                chat_id, lambda events: any(stored.event.type == "step_started" for stored in events)
            )
            await at.runs.cancel(run_id, "enough")
            return await at.until_closed(chat_id)

        assert closings(run_async(scenario())) == [RunCancelled(reason="enough")]


# --- exit -----------------------------------------------------------------------------------------------------------


def test_an_exit_fails_the_run_with_its_code_and_the_next_run_has_a_new_program(demo: Desk) -> None:
    events = run_async(demo.post("before\ncrash", "after"))
    failed, finished = closings(events)
    assert isinstance(failed, RunFailed) and failed.code == "program_exited"
    assert failed.message == "The program ended with code 3." and "Crashing." in failed.hint
    assert finished == RunFinished(text="after")
    assert Text(content="before\nCrashing.") in outputs_of(events)
    assert notices(events) == [RESTART_NOTICE]


def test_a_signal_that_ended_it_is_named(tmp_path: Path) -> None:
    with desk(tmp_path / "data", profile("shell")) as at:
        failed, finished = closings(run_async(at.post("kill -9 $$", "echo after")))
        assert (
            isinstance(failed, RunFailed) and failed.message == "The program ended with signal 9 (SIGKILL)."
        )
        assert finished == RunFinished(text="after")


def test_an_exit_without_an_error_is_a_failure_unless_the_profile_expects_it(tmp_path: Path) -> None:
    code = "print('own> ', end='', flush=True)\nprint('got', input())\nprint('no line end', end='')"
    with desk(tmp_path / "data", python_profile(code)) as at:  # pyright: ignore
        [failed] = closings(run_async(at.post("word")))
        assert isinstance(failed, RunFailed) and failed.message == "The program ended with code 0."
        at.agents.default = python_profile(code, one_shot=True)  # pyright: ignore
        events = run_async(at.post("one", "two"))
        assert [end.text for end in closings(events) if isinstance(end, RunFinished)] == [
            "got one\nno line end",
            "got two\nno line end",
        ]


WIZARD = """
print('This creates a project.')
slug = input('slug (myproj): ') or 'myproj'
print('Checking', slug)
if input('use_docker [y/n] (y): ') == 'n':
    raise SystemExit(4)
print('Created', slug)
"""


def test_a_program_that_asks_before_the_message_and_ends_well_is_done_with_its_output(tmp_path: Path) -> None:
    with desk(tmp_path / "data", make_profile("{python}", "-u", "-c", WIZARD, submit="\n")) as at:
        asks, events = at.run_and_answer("make it", Answer(True, "demo"), Answer(True))
    assert [(ask.prompt, ask.input_type, ask.default) for ask in asks] == [
        ("slug (myproj):", "text", "myproj"),
        ("use_docker [y/n] (y):", "confirmation", "y"),
    ]
    assert closings(events) == [RunFinished(text="This creates a project.\n\nChecking demo\n\nCreated demo")]
    kinds = [event.event.type for event in events]
    assert kinds.index("shown") < kinds.index("ask_opened"), "what a question refers to is shown before it"
    assert not outputs_contain(events, "make it"), "the message was never typed"


def test_a_program_that_asks_before_the_message_and_fails_has_failed(tmp_path: Path) -> None:
    with desk(tmp_path / "data", make_profile("{python}", "-u", "-c", WIZARD, submit="\n")) as at:
        _, events = at.run_and_answer("make it", Answer(True, "demo"), Answer(False))
    [failed] = closings(events)
    assert isinstance(failed, RunFailed) and failed.message == "The program ended with code 4."


def test_a_program_that_ends_before_the_message_is_done_if_its_profile_expects_that(tmp_path: Path) -> None:
    code = "print('all done')"
    with desk(tmp_path / "data", python_profile(code)) as at:  # pyright: ignore
        assert [end.type for end in closings(run_async(at.post("go")))] == ["run_failed"]
        at.agents.default = python_profile(code, one_shot=True)  # pyright: ignore
        assert closings(run_async(at.post("go"))) == [RunFinished(text="all done")]


def test_a_program_that_ends_while_it_starts_says_why(tmp_path: Path) -> None:
    with desk(tmp_path / "data", python_profile("import sys\nprint('no key was given')\nsys.exit(7)")) as at:  # pyright: ignore
        events = run_async(at.post("hello"))
        [failed] = closings(events)
        assert isinstance(failed, RunFailed) and failed.message == "The program ended with code 7."
        assert failed.hint == "Its last line: no key was given"


# --- silence --------------------------------------------------------------------------------------------------------


def test_a_program_that_hangs_fails_the_run_and_is_good_for_the_next(tmp_path: Path) -> None:
    code = (
        "import time\nwhile True:\n    try:\n        told = input('own> ')\n"
        "        time.sleep(600 if told == 'hang' else 0)\n        print('heard', told)\n"
        "    except KeyboardInterrupt:\n        print('sorry')"
    )
    with desk(tmp_path / "data", python_profile(code, max_silence_seconds=1.5)) as at:  # pyright: ignore
        events = run_async(at.post("hang", "hello"))
        failed, finished = closings(events)
        assert isinstance(failed, RunFailed) and failed.code == "program_silent"
        assert "2 seconds" in failed.message and "max_silence_seconds" in failed.hint
        assert finished == RunFinished(text="heard hello")
        assert notices(events) == []


def test_a_program_that_never_gets_ready_is_typed_to_when_its_time_is_over(tmp_path: Path) -> None:
    code = "print('hm')\nwhile True:\n    print('heard', input(), flush=True)\n    print('own> ', end='', flush=True)"
    with desk(tmp_path / "data", python_profile(code, startup={"ready": "never", "seconds": 1})) as at:  # pyright: ignore
        assert closings(run_async(at.post("hello"))) == [RunFinished(text="heard hello")]


# --- each end -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("message", ["crash", "hello", "a\n```\nopen fence"])
def test_every_step_that_began_has_an_end(demo: Desk, message: str) -> None:
    [run] = of_runs(run_async(demo.post(message)))
    step_count = sum(event.type == "step_started" for event in run)
    assert step_count == sum(isinstance(event, StepFinished) for event in run) == 1


def test_programs_of_two_chats_end_alone(demo: Desk) -> None:
    async def scenario() -> list[StoredEvent]:
        first_chat, other = await demo.chat(), await demo.chat()
        await demo.post("hello", chat_id=other)
        await demo.post("crash", chat_id=first_chat)
        return await demo.post("still there", chat_id=other, closed=1)

    events = run_async(scenario())
    assert closings(events)[-1] == RunFinished(text="still there") and notices(events) == []


def test_a_desk_that_closes_ends_runs_and_programs(tmp_path: Path) -> None:
    async def scenario(at: Desk) -> None:
        chat_id = await at.chat()
        await at.runs.start(chat_id, "slow 60")
        await at.until(chat_id, lambda events: "Line 1." in streamed(events))

    at = Desk(tmp_path / "data", profile())
    run_async(scenario(at))
    assert len(at.programs) == 1
    at.close()
    assert len(at.programs) == 0
    assert [line for line in commands_below() if "terminal" in line] == []
