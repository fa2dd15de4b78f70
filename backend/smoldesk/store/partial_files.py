"""Files that are still coming in: what has arrived of each, under an id, outside of chats' folders and of what they keep.

A part is two files: its bytes, whose number is how far it has come, and its facts. The facts stay for a while after the
bytes became a file of the chat, so that a client that missed the last response can ask for the result. Methods touch the disk:
not on the event loop.
"""

import contextlib
import errno
import fcntl
import json
import os
import re
import secrets
from collections.abc import Collection, Generator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from pydantic import TypeAdapter

from smoldesk.errors import Conflict, DeskError, NotFound

_ID = re.compile(r"u_[0-9a-f]{32}")
_FACTS = ".json"
PARTS_STAY = "Make room and go on: what has come of it is kept."


@dataclass(frozen=True)
class PartialFile:
    """A file on its way into a chat: `length` and `offset` in bytes, `touched` (seconds) when bytes last came.

    `placed` is its name in the chat's folder once it is there, `kept` the id its bytes have among the desk's files then;
    `file_id` is the same once the chat has the file.
    """

    id: str
    chat_id: str
    name: str
    length: int
    offset: int = 0
    touched: float = 0.0
    placed: str = ""
    kept: str = ""
    file_id: str = ""

    @property
    def is_complete(self) -> bool:
        return self.offset == self.length

    @classmethod
    def read(cls, facts: bytes) -> "PartialFile":
        """Return a part from its stored facts. Raises ValueError."""
        return TypeAdapter(cls).validate_json(facts)


def is_part_id(part_id: str) -> bool:
    """Check the form of an id: a client sends it, and it becomes a path."""
    return bool(_ID.fullmatch(part_id))


class PartWriter:
    """Writer that appends to the bytes of one part; the lock excludes other writers."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self.offset = os.fstat(descriptor).st_size

    def write(self, data: bytes) -> None:
        """Add all of it. Raises NotFound when the part was removed, OSError; what fits of it stays."""
        # Another request may have removed the part; an open descriptor would still take the bytes.
        if os.fstat(self._descriptor).st_nlink == 0:
            raise gone()
        remaining = memoryview(data)
        while remaining:
            # pwrite(2) may write a part only, such as what the disk still holds.
            written = os.pwrite(self._descriptor, remaining, self.offset)
            self.offset += written
            remaining = remaining[written:]

    def cut(self, offset: int) -> None:
        """Forget what came after this place."""
        os.ftruncate(self._descriptor, offset)
        self.offset = offset


class PartialFiles:
    """The folder of the files that are still coming in."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)

    def begin(self, chat_id: str, name: str, length: int) -> PartialFile:
        """Create a part without bytes."""
        part = PartialFile(f"u_{secrets.token_hex(16)}", chat_id, name, length)
        try:
            self.path(part.id).touch(0o600, exist_ok=False)
            self._save(part)
        except OSError:
            self.discard(part.id)
            raise
        return self.find(part.id)

    def find(self, part_id: str) -> PartialFile:
        """Return a part. Raises NotFound."""
        if not is_part_id(part_id):
            raise gone()
        with contextlib.suppress(OSError, ValueError):
            path = self.path(part_id)
            status = path.stat() if path.exists() else None  # first: another server may finish it just now
            part = PartialFile.read(self._facts(part_id).read_bytes())
            if part.file_id:
                return replace(part, offset=part.length, touched=self._facts(part_id).stat().st_mtime)
            if status is not None:
                return replace(part, offset=status.st_size, touched=status.st_mtime)
        raise gone()

    def refresh(self, part_id: str) -> PartialFile:
        """Return a part with what any server received of it. Raises NotFound."""
        return self.find(part_id)

    def share(self, part_id: str, writer: PartWriter, start: int) -> None:
        """Let other servers have the bytes from `start` on; here, all servers have this folder."""

    def all(self) -> list[PartialFile]:
        """Return every part, also those that became files."""
        partials: list[PartialFile] = []
        for path in self._folder.glob(f"u_*{_FACTS}"):
            # removed since the listing, or its bytes were lost in a crash
            with contextlib.suppress(NotFound):
                partials.append(self.find(path.stem))
        return partials

    @contextmanager
    def writing(self, part_id: str) -> Generator[PartWriter]:
        """Yield a writer for one part. Raises NotFound, and Conflict while another server writes or reads it."""
        try:
            descriptor = os.open(self.path(part_id), os.O_WRONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            raise gone() from None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            try:
                yield PartWriter(descriptor)
            finally:
                # flock(2): a child that was forked meanwhile shares the lock, and `close` here would not release it.
                fcntl.flock(descriptor, fcntl.LOCK_UN)
        except BlockingIOError:
            raise Conflict("Another request sends this upload.", "Try again.", code="upload_busy") from None
        finally:
            os.close(descriptor)

    @contextmanager
    def alone(self) -> Generator[None]:
        """Yield one at a time, over all servers that have this folder; waits."""
        with (self._folder / "room.lock").open("ab") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def place(self, part: PartialFile, name: str, stored_id: str) -> None:
        """Store a part's name in the chat's folder ("" before it has one), and the id of its stored bytes."""
        self._save(replace(part, placed=name, kept=stored_id))

    def finish(self, part: PartialFile, file_id: str) -> None:
        """Remember which file it became; the bytes are that file's alone now. One that was removed meanwhile stays so."""
        # The facts first: a crash before the unlink leaves a part that `find` already reports as complete.
        if self._facts(part.id).exists():
            self._save(replace(part, file_id=file_id))
        self.path(part.id).unlink(missing_ok=True)

    def discard(self, part_id: str) -> None:
        for path in (self.path(part_id), self._facts(part_id)):
            path.unlink(missing_ok=True)

    def discard_of(self, chat_id: str) -> None:
        """Forget what is on its way into a chat."""
        for part in self.all():
            if part.chat_id == chat_id:
                self.discard(part.id)

    def forget_files(self, file_ids: Collection[str]) -> None:
        """Forget how uploads ended whose files were removed."""
        for part in self.all():
            if part.kept in file_ids or part.file_id in file_ids:
                self.discard(part.id)

    def sweep(self, before: float) -> None:
        """Forget what has not been touched since `before`, a time in seconds, and what a crash left."""
        for path in self._folder.glob("u_*"):
            with contextlib.suppress(OSError):
                try:
                    touched = self.find(path.stem).touched
                except NotFound:
                    touched = path.stat().st_mtime
                if touched < before:
                    # `path` may be a `.new` file that a crash left, which `discard` does not remove.
                    path.unlink()
                    self.discard(path.stem)

    def path(self, part_id: str) -> Path:
        """Return the path of its bytes."""
        return self._folder / part_id

    def _facts(self, part_id: str) -> Path:
        return self._folder / f"{part_id}{_FACTS}"

    def _save(self, part: PartialFile) -> None:
        # rename(2) is atomic: another server reads the old facts or the new ones, never a half.
        written = self._folder / f"{part.id}.new"
        written.write_text(json.dumps(asdict(part)))
        written.replace(self._facts(part.id))


def gone() -> NotFound:
    """Return the error for an upload that does not exist."""
    return NotFound("There is no such upload.", "It may have expired: begin again.")


def is_full(fault: OSError) -> bool:
    """Return whether the disk or the quota is full."""
    return fault.errno in (errno.ENOSPC, errno.EDQUOT)


@contextmanager
def full_disk_errors(hint: str = PARTS_STAY) -> Generator[None]:
    """Raise DeskError("disk_full") if the disk has no space for what is written."""
    try:
        yield
    except OSError as fault:
        if not is_full(fault):
            raise
        raise disk_full(hint) from fault


def disk_full(hint: str = PARTS_STAY) -> DeskError:
    """Return the error for a file that does not fit on the desk's disk."""
    return DeskError("The desk's disk has no room for this file.", hint, code="disk_full")
