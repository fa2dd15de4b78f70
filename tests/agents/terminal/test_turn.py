"""One message and its program, played from a list: what is typed, waited for and left behind."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from smoldesk.agents.terminal.agent import TerminalAgent
from smoldesk.agents.terminal.output import Progress
from smoldesk.agents.terminal.report import RESTART_NOTICE, Report
from smoldesk.agents.terminal.terminal_profiles import Profile, profile_of
from smoldesk.agents.terminal.turn import DOWN, Turn
from smoldesk.errors import DeskError, Stopped
from smoldesk.events import Shown, StepFinished, StoredEvent
from smoldesk.messages import Text
from smoldesk.store.asks import Answer
from tests.agents.terminal.contexts import PlayedProgram, RecordingContext

OWN = {"name": "own", "command": "own", "idle": {"strategy": "pattern", "pattern": "own> $"}}


def make_profile(**values: Any) -> Profile:
    return profile_of(OWN | values, "own.yaml")


def progress_of(last_line: str, text: str = "", rows: tuple[str, ...] = (), **more: Any) -> Progress:
    progress = Progress(
        text=text, last_line=last_line, partial=last_line, lines=rows or (last_line,), cursor_at_end=True,
        sent_since=True, changed=True,
    )  # fmt: skip
    return replace(progress, **more)


READY = progress_of("own> ", quiet_for=1.0)


def played(program: PlayedProgram, context: RecordingContext) -> str:
    report = Report(context, "term", clock=lambda: program.now)  # pyright: ignore[reportArgumentType]
    turn = Turn(program, context, report, ask_seconds=60, clock=lambda: program.now)  # pyright: ignore
    turn.play("hello")
    return report.answer


@pytest.fixture
def context(tmp_path: Path) -> RecordingContext:
    return RecordingContext(tmp_path)


def test_the_message_is_typed_and_the_answer_taken(context: RecordingContext) -> None:
    program = PlayedProgram(make_profile(), progress_of("", "an answer\n"), READY)
    assert played(program, context) == "an answer"
    assert program.typed == ["hello"]


def test_an_answer_without_a_line_end_is_whole_when_the_program_is_silent(context: RecordingContext) -> None:
    program = PlayedProgram(
        make_profile(idle={"strategy": "timeout", "seconds": 2}), progress_of("no line end")
    )
    assert played(program, context) == "no line end"


def test_the_own_prompt_is_no_part_of_an_answer(context: RecordingContext) -> None:
    assert played(PlayedProgram(make_profile(), progress_of("", "text\n"), READY), context) == "text"


def test_a_new_program_is_typed_to_when_it_is_ready(context: RecordingContext) -> None:
    program = PlayedProgram(
        make_profile(startup={"ready": "own> $"}),
        progress_of("", "Welcome\n"),
        READY,
        progress_of("", "answer\n"),
        READY,
    )
    program.fresh = True
    assert played(program, context) == "answer"


def test_a_secret_is_typed_as_one(context: RecordingContext) -> None:
    context.answers = [Answer(True, "abc")]
    program = PlayedProgram(make_profile(), progress_of("Password:", quiet_for=1.0))
    program.on_key = lambda key: READY if key == "(abc)" else None
    played(program, context)
    assert program.typed == ["hello", "(abc)"]
    assert context.asks[0].input_type == "password" and context.asks[0].kind == "input"


def test_an_ask_expires_when_it_was_said_to(context: RecordingContext) -> None:
    context.answers = [Answer(False, by="expiry")]
    program = PlayedProgram(make_profile(), progress_of("Continue? (y/n)", quiet_for=1.0))
    program.on_key = lambda key: READY if key == "^C" else None
    with pytest.raises(DeskError) as fault:
        played(program, context)
    assert fault.value.code == "no_answer" and "Continue?" in fault.value.hint
    assert program.typed == ["hello", "^C"] and not program.closed


def test_keys_of_a_menu_come_one_by_one_and_enter_only_at_the_choice(context: RecordingContext) -> None:
    def menu(at: int) -> Progress:
        rows = tuple(f"{'❯' if number == at else ' '} {number + 1}. choice" for number in range(3))
        return progress_of("", rows=("Do it?", *rows), cursor_at_end=False, quiet_for=1.0)

    at = 0

    def moved(key: str) -> Progress | None:
        nonlocal at
        if key == DOWN:
            at += 1
            return menu(at)
        return READY if key == "⏎" else None

    context.answers = [Answer(True, "3")]
    program = PlayedProgram(make_profile(), menu(0))
    program.on_key = moved
    played(program, context)
    assert program.typed == ["hello", DOWN, DOWN, "⏎"]


def test_a_choice_with_a_box_is_ticked_before_enter(context: RecordingContext) -> None:
    def boxes(sign: str) -> Progress:
        return progress_of(
            "", rows=("Which ones?", "  ○ aa", f"❯ {sign} bb"), cursor_at_end=False, quiet_for=1.0
        )

    context.answers = [Answer(True, "bb")]
    program = PlayedProgram(make_profile(), boxes("○"))
    program.on_key = lambda key: boxes("●") if key == " " else READY if key == "⏎" else None
    played(program, context)
    assert program.typed == ["hello", " ", "⏎"]


@pytest.mark.parametrize(("after", "typed"), [("Create it? (y/N) y", ["y", "⏎"]), ("own> ", ["y"])])
def test_enter_follows_a_key_only_while_the_question_stands(
    context: RecordingContext, after: str, typed: list[str]
) -> None:
    context.answers = [Answer(True)]
    program = PlayedProgram(make_profile(), progress_of("Create it? (y/N) ", quiet_for=1.0, raw=True))
    program.on_key = lambda key: {"y": progress_of(after), "⏎": READY}.get(key)
    played(program, context)
    assert program.typed == ["hello", *typed]


def test_a_stop_leaves_the_program_at_rest(context: RecordingContext) -> None:
    program = PlayedProgram(make_profile(), progress_of("", "working\n"))
    program.on_key = lambda key: READY if key == "^C" else context.stop.set("enough")
    with pytest.raises(Stopped):
        played(program, context)
    assert program.typed == ["hello", "^C"] and not program.closed


def test_a_stop_that_changes_nothing_ends_the_program(context: RecordingContext) -> None:
    program = PlayedProgram(make_profile(stop_grace_seconds=1), progress_of("", "working\n"))
    program.on_key = lambda key: context.stop.set("enough")
    with pytest.raises(Stopped):
        played(program, context)
    assert program.closed and program.now < 10
    assert any(isinstance(event, StepFinished) for event in context.events), "what it wrote by then is kept"


def test_an_old_prompt_that_stands_there_after_an_interrupt_is_not_trusted_at_once(
    context: RecordingContext,
) -> None:
    """The program has not read the message yet, perhaps: its answer would be the next run's."""
    old = replace(READY, sent_since=False, changed=False, quiet_for=100)
    program = PlayedProgram(make_profile(stop_grace_seconds=2), old)
    program.on_key = lambda key: context.stop.set("enough")
    with pytest.raises(Stopped):
        played(program, context)
    assert program.now >= 1.0


def test_a_silent_program_fails_and_is_interrupted(context: RecordingContext) -> None:
    program = PlayedProgram(make_profile(max_silence_seconds=30), progress_of("thinking"))
    program.on_key = lambda key: READY if key == "^C" else None
    with pytest.raises(DeskError) as fault:
        played(program, context)
    assert fault.value.code == "program_silent" and program.typed == ["hello", "^C"]


@pytest.mark.parametrize(
    ("code", "expected"), [(3, "code 3"), (0, "code 0"), (-15, "signal 15 (SIGTERM)"), (-99, "signal 99")]
)
def test_an_exit_is_named(context: RecordingContext, code: int, expected: str) -> None:
    program = PlayedProgram(
        make_profile(), progress_of("", "last words\n", rows=("last words",), exit_code=code)
    )
    with pytest.raises(DeskError) as fault:
        played(program, context)
    assert expected in fault.value.message and fault.value.code == "program_exited"
    assert "last words" in fault.value.hint
    assert "^C" not in program.typed


# --- the agent around it --------------------------------------------------------------------------------------------


class FakePrograms:
    """A pool of one."""

    def __init__(self, program: PlayedProgram) -> None:
        self.program = program
        self.releases: list[bool] = []

    def take(self, *_: object) -> PlayedProgram:
        return self.program

    def release(self, program: PlayedProgram) -> None:
        self.releases.append(program.closed)


def test_a_fault_of_the_desk_itself_ends_the_program(
    context: RecordingContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is in the middle of something: its words would be the next run's."""
    pool = FakePrograms(PlayedProgram(make_profile(), progress_of("", "working\n")))

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(context, "emit_soon", broken)
    with pytest.raises(ZeroDivisionError):
        TerminalAgent("term", make_profile(), pool).run("hello", context)  # pyright: ignore
    assert pool.releases == [True]


def test_a_program_that_failed_its_run_is_given_back_as_it_is(context: RecordingContext) -> None:
    pool = FakePrograms(PlayedProgram(make_profile(), progress_of("", exit_code=3)))
    with pytest.raises(DeskError):
        TerminalAgent("term", make_profile(), pool).run("hello", context)  # pyright: ignore
    assert pool.releases == [False]


@pytest.mark.parametrize(("spoke", "has_notice"), [("term", True), ("other", False)])
def test_a_program_that_is_new_to_a_chat_says_so(
    context: RecordingContext, spoke: str, has_notice: bool
) -> None:
    step = StepFinished(step=1, memory={"agent": spoke}, duration=1)
    context.past = [StoredEvent(chat_id="c_1", seq=1, run_id="r_1", at="2025-01-01T00:00:00Z", event=step)]  # pyright: ignore
    program = PlayedProgram(make_profile(), READY, progress_of("", "answer\n"), READY)
    program.fresh = True
    TerminalAgent("term", make_profile(), FakePrograms(program)).run("hello", context)  # pyright: ignore
    notice = Shown(message=Text(content=RESTART_NOTICE, tone="notice", code="program_anew"))
    assert (notice in context.events) is has_notice
