"""Connections to a database that may be away for a moment: a PostgreSQL that restarts is waited for."""

import logging
import threading
import time

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from smoldesk.store.postgres import is_postgres

WAIT_SECONDS = 10.0
"""From the first refused connection on; later callers are told at once, until the database is back."""
PAUSE_SECONDS = 0.2
log = logging.getLogger(__name__)


class Connector:
    """Hands out connections of one engine, from any thread; `closing` ends every wait."""

    def __init__(self, engine: Engine, closing: threading.Event) -> None:
        self.engine = engine
        self._closing = closing
        self._patient = is_postgres(engine)
        self._away_since: float | None = None

    def connect(self) -> Connection:
        """Raises SQLAlchemy's DBAPIError when there is none to be had."""
        while True:
            try:
                connection = self.engine.connect()
            except DBAPIError:
                if not self._patient or not self._may_wait():
                    raise
                continue
            if self._away_since is not None:
                self._away_since = None
                log.warning("the database is back")
            return connection

    def _may_wait(self) -> bool:
        """Wait a moment; False when that was done for long enough."""
        now = time.monotonic()
        if self._away_since is None:
            self._away_since = now
            log.error("the database cannot be reached")
        if now - self._away_since > WAIT_SECONDS:
            return False
        return not self._closing.wait(PAUSE_SECONDS)
