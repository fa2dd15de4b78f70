"""The `demo` program: small, deterministic, needs nothing but the standard library. `python -m smoldesk.agents.terminal.demo`.

It is run as a file, in isolation from its folder: whatever lies there is none of its modules.

It repeats what it is told, word by word. A line with "confirm" is asked about, one that begins with "slow" takes its time
("slow 5": five lines), "secret" asks for a password, "crash" ends it with code 3, and what stands between fences passes
through as it is.
"""

import getpass
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

PROMPT = "demo> "
PAUSE = 0.02
SLOW_PAUSE, SLOW_LINES = 0.5, 120
CRASH_CODE = 3
_PASTE_ON, _PASTE_OFF = "\x1b[?2004h", "\x1b[?2004l"
_PASTE_START, _PASTE_END = "\x1b[200~", "\x1b[201~"
_FENCES = ("```", "~~~")


def write_text(text: str, end: str = "\n") -> None:
    """Write at once."""
    sys.stdout.write(text + end)
    sys.stdout.flush()


def read_message(prompt: str) -> str:
    """One message: a line, or all lines of what was pasted. Raises EOFError at the end."""
    write_text(prompt, end="")
    line = _line()
    if _PASTE_START not in line:
        return line
    lines = [line.replace(_PASTE_START, "")]
    while _PASTE_END not in lines[-1]:
        lines.append(_line())
    return "\n".join(lines).replace(_PASTE_END, "").rstrip("\n")


def _line() -> str:
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line.rstrip("\r\n")


def main() -> int:
    """Answer until the input ends ("exit", Ctrl-D); the exit code."""
    for stream in (sys.stdin, sys.stdout):
        stream.reconfigure(encoding="utf-8", errors="replace")  # type: ignore[union-attr]
    write_text("This is the demo program. It repeats what it is told.")
    with pasting():
        while True:
            try:
                message = read_message(PROMPT)
                if message.strip() == "exit":
                    return 0
                answer(message)
            except EOFError:
                return 0
            except KeyboardInterrupt:
                write_text("\nInterrupted.")
            except Crash:
                return CRASH_CODE


@contextmanager
def pasting() -> Generator[None]:
    """Ask for brackets around what is pasted, so that a message of several lines is one."""
    write_text(_PASTE_ON, end="")
    try:
        yield
    finally:
        write_text(_PASTE_OFF, end="")


class Crash(Exception):
    """The program was told to end badly."""


def answer(message: str) -> None:
    """Answer one message, line by line."""
    if message.startswith("file "):
        message = Path(message.removeprefix("file ").strip()).read_text(encoding="utf-8").rstrip("\n")
    fenced = ""
    for line in message.split("\n"):
        if fenced:
            write_text(line)
            fenced = "" if line.strip() == fenced else fenced
        elif line.startswith(_FENCES):
            write_text(line)
            fenced = line[:3]
        else:
            answer_line(line)


def answer_line(line: str) -> None:
    """Answer one line that is not between fences; raises Crash when told to."""
    if line.strip() == "crash":
        write_text("Crashing.")
        raise Crash
    if line.startswith("slow"):
        slowly(line)
    elif "confirm" in line:
        agreed = _read_reply("Continue? (y/n): ").strip().lower() in {"y", "yes"}
        write_text("Confirmed." if agreed else "Not confirmed.")
    elif "secret" in line:
        password = getpass.getpass("Password: ")
        write_text(f"Thank you, that were {len(password)} characters.")
    elif line.strip():
        word_by_word(line)


def _read_reply(prompt: str) -> str:
    write_text(prompt, end="")
    return _line()


def word_by_word(line: str) -> None:
    """Repeat it with short pauses."""
    for number, word in enumerate(line.split(" ")):
        write_text(f" {word}" if number else word, end="")
        time.sleep(PAUSE)
    write_text("")


def slowly(line: str) -> None:
    """A line every half second: as many as the number behind "slow" says, or for a minute."""
    arguments = line.split()
    requested_lines = int(arguments[1]) if len(arguments) > 1 and arguments[1].isdecimal() else SLOW_LINES
    for number in range(1, min(requested_lines, SLOW_LINES) + 1):
        write_text(f"Line {number}.")
        time.sleep(SLOW_PAUSE)
    write_text("Done.")


if __name__ == "__main__":
    sys.exit(main())
