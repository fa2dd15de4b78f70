"""Profiles of chats' files, read by separate children and cached until a file changes.

The chat's own child does not read them: it may be busy with a cell, and a hostile file must not take its variables
down. A child is started for one chat's files and ends after them. At most two read at once, and chats take turns. A
file that breaks its child gets a profile with the fault.
"""

import json
import logging
from collections import OrderedDict
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from concurrent.futures import TimeoutError as NotYet
from pathlib import Path
from threading import Lock
from typing import Any

from pydantic import JsonValue

from smoldesk.errors import BadInput, DeskError, Stopped
from smoldesk.sandbox.cell import CellError
from smoldesk.sandbox.cell_run import CellRun
from smoldesk.sandbox.child import Child
from smoldesk.sandbox.children import Children
from smoldesk.sandbox.keyed_executor import KeyedExecutor
from smoldesk.sandbox.slots import Slot
from smoldesk.sandbox.tool_host import ToolRequest
from smoldesk.stopping import StopFlag
from smoldesk.tables.inside.file_notes import note_text
from smoldesk.tables.inside.folder_files import is_table_file
from smoldesk.tables.models import (
    FileProfile,
    TableProfile,
    believed,
    unreadable,
)
from smoldesk.tables.value_files import Stamp, sweep_values

log = logging.getLogger(__name__)

AT_ONCE = 2
# Files of a chat that are profiled before a run.
MAX_FILES = 20
REMEMBERED = 256
# File in the chat's folder with the selected rows of a table, until the next selection.
SELECTED = ".table_selection.parquet"
READ = "from smoldesk.tables.inside.report import report\nreport({name!r}, {options!r})"

# Receives the share of a file that is read, from 0 to 1, on a thread of Profiles.
ProgressCallback = Callable[[float], None]


class UnreadableFile(Exception):
    """A child could not read a file; the note of this `code` says why, for the file's owner."""

    def __init__(self, code: str, values: dict[str, str] | None = None) -> None:
        self.code = code
        self.values = values or {}
        super().__init__(note_text(code, self.values))


class Profiles:
    """Profiles of chats' table files. Methods are thread-safe and block.

    `children` serve reading alone; there must be at least AT_ONCE of them.
    """

    def __init__(self, children: Children) -> None:
        self._children = children
        self._turns = KeyedExecutor(AT_ONCE, "smoldesk-reading")
        self._lock = Lock()
        self._cache: OrderedDict[tuple[str, str], tuple[Stamp, FileProfile]] = OrderedDict()

    def start(
        self,
        chat_id: str,
        folder: Path,
        name: str,
        stop: StopFlag,
        on_progress: ProgressCallback = lambda _share: None,
    ) -> "Future[FileProfile]":
        """Start reading one file; the future fails with Stopped if `stop` is set."""
        return self._turns.submit(chat_id, lambda: self._all(chat_id, folder, [name], stop, on_progress)[0])

    def try_options(
        self, chat_id: str, folder: Path, name: str, options: dict[str, JsonValue], stop: StopFlag
    ) -> "Future[FileProfile]":
        """Read one file with a person's options; the result is not cached."""

        def work() -> FileProfile:
            try:
                return self._read(chat_id, folder, name, stop, lambda _share: None, options)
            finally:
                self._children.drop(chat_id, "its files are read")

        return self._turns.submit(chat_id, work)

    def files(self, chat_id: str, folder: Path, stop: StopFlag) -> dict[str, FileProfile]:
        """Return the profile of each table file in a chat's folder. Raises Stopped."""
        names = table_files(folder)
        sweep_values(folder, names)
        return self.of_files(chat_id, folder, names, stop)

    def of_files(
        self, chat_id: str, folder: Path, names: Sequence[str], stop: StopFlag
    ) -> dict[str, FileProfile]:
        """Return the profiles of named files: in the folder, or absolute paths that its child may read. Raises
        Stopped.
        """
        if not names:
            return {}
        cached = [self._remembered(chat_id, folder, name) for name in names]
        profiles = [profile for profile in cached if profile is not None]
        if len(profiles) < len(names):
            future = self._turns.submit(
                chat_id, lambda: self._all(chat_id, folder, names, stop, lambda _: None)
            )
            profiles = _awaited(future, stop)
        return dict(zip(names, profiles, strict=True))

    def tables(self, chat_id: str, folder: Path, stop: StopFlag) -> list[TableProfile]:
        """Return the readable tables in a chat's folder under distinct names. Raises Stopped."""
        profiles = self.files(chat_id, folder, stop).values()
        return named_apart([table for profile in profiles for table in profile.tables])

    def ask(self, key: str, folder: Path, code: str, stop: StopFlag) -> "Future[JsonValue]":
        """Run `code` in a child of its own, in a folder that belongs to no chat; the future has the cell's value.

        The future fails with BadInput if the code failed or killed its process, with Stopped if `stop` was set.
        """

        def work() -> JsonValue:
            try:
                return self._run_cell(key, folder, code, stop, lambda _share: None)
            except UnreadableFile as why:
                raise BadInput(
                    str(why), "Check the file, or send a smaller one.", code="unreadable"
                ) from None
            finally:
                self._children.drop(key, "its files are read")

        return self._turns.submit(key, work)

    def forget(self, chat_id: str) -> None:
        """End the reading children of a deleted chat and drop its profiles."""
        self._children.drop(chat_id, "the chat is gone")
        with self._lock:
            for key in [key for key in self._cache if key[0] == chat_id]:
                del self._cache[key]

    def close(self) -> None:
        """End all readers; waiting calls fail."""
        self._turns.close()
        self._children.close()

    # --- on a thread of ours --------------------------------------------------------------------------------

    def _all(
        self, chat_id: str, folder: Path, names: Sequence[str], stop: StopFlag, on_progress: ProgressCallback
    ) -> list[FileProfile]:
        profiles: list[FileProfile] = []
        try:
            for name in names:
                profile = self._remembered(chat_id, folder, name)
                if profile is None:
                    # Before reading: a file that changes meanwhile has another stamp and is read again.
                    stamp = stamp_of(folder, name)
                    profile = self._read(chat_id, folder, name, stop, on_progress)
                    self._remember(chat_id, name, stamp, profile)
                profiles.append(profile)
        finally:
            self._children.drop(chat_id, "its files are read")
        return profiles

    def _read(
        self,
        chat_id: str,
        folder: Path,
        name: str,
        stop: StopFlag,
        on_progress: ProgressCallback,
        options: dict[str, JsonValue] | None = None,
    ) -> FileProfile:
        try:
            value = self._run_cell(
                chat_id, folder, READ.format(name=name, options=options), stop, on_progress
            )
        except UnreadableFile as why:
            return unreadable(why.code, why.values)
        return believed(value, name)

    def _run_cell(
        self, chat_id: str, folder: Path, code: str, stop: StopFlag, on_progress: ProgressCallback
    ) -> JsonValue:
        """Run a cell in a reading child and return its value. Raises Stopped, or UnreadableFile."""
        stop.check()
        try:
            child = self._children.child(chat_id, folder)
            listener = _Listener(on_progress)
            place = Slot(child.slots, stop, listener.printed)
            with place, child.in_use(stop) as process:
                cell = CellRun(child, process, listener, stop, frozenset(), place)
                result = cell.run(code)
        except Stopped:
            raise
        except DeskError as fault:
            log.warning("a file could not be read (%s)", fault.code)
            raise UnreadableFile("not_now", {"reason": fault.message}) from fault
        if result.stopped:
            raise Stopped(cell.stop_reason)
        if result.error is not None:
            raise _explain_error(result.error, child)
        return result.value

    # --- memory ---------------------------------------------------------------------------------------------

    def _remembered(self, chat_id: str, folder: Path, name: str) -> FileProfile | None:
        stamp = stamp_of(folder, name)
        with self._lock:
            cached = self._cache.get((chat_id, name))
            if cached is None or cached[0] != stamp:
                return None
            self._cache.move_to_end((chat_id, name))
            return cached[1]

    def _remember(self, chat_id: str, name: str, stamp: Stamp | None, profile: FileProfile) -> None:
        if stamp is None:
            return
        with self._lock:
            self._cache[chat_id, name] = (stamp, profile)
            while len(self._cache) > REMEMBERED:
                self._cache.popitem(last=False)


# Least step of reported progress, so that a hostile child cannot flood its listener.
SHARE_STEP = 0.001


class _Listener:
    """Host of a reading cell: it has no tools, and its output is progress."""

    def __init__(self, on_progress: ProgressCallback) -> None:
        self._on_progress = on_progress
        self._partial_line = ""
        self._next = 0.0

    def call(self, request: ToolRequest) -> dict[str, Any]:
        raise NameError(f"there is no tool named {request.tool!r}")

    def worked(self, work: object) -> None:
        return

    def printed(self, text: str) -> None:
        *lines, self._partial_line = (self._partial_line + text)[-10_000:].split("\n")
        for line in lines:
            share = _share(line)
            if share is not None and share >= self._next:
                self._next = share + SHARE_STEP
                self._on_progress(share)


def _share(line: str) -> float | None:
    try:
        share = json.loads(line)["share"]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return float(share) if isinstance(share, int | float) and 0 <= share <= 1 else None


def _awaited(future: "Future[list[FileProfile]]", stop: StopFlag) -> list[FileProfile]:
    while True:
        try:
            return future.result(timeout=0.5)
        except NotYet:
            if stop.is_set and future.cancel():
                stop.check()
        except DeskError:
            stop.check()  # on shutdown the run was stopped as well: Stopped is the better reason
            raise


def _explain_error(error: CellError, child: Child) -> UnreadableFile:
    if error.name == "TimeoutError":
        return UnreadableFile("took_longer", {"seconds": f"{child.cell_seconds:g}"})
    if error.name == "ProcessEnded":
        return UnreadableFile("process_ended")
    return UnreadableFile("cannot_read", {"reason": f"{error.name}: {error.message}"[:200]})


def stamp_of(folder: Path, name: str) -> Stamp | None:
    """Return a file's size and time of change; None if it is missing. Opens nothing, follows no link."""
    try:
        status = (folder / name).lstat()
    except OSError:
        return None
    return status.st_size, status.st_mtime_ns


def table_files(folder: Path) -> list[str]:
    """Return the sorted names in a folder that look like table files, without links."""
    names = [path.name for path in folder.iterdir() if is_table_file(path.name) and not path.is_symlink()]
    return sorted(names)[:MAX_FILES]


def named_apart(tables: Sequence[TableProfile]) -> list[TableProfile]:
    """Return the tables under distinct names: of two `orders`, the second becomes `orders (shop.db)`."""
    used_names: set[str] = set()
    apart: list[TableProfile] = []
    for table in tables:
        name = table.name if table.name.casefold() not in used_names else f"{table.name} ({table.file})"
        used_names.add(name.casefold())
        apart.append(table.model_copy(update={"name": name}))
    return apart
