"""What is typed for a message: one message is submitted once, whatever it contains. Pure but for the files of long ones.

Control bytes never reach the program: a message cannot press Enter, Escape or Ctrl-C by itself. Line breaks stay inside
the message in the way its profile says.
"""

import contextlib
import re
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from smoldesk.agents.terminal.terminal_profiles import Profile
from smoldesk.errors import BadInput, DeskError
from smoldesk.folders import write

# Bytes of one typed line; a terminal in canonical mode cuts at 4095 without a word.
LONGEST_LINE = 4000

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_PASTE_START, _PASTE_END = "\x1b[200~", "\x1b[201~"


@dataclass(frozen=True)
class Keys:
    """What is typed before the submit sequence, and what of it may come back on the screen."""

    text: str
    echo: str


def clean(text: str) -> str:
    """Only what can be printed, with \\n between lines and blanks for tabs (which complete words in a shell)."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").expandtabs(4)
    return _CONTROL.sub("", text).strip("\n")


def message_keys(text: str, profile: Profile, paste: bool, write_file: Callable[[str], str]) -> Keys:
    """The keys of a message.

    `paste`: the program asked for brackets around what is pasted. `write_file` keeps a text and returns its path. A
    message that would be pasted into a program that knows no brackets goes by file: it would be submitted line by line.
    Raises BadInput when nothing is left to type.
    """
    text = clean(text)
    if not text.strip():
        raise BadInput("The message is empty.", hint="Expected text; control characters are not typed.")
    lines = text.count("\n") > 0
    method = profile.newlines if lines else "space"
    if method == "paste" and not paste:
        method = "file"
    if method == "file" or len(text.encode()) > profile.long_messages.over:
        text = profile.long_messages.type.replace("{path}", write_file(text))
        return Keys(text, text)
    if method == "paste":
        return Keys(_PASTE_START + text.replace("\n", "\r") + _PASTE_END, text)
    text = " ".join(line.strip() for line in text.split("\n")) if lines else text
    return Keys(text, text)


def answer_keys(value: str) -> Keys:
    """The keys of an answer, one line; raises BadInput when it is too long to be typed. May be empty."""
    text = clean(value).replace("\n", " ")
    size = len(text.encode())
    if size > LONGEST_LINE:
        raise BadInput(
            f"The answer is {size} bytes long.", hint=f"A terminal accepts at most {LONGEST_LINE} in a line."
        )
    return Keys(text, text)


# Files that stay: the program may come back to a message it was given a moment ago.
KEPT = 4


class MessageFiles:
    """The files of one program."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._files: list[Path] = []

    def write(self, text: str) -> str:
        """Keep a message; its full path. Raises DeskError program_failed."""
        name = f".message-{secrets.token_hex(8)}.txt"
        try:
            write(self._folder, name, f"{text}\n".encode())
        except (OSError, DeskError) as fault:
            raise DeskError(
                "The message is too long to type and cannot be written to a file.",
                hint=f"{fault}.",
                code="program_failed",
            ) from fault
        self._files.append(self._folder / name)
        while len(self._files) > KEPT:
            self._remove(self._files.pop(0))
        return str(self._folder / name)

    def clear(self) -> None:
        """Take all of them away."""
        while self._files:
            self._remove(self._files.pop())

    def _remove(self, file: Path) -> None:
        with contextlib.suppress(OSError):
            file.unlink()
