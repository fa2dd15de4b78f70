"""What was erased from SQLite's database still stands in its write-ahead log: the log is emptied, too."""

from sqlalchemy import Connection

WAIT_MS = 100
"""For readers to be done; the writer waits meanwhile."""
USUAL_WAIT_MS = 10_000


def empty_log(connection: Connection) -> bool:
    """Outside of a transaction: move the log into the database, and cut it to nothing. False while somebody reads it."""
    cursor = connection.connection.cursor()
    try:
        cursor.execute(f"PRAGMA busy_timeout={WAIT_MS}")
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        busy, *_ = cursor.fetchone() or (1,)
        return not busy
    finally:
        cursor.execute(f"PRAGMA busy_timeout={USUAL_WAIT_MS}")
        cursor.close()
