"""Keeps house: abandons runs that do not stop, renews this server's leases, and finds what nobody works on any more."""

import logging
import threading
import time
from typing import Protocol

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from smoldesk.errors import DeskError
from smoldesk.events import RunFailed
from smoldesk.runs.recovery import LOST, RESTARTED
from smoldesk.store import run_queue, run_rows
from smoldesk.store.store import Store

log = logging.getLogger(__name__)

LEASE_SECONDS = 15.0
"""How long a chat stays its server's without a word of it."""
LOOK_SECONDS = 0.25


class Household(Protocol):
    """What the janitor can do about what it finds; Runs does it."""

    def abandon_unresponsive(self) -> None:
        """Close the runs that were asked to stop and did not."""
        ...

    def work_queue(self, chat_id: str) -> None:
        """Work a chat's queue, unless somebody here does already."""
        ...

    def close_stray(self, run: run_rows.RunInfo, why: RunFailed) -> None:
        """Close a run, unless somebody here works on it."""
        ...


class Reaper:
    """One thread of a server. Every quarter of a second it abandons the deaf; every third of a lease it tends to the rest."""

    def __init__(self, store: Store, household: Household, owner: str, closing: threading.Event) -> None:
        """`owner` names this server in leases; the thread ends soon after `closing` is set."""
        self._store = store
        self._household = household
        self._owner = owner
        self._closing = closing
        self._leases_count_from = 0.0
        self._thread = threading.Thread(target=self._keep_house, name="runs-janitor", daemon=True)

    def start(self) -> None:
        """Begin to keep house."""
        self._thread.start()

    def queues(self, connection: Connection) -> list[str]:
        """Chats whose queue is ours to work; another server begins what it was asked, unless it does not."""
        now = time.time()
        since = now - LEASE_SECONDS if self._store.shared else None
        return run_rows.chats_with_queue(connection, self._owner, now, since)

    def tend(self) -> None:
        """Renew our leases; have live runs closed and queues worked that nobody works on.

        Nobody does when a server of another data directory died, or when our own thread could not write its end.
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
            if not theirs or time.monotonic() >= self._leases_count_from:
                self._household.close_stray(run, RESTARTED if theirs else LOST)
        for chat_id in queues:
            self._household.work_queue(chat_id)

    def _keep_house(self) -> None:
        tend_at = 0.0
        while not self._closing.wait(LOOK_SECONDS):
            try:
                if time.monotonic() >= tend_at:
                    tend_at = time.monotonic() + LEASE_SECONDS / 3
                    self.tend()
                self._household.abandon_unresponsive()
            except (DeskError, SQLAlchemyError, OSError) as fault:  # a full disk, say: later it may be better
                # while we could not renew our leases, nobody could
                self._leases_count_from = time.monotonic() + LEASE_SECONDS
                if not self._closing.is_set():
                    log.error("keeping house failed (%s)", type(fault).__name__)
