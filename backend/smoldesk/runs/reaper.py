"""Maintenance of runs: abandons runs that do not stop, renews leases, and closes runs and queues without a server."""

import logging
import threading
import time
from typing import Protocol

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from smoldesk.errors import Conflict, DeskError
from smoldesk.events import ClosingEvent, RunEvent, RunFailed
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


def close_from_outside(store: Store, run: run_rows.RunInfo, closing: ClosingEvent, reason: str) -> bool:
    """Close a run without its thread, fencing it; False when it was closed already."""

    def job(tx: Tx) -> tuple[OpenEnds, list[RunEvent]]:
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

    try:
        log_asks_closed(run, *store.submit(job, run.id).result())
    except Conflict:
        return False
    return True


LOOSE_TYPES = ("tool_called", "tool_returned", "tool_failed", "nested", "ask_opened", "ask_closed")


def recover(store: Store, now: float) -> int:
    """At start-up: close the runs of servers that are gone; queued ones are kept. Returns how many were closed."""
    # A run is orphaned if its chat's lease has ended, or if its owner is an earlier start of this very server:
    # the lock on the data directory proves that the earlier process is gone.
    runs = store.read(lambda connection: run_rows.orphaned_runs(connection, now, store.data_dir.id))
    return sum(close_from_outside(store, run, RESTARTED, RESTART) for run, _ in runs)


log = logging.getLogger(__name__)

# Seconds after its last renewal for which a chat belongs to its server.
LEASE_SECONDS = 15.0
POLL_SECONDS = 0.25


class RunMaintenance(Protocol):
    """Actions of the maintenance thread, which Runs implements."""

    def abandon_unresponsive(self) -> None:
        """Close the runs that were asked to stop and did not."""
        ...

    def work_queue(self, chat_id: str) -> None:
        """Work a chat's queue, unless a thread of this server does already."""
        ...

    def close_stray(self, run: run_rows.RunInfo, why: RunFailed) -> None:
        """Close a run, unless a thread of this server works on it."""
        ...


class Reaper:
    """Maintenance thread: every quarter of a second it closes runs that ignore a stop; every third of a lease it renews
    leases.
    """

    def __init__(
        self, store: Store, maintenance: RunMaintenance, owner: str, closing: threading.Event
    ) -> None:
        """`owner` names this server in leases; the thread ends soon after `closing` is set."""
        self._store = store
        self._maintenance = maintenance
        self._owner = owner
        self._closing = closing
        self._leases_count_from = 0.0
        self._thread = threading.Thread(target=self._run, name="runs-janitor", daemon=True)

    def start(self) -> None:
        """Begin to keep house."""
        self._thread.start()

    def queues(self, connection: Connection) -> list[str]:
        """Return the chats whose queue this server works.

        A server works the messages that it received; after a lease's time any server does.
        """
        now = time.time()
        since = now - LEASE_SECONDS if self._store.shared else None
        return run_rows.chats_with_queue(connection, self._owner, now, since)

    def maintain(self) -> None:
        """Renew this server's leases; close runs and work queues that no server holds.

        That happens if a server of another data directory died, or if a run's thread could not write its end.
        """
        until = time.time() + LEASE_SECONDS
        self._store.submit(lambda tx: run_queue.renew_leases(tx, self._owner, until)).result()
        strays, queues = self._store.read(
            lambda connection: (
                run_rows.orphaned_runs(connection, time.time(), self._store.data_dir.id),
                self.queues(connection),
            )
        )
        for run, owner in strays:
            theirs = owner != self._owner
            # After a failure of our own database access, other servers' leases may have run out for the same reason;
            # they get one full lease to renew them before their runs are closed.
            if not theirs or time.monotonic() >= self._leases_count_from:
                self._maintenance.close_stray(run, RESTARTED if theirs else LOST)
        for chat_id in queues:
            self._maintenance.work_queue(chat_id)

    def _run(self) -> None:
        tend_at = 0.0
        while not self._closing.wait(POLL_SECONDS):
            try:
                if time.monotonic() >= tend_at:
                    # Three attempts per lease: one lost commit does not lose the leases.
                    tend_at = time.monotonic() + LEASE_SECONDS / 3
                    self.maintain()
                self._maintenance.abandon_unresponsive()
            except (DeskError, SQLAlchemyError, OSError) as fault:  # a full disk, say: later it may be better
                # while we could not renew our leases, other servers could not either
                self._leases_count_from = time.monotonic() + LEASE_SECONDS
                if not self._closing.is_set():
                    log.error("keeping house failed (%s)", type(fault).__name__)
