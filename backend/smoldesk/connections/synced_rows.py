"""Rows of a list in the database, applied to what a server has in memory of them.

A server that changes a row applies it at once. Other servers of the database are notified (store.listen_lists), and read
the list again at the next poll if a notification is lost. Neither is needed for a refusal: before a use the rows are read
from a shared database, so that what was deleted at one server is refused by all.
"""

import logging
import threading
from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeVar

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from smoldesk.errors import DeskError
from smoldesk.stopping import start_thread
from smoldesk.store.fault_causes import store_fault
from smoldesk.store.store import Store

log = logging.getLogger(__name__)


class Named(Protocol):
    """A row with a name that is unique in its list."""

    @property
    def name(self) -> str: ...


Row = TypeVar("Row", bound=Named)
Later = Callable[[], object] | None


class SyncedRows(Generic[Row]):
    """The rows of one list. Any thread may call, but not an event loop: every method reads the database.

    `apply(old, new)` changes what is in memory; `new` is None for a deleted row, `old` for an added one. What it returns is
    called once other threads may use the list again: it may take long.
    """

    def __init__(
        self,
        store: Store,
        read: Callable[[Connection], Sequence[Row]],
        apply: Callable[[Row | None, Row | None], Later],
    ) -> None:
        self._store = store
        self._read = read
        self._apply = apply
        self._rows: dict[str, Row] = {}
        self.problems: dict[str, str] = {}
        """Why rows cannot be applied, by name: they are not in memory, and tried again at each refresh."""
        self._lock = threading.Lock()

    def open(self) -> None:
        """Apply all rows, and later the changes of other servers."""
        self.refresh()
        self._store.listen_lists(lambda: start_thread(self._refresh_quietly))

    def refresh(self) -> None:
        """Apply what has changed since the last call."""
        delayed: list[Later] = []
        # The lock spans the read: an older read must not be applied after a newer one.
        with self._lock:
            rows = {row.name: row for row in self._store.read(self._read, snapshot=False)}
            self.problems = {name: problem for name, problem in self.problems.items() if name in rows}
            for name in self._rows.keys() - rows.keys():
                delayed.append(self._apply(self._rows.pop(name), None))
            for name, row in rows.items():
                if self._rows.get(name) != row:
                    delayed.append(self._change(name, row))
        for change in delayed:
            if change is not None:
                change()

    def _change(self, name: str, row: Row) -> Later:
        """Apply an added or changed row; if that fails, drop its earlier version, so that the others remain usable."""
        old = self._rows.get(name)
        try:
            later = self._apply(old, row)
        except DeskError as fault:  # such as a key file that cannot be read
            if self.problems.get(name) != fault.message:
                log.warning("%s of a list of the desk cannot be used: %s", name, fault.message)
            self.problems[name] = fault.message
            return self._apply(self._rows.pop(name), None) if old is not None else None
        self._rows[name] = row
        self.problems.pop(name, None)
        return later

    def check(self) -> None:
        """Refresh before a use, if other servers may have changed the rows. Raises DeskError if they cannot be read."""
        if not self._store.shared:
            return
        try:
            self.refresh()
        except SQLAlchemyError as fault:
            raise store_fault(fault) from fault

    def _refresh_quietly(self) -> None:
        try:
            self.refresh()
        except (SQLAlchemyError, DeskError) as fault:  # the next poll tries again
            log.info("could not read a list of the desk (%s)", type(fault).__name__)
