"""The programs of all chats: one each, a cap, what they write between runs, and none left in the end."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from smoldesk.agents.terminal.pool import (
    GAP_CHARACTERS,
    PIECE_CHARACTERS,
    QUIET_SECONDS,
    LateOutputBuffer,
    Programs,
)
from smoldesk.agents.terminal.program import Program
from smoldesk.errors import Conflict, DeskError
from tests.support.terminals import PATIENCE, Talk, lives, profile, python
from tests.support.waiting import come_true

ECHO = python("while True: print('<' + input() + '>')", submit="\n", echo=False)


class LateTexts:
    """What was late, by chat and agent."""

    def __init__(self) -> None:
        self.texts: list[tuple[str, str, str]] = []

    def __call__(self, chat_id: str, agent_name: str, text: str) -> None:
        self.texts.append((chat_id, agent_name, text))

    @property
    def text(self) -> str:
        return "".join(text for _, _, text in self.texts)


@pytest.fixture
def late_texts() -> LateTexts:
    return LateTexts()


@pytest.fixture
def pool(late_texts: LateTexts) -> Iterator[Programs]:
    programs = Programs(max_programs=2, idle_seconds=600, late=late_texts)
    yield programs
    programs.close()


def output_after(program: Program, message: str) -> str:
    """Send it and wait for its echo."""
    talk = Talk(program)
    program.send(message)
    return talk.until(lambda now: f"<{message}>" in talk.said)


def test_a_chat_keeps_its_program_and_another_gets_its_own(pool: Programs, tmp_path: Path) -> None:
    first = pool.take("a", "echo", ECHO, tmp_path)
    assert first.fresh
    output_after(first, "x")
    pool.release(first)
    other = pool.take("b", "echo", ECHO, tmp_path)
    again = pool.take("a", "echo", ECHO, tmp_path)
    assert again is first
    assert not again.fresh
    assert other is not first


def test_one_run_at_a_time_has_a_program(pool: Programs, tmp_path: Path) -> None:
    pool.take("a", "echo", ECHO, tmp_path)
    with pytest.raises(Conflict, match="another run"):
        pool.take("a", "echo", ECHO, tmp_path)


def test_beyond_the_cap_the_longest_idle_one_goes(pool: Programs, tmp_path: Path) -> None:
    first, two = pool.take("a", "echo", ECHO, tmp_path), pool.take("b", "echo", ECHO, tmp_path)
    pool.release(two)
    pool.release(first)
    pool.take("c", "echo", ECHO, tmp_path)
    assert len(pool) == 2
    assert two.closed
    assert not first.closed
    assert not lives(two.pid)


def test_when_all_are_at_work_no_more_are_started_and_nobody_is_harmed(
    pool: Programs, tmp_path: Path
) -> None:
    first, two = pool.take("a", "echo", ECHO, tmp_path), pool.take("b", "echo", ECHO, tmp_path)
    with pytest.raises(DeskError, match="2 programs") as fault:
        pool.take("c", "echo", ECHO, tmp_path)
    assert fault.value.code == "too_many_programs"
    assert output_after(first, "still here") + output_after(two, "me too") == "<still here>\n<me too>\n"
    pool.release(first)
    pool.take("c", "echo", ECHO, tmp_path)


def test_one_that_cannot_be_started_takes_no_place(pool: Programs, tmp_path: Path) -> None:
    for _ in range(5):
        with pytest.raises(DeskError) as fault:
            pool.take("a", "x", profile(command="no-such-program"), tmp_path)
        assert fault.value.code == "program_missing"
    assert len(pool) == 0
    pool.take("a", "echo", ECHO, tmp_path)
    pool.take("b", "echo", ECHO, tmp_path)


def test_one_that_ended_is_started_anew(pool: Programs, tmp_path: Path) -> None:
    crash = python("input(); raise SystemExit(3)", submit="\n")
    first = pool.take("a", "crash", crash, tmp_path)
    first.send("go")
    Talk(first).over()
    pool.release(first)
    assert len(pool) == 0
    assert pool.take("a", "crash", crash, tmp_path).exit_code is None


def test_another_profile_is_another_program(pool: Programs, tmp_path: Path) -> None:
    first = pool.take("a", "x", ECHO, tmp_path)
    pool.release(first)
    two = pool.take("a", "x", ECHO.model_copy(update={"rows": 30}), tmp_path)
    assert two is not first
    assert first.closed


def test_what_comes_between_runs_is_told_joined_and_to_whom(
    pool: Programs, late_texts: LateTexts, tmp_path: Path
) -> None:
    late = "for n in range(5):\n    print('late', n)\n    time.sleep(0.05)\n"
    code = f"import time\ninput()\nprint('in the run')\ninput()\n{late}input()"
    program = pool.take("a", "x", python(code, submit="\n", echo=False), tmp_path)
    program.send("go")
    Talk(program).until(lambda now: "in the run" in now.text)
    program.send("on")
    pool.release(program)
    come_true(lambda: "late 4\n" in late_texts.text)
    assert late_texts.text == "".join(f"late {n}\n" for n in range(5))
    assert {(chat_id, agent) for chat_id, agent, _ in late_texts.texts} == {("a", "x")}
    assert len(late_texts.texts) < 5


def test_what_is_late_is_told_before_the_next_run_and_is_not_in_it(
    pool: Programs, late_texts: LateTexts, tmp_path: Path
) -> None:
    code = "input()\nprint('late')\nwhile True: print('<' + input() + '>')"
    program = pool.take("a", "x", python(code, submit="\n", echo=False), tmp_path)
    program.send("go")
    come_true(lambda: program.received >= len("late\r\n"))
    pool.release(program)
    again = pool.take("a", "x", program.profile, tmp_path)
    assert late_texts.text == "late\n"
    assert output_after(again, "x") == "<x>\n"
    assert late_texts.text == "late\n"


def test_a_flood_between_runs_is_limited_and_counted(
    pool: Programs, late_texts: LateTexts, tmp_path: Path
) -> None:
    code = "input()\nfor n in range(20_000): print('late', n)\nprint('ready')\ninput()"
    program = pool.take("a", "x", python(code, submit="\n", echo=False), tmp_path)
    program.send("go")
    pool.release(program)
    come_true(lambda: program.received >= sum(len(f"late {n}\r\n") for n in range(20_000)) + len("ready"))
    time.sleep(0.6)
    pool.take("a", "x", program.profile, tmp_path)
    assert len(late_texts.text) < 70_000
    assert "characters left out" in late_texts.text


def test_one_that_ends_between_runs_is_cleared_away_with_its_last_words(
    pool: Programs, late_texts: LateTexts, tmp_path: Path
) -> None:
    program = pool.take("a", "x", python("input()\nprint('bye')", submit="\n", echo=False), tmp_path)
    pool.release(program)
    program.send("go")
    come_true(lambda: len(pool) == 0)
    come_true(lambda: late_texts.text == "bye\n")


def test_a_listener_that_fails_stops_nothing(tmp_path: Path) -> None:
    def gone(chat_id: str, agent_name: str, text: str) -> None:
        raise DeskError("There is no such chat.", code="not_found")

    pool = Programs(late=gone)
    program = pool.take("a", "x", python("input()\nprint('late')\ninput()", submit="\n"), tmp_path)
    program.send("go")
    pool.release(program)
    time.sleep(0.8)
    assert pool.take("a", "x", program.profile, tmp_path) is program
    pool.close()


def test_an_idle_one_is_ended_after_a_while(tmp_path: Path) -> None:
    pool = Programs(idle_seconds=0.4)
    program = pool.take("a", "echo", ECHO, tmp_path)
    output_after(program, "a run may take longer")
    time.sleep(1)
    assert not program.closed
    pool.release(program)
    come_true(lambda: len(pool) == 0)
    come_true(lambda: not lives(program.pid))
    pool.close()


def test_a_chat_that_goes_takes_its_programs_along(pool: Programs, tmp_path: Path) -> None:
    first, two = pool.take("a", "x", ECHO, tmp_path), pool.take("b", "x", ECHO, tmp_path)
    pool.drop("a", "the chat was deleted")
    assert (first.closed, two.closed) == (True, False)
    pool.release(first)
    assert len(pool) == 1


def test_closing_ends_all_at_once_and_nothing_is_started_any_more(tmp_path: Path) -> None:
    ignore = "import signal, time\nfor n in (1, 15): signal.signal(n, signal.SIG_IGN)\n"
    deaf = python(f"{ignore}print('deaf')\nwhile 1: time.sleep(9)", stop_grace_seconds=1)
    pool = Programs(max_programs=6)
    programs = [pool.take(str(number), "x", deaf, tmp_path) for number in range(6)]
    for program in programs:
        Talk(program).until(lambda now: "deaf" in now.text)
    closing = threading.Thread(target=pool.close)
    closing.start()
    closing.join(PATIENCE)
    assert not any(lives(program.pid) for program in programs)
    with pytest.raises(Conflict, match="shutting down"):
        pool.take("a", "x", deaf, tmp_path)


def test_lines_are_joined_until_it_is_quiet() -> None:
    late = LateOutputBuffer()
    late.add("one\n", 0)
    late.add("two\n", QUIET_SECONDS / 2)
    assert late.poll(QUIET_SECONDS) == ""
    assert late.poll(1.5 * QUIET_SECONDS) == "one\ntwo\n"
    assert (late.poll(99), late.pending) == ("", False)


def test_a_full_piece_does_not_wait() -> None:
    late = LateOutputBuffer()
    late.add("x" * PIECE_CHARACTERS + "\n", 0)
    assert len(late.poll(0)) == PIECE_CHARACTERS + 1


def test_beyond_its_limit_it_is_counted_and_told_before_the_next_run() -> None:
    late = LateOutputBuffer()
    line = "x" * 99 + "\n"
    text = ""
    for number in range(2000):
        late.add(line, number)
        text += late.poll(number)
    text += late.end()
    *lines, note = text.splitlines(keepends=True)
    assert set(lines) == {line}
    assert GAP_CHARACTERS - 100 < 100 * len(lines) <= GAP_CHARACTERS
    assert note == f"… {200_000 - 100 * len(lines)} characters left out\n"
    assert late.end() == ""
    late.add("fresh\n", 0)
    assert late.end() == "fresh\n"
