"""Changes by other desks on the same PostgreSQL: their notifications, on a connection of its own, and regular polling.

A notification (NOTIFY, one for each commit) names the chats that a commit changed. It may be lost, with its
connection or without, so the listeners also poll every POLL_SECONDS and after each new connection.
"""

import contextlib
import logging
import selectors
import socket
import threading
import time
from collections.abc import Callable, Generator
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from smoldesk.errors import DeskError
from smoldesk.store.postgres import CHANNEL, hint

POLL_SECONDS = 2.0
# Pause after each round: what comes in it is read together, since a busy desk sends hundreds of notifications a second.
PACE_SECONDS = 0.02
log = logging.getLogger(__name__)


class ConnectionLost(Exception):
    """The listening connection broke."""


class Notifications:
    """A thread that listens; `on_change` gets the chats that another desk touched, or None: it may be any of them."""

    def __init__(self, engine: Engine, origin: str, on_change: Callable[[set[str] | None], None]) -> None:
        self._engine = engine
        self._origin = origin
        self._on_change = on_change
        self._closing = threading.Event()
        # `close` writes to it, since a selector cannot wait for an Event.
        self._ear, self._mouth = socket.socketpair()
        self._thread = threading.Thread(target=self._loop, name="store-hints", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening; calling it again does nothing."""
        if self._closing.is_set():
            return
        self._closing.set()
        self._mouth.send(b"x")
        self._thread.join()
        self._ear.close()
        self._mouth.close()

    def _loop(self) -> None:
        is_notified = False
        while not self._closing.is_set():
            try:
                with self._listening() as driver:
                    self._notify(None)  # notifications before LISTEN were missed
                    is_notified = False
                    self._listen(driver)
            except (SQLAlchemyError, ConnectionLost) as fault:
                # One message for each outage, not one for each attempt.
                if not is_notified and not self._closing.is_set():
                    log.warning("no notifications of other servers: %s", type(fault).__name__)
                is_notified = True
                self._notify(None)
                self._closing.wait(POLL_SECONDS)
            except Exception:  # whatever it is, the next round may do without it
                log.exception("no notifications of other servers")
                self._closing.wait(POLL_SECONDS)

    @contextlib.contextmanager
    def _listening(self) -> Generator[Any]:
        """Yield the driver's own connection while it listens."""
        with self._engine.connect() as connection:
            driver: Any = connection.connection.driver_connection
            connection.detach()  # in the pool it would go on listening
            try:
                # LISTEN takes effect at a commit, and PostgreSQL delivers no notification inside a transaction.
                driver.autocommit = True
                driver.execute(f"LISTEN {CHANNEL}")
            except self._errors as fault:
                raise ConnectionLost from fault
            try:
                yield driver
            except ConnectionLost:
                connection.invalidate()
                raise

    @property
    def _errors(self) -> Any:
        return self._engine.dialect.loaded_dbapi.Error

    def _listen(self, driver: Any) -> None:
        """Until the connection breaks (Lost) or `close`."""
        poll_at = time.monotonic() + POLL_SECONDS
        with selectors.DefaultSelector() as selector:
            selector.register(driver.fileno(), selectors.EVENT_READ)
            selector.register(self._ear, selectors.EVENT_READ)
            while not self._closing.is_set():
                if selector.select(max(0.0, poll_at - time.monotonic())):
                    self._dispatch(self._read(driver))
                    self._closing.wait(PACE_SECONDS)
                if time.monotonic() >= poll_at:
                    self._notify(None)
                    poll_at = time.monotonic() + POLL_SECONDS

    def _read(self, driver: Any) -> list[str]:
        """Return the payloads that have come."""
        payloads: list[str] = []
        try:
            # Not psycopg's own notifies(): it waits for this connection alone, and `close` could not wake it.
            driver.pgconn.consume_input()
            while (notify := driver.pgconn.notifies()) is not None:
                payloads.append(notify.extra.decode())
        except self._errors as fault:
            raise ConnectionLost from fault
        return payloads

    def _dispatch(self, payloads: list[str]) -> None:
        chats: set[str] = set()
        for origin, named in map(hint, payloads):
            # PostgreSQL also notifies the desk that committed, which has acted on its change already.
            if origin == self._origin:
                continue
            if named is None:
                self._notify(None)
                return
            chats |= named
        if chats:
            self._notify(chats)

    def _notify(self, chats: set[str] | None) -> None:
        if self._closing.is_set():
            return
        try:
            self._on_change(chats)
        except (SQLAlchemyError, DeskError) as fault:  # the database is away: the next poll finds the changes
            log.info("could not read the changes of other servers: %s", type(fault).__name__)
        except Exception:
            log.exception("could not act on the changes of other servers")


def call_listener(listener: Callable[[], object]) -> None:
    """Call a listener so that its own faults do not keep changes from the others; raises those of the database."""
    try:
        listener()
    except (SQLAlchemyError, DeskError):
        raise
    except Exception:
        log.exception("could not act on a change of another server")
