"""Faults of the database and the disk while a desk runs, reported by their cause.

Most end by themselves, and work then continues without a restart. `errors.py` has those of a start.
"""

import errno
import sqlite3

from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from smoldesk.errors import DeskError

# Classes of exceptions that may be such faults; `cause_of` tells.
STORAGE_FAULTS: tuple[type[Exception], ...] = (SQLAlchemyError, OSError)
_TEXTS = {
    "disk_full": ("The desk's disk is full.", "Free some space: work then continues by itself."),
    "data_read_only": (
        "The desk may not write its data.",
        "Make its data directory and database writable for the server: work then continues by itself.",
    ),
    "database_damaged": ("The desk's database is damaged.", "Stop the desk and restore a backup of the database."),
    "database_unavailable": (
        "The desk's database does not answer.",
        "Try again when it is back: work then continues by itself.",
    ),
}  # fmt: skip
_UNKNOWN = ("The desk could not read or write its data.", "See the server's log.")
_BY_ERRNO = {
    errno.ENOSPC: "disk_full",
    errno.EDQUOT: "disk_full",
    errno.EROFS: "data_read_only",
    errno.EACCES: "data_read_only",
    errno.EPERM: "data_read_only",
}
# Primary result codes of SQLite (sqlite.org/rescode.html); those of its file system layer are more precise.
_BY_RESULT = {
    sqlite3.SQLITE_FULL: "disk_full",
    sqlite3.SQLITE_READONLY: "data_read_only",
    sqlite3.SQLITE_PERM: "data_read_only",
    sqlite3.SQLITE_CORRUPT: "database_damaged",
    sqlite3.SQLITE_NOTADB: "database_damaged",
}
# The write-ahead log or its index could not grow.
_GROWING = (sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE)
# SQLSTATE of PostgreSQL: disk_full, read_only_sql_transaction; classes data corrupted and undefined table.
_BY_STATE = {"53100": "disk_full", "25006": "data_read_only", "XX001": "database_damaged"}
_BY_TEXT = {
    "disk is full": "disk_full",
    "readonly database": "data_read_only",
    "no such table": "database_damaged",
}


class StorageFault(DeskError):
    """A failure of the database or the disk, with the code of its cause."""


def cause_of(fault: BaseException) -> str:
    """Return the code of a fault's cause, or nothing for one that is not of the database or the disk."""
    if isinstance(fault, OSError):
        return _BY_ERRNO.get(fault.errno or 0, "")
    if not isinstance(fault, SQLAlchemyError | sqlite3.Error):
        return ""
    original = fault.orig if isinstance(fault, DBAPIError) else fault
    result = getattr(original, "sqlite_errorcode", 0)
    if result in _GROWING:
        return "disk_full"
    state = getattr(original, "sqlstate", None)
    by_code = _BY_RESULT.get(result & 0xFF) or _BY_STATE.get(state or "")
    by_text = next((code for text, code in _BY_TEXT.items() if text in str(original)), "")
    is_away = isinstance(fault, DBAPIError) and (
        fault.connection_invalidated or (state or "").startswith("57P")
    )
    return (
        by_code
        or by_text
        or ("database_unavailable" if is_away or _cannot_connect(original) else "store_fault")
    )


def _cannot_connect(original: object) -> bool:
    # psycopg's errors before there is a connection have no SQLSTATE.
    return type(original).__name__ in ("OperationalError", "ConnectionTimeout") and not isinstance(
        original, sqlite3.Error
    )


def store_fault(fault: BaseException | str) -> DeskError:
    """Return the error for a failure of the database or the disk; a text is the code of its cause."""
    code = fault if isinstance(fault, str) else cause_of(fault)
    return StorageFault(*_TEXTS.get(code, _UNKNOWN), code=code or "store_fault")
