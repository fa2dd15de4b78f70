"""Lease of this server: its row in a shared database, which a thread of its own renews until the server ends.

Nothing else is done on that thread. Work on chats may take longer than a lease, and then other servers would close the
runs of this one. A desk on SQLite is alone and has no row.
"""

import logging
import math
import threading
import time

from sqlalchemy.exc import SQLAlchemyError

from smoldesk.errors import DeskError
from smoldesk.store import heartbeats
from smoldesk.store.store import Store
from smoldesk.store.transaction import Tx

log = logging.getLogger(__name__)

# Seconds after its last heartbeat for which a server counts as alive.
LEASE_SECONDS = 5.0
# Heartbeats per lease: one lost commit does not lose it.
BEATS = 5


class ServerLease:
    """Used from any thread; `server` names this one in rows."""

    def __init__(self, store: Store, server: str) -> None:
        self._store = store
        self._server = server
        self._renewed_at = math.inf
        self._others_count_from = 0.0
        self.check_at = math.inf
        """When the next one of the other servers counts as dead (monotonic), if it is not heard of before."""
        self._leave_at = 0.0
        self._leaving = threading.Event()
        self._has_left = threading.Event()
        self._closed = threading.Event()
        self._soon = threading.Event()
        self._thread = threading.Thread(target=self._run, name="server-lease", daemon=True)

    def start(self) -> None:
        """Add the row, and begin to renew it."""
        if not self._store.shared:
            return
        self._store.submit(lambda tx: heartbeats.enter(tx, self._server, LEASE_SECONDS)).result()
        self._renewed_at = time.monotonic()
        self._others_count_from = self._renewed_at + LEASE_SECONDS
        self._thread.start()

    def silence(self) -> float:
        """Return for how many seconds another server may be silent until it counts as dead.

        While our own heartbeat is late, and for one lease after that, no server does: theirs may have had the same trouble.
        """
        now = time.monotonic()
        return math.inf if self._is_late(now) or now < self._others_count_from else LEASE_SECONDS

    def leave(self) -> None:
        """Hand the queue and the idle chats of this server to the others: at once, or with the next heartbeat that works."""
        self._leave_at = time.monotonic()
        self._leaving.set()
        self._soon.set()

    def is_leave_pending(self) -> bool:
        """Return whether `leave` is to be written yet. After a lease without a heartbeat, others need no word of it."""
        if not self._store.shared or self._has_left.is_set():
            return False
        return time.monotonic() < self._leave_at + LEASE_SECONDS

    def close(self) -> None:
        """Hand everything of this server to the others."""
        if not self._store.shared or self._closed.is_set():
            return
        self._closed.set()
        self._soon.set()
        try:
            removal = self._store.submit(lambda tx: heartbeats.remove(tx, self._server), urgent=True)
            removal.result(LEASE_SECONDS)
        except (DeskError, SQLAlchemyError, TimeoutError) as fault:  # then the others miss its heartbeats
            log.warning("other servers could not be told of the stop (%s)", type(fault).__name__)

    def _run(self) -> None:
        while not self._closed.is_set():
            self._soon.wait(LEASE_SECONDS / BEATS)
            self._soon.clear()
            try:
                self._renew()
            except Exception as fault:  # without this thread, other servers close the runs of this one
                if not self._closed.is_set():
                    expected = isinstance(fault, DeskError | SQLAlchemyError | OSError)
                    log.error("heartbeat failed (%s)", type(fault).__name__, exc_info=not expected)

    def _renew(self) -> None:
        """Send a heartbeat, which repeats that this server is leaving: the first one that said so may have failed."""

        def job(tx: Tx) -> tuple[bool, float | None]:
            if self._closed.is_set():  # after `remove`, it would add the row again
                return False, None
            leaves = self._leaving.is_set() and not self._has_left.is_set()
            if leaves:
                return True, heartbeats.leave(tx, self._server, LEASE_SECONDS)
            return False, heartbeats.beat(tx, self._server, LEASE_SECONDS, self._leaving.is_set())

        has_left, silence = self._store.submit(job, urgent=True).result()
        if has_left:
            self._has_left.set()
        now = time.monotonic()
        # A database that hung, or a machine that slept: the heartbeats of others may be as late as ours.
        if self._is_late(now):
            self._others_count_from = now + LEASE_SECONDS
        self._renewed_at = now
        # The clock was read after the silence: by this moment, the database counts that server as dead, too.
        loss_at = math.inf if silence is None else now + LEASE_SECONDS - silence
        self.check_at = self._others_count_from if now < self._others_count_from else loss_at

    def _is_late(self, now: float) -> bool:
        return now - self._renewed_at > LEASE_SECONDS * (1 - 2 / BEATS)
