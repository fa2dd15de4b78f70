"""Keys of a message: a message is submitted once, whatever it contains. Pure except for the files of long messages.

Control bytes never reach the program: a message cannot press Enter, Escape or Ctrl-C. Line breaks are sent in the way
that the program's profile says.
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

# Bytes of one typed line. In canonical mode Linux drops everything beyond 4095 without an error (termios(3)).
LONGEST_LINE = 4000

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
_PASTE_START, _PASTE_END = "\x1b[200~", "\x1b[201~"


@dataclass(frozen=True)
class Keys:
    """Text to type before the submit sequence, and the echo to expect on the screen."""

    text: str
    echo: str


def clean(text: str) -> str:
    """Return the printable text, with \\n between lines and blanks for tabs, which complete words in a shell."""
    text = text.replace("\r\n", "\n").replace("\r", "\n").expandtabs(4)
    return _CONTROL.sub("", text).strip("\n")


def message_keys(text: str, profile: Profile, paste: bool, write_file: Callable[[str], str]) -> Keys:
    """Return the keys of a message.

    `paste`: the program turned on bracketed paste. `write_file` stores a text and returns its path. A pasted message for a
    program without bracketed paste goes into a file, because it would be submitted line by line. Raises BadInput for an empty
    message.
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
        # Terminals paste line breaks as carriage returns, which is what programs expect inside the brackets.
        return Keys(_PASTE_START + text.replace("\n", "\r") + _PASTE_END, text)
    text = " ".join(line.strip() for line in text.split("\n")) if lines else text
    return Keys(text, text)


def answer_keys(value: str) -> Keys:
    """Return the keys of an answer, one line that may be empty. Raises BadInput when it is too long."""
    text = clean(value).replace("\n", " ")
    size = len(text.encode())
    if size > LONGEST_LINE:
        raise BadInput(
            f"The answer is {size} bytes long.", hint=f"A terminal accepts at most {LONGEST_LINE} in a line."
        )
    return Keys(text, text)


# Files that stay on disk: the program may open an earlier message again.
MAX_MESSAGE_FILES = 4


class MessageFiles:
    """Files with long messages of one program."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder.resolve()
        self._files: list[Path] = []

    def write(self, text: str) -> str:
        """Store a message and return its full path. Raises DeskError program_failed."""
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
        while len(self._files) > MAX_MESSAGE_FILES:
            self._remove(self._files.pop(0))
        return str(self._folder / name)

    def clear(self) -> None:
        """Delete all files."""
        while self._files:
            self._remove(self._files.pop())

    def _remove(self, file: Path) -> None:
        with contextlib.suppress(OSError):
            file.unlink()
