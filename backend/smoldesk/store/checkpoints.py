"""Checkpoints of SQLite's write-ahead log on a thread of their own, so that no commit waits for the disk.

SQLite itself checkpoints at the end of the commit that fills a thousand pages, which is every 25th short run; that
commit, and all callers behind it, then wait for the disk: 10 to 20 ms during an upload.
"""

import logging
import sqlite3
import threading

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from smoldesk.store.engines import empty_log

# After so many the log is moved: some 25 MB. Not sooner, as the commit that begins the log anew waits for the disk once.
COMMITS = 400
# So long after the first that was not moved, too: what a quiet desk's start reads again after a crash is little.
SECONDS = 20.0
# What was committed while the log was moved is moved after it: only a log that is moved whole is begun anew.
ROUNDS = 3
# Between attempts to empty a log with erased data while a reader uses it: each attempt delays the writer.
ERASE_SECONDS = 1.0
log = logging.getLogger(__name__)


class Checkpoints:
    """One thread, with a connection of this engine; `close` ends it."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._changed = threading.Condition()
        self._commits = 0
        self._erasing = False
        self._closing = False
        self._thread = threading.Thread(target=self._loop, name="store-checkpoints", daemon=True)
        self._thread.start()

    def note(self, erasing: bool = False) -> None:
        """Note a commit; from any thread, without waiting for the disk.

        With `erasing`, erased data is still in the log, which is emptied as soon as no reader uses it, even without
        another commit.
        """
        with self._changed:
            self._commits += 1
            self._erasing = erasing
            if erasing or self._commits in (1, COMMITS):
                self._changed.notify()

    def close(self) -> None:
        """End the thread. The last connection that is closed moves what is left."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._thread.join()

    def _loop(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._commits or self._erasing or self._closing)
                self._changed.wait_for(
                    lambda: self._commits >= COMMITS or self._erasing or self._closing, SECONDS
                )
                if self._erasing:
                    self._changed.wait_for(lambda: self._closing, ERASE_SECONDS)
                if self._closing:
                    return
                self._commits, erasing, self._erasing = 0, self._erasing, False
            try:
                if erasing:
                    self._empty()
                else:
                    self._move()
            except (SQLAlchemyError, sqlite3.Error):  # a full disk, say: the writer meets it too, and speaks
                log.debug("the write-ahead log was not moved", exc_info=True)

    def _empty(self) -> None:
        done = False
        try:
            with self._engine.connect() as connection:
                done = empty_log(connection)
        finally:
            if not done:
                with self._changed:
                    self._erasing = True

    def _move(self) -> None:
        with self._engine.connect() as connection:
            cursor = connection.connection.cursor()  # outside of a transaction
            try:
                for _ in range(ROUNDS):
                    # of all kinds the one that holds up neither readers nor the writer
                    cursor.execute("PRAGMA wal_checkpoint(PASSIVE)")
                    _busy, pages, moved = cursor.fetchone() or (0, 0, 0)
                    if moved == pages:
                        return
            finally:
                cursor.close()
