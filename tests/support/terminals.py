"""Driving a real program under its terminal in tests: start it, type, wait for what it says. Never a fixed pause."""

import re
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

from smoldesk.agents.terminal.output import Progress
from smoldesk.agents.terminal.processes import MARK, Family
from smoldesk.agents.terminal.program import Program
from smoldesk.agents.terminal.terminal_profiles import Profile, load_profile, profile_of

PATIENCE = 60.0


def profile(shipped: str | None = None, **over: Any) -> Profile:
    """A shipped profile, or a plain one, with some keys changed."""
    values = load_profile(shipped).model_dump() if shipped else {"name": "test", "stop_grace_seconds": 0.5}
    return profile_of({**values, **over}, "a test")


def python(code: str, **over: Any) -> Profile:
    """A profile of a Python program given as text."""
    return profile(command=sys.executable, args=("-I", "-u", "-c", code), **over)


class Talk:
    """A program, everything it said, and how it stood last."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.said = ""
        self.last = Progress()

    def until(self, right: Callable[[Progress], object], seconds: float = PATIENCE) -> str:
        """Look until it stands so; what it said meanwhile."""
        deadline, message = time.monotonic() + seconds, ""
        while True:
            self.last = self.program.wait(0.1)
            message += self.last.text
            self.said += self.last.text
            if right(self.last):
                return message
            assert time.monotonic() < deadline, f"it did not come to that: {self.last}"

    def prompt(self, pattern: str) -> str:
        """Until its last line matches, as an answer to what was typed, and it is quiet."""
        return self.until(
            lambda now: re.search(pattern, now.last_line) and now.sent_since and now.quiet_for > 0.2
        )

    def over(self) -> str:
        """Until it ended."""
        return self.until(lambda now: now.exit_code is not None)

    def ask(self, message: str, pattern: str) -> str:
        """Type a message; what it said until its last line matches."""
        self.program.send(message)
        return self.prompt(pattern)


@contextmanager
def talking(to: Profile, folder: Path) -> Iterator[Talk]:
    """A running program; when it is over none of its processes is left."""
    program = Program(to, folder)
    try:
        mark = psutil.Process(program.pid).environ().get(MARK, "")
    except psutil.Error:  # it is over already
        mark = ""
    try:
        family = Family(program.pid, mark)
    except psutil.NoSuchProcess:  # reaped as well, and its id may soon be another's
        family = None
    try:
        yield Talk(program)
    finally:
        program.close()
    assert family is None or family.members() == []


def lives(pid: int) -> bool:
    """Whether a process runs; a zombie does not."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def commands_below() -> list[str]:
    """The command line of each process below this one; what ended since it was listed has none."""
    lines: list[str] = []
    for process in psutil.Process().children(recursive=True):
        try:
            lines.append(" ".join(process.cmdline()))
        except psutil.Error:
            continue
    return lines
