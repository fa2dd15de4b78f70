"""What programs ask becomes an ask of the run: answered, denied, left alone, stopped. Real programs, real runs."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
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
    make_profile,
    of_runs,
    outputs_of,
    profile,
    streamed,
)
from tests.support.aio import run_async

pytestmark = pytest.mark.long

MENU = """
import select, sys, termios, tty
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
            while SLOW and select.select([0], [], [], SLOW)[0]:
                key += sys.stdin.buffer.raw.read(16)
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


@contextmanager
def asking(tmp_path: Path, code: str, ask_seconds: float = 60, **values: object) -> Iterator[Desk]:
    """A desk whose program runs this body for every line it is told."""
    loop = "while True:\n    told = input('own> ')\n" + "".join(f"    {line}\n" for line in code.splitlines())
    program_profile = make_profile("{python}", "-u", "-c", loop, **OWN | values)  # pyright: ignore
    with desk(tmp_path / "data", program_profile, ask_seconds) as opened:
        yield opened


OWN: dict[str, object] = {
    "submit": "\n",
    "idle": {"strategy": "pattern", "pattern": "own> $"},
    "startup": {"ready": "own> $"},
}
YES, NO = Answer(True), Answer(False)


# --- ask, answer, go on ---------------------------------------------------------------------------------------------


def test_a_question_waits_for_its_answer_and_the_run_goes_on(demo: Desk) -> None:
    [ask], events = demo.run_and_answer("please confirm", YES)
    assert (ask.kind, ask.input_type, ask.options) == ("input", "confirmation", ["y", "n"])
    assert (ask.prompt, ask.default, ask.tool) == ("Continue? (y/n):", None, None)
    assert [event.event.type for event in events] == [
        "run_queued", "run_started", "step_started", "shown", "step_finished", "ask_opened", "run_waiting", "ask_closed",
        "run_resumed", "step_started", "delta", "shown", "shown", "step_finished", "run_finished",
    ]  # fmt: skip
    assert closings(events) == [RunFinished(text="Confirmed.")]
    assert "Continue?" not in streamed(events), "the question is the ask's, and no text of the answer"


def test_a_no_is_typed_as_a_no(demo: Desk) -> None:
    assert closings(demo.run_and_answer("confirm", NO)[1]) == [RunFinished(text="Not confirmed.")]


def test_two_answers_type_once(demo: Desk) -> None:
    async def scenario() -> list[StoredEvent]:
        chat_id = await demo.chat()
        await demo.runs.start(chat_id, "confirm")
        opened = await demo.ask_of(chat_id)
        await demo.runs.answer(opened.ask.id, YES, chat_id)
        with pytest.raises(Conflict):
            await demo.runs.answer(opened.ask.id, YES, chat_id)
        return await demo.until_closed(chat_id)

    assert closings(run_async(scenario())) == [RunFinished(text="Confirmed.")]


def test_text_before_a_question_is_shown_before_it_is_asked(demo: Desk) -> None:
    _, events = demo.run_and_answer("some words\nconfirm\nmore words\nconfirm again\nthe end", YES, YES)
    texts = [
        event.event.type for event in events if event.event.type in ("delta", "ask_opened", "step_started")
    ]
    # the lines of a text may come in one piece or in several
    assert [kind for kind, _ in groupby(texts)] == [
        *["step_started", "delta", "ask_opened"] * 2,
        *["step_started", "delta"],
    ]
    assert closings(events) == [
        RunFinished(text="some words\n\nConfirmed.\nmore words\n\nConfirmed.\nthe end")
    ]


def test_a_choice_has_to_be_one_of_those_there_are(tmp_path: Path) -> None:
    code = "print('1) red')\nprint('2) blue')\nprint('got', input('Your choice: '))"
    with asking(tmp_path, code) as at:

        async def scenario() -> list[StoredEvent]:
            chat_id = await at.chat()
            await at.runs.start(chat_id, "go")
            opened = await at.ask_of(chat_id)
            assert (opened.ask.input_type, opened.ask.options) == ("selection", ["1", "2"])
            assert opened.ask.prompt.endswith("1) red\n2) blue\nYour choice:")
            with pytest.raises(BadInput):
                await at.runs.answer(opened.ask.id, Answer(True, "3"), chat_id)
            await at.runs.answer(opened.ask.id, Answer(True, "2"), chat_id)
            return await at.until_closed(chat_id)

        assert closings(run_async(scenario())) == [RunFinished(text="1) red\n2) blue\n\ngot 2")]


def test_a_shell_reads_a_name_and_a_hidden_word(tmp_path: Path) -> None:
    reads = "read -p 'Name: ' n; read -s -p 'Password: ' s; echo; echo $n ${#s}"
    with desk(tmp_path / "data", profile("shell")) as at:
        asks, events = at.run_and_answer(reads, Answer(True, "Alice"), Answer(True, "open sesame"))
    assert [ask.input_type for ask in asks] == ["text", "password"]
    assert closings(events) == [RunFinished(text="Alice 11")]


def test_a_python_session_asks_with_input(tmp_path: Path) -> None:
    with desk(tmp_path / "data", profile("python")) as at:
        [ask], events = at.run_and_answer("print('hello', input('What is your name? '))", Answer(True, "Bob"))
    assert ask.input_type == "text" and ask.prompt == "What is your name?"
    assert closings(events) == [RunFinished(text="hello Bob")]


def test_what_a_program_asks_while_it_starts_is_asked_too(tmp_path: Path) -> None:
    code = "print('Welcome')\nword = input('Enter your name: ')\nwhile True:\n    print(word, input('own> '))"
    with desk(tmp_path / "data", make_profile("{python}", "-u", "-c", code, **OWN)) as at:
        _, events = at.run_and_answer("hello", Answer(True, "bob"))
    assert closings(events) == [RunFinished(text="bob hello")]
    assert "Welcome" not in streamed(events)


def test_a_shell_reads_a_line_without_a_prompt(tmp_path: Path) -> None:
    with desk(tmp_path / "data", profile("shell")) as at:
        [ask], events = at.run_and_answer("echo before; read x; echo got $x", Answer(True, "it"))
    assert ask.input_type == "text" and ask.prompt.endswith("before")
    assert closings(events) == [RunFinished(text="before\n\ngot it")]


def test_an_interpreter_in_a_shell_gets_the_next_messages(tmp_path: Path) -> None:
    """Its prompt ends the run: it is ready for input, and asks nothing."""
    with desk(tmp_path / "data", profile("shell")) as at:
        events = run_async(at.post("python3 -q", "print(6 *", "7)", "exit()", "echo back"))
    texts = [end.text for end in closings(events) if isinstance(end, RunFinished)]
    assert texts == ["", "", "42", "", "back"]


def test_a_debugger_in_a_python_session_gets_the_next_messages(tmp_path: Path) -> None:
    with desk(tmp_path / "data", profile("python")) as at:
        events = run_async(at.post("word = 6 * 7; breakpoint()", "p word + 1", "c", "word"))
    texts = [end.text for end in closings(events) if isinstance(end, RunFinished)]
    assert len(texts) == 4 and (texts[1], texts[3]) == ("43", "42")


def test_a_pager_is_left_by_its_answer(tmp_path: Path) -> None:
    with desk(tmp_path / "data", profile("shell")) as at:
        [ask], events = at.run_and_answer("seq 1 500 | LESS= less; echo left", Answer(True, "q"))
    assert (ask.input_type, ask.default) == ("text", "q")
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
    with asking(tmp_path, echoing) as at:
        [ask], events = at.run_and_answer("login", Answer(True, secret))
        assert ask.input_type == "password"
        assert "you said •••" in streamed(events)
        assert [event.event.value for event in events if isinstance(event.event, AskClosed)] == [None]
        assert secret not in "".join(event.event.model_dump_json() for event in events)
    assert secret not in caplog.text
    stored = [file for file in (tmp_path / "data").rglob("*") if file.is_file()]
    assert any(file.suffix == ".db" or "sqlite" in file.name for file in stored), "the store is among them"
    assert [file.name for file in stored if secret.encode() in file.read_bytes()] == []


def test_the_demos_password_is_typed_and_counted(demo: Desk) -> None:
    _, events = demo.run_and_answer("secret", Answer(True, "abcdefg"))
    assert closings(events) == [RunFinished(text="Thank you, that were 7 characters.")]


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
    with asking(tmp_path, code, ask_seconds=0.5, on_expiry=on_expiry) as at:
        chat_id = run_async(at.chat())
        [end] = closings(run_async(at.post("go", chat_id=chat_id)))
        if outcome == "no_answer":
            assert isinstance(end, RunFailed) and end.code == "no_answer" and question.strip() in end.hint
        else:
            assert end == RunFinished(text=outcome)
        # and the program is as good as before
        _, again = closings(run_async(at.post("plain", chat_id=chat_id, closed=1)))
        assert again == RunFinished(text="got plain")


def test_a_text_that_is_refused_interrupts_the_program_and_the_run_goes_on(tmp_path: Path) -> None:
    code = "try:\n    print('got', input('Name: '))\nexcept KeyboardInterrupt:\n    print('then not')"
    with asking(tmp_path, code) as at:
        [end] = closings(at.run_and_answer("go", NO)[1])
    assert isinstance(end, RunFinished) and "then not" in end.text


def test_a_stop_while_it_asks_cancels_and_the_next_run_works(demo: Desk) -> None:
    async def scenario() -> list[StoredEvent]:
        chat_id = await demo.chat()
        run_id = await demo.runs.start(chat_id, "confirm")
        await demo.ask_of(chat_id)
        await demo.runs.cancel(run_id, "enough")
        await demo.until_closed(chat_id)
        return await demo.post("next", chat_id=chat_id, closed=1)

    events = run_async(scenario())
    first, second = closings(events)
    assert first == RunCancelled(reason="enough") and second == RunFinished(text="next")
    assert "Continue" not in str(outputs_of([event for event in events if event.run_id == events[-1].run_id]))
    assert len(of_runs(events)) == 2


# --- menus ----------------------------------------------------------------------------------------------------------


@contextmanager
def menu_desk(tmp_path: Path, moves: bool = True, slow: float = 0) -> Iterator[Desk]:
    code = MENU.replace("if MOVES", f"if {moves}").replace("SLOW", str(slow))
    program_profile = make_profile("{python}", "-u", "-c", code, **OWN | {"submit": "\r"})  # pyright: ignore
    with desk(tmp_path / "data", program_profile) as opened:
        yield opened


@pytest.mark.parametrize(("choice", "chosen"), [("1", "Yes"), ("2", "Yes, always"), ("3", "No")])
def test_a_choice_of_a_menu_is_gone_to_and_taken(tmp_path: Path, choice: str, chosen: str) -> None:
    with menu_desk(tmp_path) as at:
        [ask], events = at.run_and_answer("go", Answer(True, choice))
    assert ask.options == ["1", "2", "3"] and ask.default is None
    assert "remove everything" in ask.prompt
    [end] = closings(events)
    assert isinstance(end, RunFinished) and f"chosen: {chosen}" in end.text.splitlines()


def test_a_menu_that_is_slow_gets_one_key_at_a_time(tmp_path: Path) -> None:
    """It takes all that comes within its time for one key, and would not move by two."""
    with menu_desk(tmp_path, slow=0.3) as at:
        _, events = at.run_and_answer("go", Answer(True, "3"))
    [end] = closings(events)
    assert isinstance(end, RunFinished) and "chosen: No" in end.text.splitlines()


def test_a_menu_that_does_not_move_gets_no_enter(tmp_path: Path) -> None:
    """Else whatever the pointer stands at would be chosen: an approval that nobody gave."""
    with menu_desk(tmp_path, moves=False) as at:
        _, events = at.run_and_answer("go", Answer(True, "3"))
    [end] = closings(events)
    assert isinstance(end, RunFailed) and end.code == "menu_lost"
    assert "chosen: Yes" not in str(events)


def test_a_menu_that_is_refused_or_left_alone_chooses_nothing(tmp_path: Path) -> None:
    with menu_desk(tmp_path) as at:
        at.agents.ask_seconds = 0.5
        unanswered = run_async(at.post("go"))
        at.agents.ask_seconds = 60
        _, refused = at.run_and_answer("go", NO)
    [failed] = closings(unanswered)
    assert isinstance(failed, RunFailed) and failed.code == "no_answer"
    [end] = closings(refused)
    assert isinstance(end, RunFinished) and "chosen: None" in end.text
    assert "chosen: Yes" not in str(unanswered) + str(refused)
