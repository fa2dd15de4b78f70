"""The demo program under its terminal: everything it does, as its page says."""

import subprocess
import sys
import time
from pathlib import Path

import pytest

from smoldesk.agents.terminal.blanks import BLANK
from smoldesk.agents.terminal.demo import PAUSE
from tests.support.terminals import Talk, profile, talking

PROMPT = "^demo> $"


@pytest.fixture
def demo(tmp_path: Path):
    with talking(profile("demo"), tmp_path) as talk:
        talk.until(lambda now: now.last_line == "demo> ")
        yield talk


def test_it_greets(demo: Talk) -> None:
    assert demo.said == "This is the demo program. It repeats what it is told.\n"


def test_it_repeats_what_it_is_told_word_by_word(demo: Talk) -> None:
    started_at = time.monotonic()
    assert demo.ask("one two three 四", PROMPT) == "one two three 四\n"
    assert time.monotonic() - started_at >= 4 * PAUSE


@pytest.mark.parametrize(
    ("answer", "expected"), [("y", "Confirmed."), ("n", "Not confirmed."), ("", "Not confirmed.")]
)
def test_it_asks_before_it_confirms(demo: Talk, answer: str, expected: str) -> None:
    demo.ask("please confirm this", r"^Continue\? \(y/n\): $")
    assert demo.last.cursor_at_end
    demo.program.answer(answer)
    assert demo.prompt(PROMPT) == f"{expected}\n"


def test_it_asks_for_a_password_that_nobody_sees(demo: Talk) -> None:
    demo.ask("a secret", "^Password: $")
    demo.program.answer("hunter2", secret=True)
    assert "Thank you, that were 7 characters.\n" in demo.prompt(PROMPT)
    assert demo.ask("hunter2", PROMPT) == f"{BLANK}\n"


def test_it_passes_fenced_blocks_through(demo: Talk) -> None:
    block = "```python\nfor x in 'confirm', 'crash':\n    print(x)\n```"
    assert demo.ask(f"see\n{block}\nwell", PROMPT) == f"see\n{block}\nwell\n"


def test_it_takes_its_time_when_told_and_can_be_interrupted(demo: Talk) -> None:
    started_at = time.monotonic()
    assert demo.ask("slow 2", PROMPT) == "Line 1.\nLine 2.\nDone.\n"
    assert time.monotonic() - started_at >= 1
    demo.program.send("slow")
    demo.until(lambda now: "Line 1." in now.text)
    demo.program.interrupt()
    assert demo.prompt(PROMPT).endswith("Interrupted.\n")


def test_it_ends_with_three_on_crash_and_with_zero_on_exit(demo: Talk, tmp_path: Path) -> None:
    demo.program.send("crash")
    assert demo.over().endswith("Crashing.\n")
    assert demo.program.exit_code == 3
    with talking(profile("demo"), tmp_path) as other:
        other.until(lambda now: now.last_line == "demo> ")
        other.program.send("exit")
        other.over()
        assert other.program.exit_code == 0


def test_a_message_of_many_lines_is_answered_once(demo: Talk) -> None:
    answer = demo.ask("one\ntwo\nthree", PROMPT)
    assert answer == "one\ntwo\nthree\n"
    assert "".join(demo.last.lines).count("demo>") == 2


def test_it_runs_as_a_module_and_without_a_terminal() -> None:
    completed = subprocess.run(
        [sys.executable, "-m", "smoldesk.agents.terminal.demo"],
        input="hello\n",
        text=True,
        capture_output=True,
        timeout=60,
        check=True,
    )
    assert "hello" in completed.stdout
