"""SQL over the tables in a chat's folder: each query runs in a process of its own, which reads the files and ends.

The server opens none of these files and does not trust the process: it accepts frames of bounded size and checks
their shape. DuckDB runs in that process only.
"""

import contextlib
import os
import secrets
import threading
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, BinaryIO, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints, ValidationError

from smoldesk.errors import BadInput, DeskError, NotFound
from smoldesk.folders import open_inside, remove_tree
from smoldesk.sandbox.frames import BadFrame
from smoldesk.sandbox.isolation import jail_here
from smoldesk.sandbox.limits import MIB, Limits
from smoldesk.sandbox.process import ChildGone, ChildProcess, change_owner, owner_of
from smoldesk.sandbox.programs import next_frame, start_program
from smoldesk.sandbox.waiting_process import WaitingProcess
from smoldesk.stopping import StopFlag
from smoldesk.tables import CHILD_PACKAGES
from smoldesk.tables.inside import sqlite_reading
from smoldesk.tables.inside.folder_files import CACHE_FOLDER, SPILL, Stamp, excess_file_notes, table_stamps
from smoldesk.tables.results import Rows
from smoldesk.tables.shared_folders import SharedFolders

PROGRAM = "smoldesk.tables.inside.sql_program"
# Time for starting the process and reading the files, on top of the query's own time.
READ_SECONDS = 60.0
AT_ONCE = 4
# In characters.
MAX_QUERY = 20_000
# Bytes of memory of a query. DuckDB spills the rest into the chat's folder.
MEMORY = 512 * MIB
# A query gets one more second for each PER_SECOND bytes of table files, up to MAX_EXTRA seconds.
PER_SECOND, MAX_EXTRA = 50_000_000, 55.0
MAX_OUTLINE_CHARACTERS, MAX_UNREAD = 3_000, 1_000
MAX_PROGRESS = 200
_places = threading.BoundedSemaphore(AT_ONCE)
_waiting = WaitingProcess()

Short = Annotated[str, StringConstraints(max_length=1_000)]


class Answer(BaseModel):
    """Final frame of the query process."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    type: Short
    tables: Annotated[list[tuple[Short, list[Short]]], Field(max_length=1_000)]
    unread: Annotated[list[Short], Field(max_length=200)]
    error: Short | None = None
    columns: Annotated[list[str], Field(max_length=2_000)] = []
    rows: Annotated[list[list[JsonValue]], Field(max_length=sqlite_reading.MAX_ROWS)] = []
    truncated: bool = False


class QueryProgress(BaseModel):
    """Progress frame of the query process: the share of the query's work that is done."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    type: Literal["progress"]
    share: Annotated[float, Field(ge=0, le=1)]


class ObjectRequest(BaseModel):
    """Request frame of the query process for objects, or for a part of one."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    type: Literal["object"]
    arguments: dict[Short, JsonValue]


@dataclass(frozen=True)
class BundledTable:
    """Table of the desk: a CSV file in UTF-8 and its columns, each with its DuckDB type."""

    name: str
    path: str
    columns: list[tuple[str, str]]


class ChatTables:
    """Tables of one chat's folder; implements tools.FolderTables.

    Copies of `bundled` files in the folder are ignored. Files of `shared` folders are tables, too. `room` is the most
    bytes that the folder may hold.
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
        """Return the names of the folder's table files, sorted."""
        return [name for name, _, _ in self._stamps()]

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
        """Run one query over the folder's tables.

        Raises BadInput with the fault and the available tables, NoAnswer if the process fails, Stopped if `stop` is
        set. For a query over a second, calls `on_progress` with the share done (0 to 1) on this thread.
        """
        if len(query) > MAX_QUERY:
            raise BadInput(f"The query has {len(query)} characters.", hint=f"The limit is {MAX_QUERY}.")
        stamps = self._stamps()
        visible, hidden = self._shared.split([name for name, _, _ in stamps])
        stamps += visible
        frame: dict[str, Any] = {
            "type": "query",
            "folder": str(self._folder),
            "spill": f"{CACHE_FOLDER}/{SPILL}{secrets.token_hex(8)}",
            "files": stamps,
            "readable": [str(folder) for folder in self._shared.folders],
            "buckets": self._shared.objects.urls,
            "bundled": [asdict(table) for table in bundled],
            # A lone surrogate, which JSON escapes can write, has no UTF-8 encoding.
            "query": query.encode("utf-8", "replace").decode(),
            "seconds": (
                seconds := seconds + min(MAX_EXTRA, sum(size for _, size, _ in stamps) // PER_SECOND)
            ),
            "memory": memory,
            "room": self._room,
            "most_rows": sqlite_reading.MAX_ROWS,
        }
        with _place(stop):
            answer = self._send_query(frame, patience + seconds, stop, on_progress)
        if answer.error is not None:
            unread = [
                *excess_file_notes(self._folder, self._shared.folders, self._shared.objects.tables()),
                *self._shared.objects.problem_lines(),
                *answer.unread,
                *(f"{path}: the chat has a file of this name" for path in hidden),
            ]
            raise BadInput(f"The query failed: {answer.error}.", hint=_describe_tables(answer, unread))
        if any(len(row) != len(answer.columns) for row in answer.rows):
            raise NoAnswer("The process that reads the chat's tables sent an invalid answer.")
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
        # The child runs as the folder's user and must be able to write its spill there.
        if uid is not None:
            change_owner(self._folder, uid)
        key = (self._cache, repr(plan), PROGRAM, repr(CHILD_PACKAGES))
        process = _waiting.take(key) or self._started(plan)
        try:
            process.send({**frame, "uid": uid})
            deadline = time.monotonic() + patience
            next_frame(process, deadline, stop)  # ready
            reports = 0
            while reports < MAX_PROGRESS:
                body = next_frame(process, deadline, stop)
                if body.startswith(b'{"type":"object"'):
                    process.send(self._serve(ObjectRequest.model_validate_json(body), stop or StopFlag()))
                    continue
                if not body.startswith(b'{"type":"progress"'):
                    return Answer.model_validate_json(body)
                on_progress(QueryProgress.model_validate_json(body).share)
                reports += 1
            raise BadFrame(f"more than {MAX_PROGRESS} progress frames without an answer")
        except (ChildGone, BadFrame, ValidationError) as fault:
            message = (
                "the process sent an invalid answer" if isinstance(fault, ValidationError) else str(fault)
            )
            raise NoAnswer(f"The chat's tables could not be read: {message[:300]}.") from fault
        finally:
            # One process, one query: what a hostile file did to it cannot reach the next one.
            process.kill()
            self._remove_spill(frame["spill"])
            _waiting.prepare(key, lambda: self._started(plan))

    def _serve(self, request: ObjectRequest, stop: StopFlag) -> dict[str, Any]:
        """Answer the process about an object. Raises Stopped."""
        try:
            return {"type": "returned", "value": self._shared.objects.serve(request.arguments, stop)}
        except (OSError, ValueError) as fault:
            return {"type": "raised", "message": str(fault)}

    def _remove_spill(self, name: str) -> None:
        """Delete what a query that has ended wrote for lack of memory, and the folder around it if that is empty."""
        spill = self._folder / name
        remove_tree(spill)
        with contextlib.suppress(OSError):
            spill.parent.rmdir()

    def _started(self, plan: dict[str, Any]) -> ChildProcess:
        return start_program(PROGRAM, self._cache, plan, CHILD_PACKAGES)

    def _stamps(self) -> list[Stamp]:
        return table_stamps(self._folder, self._bundled, self._opened)

    def _opened(self, name: str) -> BinaryIO:
        """Open a file of the chat. Raises OSError, also if it is not a regular file."""
        try:
            return os.fdopen(open_inside(self._folder, name), "rb")
        except NotFound as fault:
            raise FileNotFoundError(str(fault)) from fault


class NoAnswer(DeskError):
    """The process that reads a chat's tables ended, timed out or sent an invalid answer."""

    code = "tables_unreadable"


@contextlib.contextmanager
def _place(stop: StopFlag | None) -> Generator[None, None, None]:
    """Hold one of the AT_ONCE slots for queries. Raises Stopped while waiting."""
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
    not_read = f" Not read: {'; '.join(unread)}."[:MAX_UNREAD] if unread else ""
    # The list of unread files survives the cut: it explains a missing table.
    room = MAX_OUTLINE_CHARACTERS - len(not_read)
    return (message if len(message) <= room else message[:room] + "…") + not_read
