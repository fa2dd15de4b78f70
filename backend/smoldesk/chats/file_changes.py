"""Changes that a person makes to a file of a chat: how it is read, its name, its removal. Each is an event.

A change of reading updates the file's modification time, which invalidates its profile, values and SQL database.
"""

import asyncio
import contextlib
import json
import os
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from pydantic import JsonValue

from smoldesk.agents import DeskAgents
from smoldesk.chats.upload_room import UploadRoom
from smoldesk.chats.uploads import with_tables
from smoldesk.errors import BadInput, Conflict, DeskError, NotFound
from smoldesk.events import FileAdded, FileChanged, FileRemoved
from smoldesk.folders import checked_name, open_inside, place, rename, write
from smoldesk.messages import as_json
from smoldesk.stopping import StopFlag
from smoldesk.store import chats, files
from smoldesk.store.files import StoredFile
from smoldesk.store.store import Store
from smoldesk.store.transaction import Tx
from smoldesk.tables.inside.read_options import FORMATS, MAX_BYTES, options_path, parse_options
from smoldesk.tables.models import FileProfile
from smoldesk.tables.table_profiles import is_table_file, table_files
from smoldesk.tables.value_files import sweep_values


class FileChanges:
    """Changes to the files of all chats of a desk."""

    def __init__(self, store: Store, agents: DeskAgents, room: UploadRoom) -> None:
        self._store = store
        self._agents = agents
        self._room = room

    async def profile(self, chat_id: str, name: str) -> tuple[StoredFile, FileProfile | None]:
        """Return a file and its profile, None for a kind that is not read. Raises NotFound."""
        file = await self._find(chat_id, name)
        return file, await self._profile(file)

    async def read_as(self, chat_id: str, name: str, options: Mapping[str, JsonValue]) -> FileProfile:
        """Read a file with changed options: fields of `read_options.ReadOptions`, None for the guess.

        Raises NotFound, and Conflict if it cannot be read so; then the options stay.
        """
        file = await self._find(chat_id, name)
        if Path(name).suffix.lower() not in FORMATS:
            raise Conflict(
                f"{name[:80]} has nothing to choose.",
                f"Expected one of {', '.join(FORMATS)}.",
                code="not_told",
            )
        folder = await asyncio.to_thread(self._store.folders.opened, chat_id)
        merged_options = _merged(await asyncio.to_thread(_stored_options, folder, name), options)
        tried = await self._try(file, merged_options)
        if not tried.tables:
            problem_text = " ".join(problem.line for problem in tried.problems) or "There is no table in it."
            fault = Conflict(problem_text, "It is read as before.", code="unreadable_so")
            fault.notes = [as_json(problem.facts) for problem in tried.problems]
            raise fault
        await self._change(chat_id, lambda folder: _keep(folder, name, merged_options))
        profile = await self._profile(file) or FileProfile()
        await self._append_change(file, profile)
        return profile

    async def rename(self, chat_id: str, name: str, new_name: str) -> StoredFile:
        """Rename a file; a name without an extension keeps the old one.

        Raises NotFound, and Conflict for an invalid or existing name.
        """
        file = await self._find(chat_id, name)
        new = _new_name(new_name, name)
        if new == name:
            return file
        try:
            await self._change(chat_id, lambda folder: _rename(folder, name, new))
        except DeskError as fault:
            if fault.code == "object_store_away":  # it is renamed here alone
                folder = self._store.data_dir.chat_folder(chat_id)
                with contextlib.suppress(DeskError):
                    await asyncio.to_thread(_rename, folder, new, name)
            raise
        try:
            renamed = await self._store.do(lambda tx: files.rename_files(tx, file, new))
        except BaseException:
            await asyncio.shield(self._change(chat_id, lambda folder: _rename(folder, new, name)))
            raise
        profile = await self._profile(renamed)
        await self._append_change(renamed, profile)
        return renamed

    async def replace(self, chat_id: str, name: str, chunks: AsyncIterator[bytes], length: int) -> StoredFile:
        """Put other bytes in the place of a file, at once; `length` is what the client announces, 0 if unknown.

        It is read as before. Raises NotFound, BadInput, and DeskError as `UploadRoom.check`.
        """
        old = await self._find(chat_id, name)
        await asyncio.to_thread(self._room.check, chat_id, length)
        file_id, size = await self._store.files.receive(chunks, self._room.limit)
        file = StoredFile(file_id, chat_id, "upload", old.name, size, old.media_type)
        try:
            await self._change(chat_id, lambda folder: place(folder, name, self._store.files.fetch(file_id)))
            profile = await self._profile(file)
            content = with_tables(file.content(), profile)

            def job(tx: Tx) -> None:
                chats.get_chat(tx.connection, chat_id)
                files.add_file(
                    tx, file
                )  # the newest of a name counts; earlier ones stay for what was said of them
                tx.append(chat_id, [FileRemoved(file_id=old.id, name=name), FileAdded(file=content)])

            await self._store.do(job)
        except BaseException:
            self._store.files.discard(file_id)
            raise
        return file

    async def remove(self, chat_id: str, name: str) -> None:
        """Take a file out of a chat, all versions of it. Raises NotFound."""
        file = await self._find(chat_id, name)

        def job(tx: Tx) -> list[str]:
            gone = files.remove_files(tx, chat_id, name)
            tx.append(chat_id, [FileRemoved(file_id=file.id, name=name)])
            return gone

        gone = await self._store.do(job)

        def clean_up(folder: Path) -> None:
            for file_id in gone:
                self._store.files.discard(file_id)
            self._store.partials.forget_files(gone)
            for file_name in (name, options_path(name)):
                with contextlib.suppress(OSError):  # code of the chat took it away, or made a folder of it
                    (folder / file_name).unlink()
            sweep_values(folder, table_files(folder))

        await self._change(chat_id, clean_up)

    async def _change(self, chat_id: str, change: Callable[[Path], None]) -> None:
        def job() -> None:
            with self._store.folders.changing(chat_id) as folder:
                change(folder)

        await asyncio.to_thread(job)

    async def _find(self, chat_id: str, name: str) -> StoredFile:
        await self._store.aread(lambda connection: chats.get_chat(connection, chat_id))
        stored_files = await self._store.aread(lambda connection: files.list_files(connection, chat_id))
        file = next((file_ for file_ in stored_files if file_.name == name), None)
        if file is None:
            raise NotFound(f"There is no file {name[:80]!r} in this chat.")
        return file

    async def _profile(self, file: StoredFile) -> FileProfile | None:
        if not is_table_file(file.name):
            return None
        folder = await asyncio.to_thread(self._store.folders.reading, file.chat_id, file.name)
        return await _read(lambda stop: self._agents.profiles.start(file.chat_id, folder, file.name, stop))

    async def _try(self, file: StoredFile, options: dict[str, JsonValue]) -> FileProfile:
        folder = self._store.data_dir.chat_folder(file.chat_id)
        profiles = self._agents.profiles
        return await _read(lambda stop: profiles.try_options(file.chat_id, folder, file.name, options, stop))

    async def _append_change(self, file: StoredFile, profile: FileProfile | None) -> None:
        content = with_tables(file.content(), profile)

        def job(tx: Tx) -> None:
            chats.get_chat(tx.connection, file.chat_id)
            tx.append(file.chat_id, [FileChanged(file=content)])

        await self._store.do(job)


def _new_name(requested: str, name: str) -> str:
    """Return a valid new name, with the old file's extension if it has none. Raises Conflict."""
    new = requested.strip()
    if not new:
        raise Conflict("A file needs a name.", "It keeps the one it has.", code="bad_name")
    suffix = Path(name).suffix
    if suffix.lower() == ".gz":
        suffix = Path(name.removesuffix(suffix)).suffix + suffix
    try:
        return checked_name(new if Path(new).suffix else new + suffix)
    except BadInput as fault:
        raise Conflict(fault.message, fault.hint, code="bad_name") from fault


async def _read(begin: Callable[[StopFlag], Future[FileProfile]]) -> FileProfile:
    """Return the profile from a reading that cannot be stopped."""
    stop = StopFlag()
    try:
        return await asyncio.wrap_future(begin(stop))
    finally:
        stop.close()


def _stored_options(folder: Path, name: str) -> dict[str, Any]:
    """Return the stored read options of a file, by field."""
    try:
        with os.fdopen(open_inside(folder, options_path(name)), "rb") as file:
            stored_options = parse_options(json.loads(file.read(MAX_BYTES)))
    except (DeskError, OSError, ValueError, RecursionError):
        return {}
    return {key: value for key, value in vars(stored_options).items() if value is not None}


def _merged(stored: dict[str, Any], options: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Return stored options updated with new ones; `lines` and `types` are merged entry by entry."""
    merged_options: dict[str, JsonValue] = {**stored, **options}
    for key in ("lines", "types"):
        old, new = stored.get(key), options.get(key)
        if isinstance(old, dict) and isinstance(new, dict):
            merged_options[key] = {**old, **new}
        if isinstance(entries := merged_options.get(key), dict):
            merged_options[key] = {
                name: value for name, value in entries.items() if value is not None
            } or None
    return merged_options


def _keep(folder: Path, name: str, options: Mapping[str, JsonValue]) -> None:
    """Write the options next to the file and update its time. Raises Conflict or NotFound."""
    set_options = {key: value for key, value in options.items() if value is not None}
    write(folder, options_path(name), json.dumps(set_options, ensure_ascii=False).encode())
    try:
        os.utime(folder / name, follow_symlinks=False)
    except OSError as fault:
        raise NotFound(f"{name[:80]!r} is not in the chat's folder any more.") from fault


def _rename(folder: Path, name: str, new: str) -> None:
    """Move a file and its options. Raises Conflict for an existing name, NotFound if it is gone."""
    if not rename(folder, name, new):
        raise Conflict(
            f"There is already a file called {new[:80]}.", "Choose another name.", code="name_taken"
        )
    with contextlib.suppress(DeskError, OSError):  # mostly there are no options
        rename(folder, options_path(name), options_path(new))
