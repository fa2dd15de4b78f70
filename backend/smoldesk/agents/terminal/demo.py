"""The `demo` program: small and deterministic, with the standard library alone. `python -m smoldesk.agents.terminal.demo`.

It is run as a file, isolated from its folder, so that no file there can take the place of a module.

It repeats its input word by word. A line with "confirm" asks for confirmation, "slow 5" takes its time for five lines,
"secret" asks for a password, "crash" ends the program with code 3, and text between fences is repeated verbatim.
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
    """Write and flush a text."""
    sys.stdout.write(text + end)
    sys.stdout.flush()


def read_message(prompt: str) -> str:
    """Read one message: a line, or all lines of a bracketed paste. Raises EOFError at the end."""
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
    """Answer until the input ends ("exit", Ctrl-D); return the exit code."""
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
    """Turn on bracketed paste, so that a message of several lines arrives as one."""
    write_text(_PASTE_ON, end="")
    try:
        yield
    finally:
        write_text(_PASTE_OFF, end="")


class Crash(Exception):
    """Request to end with an error."""


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
    """Answer one line outside of fences. Raises Crash on request."""
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
    """Repeat a line with short pauses."""
    for number, word in enumerate(line.split(" ")):
        write_text(f" {word}" if number else word, end="")
        time.sleep(PAUSE)
    write_text("")


def slowly(line: str) -> None:
    """Write a line every half second: the number after "slow", else for a minute."""
    arguments = line.split()
    requested_lines = int(arguments[1]) if len(arguments) > 1 and arguments[1].isdecimal() else SLOW_LINES
    for number in range(1, min(requested_lines, SLOW_LINES) + 1):
        write_text(f"Line {number}.")
        time.sleep(SLOW_PAUSE)
    write_text("Done.")


if __name__ == "__main__":
    sys.exit(main())
