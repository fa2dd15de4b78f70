"""One stored table open in the page: its process, and the thread that sends it one question after the other."""

import contextlib
import queue
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from smoldesk.sandbox.frames import BadFrame
from smoldesk.sandbox.process import ChildGone, ChildProcess
from smoldesk.sandbox.programs import next_frame
from smoldesk.stopping import StopFlag
from smoldesk.tables.table_answers import TableUnread, unread

# Time for a process to give up a cancelled question; after that it is killed.
CANCEL_SECONDS = 2.0
Question = dict[str, Any]


@dataclass(frozen=True)
class StoredTable:
    """File of a table, whose bytes never change, and the folder of the chat in whose jail it is read.

    With `columns` (names and DuckDB types) the file is not Parquet but JSON lines with keys c0, c1, ...
    """

    id: str
    chat_id: str
    path: Path
    folder: Path
    columns: tuple[tuple[str, str], ...] = ()


@dataclass
class TableJob:
    """Question to a table's process, the parser of its answer, its time limit and its future."""

    question: Question
    read: Callable[[bytes], Any]
    stop: StopFlag
    seconds: float
    future: "Future[Any]" = field(default_factory=lambda: Future[Any]())


# Starts a process and opens the table in it. Raises BadInput for a broken table, ChildGone, BadFrame, ValidationError.
Begin = Callable[[StoredTable, StopFlag], ChildProcess]


class OpenTable:
    """Open table with its process and the thread that asks it."""

    def __init__(self, begin: Begin, table: StoredTable, idle_seconds: float) -> None:
        self.table = table
        self._begin = begin
        self._idle_seconds = idle_seconds
        self._jobs: queue.SimpleQueue[TableJob | None] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._over = False
        self._number = 0
        threading.Thread(target=self._work, name="smoldesk-table", daemon=True).start()

    def put(self, job: TableJob) -> bool:
        """Queue a question; return False if the table is closed already."""
        with self._lock:
            if not self._over:
                self._jobs.put(job)
            return not self._over

    def close(self) -> None:
        """Close the table after the queued questions."""
        self._jobs.put(None)

    def _work(self) -> None:
        process: ChildProcess | None = None
        try:
            while (job := self._next()) is not None:
                if not job.future.set_running_or_notify_cancel():
                    continue
                try:
                    if process is None or not process.alive:
                        process = self._begin(self.table, job.stop)
                    job.future.set_result(job.read(self._ask(process, job)))
                except (ChildGone, BadFrame, ValidationError, OSError) as fault:
                    process = _ended(process)
                    job.future.set_exception(unread(fault))
                except Exception as fault:
                    # the caller gets it; this thread must survive for the next question
                    job.future.set_exception(fault)
        finally:
            _ended(process)
            self._refuse()

    def _next(self) -> TableJob | None:
        """Return the next question that is not stopped; None once the table is idle or closed."""
        while True:
            try:
                job = self._jobs.get(timeout=self._idle_seconds)
            except queue.Empty:
                # `put` takes the same lock: a question is either seen here or refused there, never lost.
                with self._lock:
                    self._over = self._jobs.empty()
                if self._over:
                    return None
                continue
            if job is None or not job.stop.is_set:
                return job
            job.future.set_exception(TableUnread("The request was stopped."))

    def _ask(self, process: ChildProcess, job: TableJob) -> bytes:
        self._number += 1
        process.send({**job.question, "type": "ask", "id": self._number, "seconds": job.seconds})
        deadline = time.monotonic() + job.seconds + CANCEL_SECONDS
        try:
            return next_frame(process, deadline, job.stop)
        except ChildGone:
            # A stopped question is cancelled, not killed with its process: that one has the table loaded.
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
    """Close the socket, give the process a second to clean up, then kill it."""
    with contextlib.suppress(OSError):
        if isinstance(process.sock, socket.socket):  # tables are read on this machine
            process.sock.shutdown(socket.SHUT_WR)
    until = time.monotonic() + 1.0
    while process.alive and time.monotonic() < until:
        time.sleep(0.01)
    process.kill()


def _ended(process: ChildProcess | None) -> None:
    if process is not None:
        end(process)
