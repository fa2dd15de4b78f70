"""Long messages as files in the program's folder, under hidden names; they are gone after a few messages more."""

import contextlib
import secrets
from pathlib import Path

from smoldesk.errors import DeskError
from smoldesk.folders import write

KEPT = 4
"""Files that stay: the program may come back to a message it was given a moment ago."""


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
                "The message is too long to be typed, and cannot be written to a file.",
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
