"""Stored tables that people look at: a process for each, kept while they do, which alone reads the table's file.

Each has a thread of its own, which starts the process, asks it one question after the other, and ends it when nobody has
asked for a while. Downloads have a process each, so that they hold up no grid. The server opens no table and believes
only answers of the right shape.
"""

import base64
import binascii
import contextlib
import queue
import socket
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Generator
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue, StringConstraints, ValidationError

from smoldesk.errors import BadInput, DeskError
from smoldesk.sandbox.frames import BadFrame
from smoldesk.sandbox.isolation import jail_here
from smoldesk.sandbox.limits import MIB, Limits
from smoldesk.sandbox.process import ChildGone, ChildProcess, give, owner_of
from smoldesk.sandbox.programs import next_frame, start_program
from smoldesk.stopping import StopFlag
from smoldesk.tables import CHILD_PACKAGES
from smoldesk.tables.waiting_process import WaitingProcess

PROGRAM = "smoldesk.tables.inside.grid_program"
MOST_OPEN = 4
"""Tables of a desk that are open at once; the one that was asked last is closed for another."""
IDLE_SECONDS = 120.0
START_SECONDS = 60.0
QUESTION_SECONDS = 30.0
PROFILE_SECONDS = 120.0
EXPORT_SECONDS = 3600.0
EXPORTS_AT_ONCE = 2
CANCEL_SECONDS = 2.0
"""How long a process may take to give up a question; then it is ended."""
MEMORY = 512 * MIB
REMEMBERED = 64

T = TypeVar("T", bound=BaseModel)
Short = Annotated[str, StringConstraints(max_length=1_000)]
Question = dict[str, Any]


class _Said(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class _Opened(_Said):
    type: Literal["opened"]
    rows: Annotated[int, Field(ge=0)]
    columns: Annotated[list[dict[str, Any]], Field(max_length=2_000)]


class _Fault(_Said):
    type: Literal["fault"]
    code: Short
    message: Short
    hint: Short
    id: int = 0


class _Piece(_Said):
    type: Literal["piece"]
    data: str
    id: int


class _Done(_Said):
    type: Literal["answer"]
    id: int


class TableRows(_Said):
    """Rows of a view of a table, and how many the view has in all."""

    type: Literal["answer"]
    rows: list[list[JsonValue]]
    row_count: Annotated[int, Field(ge=0)]
    id: int


class ColumnProfile(_Said):
    """What one column holds; `counts` of equal steps from `least` to `most`, or its most frequent `values`."""

    missing: Annotated[int, Field(ge=0)]
    distinct: Annotated[int, Field(ge=0)]
    least: int | float | Short | None
    most: int | float | Short | None
    counts: Annotated[list[int], Field(max_length=100)]
    values: Annotated[list[tuple[JsonValue, int]], Field(max_length=100)]


class TableColumns(_Said):
    """What the columns of a table hold, in their order."""

    type: Literal["answer"]
    columns: Annotated[list[ColumnProfile], Field(max_length=2_000)]
    id: int


class TableUnread(DeskError):
    """The process that reads a stored table ended, took too long, or made no sense."""

    code = "table_unanswered"


@dataclass(frozen=True)
class StoredTable:
    """A table's file, whose bytes never change, and the folder of the chat in whose jail it is read.

    With `columns`, names and DuckDB's types, it is no Parquet file but an object a line, whose keys are c0, c1, ....
    """

    id: str
    chat_id: str
    path: Path
    folder: Path
    columns: tuple[tuple[str, str], ...] = ()


@dataclass
class _Job:
    question: Question
    read: Callable[[bytes], Any]
    stop: StopFlag
    seconds: float
    future: "Future[Any]" = field(default_factory=lambda: Future[Any]())


class OpenTables:
    """The tables of one desk that are open. All methods may be called from any thread; the futures end on ours."""

    def __init__(self, cache: Path, idle_seconds: float = IDLE_SECONDS) -> None:
        self._cache = cache
        self._idle_seconds = idle_seconds
        self._lock = threading.Lock()
        self._open: OrderedDict[tuple[str, bool], _OpenTable] = OrderedDict()
        self._profiles: OrderedDict[str, TableColumns] = OrderedDict()
        self._waiting = WaitingProcess()
        self._exports = threading.BoundedSemaphore(EXPORTS_AT_ONCE)
        self._closed = False

    def page(self, table: StoredTable, view: Question, stop: StopFlag) -> "Future[TableRows]":
        """Rows of a view; the future ends with BadInput for a view that does not fit, TableUnread when `stop` is set."""
        job = _Job({"what": "page", **view}, lambda body: _read(TableRows, body), stop, QUESTION_SECONDS)
        return self._asked(table, job)

    def profile(self, table: StoredTable, stop: StopFlag) -> "Future[TableColumns]":
        """What its columns hold, looked up once by a process of its own; the future ends as that of a page."""
        with self._lock:
            known = self._profiles.get(table.id)
        if known is not None:
            found: Future[TableColumns] = Future()
            found.set_result(known)
            return found

        def read(body: bytes) -> TableColumns:
            found = _read(TableColumns, body)
            with self._lock:
                self._profiles[table.id] = found
                while len(self._profiles) > REMEMBERED:
                    self._profiles.popitem(last=False)
            return found

        return self._asked(table, _Job({"what": "profile"}, read, stop, PROFILE_SECONDS), apart=True)

    def export(self, table: StoredTable, view: Question, stop: StopFlag) -> Generator[bytes]:
        """A file of a view, in pieces; raises as `page` does, before the first piece or between two.

        Its process lives until the last piece, or until the iterator is closed.
        """
        while not self._exports.acquire(timeout=0.2):
            stop.check()
        try:
            yield from self.taken(table, view, stop)
        finally:
            self._exports.release()

    def taken(self, table: StoredTable, view: Question, stop: StopFlag) -> Generator[bytes]:
        """As `export`, at once, whatever else is exported: for a run, of which there are few."""
        process = None
        try:
            process = self.begin(table, stop)
            process.send({"type": "ask", "id": 1, "what": "export", "seconds": EXPORT_SECONDS, **view})
            deadline = time.monotonic() + EXPORT_SECONDS
            while (piece := _piece(next_frame(process, deadline, stop))) is not None:
                yield piece
        except (ChildGone, BadFrame, ValidationError, binascii.Error) as fault:
            stop.check()
            raise _unread(fault) from fault
        finally:
            if process is not None:
                end(process)

    def forget(self, chat_id: str) -> None:
        """The chat is gone, and with it what reads for it."""
        with self._lock:
            gone = [key for key, one in self._open.items() if one.table.chat_id == chat_id]
            tables = [self._open.pop(key) for key in gone]
        for table in tables:
            table.close()

    def close(self) -> None:
        """End all processes; who waits is told."""
        with self._lock:
            self._closed = True
            tables = [*self._open.values()]
            self._open.clear()
        for table in tables:
            table.close()
        waiting = self._waiting.kind
        if waiting is not None and (process := self._waiting.take(waiting)) is not None:
            process.kill()

    def begin(self, table: StoredTable, stop: StopFlag | None = None) -> ChildProcess:
        """A process that has opened the table, which the calling thread has to end.

        Raises BadInput for a broken table, ChildGone, BadFrame, ValidationError.
        """
        plan = jail_here(self._cache.absolute().parent).plan or {}
        uid = owner_of(table.folder) if plan.get("own_user") else None
        if uid is not None:
            give(table.folder, uid)
        key = (self._cache, repr(plan), PROGRAM, repr(CHILD_PACKAGES))
        process = self._waiting.take(key) or start_program(PROGRAM, self._cache, plan, CHILD_PACKAGES)
        if not self._closed:
            self._waiting.prepare(key, lambda: start_program(PROGRAM, self._cache, plan, CHILD_PACKAGES))
        try:
            process.send(
                {
                    "type": "open",
                    "folder": str(table.folder),
                    "path": str(table.path.absolute()),
                    "columns": table.columns,
                    "uid": uid,
                    "memory": MEMORY,
                    "room": Limits().folder,
                }
            )
            deadline = time.monotonic() + START_SECONDS
            next_frame(process, deadline, stop)  # ready
            _read(_Opened, next_frame(process, deadline, stop))
        except BaseException:
            process.kill()
            raise
        return process

    def _asked(self, table: StoredTable, job: _Job, apart: bool = False) -> "Future[Any]":
        """`apart` from the process that serves its pages, in one that ends soon."""
        with self._lock:
            if self._closed:
                job.future.set_exception(TableUnread("The desk is closing."))
                return job.future
            key = table.id, apart
            found = self._open.get(key)
            if found is None or not found.put(job):
                found = _OpenTable(self, table, 0.1 if apart else self._idle_seconds)
                self._open[key] = found
                found.put(job)
            self._open.move_to_end(key)
            others = [self._open.popitem(last=False)[1] for _ in range(len(self._open) - MOST_OPEN)]
        for other in others:
            other.close()
        return job.future


class _OpenTable:
    """One table, its process, and the thread that asks it."""

    def __init__(self, tables: OpenTables, table: StoredTable, idle_seconds: float) -> None:
        self.table = table
        self._tables = tables
        self._idle_seconds = idle_seconds
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._over = False
        self._number = 0
        threading.Thread(target=self._work, name="smoldesk-table", daemon=True).start()

    def put(self, job: _Job) -> bool:
        """Have a question asked; False when it is too late for that."""
        with self._lock:
            if not self._over:
                self._jobs.put(job)
            return not self._over

    def close(self) -> None:
        """End it after what was asked already."""
        self._jobs.put(None)

    def _work(self) -> None:
        process: ChildProcess | None = None
        try:
            while (job := self._next()) is not None:
                if not job.future.set_running_or_notify_cancel():
                    continue
                try:
                    if process is None or not process.alive:
                        process = self._tables.begin(self.table, job.stop)
                    job.future.set_result(job.read(self._ask(process, job)))
                except (ChildGone, BadFrame, ValidationError, OSError) as fault:
                    process = _ended(process)
                    job.future.set_exception(_unread(fault))
                except Exception as fault:  # told to the one who asked; the next question is another
                    job.future.set_exception(fault)
        finally:
            _ended(process)
            self._refuse()

    def _next(self) -> _Job | None:
        """The next question somebody still waits for; None when it is time to end."""
        while True:
            try:
                job = self._jobs.get(timeout=self._idle_seconds)
            except queue.Empty:
                with self._lock:
                    self._over = self._jobs.empty()
                if self._over:
                    return None
                continue
            if job is None or not job.stop.is_set:
                return job
            job.future.set_exception(TableUnread("It was stopped."))

    def _ask(self, process: ChildProcess, job: _Job) -> bytes:
        self._number += 1
        process.send({**job.question, "type": "ask", "id": self._number, "seconds": job.seconds})
        deadline = time.monotonic() + job.seconds + CANCEL_SECONDS
        try:
            return next_frame(process, deadline, job.stop)
        except ChildGone:
            if not job.stop.is_set or not process.alive:
                raise
        process.send({"type": "cancel", "id": self._number})
        return next_frame(process, time.monotonic() + CANCEL_SECONDS, None)

    def _refuse(self) -> None:
        with self._lock:
            self._over = True
        with contextlib.suppress(queue.Empty):
            while True:
                job = self._jobs.get_nowait()
                if job is not None:
                    job.future.set_exception(TableUnread("The table was closed."))


def end(process: ChildProcess) -> None:
    """Let the process clean up after itself, for a moment; then it is ended."""
    with contextlib.suppress(OSError):
        process.sock.shutdown(socket.SHUT_WR)
    until = time.monotonic() + 1.0
    while process.alive and time.monotonic() < until:
        time.sleep(0.01)
    process.kill()


def _ended(process: ChildProcess | None) -> None:
    if process is not None:
        end(process)


def _piece(body: bytes) -> bytes | None:
    """A piece of a file; None at its end. Raises BadInput, ValidationError."""
    if body.startswith(b'{"type":"piece"'):
        return base64.b64decode(_Piece.model_validate_json(body).data, validate=True)
    _read(_Done, body)
    return None


def _read(shape: type[T], body: bytes) -> T:
    """An answer of this shape; raises BadInput with the fault that came instead, TableUnread for what makes no sense."""
    try:
        return shape.model_validate_json(body)
    except ValidationError as odd:
        try:
            fault = _Fault.model_validate_json(body)
        except ValidationError:
            raise _unread(odd) from odd
    kind = TableUnread if fault.code == "table_unanswered" else BadInput
    raise kind(fault.message, fault.hint, code=fault.code)


def _unread(fault: Exception) -> TableUnread:
    shown = "it gave an answer that makes no sense" if isinstance(fault, ValidationError) else str(fault)
    return TableUnread(f"The table could not be read: {shown[:300]}.", "Try again.")
