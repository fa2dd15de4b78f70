"""Modes of files: what a desk stores is its user's alone; what a command writes for a person is as any program's."""

import contextlib
import os
from collections.abc import Generator
from pathlib import Path

PRIVATE = 0o077
# The umask of the process before `private_files`: a umask belongs to the whole process.
_usual = 0o022


@contextlib.contextmanager
def private_files() -> Generator[None]:
    """Make every file of this process private, and those of children, who inherit the umask: chats' code writes files, too."""
    global _usual
    _usual = os.umask(PRIVATE)
    try:
        yield
    finally:
        os.umask(_usual)


def give_usual_mode(path: Path) -> None:
    """Give a file that a person asked for the mode that it has when other programs write it."""
    with contextlib.suppress(OSError):  # a file system without modes
        path.chmod(0o666 & ~_usual)
