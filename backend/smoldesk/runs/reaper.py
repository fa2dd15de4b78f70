"""Maintenance of runs: abandons runs that do not stop, lets go of chats that have nothing here any more, and closes runs and
works queues of servers that are gone.
"""

import logging
import math
import threading
import time
from collections.abc import Collection
from typing import Protocol

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from smoldesk.errors import Conflict, DeskError, NotFound
from smoldesk.events import ClosingEvent, RunEvent, RunFailed
from smoldesk.runs import server_lease
from smoldesk.runs.asking import log_asks_closed
from smoldesk.runs.open_calls import OpenEnds
from smoldesk.runs.worker import failure_events
from smoldesk.store import event_log, run_queue, run_rows
from smoldesk.store.asks import deny_open
from smoldesk.store.store import Store
from smoldesk.store.transaction import Tx

RESTART = "The server restarted"
RESTARTED = RunFailed(
    code="server_restarted",
    message="The server restarted during this run.",
    hint="Ask again to start a new run.",
)

LOST = RunFailed(
    code="run_lost",
    message="This run was interrupted: the server could not continue it.",
    hint="Ask again to start a new run.",
)


def close_from_outside(
    store: Store, run: run_rows.RunInfo, closing: ClosingEvent, reason: str, seconds: float | None = None
) -> bool:
    """Close a run without its thread, fencing it; False when it was closed already.

    Raises TimeoutError if that is not committed within `seconds`; what has not begun by then is not done.
    """

    def job(tx: Tx) -> tuple[OpenEnds, list[RunEvent]]:
        run_queue.check_open(tx, run.id)  # before its events are read
        ends = OpenEnds()
        rows = event_log.read_events(
            tx.connection, run.chat_id, limit=10_000_000, run_id=run.id, types=LOOSE_TYPES
        )
        ends.note(event_log.parsed(body) for _, _, _, body in rows)
        by = "restart" if closing is RESTARTED else "stop"
        deny_open(tx, run.id, reason, by, ends.asks())
        closed = ends.closing(reason, by)
        run_queue.close_run(tx, run, None, [*closed, *failure_events(closing), closing])
        return ends, closed

    # With a limit, a full queue must not hold the caller up.
    future = store.writer.submit(job, run.id, patient=seconds is None)
    try:
        log_asks_closed(run, *future.result(seconds))
    except (Conflict, NotFound):  # closed, or deleted with its chat
        return False
    except TimeoutError:
        future.cancel()
        raise
    return True


LOOSE_TYPES = ("tool_called", "tool_returned", "tool_failed", "nested", "ask_opened", "ask_closed")


def recover(store: Store) -> int:
    """At start-up: close the runs of servers that are gone; queued ones are kept. Returns how many were closed."""
    # Those of earlier starts of this very server: the lock on the data directory proves that the process is gone. Others
    # are given a lease (see ServerLease.start): on a busy machine their heartbeats may be late.
    runs = store.read(lambda connection: run_rows.orphaned_runs(connection, math.inf, store.data_dir.id))
    return sum(close_from_outside(store, run, RESTARTED, RESTART) for run, _ in runs)


log = logging.getLogger(__name__)

POLL_SECONDS = 0.25


class RunMaintenance(Protocol):
    """Actions of the maintenance thread, which Runs implements."""

    def abandon_unresponsive(self) -> None:
        """Close the runs that were asked to stop and did not."""
        ...

    def work_queue(self, chat_id: str) -> None:
        """Work a chat's queue, unless a thread of this server does already."""
        ...

    def idle_chats(self) -> Collection[str]:
        """Return the chats that this server holds and has nothing of any more."""
        ...

    def note_released(self, chat_ids: Collection[str]) -> None:
        """Forget chats that this server no longer holds."""
        ...

    def close_stray(self, run: run_rows.RunInfo, why: RunFailed) -> None:
        """Close a run, unless a thread of this server works on it."""
        ...


class Reaper:
    """Maintenance thread: every quarter of a second it closes runs that ignore a stop; when a server may have died, when
    another one may have changed any chat, and once per lease it looks for what is left behind.
    """

    def __init__(
        self,
        store: Store,
        maintenance: RunMaintenance,
        owner: str,
        lease: server_lease.ServerLease,
        closing: threading.Event,
    ) -> None:
        """`owner` names this server in rows; the thread ends soon after `closing` is set."""
        self._store = store
        self._maintenance = maintenance
        self._owner = owner
        self._lease = lease
        self._closing = closing
        self._soon = threading.Event()
        self._thread = threading.Thread(target=self._run, name="runs-janitor", daemon=True)

    def start(self) -> None:
        """Begin to keep house."""
        self._thread.start()

    def soon(self) -> None:
        """Look for work of other servers within POLL_SECONDS."""
        self._soon.set()

    def queues(self, connection: Connection) -> list[str]:
        """Return the chats whose queue this server works; see `chats_with_queue`."""
        since = time.time() - server_lease.LEASE_SECONDS
        return run_rows.chats_with_queue(connection, self._owner, self._lease.silence(), since)

    def maintain(self) -> None:
        """Release idle chats; close runs and work queues that no server holds.

        That happens if a server of another data directory died, or if a run's thread could not write its end.
        """
        if self._store.shared:
            self._release()
        silence = self._lease.silence()
        strays, queues = self._store.read(
            lambda connection: (
                run_rows.orphaned_runs(connection, silence, self._store.data_dir.id),
                self.queues(connection),
            )
        )
        if self._lease.silence() > silence:  # the database hung meanwhile: no server could send a heartbeat
            return
        for run, owner in strays:
            self._maintenance.close_stray(run, RESTARTED if owner != self._owner else LOST)
        for chat_id in queues:
            self._maintenance.work_queue(chat_id)

    def _release(self) -> None:
        """Let go of chats that have nothing here any more."""
        idle = self._maintenance.idle_chats()
        if idle:
            job = self._store.submit(lambda tx: run_queue.release_chats(tx, self._owner, idle))
            self._maintenance.note_released(job.result())

    def _run(self) -> None:
        tended_at = -math.inf
        while not self._closing.wait(POLL_SECONDS):
            try:
                now = time.monotonic()
                is_due = now >= tended_at + server_lease.LEASE_SECONDS
                if is_due or tended_at < self._lease.check_at <= now or self._soon.is_set():
                    self._soon.clear()
                    tended_at = now
                    self.maintain()
                self._maintenance.abandon_unresponsive()
            except Exception as fault:  # a full disk, say: later it may be better, and chats need this thread
                if not self._closing.is_set():
                    expected = isinstance(fault, DeskError | SQLAlchemyError | OSError)
                    log.error("keeping house failed (%s)", type(fault).__name__, exc_info=not expected)
