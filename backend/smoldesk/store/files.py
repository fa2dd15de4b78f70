"""Files by id: an immutable copy of everything that was uploaded, produced or shown.

The chat's own folder is where its code works; what the page is given comes from here, under an id, so a plot shown in
step 1 stays what it was when step 2 overwrites it. `FileStore` keeps the bytes; the `file` table keeps their facts.
"""

import contextlib
import mimetypes
import os
import secrets
import shutil
from collections.abc import AsyncIterator, Generator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, Literal, Protocol

import anyio.to_thread
from sqlalchemy import Connection, bindparam, delete, func, insert, select, update

from smoldesk.errors import BadInput, NotFound
from smoldesk.folders import opened_inside
from smoldesk.messages import FileContent
from smoldesk.store.statements import CompiledStatement
from smoldesk.store.tables import ChatRow, FileRow, RunRow
from smoldesk.store.transaction import Tx

FileKind = Literal["upload", "produced", "figure", "table", "chart", "report", "app", "imported_app"]
# Kinds that a chat lists as its files.
LISTED: tuple[FileKind, ...] = ("upload", "produced")


# Parts of views of MCP servers; an `imported_app` came with an imported log, so its author is unknown.
APPS: tuple[FileKind, ...] = ("app", "imported_app")


@dataclass(frozen=True)
class StoredFile:
    """Facts about a stored file; `size` in bytes."""

    id: str
    chat_id: str
    kind: FileKind
    name: str
    size: int
    media_type: str

    def content(self) -> FileContent:
        """As messages and events carry it."""
        return FileContent(file_id=self.id, name=self.name, size=self.size, media_type=self.media_type)


class FileStore(Protocol):
    """Store of files' bytes: the local folder below, or a bucket (`object_files`)."""

    def keep(self, folder: Path, relative: str, limit: int) -> tuple[str, int]: ...
    def keep_bytes(self, data: bytes, limit: int) -> str: ...
    async def receive(self, chunks: AsyncIterator[bytes], limit: int) -> tuple[str, int]: ...
    def adopt(self, path: Path, file_id: str) -> None: ...
    def creating(self, file_id: str) -> AbstractContextManager[BinaryIO]: ...
    def path(self, file_id: str) -> Path: ...
    def fetch(self, file_id: str) -> Path: ...
    def existing_path(self, file_id: str) -> Path: ...
    def double(self, file_id: str) -> str: ...
    def discard(self, file_id: str) -> None: ...
    def erase(self, file_ids: Sequence[str]) -> None: ...


class LocalFiles:
    """A folder of files named by their ids."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    def keep(self, folder: Path, relative: str, limit: int) -> tuple[str, int]:
        """Copy a file of a chat's folder; returns (id, bytes). Raises NotFound, or BadInput beyond `limit` bytes."""
        file_id = new_file_id()
        copied = 0
        with opened_inside(folder, relative, limit) as descriptor:
            try:
                with self.path(file_id).open("xb") as target:
                    while chunk := os.read(descriptor, 1 << 20):
                        copied += len(chunk)
                        if copied > limit:  # it grew while we read
                            raise BadInput(
                                f"{relative[:80]!r} is too large.", f"Expected at most {limit} bytes."
                            )
                        target.write(chunk)
            except BaseException:  # a full disk, say: it is not made fuller by half a file
                self.discard(file_id)
                raise
        return file_id, copied

    def keep_bytes(self, data: bytes, limit: int) -> str:
        """Store bytes at hand; returns their id. Raises BadInput beyond `limit` bytes."""
        if len(data) > limit:
            raise BadInput(f"The data has {len(data)} bytes.", f"Expected at most {limit} bytes.")
        file_id = new_file_id()
        try:
            with self.path(file_id).open("xb") as target:
                target.write(data)
        except BaseException:
            self.discard(file_id)
            raise
        return file_id

    async def receive(self, chunks: AsyncIterator[bytes], limit: int) -> tuple[str, int]:
        """Store an upload as it arrives; returns (id, bytes). Raises BadInput beyond `limit` bytes or when empty."""
        file_id = new_file_id()
        size = 0
        done = False
        target = await anyio.to_thread.run_sync(lambda: self.path(file_id).open("xb"))
        try:
            async for chunk in chunks:
                size += len(chunk)
                if size > limit:
                    raise BadInput(
                        f"The file is larger than {limit} bytes.", "Upload a smaller file.", code="too_large"
                    )
                await anyio.to_thread.run_sync(target.write, chunk)
            if size == 0:
                raise BadInput("The file is empty.", "Upload a file with content.", code="empty_file")
            done = True
        finally:
            target.close()
            if not done:
                self.discard(file_id)
        return file_id, size

    def adopt(self, path: Path, file_id: str) -> None:
        """Keep a file that came in beside this folder, and will not change any more, under a new id. Nothing is copied."""
        self._same(path, self.path(file_id))

    @contextlib.contextmanager
    def creating(self, file_id: str) -> Generator[BinaryIO]:
        """Yield a new file under a known id. The caller discards it if it fails."""
        with self.path(file_id).open("xb") as target:
            yield target

    def path(self, file_id: str) -> Path:
        """Return where this server has a file's bytes, or would have them."""
        return self._folder / file_id

    def fetch(self, file_id: str) -> Path:
        """Return the path of a file's bytes, which may not exist."""
        return self.path(file_id)

    def existing_path(self, file_id: str) -> Path:
        """Return the path of a stored file. Raises NotFound if its bytes are not here."""
        path = self.fetch(file_id)
        if not path.is_file():
            raise NotFound(
                "The content of this file is not on this server.",
                "Another server made it: give both the same SMOLDESK_FILES_DIR or SMOLDESK_FILES_URL.",
                code="file_elsewhere",
            )
        return path

    def double(self, file_id: str) -> str:
        """Copy a file's bytes under a new id, which can be discarded separately. Without the bytes only the id is made."""
        other = new_file_id()
        with contextlib.suppress(FileNotFoundError):
            self._same(self.path(file_id), self.path(other))  # stored files never change
        return other

    def _same(self, path: Path, other: Path) -> None:
        try:
            os.link(path, other)
        except FileNotFoundError:
            raise
        except OSError:  # a file system without links
            shutil.copyfile(path, other)

    def discard(self, file_id: str) -> None:
        self.path(file_id).unlink(missing_ok=True)

    def erase(self, file_ids: Sequence[str]) -> None:
        """Delete files everywhere before it returns. Raises DeskError if a bucket cannot be used."""
        for file_id in file_ids:
            self.path(file_id).unlink(missing_ok=True)


def new_file_id() -> str:
    """Return a new random file id."""
    return f"f_{secrets.token_hex(12)}"


def media_type_of(name: str) -> str:
    """Return the media type by the name's ending; octet-stream when unknown."""
    return mimetypes.guess_type(name)[0] or "application/octet-stream"


def add_file(tx: Tx, file: StoredFile) -> None:
    """Write a file's facts; in the transaction of the event that speaks of it."""
    row = {
        "id": file.id,
        "chat_id": file.chat_id,
        "kind": file.kind,
        "name": file.name,
        "size": file.size,
        "media_type": file.media_type,
        "created_at": tx.now,
    }
    tx.execute(insert(FileRow), row)
    if file.kind == "upload":
        tx.audit("file.added", file.id, chat_id=file.chat_id)


def find_file(connection: Connection, chat_id: str, name: str, file_id: str | None = None) -> StoredFile:
    """Return the newest file of that name in the chat, or the one with that id. Raises NotFound."""
    query = select(FileRow.__table__).where(FileRow.chat_id == chat_id)
    query = query.where(FileRow.id == file_id) if file_id else query.where(FileRow.name == name)
    row = connection.execute(query.order_by(FileRow.created_at.desc(), FileRow.id)).mappings().first()
    if row is None:
        raise NotFound(f"There is no file {(name or file_id or '')[:80]!r} in this chat.")
    return _stored(dict(row))


def count_files(connection: Connection, chat_id: str, kind: FileKind) -> int:
    """Return the number of the chat's files of a kind."""
    query = select(func.count()).where(FileRow.chat_id == chat_id, FileRow.kind == kind)
    return connection.execute(query).scalar_one()


_UPLOADED = CompiledStatement(
    select(FileRow.name).where(FileRow.chat_id == bindparam("chat"), FileRow.kind == "upload")
)


def uploaded_names(connection: Connection, chat_id: str) -> set[str]:
    """Return the names of the files that a person put into the chat."""
    return {name for (name,) in _UPLOADED.rows(connection, {"chat": chat_id})}


def list_files(connection: Connection, chat_id: str) -> list[StoredFile]:
    """Return the newest file of each name, uploaded or produced by code, oldest first."""
    query = select(FileRow.__table__).where(FileRow.chat_id == chat_id, FileRow.kind.in_(LISTED))
    rows = connection.execute(query.order_by(FileRow.created_at, FileRow.id)).mappings()
    newest = {row["name"]: _stored(dict(row)) for row in rows}
    return list(newest.values())


def all_files(connection: Connection, chat_id: str) -> list[StoredFile]:
    """Return every stored file of a chat, all versions of each, oldest first."""
    query = select(FileRow.__table__).where(FileRow.chat_id == chat_id)
    rows = connection.execute(query.order_by(FileRow.created_at, FileRow.id)).mappings()
    return [_stored(dict(row)) for row in rows]


def rename_files(tx: Tx, file: StoredFile, name: str) -> StoredFile:
    """Give all versions of a file another name; the file with it."""
    media_type = media_type_of(name)
    tx.execute(
        update(FileRow)
        .where(FileRow.chat_id == file.chat_id, FileRow.name == file.name, FileRow.kind.in_(LISTED))
        .values(name=name, media_type=media_type)
    )
    _retitle(tx, file.chat_id, file.name, name)
    return replace(file, name=name, media_type=media_type)


def remove_files(tx: Tx, chat_id: str, name: str) -> list[str]:
    """Forget all versions of a file; their ids, whose bytes go after them."""
    mine = (FileRow.chat_id == chat_id, FileRow.name == name, FileRow.kind.in_(LISTED))
    gone = list(tx.connection.execute(select(FileRow.id).where(*mine)).scalars())
    tx.execute(delete(FileRow).where(*mine))
    for file_id in gone:
        tx.audit("file.deleted", file_id, chat_id=chat_id)
    _retitle(tx, chat_id, name, "")
    return gone


def _retitle(tx: Tx, chat_id: str, name: str, title: str) -> None:
    """Give another title to a chat without a question that is called like a file."""
    is_asked = select(RunRow.id).where(RunRow.chat_id == chat_id).exists()
    named = update(ChatRow).where(ChatRow.id == chat_id, ChatRow.title == name, ~is_asked)
    tx.execute(named.values(title=title))


def _stored(row: dict[str, object]) -> StoredFile:
    fields = ("id", "chat_id", "kind", "name", "size", "media_type")
    return StoredFile(**{field: row[field] for field in fields})  # pyright: ignore[reportArgumentType]
