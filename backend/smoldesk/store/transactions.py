"""One transaction after the other, on a connection that is kept: the jobs of a group, all of them or none.

When the connection breaks, nothing or everything was committed. Nothing: the group is done again on a new one. At the
commit itself either may be true; PostgreSQL is asked by the transaction's number (see postgres.py).
"""

import math
import secrets
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from smoldesk.errors import DeskError
from smoldesk.store.engines import Connector, empty_log
from smoldesk.store.postgres import ASKS, begin, commit, how_it_ended, is_postgres, outside_transactions
from smoldesk.store.transaction import Tx

# Attempts per group: a job may be the reason for a broken connection.
TRIES = 3
# Seconds to wait for the result of a transaction whose connection broke.
UNDECIDED_SECONDS = 5.0
# Seconds between two notifications of the other desks on a PostgreSQL that only name new events of runs: each one wakes a
# process of the database and a thread for every desk.
ANNOUNCE_SECONDS = 0.1
# SQLSTATE of a serialization failure and of a deadlock: both succeed when repeated.
IN_EACH_OTHERS_WAY = {"40001", "40P01"}


class Transactions:
    """Used by the writing thread only; `origin` names this writer in the hints it sends to other desks."""

    def __init__(self, engine: Engine, closing: threading.Event) -> None:
        self.origin = secrets.token_hex(6)
        self._postgres = is_postgres(engine)
        self._connector = Connector(outside_transactions(engine) if self._postgres else engine, closing)
        self._connection: Connection | None = None
        self._unannounced: set[str] = set()
        """Chats with events of runs that the other desks have not been notified of: a later transaction does it."""
        self._announced_at = -math.inf
        self.to_erase = False
        """Whether erased data is still in SQLite's log, because a reader used it when it should have been emptied."""

    def run(self, jobs: Sequence[Callable[[Tx], Any]]) -> tuple[list[Any], Tx]:
        """Return the results of the jobs once they are committed. Raises what one of them raised, or the database."""
        for attempt in range(1, TRIES + 1):
            try:
                return self._once(jobs)
            except DBAPIError as fault:
                self.let_go()
                if attempt == TRIES or not _worth_another_try(fault):
                    raise
            except DeskError:
                raise
            except BaseException:
                self.let_go()
                raise
        raise AssertionError("the last try returns or raises")

    def let_go(self) -> None:
        """Give the connection back: a broken one is replaced by the next transaction."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def _once(self, jobs: Sequence[Callable[[Tx], Any]]) -> tuple[list[Any], Tx]:
        connection = self._connection = self._connection or self._connector.connect()
        tx, number, names, is_ending = Tx(connection), "", set[str](), False
        results: list[Any] = []
        try:
            with connection.begin():
                if self._postgres:
                    number = begin(connection)
                results.extend(job(tx) for job in jobs)
                tx.flush()
                if self._postgres:
                    names, is_ending = self._announced(tx), True
                    commit(connection, self.origin, names)
        except DBAPIError as fault:
            # A connection that breaks during COMMIT leaves the result unknown: PostgreSQL may have committed. The
            # transaction's number lets the next connection ask (pg_xact_status).
            if not (is_ending and fault.connection_invalidated and self._was_committed(number, fault)):
                raise
        if self._postgres:
            self._note_announced(names, tx)
        self.to_erase = (self.to_erase or tx.erased) and not self._postgres
        # while a reader or a checkpoint uses it, checkpoints.py and later transactions try again
        if self.to_erase:
            self.to_erase = not empty_log(connection)
        return results, tx

    def _announced(self, tx: Tx) -> set[str]:
        """Return what a transaction notifies the other desks of; new events of runs may wait for a later one."""
        names = {*tx.touched, ASKS} if tx.asks_changed else tx.touched
        is_due = time.monotonic() >= self._announced_at + ANNOUNCE_SECONDS
        return names | self._unannounced | tx.appended_to if names or is_due else names

    def _note_announced(self, names: set[str], tx: Tx) -> None:
        if names:
            self._announced_at = time.monotonic()
        self._unannounced = set() if names else self._unannounced | tx.appended_to

    @property
    def announce_at(self) -> float:
        """When a transaction is to notify the other desks of what earlier ones did not (monotonic); infinity for never."""
        return self._announced_at + ANNOUNCE_SECONDS if self._unannounced else math.inf

    def _was_committed(self, number: str, fault: DBAPIError) -> bool:
        """Return whether a transaction was committed although its connection broke. Raises `fault` if that stays unknown."""
        self.let_go()
        until = time.monotonic() + UNDECIDED_SECONDS
        while time.monotonic() < until:
            with self._connector.connect() as connection:
                ended = how_it_ended(connection, number)
            if ended in ("committed", "aborted"):
                return ended == "committed"
            time.sleep(0.05)
        fault.connection_invalidated = False  # done again, it might be done twice
        raise fault


def _worth_another_try(fault: DBAPIError) -> bool:
    return fault.connection_invalidated or getattr(fault.orig, "sqlstate", None) in IN_EACH_OTHERS_WAY
