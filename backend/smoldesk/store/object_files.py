"""Stored files in a bucket, with copies on this server's disk: any server of the desk finds the files of all."""

import logging
import secrets
from collections.abc import AsyncIterator, Generator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import anyio.to_thread

from smoldesk.errors import DeskError
from smoldesk.store.files import LocalFiles
from smoldesk.store.objects import Objects

FILES = "files/"
log = logging.getLogger(__name__)


class ObjectFiles(LocalFiles):
    """Files by id in a bucket.

    Each is on this disk, too, once this server wrote or read it: files never change, so a copy is never out of date.
    A file counts as stored when the bucket has it.
    """

    def __init__(self, folder: Path, objects: Objects) -> None:
        super().__init__(folder)
        self._objects = objects
        self._deleting = ThreadPoolExecutor(1, thread_name_prefix="object-deletes")

    def keep(self, folder: Path, relative: str, limit: int) -> tuple[str, int]:
        file_id, size = super().keep(folder, relative, limit)
        self._upload(file_id)
        return file_id, size

    def keep_bytes(self, data: bytes, limit: int) -> str:
        file_id = super().keep_bytes(data, limit)
        self._upload(file_id)
        return file_id

    async def receive(self, chunks: AsyncIterator[bytes], limit: int) -> tuple[str, int]:
        file_id, size = await super().receive(chunks, limit)
        await anyio.to_thread.run_sync(self._upload, file_id)
        return file_id, size

    @contextmanager
    def creating(self, file_id: str) -> Generator[BinaryIO]:
        with super().creating(file_id) as target:
            yield target
        self._upload(file_id)

    def adopt(self, path: Path, file_id: str) -> None:
        super().adopt(path, file_id)
        self._upload(file_id)

    def double(self, file_id: str) -> str:
        self.fetch(file_id)
        other = super().double(file_id)
        if self.path(other).is_file():
            self._upload(other)
        return other

    def fetch(self, file_id: str) -> Path:
        """Return the path of a file's bytes, copied from the bucket if this disk lacks them. Raises DeskError."""
        path = self.path(file_id)
        if path.is_file():
            return path
        arriving = path.with_name(f".{file_id}-{secrets.token_hex(4)}")
        try:
            with arriving.open("xb") as target:
                self._objects.read_into(FILES + file_id, target)
            arriving.replace(path)
        except FileNotFoundError:
            pass  # the bucket lacks it, too: the caller sees a path without a file
        finally:
            arriving.unlink(missing_ok=True)
        return path

    def discard(self, file_id: str) -> None:
        """Delete a file here, and soon in the bucket: callers may be on the event loop."""
        super().discard(file_id)
        self._deleting.submit(self._delete, file_id)

    def forget(self, file_id: str) -> None:
        """Delete this server's copy of a file."""
        super().discard(file_id)

    def erase(self, file_ids: Sequence[str]) -> None:
        super().erase(file_ids)
        self._objects.delete([FILES + file_id for file_id in file_ids])

    def _delete(self, file_id: str) -> None:
        try:
            self._objects.delete([FILES + file_id])
        except DeskError as fault:  # nothing names the file any more: it only takes room
            log.warning("a file stays in the object store (%s)", fault.code)

    def _upload(self, file_id: str) -> None:
        try:
            with self.path(file_id).open("rb") as source:
                self._objects.put(FILES + file_id, source)
        except BaseException:
            super().discard(file_id)
            raise
