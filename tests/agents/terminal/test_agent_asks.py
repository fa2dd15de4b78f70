"""What programs ask becomes an ask of the run: answered, denied, left alone, stopped. Real programs, real runs."""

import logging
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pytest

from smoldesk.errors import BadInput, Conflict
from smoldesk.events import (
    AskClosed,
    RunCancelled,
    RunFailed,
    RunFinished,
    StoredEvent,
)
from smoldesk.store.asks import Answer
from tests.agents.terminal.desk import (
    Desk,
    closings,
    desk,
    of_runs,
    own_profile,
    profile,
    shown,
    streamed,
)
from tests.support.aio import run_async

MENU = """
import sys, termios, tty
options = ["Yes", "Yes, always", "No"]
def draw(at):
    sys.stdout.write("\\x1b[2J\\x1b[H╭────╮\\r\\n│ remove everything │\\r\\n│ Do you want to proceed? │\\r\\n")
    for number, option in enumerate(options):
        sys.stdout.write(f"│ {'❯' if number == at else ' '} {number + 1}. {option} │\\r\\n")
    sys.stdout.write("╰────╯\\r\\n")
    sys.stdout.flush()
def choose():
    at, old = 0, termios.tcgetattr(0)
    tty.setraw(0)
    try:
        draw(at)
        while True:
            key = sys.stdin.buffer.raw.read(16)
            if key == b"\\x03":
                return None
            if key == b"\\r":
                return options[at]
            at = (at + {b"\\x1b[B": 1, b"\\x1b[A": -1}.get(key, 0)) % len(options) if MOVES else at
            draw(at)
    finally:
        termios.tcsetattr(0, termios.TCSANOW, old)
print("own> ", end="", flush=True)
for line in sys.stdin:
    print("chosen:", choose(), flush=True)
    print("own> ", end="", flush=True)
"""


@pytest.fixture
def demo(tmp_path: Path) -> Iterator[Desk]:
    with desk(tmp_path / "data", profile()) as opened:
        yield opened


def asking(tmp_path: Path, code: str, ask_seconds: float = 60, **values: object) -> Desk:
    """A desk whose program runs this body for every line it is told."""
    loop = "while True:\n    told = input('own> ')\n" + "".join(f"    {line}\n" for line in code.splitlines())
    return Desk(tmp_path / "data", own_profile("{python}", "-u", "-c", loop, **OWN | values), ask_seconds)  # pyright: ignore


OWN: dict[str, object] = {
    "submit": "\n",
    "idle": {"strategy": "pattern", "pattern": "own> $"},
    "startup": {"ready": "own> $"},
}


# --- ask, answer, go on ---------------------------------------------------------------------------------------------


def test_a_question_waits_for_its_answer_and_the_run_goes_on(demo: Desk) -> None:
    async def scenario() -> list[StoredEvent]:
        chat_id = await demo.chat()
        await demo.runs.start(chat_id, "please confirm")
        opened = await demo.answer(chat_id, None)
        ask = opened.ask
        assert (ask.kind, ask.input_type, ask.options, ask.default) == (
            "input",
            "confirmation",
            ["y", "n"],
            None,
        )
        assert ask.prompt == "Continue? (y/n):" and ask.tool is None
        return await demo.until_closed(chat_id)

    events = run_async(scenario())
    assert [one.event.type for one in events] == [
        "run_queued", "run_started", "step_started", "shown", "step_finished", "ask_opened", "run_waiting", "ask_closed",
        "run_resumed", "step_started", "delta", "shown", "shown", "step_finished", "run_finished",
    ]  # fmt: skip
    assert closings(events) == [RunFinished(text="Confirmed.")]
    assert "Continue?" not in streamed(events), "the question is the ask's, and no text of the answer"


def test_a_no_is_typed_as_a_no(demo: Desk) -> None:
    async def scenario() -> list[StoredEvent]:
        chat_id = await demo.chat()
        await demo.runs.start(chat_id, "confirm")
        await demo.answer(chat_id, None, granted=False)
        return await demo.until_closed(chat_id)

    assert closings(run_async(scenario())) == [RunFinished(text="Not confirmed.")]


def test_two_answers_type_once(demo: Desk) -> None:
    async def scenario() -> list[StoredEvent]:
        chat_id = await demo.chat()
        await demo.runs.start(chat_id, "confirm")
        opened = await demo.answer(chat_id, None)
        with pytest.raises(Conflict):
            await demo.runs.answer(opened.ask.id, Answer(True), chat_id)
        return await demo.until_closed(chat_id)

    assert closings(run_async(scenario())) == [RunFinished(text="Confirmed.")]


def test_text_before_a_question_is_shown_before_it_is_asked(demo: Desk) -> None:
    async def scenario() -> list[StoredEvent]:
        chat_id = await demo.chat()
        await demo.runs.start(chat_id, "some words\nconfirm\nmore words\nconfirm again\nthe end")
        for number in (1, 2):
            await demo.answer(chat_id, None, number)
        return await demo.until_closed(chat_id)

    events = run_async(scenario())
    told = [one.event.type for one in events if one.event.type in ("delta", "ask_opened", "step_started")]
    # the lines of a text may come in one piece or in several
    assert [kind for kind, _ in groupby(told)] == [
        *["step_started", "delta", "ask_opened"] * 2,
        *["step_started", "delta"],
    ]
    assert closings(events) == [
        RunFinished(text="some words\n\nConfirmed.\nmore words\n\nConfirmed.\nthe end")
    ]


def test_a_choice_has_to_be_one_of_those_there_are(tmp_path: Path) -> None:
    desk = asking(tmp_path, "print('1) red')\nprint('2) blue')\nprint('got', input('Your choice: '))")

    async def scenario() -> list[StoredEvent]:
        chat_id = await desk.chat()
        await desk.runs.start(chat_id, "go")
        opened = await desk.ask_of(chat_id)
        assert (opened.ask.input_type, opened.ask.options) == ("selection", ["1", "2"])
        assert opened.ask.prompt.endswith("1) red\n2) blue\nYour choice:")
        with pytest.raises(BadInput):
            await desk.runs.answer(opened.ask.id, Answer(True, "3"), chat_id)
        await desk.runs.answer(opened.ask.id, Answer(True, "2"), chat_id)
        return await desk.until_closed(chat_id)

    try:
        assert closings(run_async(scenario())) == [RunFinished(text="1) red\n2) blue\n\ngot 2")]
    finally:
        desk.close()


def test_a_shell_reads_a_name_and_a_hidden_word(tmp_path: Path) -> None:
    with desk(tmp_path / "data", profile("shell")) as at:

        async def scenario() -> list[StoredEvent]:
            chat_id = await at.chat()
            await at.runs.start(chat_id, "read -p 'Name: ' n; read -s -p 'Password: ' s; echo; echo $n ${#s}")
            first = await at.answer(chat_id, "Alice")
            second = await at.answer(chat_id, "open sesame", 2)
            assert (first.ask.input_type, second.ask.input_type) == ("text", "password")
            return await at.until_closed(chat_id)

        assert closings(run_async(scenario())) == [RunFinished(text="Alice 11")]


def test_a_python_session_asks_with_input(tmp_path: Path) -> None:
    with desk(tmp_path / "data", profile("python")) as at:

        async def scenario() -> list[StoredEvent]:
            chat_id = await at.chat()
            await at.runs.start(chat_id, "print('hello', input('What is your name? '))")
            opened = await at.answer(chat_id, "Bob")
            assert opened.ask.input_type == "text" and opened.ask.prompt == "What is your name?"
            return await at.until_closed(chat_id)

        assert closings(run_async(scenario())) == [RunFinished(text="hello Bob")]


def test_what_a_program_asks_while_it_starts_is_asked_too(tmp_path: Path) -> None:
    code = "print('Welcome')\nword = input('Enter your name: ')\nwhile True:\n    print(word, input('own> '))"
    with desk(tmp_path / "data", own_profile("{python}", "-u", "-c", code, **OWN)) as at:

        async def scenario() -> list[StoredEvent]:
            chat_id = await at.chat()
            await at.runs.start(chat_id, "hello")
            await at.answer(chat_id, "bob")
            return await at.until_closed(chat_id)

        events = run_async(scenario())
        assert closings(events) == [RunFinished(text="bob hello")]
        assert "Welcome" not in streamed(events)


def test_a_pager_is_left_by_its_answer(tmp_path: Path) -> None:
    with desk(tmp_path / "data", profile("shell")) as at:

        async def scenario() -> list[StoredEvent]:
            chat_id = await at.chat()
            await at.runs.start(chat_id, "seq 1 500 | LESS= less; echo left")
            opened = await at.answer(chat_id, "q")
            assert (opened.ask.input_type, opened.ask.default) == ("text", "q")
            return await at.until_closed(chat_id)

        events = run_async(scenario())
        assert isinstance(closings(events)[0], RunFinished) and "left" in closings(events)[0].text  # pyright: ignore


# --- passwords ------------------------------------------------------------------------------------------------------


def test_a_password_is_in_no_event_no_log_and_no_file_of_the_desk(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    secret = "hunter2-Kaeseglocke"
    echoing = (
        "import getpass\nword = getpass.getpass('Password: ')\nprint('you said', word, word[:7] + word[7:])"
    )
    at = asking(tmp_path, echoing)
    try:

        async def scenario() -> list[StoredEvent]:
            chat_id = await at.chat()
            await at.runs.start(chat_id, "login")
            opened = await at.answer(chat_id, secret)
            assert opened.ask.input_type == "password"
            await at.until_closed(chat_id)
            return (
                await at.tell("login", chat_id=chat_id, closed=1) if False else await at.until_closed(chat_id)
            )

        events = run_async(scenario())
        assert "you said •••" in streamed(events)
        assert [one.event.value for one in events if isinstance(one.event, AskClosed)] == [None]
        assert secret not in "".join(one.event.model_dump_json() for one in events)
    finally:
        at.close()
    assert secret not in caplog.text
    stored = [file for file in (tmp_path / "data").rglob("*") if file.is_file()]
    assert any(file.suffix == ".db" or "sqlite" in file.name for file in stored), "the store is among them"
    assert [file.name for file in stored if secret.encode() in file.read_bytes()] == []


def test_the_demos_password_is_typed_and_counted(demo: Desk) -> None:
    async def scenario() -> list[StoredEvent]:
        chat_id = await demo.chat()
        await demo.runs.start(chat_id, "secret")
        await demo.answer(chat_id, "abcdefg")
        return await demo.until_closed(chat_id)

    assert closings(run_async(scenario())) == [RunFinished(text="Thank you, that were 7 characters.")]


# --- nobody answers, somebody refuses -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("question", "on_expiry", "outcome"),
    [
        ("Overwrite? [y/N] ", "default", "got n"),
        ("Overwrite? [y/N] ", "interrupt", "no_answer"),
        ("Overwrite? (y/n) ", "default", "no_answer"),
        ("Port [8080]: ", "default", "got 8080"),
    ],
)
def test_a_question_left_alone_gets_its_default_or_ends_the_run(
    tmp_path: Path, question: str, on_expiry: str, outcome: str
) -> None:
    asks = f"print('got', input({question!r}) or 'nothing' if told != 'plain' else 'plain')"
    code = f"try:\n    {asks}\nexcept KeyboardInterrupt:\n    print('stopped')"
    at = asking(tmp_path, code, ask_seconds=0.5, on_expiry=on_expiry)
    try:
        chat_id = run_async(at.chat())
        [end] = closings(run_async(at.tell("go", chat_id=chat_id)))
        if outcome == "no_answer":
            assert isinstance(end, RunFailed) and end.code == "no_answer" and question.strip() in end.hint
        else:
            assert end == RunFinished(text=outcome)
        # and the program is as good as before
        _, again = closings(run_async(at.tell("plain", chat_id=chat_id, closed=1)))
        assert again == RunFinished(text="got plain")
    finally:
        at.close()


def test_a_text_that_is_refused_interrupts_the_program_and_the_run_goes_on(tmp_path: Path) -> None:
    code = "try:\n    print('got', input('Name: '))\nexcept KeyboardInterrupt:\n    print('then not')"
    at = asking(tmp_path, code)
    try:

        async def scenario() -> list[StoredEvent]:
            chat_id = await at.chat()
            await at.runs.start(chat_id, "go")
            await at.answer(chat_id, None, granted=False)
            return await at.until_closed(chat_id)

        [end] = closings(run_async(scenario()))
        assert isinstance(end, RunFinished) and "then not" in end.text
    finally:
        at.close()


def test_a_stop_while_it_asks_cancels_and_the_next_run_works(demo: Desk) -> None:
    async def scenario() -> list[StoredEvent]:
        chat_id = await demo.chat()
        run_id = await demo.runs.start(chat_id, "confirm")
        await demo.ask_of(chat_id)
        await demo.runs.cancel(run_id, "enough")
        await demo.until_closed(chat_id)
        return await demo.tell("next", chat_id=chat_id, closed=1)

    events = run_async(scenario())
    first, second = closings(events)
    assert first == RunCancelled(reason="enough") and second == RunFinished(text="next")
    assert "Continue" not in str(shown([one for one in events if one.run_id == events[-1].run_id]))
    assert len(of_runs(events)) == 2


# --- menus ----------------------------------------------------------------------------------------------------------


def menu_desk(tmp_path: Path, moves: bool = True) -> Desk:
    code = MENU.replace("if MOVES", f"if {moves}")
    return Desk(tmp_path / "data", own_profile("{python}", "-u", "-c", code, **OWN | {"submit": "\r"}))  # pyright: ignore


@pytest.mark.parametrize(("choice", "chosen"), [("1", "Yes"), ("2", "Yes, always"), ("3", "No")])
def test_a_choice_of_a_menu_is_gone_to_and_taken(tmp_path: Path, choice: str, chosen: str) -> None:
    at = menu_desk(tmp_path)
    try:

        async def scenario() -> list[StoredEvent]:
            chat_id = await at.chat()
            await at.runs.start(chat_id, "go")
            opened = await at.answer(chat_id, choice)
            assert opened.ask.options == ["1", "2", "3"] and opened.ask.default is None
            assert "remove everything" in opened.ask.prompt
            return await at.until_closed(chat_id)

        [end] = closings(run_async(scenario()))
        assert isinstance(end, RunFinished) and f"chosen: {chosen}" in end.text.splitlines()
    finally:
        at.close()


def test_a_menu_that_does_not_move_gets_no_enter(tmp_path: Path) -> None:
    """Else whatever the pointer stands at would be chosen: an approval that nobody gave."""
    at = menu_desk(tmp_path, moves=False)
    try:

        async def scenario() -> list[StoredEvent]:
            chat_id = await at.chat()
            await at.runs.start(chat_id, "go")
            await at.answer(chat_id, "3")
            return await at.until_closed(chat_id)

        events = run_async(scenario())
        [end] = closings(events)
        assert isinstance(end, RunFailed) and end.code == "menu_lost"
        assert "chosen: Yes" not in str(events)
    finally:
        at.close()


def test_a_menu_that_is_refused_or_left_alone_chooses_nothing(tmp_path: Path) -> None:
    at = menu_desk(tmp_path)
    at.agents.ask_seconds = 0.5
    try:

        async def scenario() -> tuple[list[StoredEvent], list[StoredEvent]]:
            left_alone = await at.tell("go")
            at.agents.ask_seconds = 60
            chat_id = await at.chat()
            await at.runs.start(chat_id, "go")
            await at.answer(chat_id, None, granted=False)
            return left_alone, await at.until_closed(chat_id)

        left_alone, refused = run_async(scenario())
        [failed] = closings(left_alone)
        assert isinstance(failed, RunFailed) and failed.code == "no_answer"
        [end] = closings(refused)
        assert isinstance(end, RunFinished) and "chosen: None" in end.text
        assert "chosen: Yes" not in str(left_alone) + str(refused)
    finally:
        at.close()
