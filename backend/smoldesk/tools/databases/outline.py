"""Outline of a database: read in a thread of its own, cached, and given to a prompt as one line."""

import threading
import time

from smoldesk.tools.databases.inspected import Database
from smoldesk.tools.databases.values import QueryFailed, Unreachable

CACHE_SECONDS = 600.0
MAX_TABLES = 60
MAX_COLUMNS = 40


class Outline:
    """Tables and columns of one database, read in the background and cached for ten minutes."""

    def __init__(self, name: str, database: Database) -> None:
        self._name = name
        self._database = database
        self._tables: list[tuple[str, list[str]]] = []
        self._summary = ""
        self._refreshed_at = -CACHE_SECONDS
        self._done = threading.Event()
        self._lock = threading.Lock()

    def line(self, give_up: float) -> str:
        """`name (kind): table(column, column); ...`, or why that is not known."""
        self._refresh()
        if not self._summary:
            self._done.wait(max(0.0, give_up - time.monotonic()))
        return self._summary or f"{self._name}: (its tables are not known yet)"

    def tables(self) -> list[tuple[str, list[str]]]:
        """Return the tables with their columns, as far as they are known; never waits."""
        self._refresh()
        return self._tables

    def _refresh(self) -> None:
        with self._lock:
            if time.monotonic() - self._refreshed_at >= CACHE_SECONDS:
                # Before the answer, so that only one thread asks.
                self._refreshed_at = time.monotonic()
                self._done.clear()
                # A daemon: a driver may hang, and the server's exit must not wait for it.
                threading.Thread(target=self._ask, name="sql-outline", daemon=True).start()

    def _ask(self) -> None:
        try:
            tables = self._database.tables()
        except (QueryFailed, Unreachable) as fault:
            # An older outline is of more use to a prompt than the error.
            self._summary = self._summary or f"{self._name}: (cannot be reached now: {fault})"
            self._refreshed_at = time.monotonic() - CACHE_SECONDS + 10  # ask again soon
        else:
            self._tables = tables
            self._summary = f"{self._name} ({self._database.kind}): {_join_tables(tables)}"
        finally:
            self._done.set()


def _join_tables(tables: list[tuple[str, list[str]]]) -> str:
    lines = [f"{name}({', '.join(columns[:MAX_COLUMNS])})" for name, columns in tables[:MAX_TABLES]]
    more = [f"and {len(tables) - MAX_TABLES} more tables"] if len(tables) > MAX_TABLES else []
    return "; ".join([*lines, *more]) or "(no tables)"
