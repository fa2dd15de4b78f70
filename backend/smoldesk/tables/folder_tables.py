"""SQL over the tables in a chat's folder: a process for each query, which reads the files and ends with its answer.

The server opens none of these files and does not believe what the process says: one frame of bounded size, checked
for shape. DuckDB, which answers, is in that process only.
"""

import contextlib
import os
import threading
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints, ValidationError

from smoldesk.errors import BadInput, DeskError, NotFound
from smoldesk.folders import open_inside
from smoldesk.sandbox.frames import BadFrame
from smoldesk.sandbox.isolation import jail_here
from smoldesk.sandbox.limits import MIB, Limits
from smoldesk.sandbox.process import ChildGone, ChildProcess, change_owner, owner_of
from smoldesk.sandbox.programs import next_frame, start_program
from smoldesk.sandbox.waiting_process import WaitingProcess
from smoldesk.stopping import StopFlag
from smoldesk.tables import CHILD_PACKAGES
from smoldesk.tables.inside import sqlite_reading
from smoldesk.tables.inside.folder_files import Stamp, excess_file_notes, table_stamps
from smoldesk.tables.results import Rows
from smoldesk.tables.shared_folders import SharedFolders

PROGRAM = "smoldesk.tables.inside.sql_program"
# For starting the process and reading the files; the query has its own time.
READ_SECONDS = 60.0
AT_ONCE = 4
# Characters.
MOST_QUERY = 20_000
# What a query may hold of its tables at once; the rest is written into the chat's folder while it runs.
MEMORY = 512 * MIB
# Bytes of table files for which a query has another second, and the most of these seconds.
PER_SECOND, MOST_EXTRA = 50_000_000, 55.0
MOST_TOLD, MOST_UNREAD = 3_000, 1_000
MOST_PROGRESS = 200
_places = threading.BoundedSemaphore(AT_ONCE)
_waiting = WaitingProcess()

Short = Annotated[str, StringConstraints(max_length=1_000)]


class Answer(BaseModel):
    """What the process may say, once."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    type: Short
    tables: Annotated[list[tuple[Short, list[Short]]], Field(max_length=1_000)]
    unread: Annotated[list[Short], Field(max_length=200)]
    error: Short | None = None
    columns: Annotated[list[str], Field(max_length=2_000)] = []
    rows: Annotated[list[list[JsonValue]], Field(max_length=sqlite_reading.MOST_ROWS)] = []
    truncated: bool = False


class QueryProgress(BaseModel):
    """What the process may say before it answers: which share of the query's work is done."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    type: Literal["progress"]
    share: Annotated[float, Field(ge=0, le=1)]


@dataclass(frozen=True)
class BundledTable:
    """A table of the desk's own: a CSV file in UTF-8, and its columns, each with DuckDB's type."""

    name: str
    path: str
    columns: list[tuple[str, str]]


class ChatTables:
    """The tables of one folder; implements tools.FolderTables.

    `bundled` are files whose copies do not count, `shared` folders whose files are tables beside its own, `room` how many
    bytes the folder may hold.
    """

    def __init__(
        self,
        folder: Path,
        cache: Path,
        bundled: Sequence[Path] = (),
        shared: SharedFolders | None = None,
        room: int = Limits().folder,
    ) -> None:
        self._folder = folder
        self._cache = cache
        self._bundled = bundled
        self._shared = shared or SharedFolders()
        self._room = room

    def files(self) -> list[str]:
        """Table files of the folder, by name."""
        return [name for name, _, _ in self._stamps()]

    def shared(self) -> tuple[list[str], list[str]]:
        """Paths of the shared files, and of those that give way to a file of the folder."""
        visible, hidden = self._shared.split(self.files())
        return [path for path, _, _ in visible], hidden

    def query(
        self,
        query: str,
        bundled: Sequence[BundledTable] = (),
        seconds: float = sqlite_reading.SECONDS,
        patience: float = READ_SECONDS,
        *,
        memory: int = MEMORY,
        stop: StopFlag | None = None,
        on_progress: Callable[[float], None] = lambda _share: None,
    ) -> Rows:
        """Raises BadInput with what is wrong and the tables there are; DeskError when no answer comes or `stop` is set.

        Of a query that takes more than a second, `tell` hears which share (0 to 1) is done, on this thread.
        """
        if len(query) > MOST_QUERY:
            raise BadInput(f"The query has {len(query)} characters.", hint=f"At most {MOST_QUERY} are taken.")
        stamps = self._stamps()
        visible, hidden = self._shared.split([name for name, _, _ in stamps])
        stamps += visible
        frame: dict[str, Any] = {
            "type": "query",
            "folder": str(self._folder),
            "files": stamps,
            "readable": [str(folder) for folder in self._shared.folders],
            "bundled": [asdict(table) for table in bundled],
            "query": query.encode("utf-8", "replace").decode(),
            "seconds": (
                seconds := seconds + min(MOST_EXTRA, sum(size for _, size, _ in stamps) // PER_SECOND)
            ),
            "memory": memory,
            "room": self._room,
            "most_rows": sqlite_reading.MOST_ROWS,
        }
        with _place(stop):
            answer = self._send_query(frame, patience + seconds, stop, on_progress)
        if answer.error is not None:
            unread = [
                *excess_file_notes(self._folder, self._shared.folders),
                *answer.unread,
                *(f"{path}: the chat has a file of this name" for path in hidden),
            ]
            raise BadInput(f"The query failed: {answer.error}.", hint=_describe_tables(answer, unread))
        if any(len(row) != len(answer.columns) for row in answer.rows):
            raise NoAnswer("Reading the chat's tables gave an answer that makes no sense.")
        return Rows(answer.columns, answer.rows, answer.truncated)

    def _send_query(
        self,
        frame: dict[str, Any],
        patience: float,
        stop: StopFlag | None,
        on_progress: Callable[[float], None],
    ) -> Answer:
        plan = jail_here(self._cache.absolute().parent).plan or {}
        uid = owner_of(self._folder) if plan.get("own_user") else None
        if uid is not None:
            change_owner(self._folder, uid)
        key = (self._cache, repr(plan), PROGRAM, repr(CHILD_PACKAGES))
        process = _waiting.take(key) or self._started(plan)
        try:
            process.send({**frame, "uid": uid})
            deadline = time.monotonic() + patience
            next_frame(process, deadline, stop)  # ready
            for _ in range(MOST_PROGRESS):
                said = next_frame(process, deadline, stop)
                if not said.startswith(b'{"type":"progress"'):
                    return Answer.model_validate_json(said)
                on_progress(QueryProgress.model_validate_json(said).share)
            raise BadFrame("progress without an end")
        except (ChildGone, BadFrame, ValidationError) as fault:
            message = "an answer that makes no sense" if isinstance(fault, ValidationError) else str(fault)
            raise NoAnswer(f"The chat's tables could not be read: {message[:300]}.") from fault
        finally:
            process.kill()
            _waiting.prepare(key, lambda: self._started(plan))

    def _started(self, plan: dict[str, Any]) -> ChildProcess:
        return start_program(PROGRAM, self._cache, plan, CHILD_PACKAGES)

    def _stamps(self) -> list[Stamp]:
        """What the folder has of tables; nothing is opened but possible copies of the bundled ones."""
        return table_stamps(self._folder, self._bundled, self._opened)

    def _opened(self, name: str) -> BinaryIO:
        """Raises OSError, also for what is no file of the chat's."""
        try:
            return os.fdopen(open_inside(self._folder, name), "rb")
        except NotFound as fault:
            raise FileNotFoundError(str(fault)) from fault


class NoAnswer(DeskError):
    """The process that reads a chat's tables ended, took too long, or made no sense."""

    code = "tables_unreadable"


@contextlib.contextmanager
def _place(stop: StopFlag | None) -> Generator[None, None, None]:
    """One of the few places for reading; raises Stopped while it waits for one."""
    while not _places.acquire(timeout=0.2):
        if stop is not None:
            stop.check()
    try:
        yield
    finally:
        _places.release()


def _describe_tables(answer: Answer, unread: Sequence[str]) -> str:
    listing = "; ".join(f"{name}({', '.join(columns)})" for name, columns in answer.tables)
    message = f"Tables: {listing}."
    not_read = f" Not read: {'; '.join(unread)}."[:MOST_UNREAD] if unread else ""
    room = MOST_TOLD - len(not_read)
    return (message if len(message) <= room else message[:room] + "…") + not_read
