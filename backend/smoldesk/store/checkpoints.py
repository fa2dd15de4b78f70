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

# Commits after which the log is moved: some 25 MB. Not sooner, as the commit that starts the log anew waits for the disk once.
COMMITS = 400
# Maximum seconds before the log is moved, too, so that a quiet desk recovers fast after a crash.
SECONDS = 20.0
# Rounds of moving: commits during one round are moved in the next, since only a completely moved log starts anew.
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
            # The first commit starts the wait of SECONDS; those after it need not wake the thread.
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
            # such as a full disk: the writer gets the same error and reports it
            except (SQLAlchemyError, sqlite3.Error):
                log.debug("the write-ahead log was not moved", exc_info=True)

    def _empty(self) -> None:
        done = False
        try:
            with self._engine.connect() as connection:
                done = empty_log(connection)
        finally:
            # Also after an error: erased data must not stay in the log.
            if not done:
                with self._changed:
                    self._erasing = True

    def _move(self) -> None:
        with self._engine.connect() as connection:
            # By the driver: SQLAlchemy would begin a transaction, in which a checkpoint fails (SQLITE_LOCKED).
            cursor = connection.connection.cursor()  # outside of a transaction
            try:
                for _ in range(ROUNDS):
                    # Of the kinds of checkpoint, the only one that blocks neither readers nor the writer.
                    cursor.execute("PRAGMA wal_checkpoint(PASSIVE)")
                    _busy, pages, moved = cursor.fetchone() or (0, 0, 0)
                    if moved == pages:
                        return
            finally:
                cursor.close()
