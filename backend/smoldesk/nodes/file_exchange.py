"""Exchange of a chat's files between the desk's folder and its copy at a node; both sides use this module.

A side sends each regular file whose stamp differs from the one at which both sides were equal, then one message with the
files that are gone. Links, pipes and the desk's caches stay where they are.
"""

import errno
import logging
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

from smoldesk.errors import NotFound
from smoldesk.folders import move_aside, open_inside, remove_below, replace_below
from smoldesk.folders.stamps import Stamp, has_bytes_of, regular_files, stamp_of
from smoldesk.nodes.secure_stream import MAX_LIST, InvalidMessage, SecureStream
from smoldesk.sandbox.folder_watch import FAR
from smoldesk.sandbox.limits import Limits

log = logging.getLogger(__name__)
# Seconds for one message: the other side may be looking through a large folder.
WAIT_SECONDS = 30.0
FULL = frozenset((errno.ENOSPC, errno.EDQUOT))


class DiskFull(OSError):
    """No space for a file that arrives."""


class FileExchange:
    """One side. With `keeps_both`, a file that changed on both sides stays here under another name."""

    def __init__(
        self, stream: SecureStream, folder: Path, scratch: Path, limits: Limits, keeps_both: bool = False
    ) -> None:
        """Start with nothing at the other side. `scratch` is for files that arrive; `limits` for what is accepted."""
        self._stream = stream
        self._folder = folder
        self._scratch = scratch
        self._most_bytes = int(limits.folder * FAR)
        self._most_files = int(limits.files * FAR)
        self._keeps_both = keeps_both
        self._equal: dict[str, Stamp] = {}

    def changes(self) -> tuple[list[str], list[str]]:
        """Return the names of the files that the other side lacks, and of those that are gone here."""
        local, is_complete = regular_files(self._folder, self._most_files)
        changed = [name for name, stamp in local.items() if self._equal.get(name) != stamp]
        return changed, [name for name in self._equal if name not in local] if is_complete else []

    def send(self, changed: list[str], gone: list[str], facts: dict[str, Any]) -> None:
        """Send these files, then `facts` with what is gone. Raises OSError."""
        for name in changed:
            try:
                file = os.fdopen(open_inside(self._folder, name), "rb")
            except (NotFound, OSError):
                continue  # it went since, or its code took the right to read it
            with file:
                status = os.fstat(file.fileno())
                self._stream.send({"file": name})
                self._stream.send_file(file)
                self._equal[name] = status.st_size, status.st_mtime_ns
        self._stream.send({"gone": gone} | facts)
        for name in gone:
            self._equal.pop(name, None)

    def receive(self) -> dict[str, Any]:
        """Take what the other side sends and return its facts. Raises InvalidMessage, EOFError, DiskFull or OSError."""
        size = count = 0
        while True:
            message = self._stream.receive(WAIT_SECONDS, MAX_LIST)
            if "file" not in message:
                break
            count += 1
            if count > self._most_files:
                raise InvalidMessage(f"more than {self._most_files:,} files")
            size += self._receive_file(_name(message["file"]), self._most_bytes - size)
        gone = message.get("gone")
        if not isinstance(gone, list):
            raise InvalidMessage("an unknown message about files")
        for name in cast("list[Any]", gone):
            self._remove(_name(name))
        return message

    def _receive_file(self, name: str, limit: int) -> int:
        try:
            with tempfile.NamedTemporaryFile(dir=self._scratch) as arriving:
                size = self._stream.receive_file(arriving, limit, WAIT_SECONDS)
                arriving.flush()
                self._store(name, Path(arriving.name))
        except OSError as fault:
            if fault.errno not in FULL:
                raise
            raise DiskFull from None
        return size

    def _store(self, name: str, path: Path) -> None:
        try:
            is_changed = self._keeps_both and self._changed_here(name)
            if is_changed and not has_bytes_of(self._folder, name, path):
                log.warning("a file of a chat changed at the desk and at a node: both are kept")
                move_aside(self._folder, name)
            self._equal[name] = replace_below(self._folder, name, path)
        except (NotFound, OSError, ValueError) as fault:  # a link is in its way
            if isinstance(fault, OSError) and fault.errno in FULL:
                raise
            log.warning("a file of a chat was left out (%s)", type(fault).__name__)

    def _remove(self, name: str) -> None:
        if name in self._equal and not self._changed_here(name):
            remove_below(self._folder, name)
        self._equal.pop(name, None)

    def _changed_here(self, name: str) -> bool:
        with suppress(NotFound, OSError):
            return stamp_of(self._folder, name) != self._equal.get(name)
        return False


def _name(value: object) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= 4096:
        raise InvalidMessage("a file without a name")
    return value
