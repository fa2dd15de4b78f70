"""Stored tables that are open in the page, each read by a process of its own.

A process ends after a time without questions. Each download has a separate process, so that it does not block the
grid. The server opens no table and checks the shape of each answer.
"""

import binascii
import threading
import time
from collections import OrderedDict
from collections.abc import Generator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from smoldesk.sandbox.frames import BadFrame
from smoldesk.sandbox.isolation import jail_here
from smoldesk.sandbox.limits import MIB, Limits
from smoldesk.sandbox.process import ChildGone, ChildProcess, change_owner, let_read, owner_of
from smoldesk.sandbox.programs import next_frame, start_program
from smoldesk.sandbox.waiting_process import WaitingProcess
from smoldesk.stopping import StopFlag
from smoldesk.tables import CHILD_PACKAGES
from smoldesk.tables.open_table import OpenTable, Question, StoredTable, TableJob, end
from smoldesk.tables.table_answers import (
    TableColumns,
    TableGroups,
    TableOpened,
    TableRows,
    TableUnread,
    read_answer,
    read_piece,
    unread,
)

PROGRAM = "smoldesk.tables.inside.grid_program"
# Open tables of a desk. One more closes the least recently used.
MAX_OPEN = 4
IDLE_SECONDS = 120.0
START_SECONDS = 60.0
QUESTION_SECONDS = 30.0
PROFILE_SECONDS = 120.0
EXPORT_SECONDS = 3600.0
EXPORTS_AT_ONCE = 2
MEMORY = 512 * MIB
REMEMBERED = 64


class OpenTables:
    """Open tables of one desk. Methods are thread-safe; futures complete on a thread of this class."""

    def __init__(self, cache: Path, idle_seconds: float = IDLE_SECONDS) -> None:
        self._cache = cache
        self._idle_seconds = idle_seconds
        self._lock = threading.Lock()
        self._open: OrderedDict[tuple[str, bool], OpenTable] = OrderedDict()
        self._profiles: OrderedDict[str, TableColumns] = OrderedDict()
        self._waiting = WaitingProcess()
        self._exports = threading.BoundedSemaphore(EXPORTS_AT_ONCE)
        self._closed = False

    def page(self, table: StoredTable, view: Question, stop: StopFlag) -> "Future[TableRows]":
        """Request rows of a view. The future fails with BadInput for an invalid view, TableUnread if `stop` is set."""
        job = TableJob(
            {"what": "page", **view}, lambda body: read_answer(TableRows, body), stop, QUESTION_SECONDS
        )
        return self._submit(table, job)

    def groups(self, table: StoredTable, request: Question, stop: StopFlag) -> "Future[TableGroups]":
        """Request groups of a view. The future fails as that of `page`."""
        question = {"what": "groups", **request}
        job = TableJob(question, lambda body: read_answer(TableGroups, body), stop, QUESTION_SECONDS)
        return self._submit(table, job)

    def profile(self, table: StoredTable, stop: StopFlag) -> "Future[TableColumns]":
        """Request profiles of the table's columns, computed once in a separate process. The future fails as that of
        `page`.
        """
        with self._lock:
            cached = self._profiles.get(table.id)
        if cached is not None:
            future: Future[TableColumns] = Future()
            future.set_result(cached)
            return future

        def read(body: bytes) -> TableColumns:
            columns = read_answer(TableColumns, body)
            with self._lock:
                self._profiles[table.id] = columns
                while len(self._profiles) > REMEMBERED:
                    self._profiles.popitem(last=False)
            return columns

        return self._submit(table, TableJob({"what": "profile"}, read, stop, PROFILE_SECONDS), apart=True)

    def export(self, table: StoredTable, view: Question, stop: StopFlag) -> Generator[bytes]:
        """Yield the file of a view in pieces; raises as `page` does, at any piece.

        The process lives until the last piece, or until the generator is closed.
        """
        while not self._exports.acquire(timeout=0.2):
            stop.check()
        try:
            yield from self.export_now(table, view, stop)
        finally:
            self._exports.release()

    def export_now(self, table: StoredTable, view: Question, stop: StopFlag) -> Generator[bytes]:
        """Yield the file of a view as `export` does, without waiting for other exports: for runs, of which there are
        few.
        """
        process = None
        try:
            process = self.begin(table, stop)
            process.send({"type": "ask", "id": 1, "what": "export", "seconds": EXPORT_SECONDS, **view})
            deadline = time.monotonic() + EXPORT_SECONDS
            while (piece := read_piece(next_frame(process, deadline, stop))) is not None:
                yield piece
        except (ChildGone, BadFrame, ValidationError, binascii.Error) as fault:
            stop.check()
            raise unread(fault) from fault
        finally:
            if process is not None:
                end(process)

    def forget(self, chat_id: str) -> None:
        """Close the tables of a deleted chat."""
        with self._lock:
            gone = [key for key, open_table in self._open.items() if open_table.table.chat_id == chat_id]
            tables = [self._open.pop(key) for key in gone]
        for table in tables:
            table.close()

    def close(self) -> None:
        """End all processes; pending questions fail with TableUnread."""
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
        """Start a process and open the table in it. The caller must end the process.

        Raises BadInput for a broken table, ChildGone, BadFrame, ValidationError.
        """
        plan = jail_here(self._cache.absolute().parent).plan or {}
        uid = owner_of(table.folder) if plan.get("own_user") else None
        if uid is not None:
            change_owner(table.folder, uid)
            let_read(table.path)
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
            read_answer(TableOpened, next_frame(process, deadline, stop))
        except BaseException:
            process.kill()
            raise
        return process

    def _submit(self, table: StoredTable, job: TableJob, apart: bool = False) -> "Future[Any]":
        """Queue a job. With `apart` it runs in a short-lived process beside the one that serves pages."""
        with self._lock:
            if self._closed:
                job.future.set_exception(TableUnread("The desk is shutting down."))
                return job.future
            key = table.id, apart
            open_table = self._open.get(key)
            if open_table is None or not open_table.put(job):
                open_table = OpenTable(self.begin, table, 0.1 if apart else self._idle_seconds)
                self._open[key] = open_table
                open_table.put(job)
            self._open.move_to_end(key)
            evicted = [self._open.popitem(last=False)[1] for _ in range(len(self._open) - MAX_OPEN)]
        for other in evicted:
            other.close()
        return job.future
