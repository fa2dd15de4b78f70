"""Wrong passkeys and tokens as rows: servers of one PostgreSQL count them together.

Times are those of the database's clock, since clocks of servers may differ.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Connection, Float, delete, func, select, update

from smoldesk.store.statements import insert_or_leave
from smoldesk.store.tables import WrongTriesRow
from smoldesk.store.transaction import Tx

# Seconds after the last wrong try for which a row is kept.
KEPT_SECONDS = 3600.0


@dataclass(frozen=True)
class WrongTries:
    """How many there were, and how many seconds ago the last one was."""

    count: int = 0
    age: float = 0.0


def key_of(kind: str, name: str) -> str:
    """Return the id of a row: names come from anyone, and may have any length."""
    return hashlib.sha256(f"{kind}\0{name}".encode("utf-8", "replace")).hexdigest()


def read_tries(connection: Connection, key: str) -> WrongTries:
    """Return the wrong tries of a key."""
    query = select(WrongTriesRow.count, _NOW - WrongTriesRow.last_at).where(WrongTriesRow.id == key)
    row = connection.execute(query).first()
    return WrongTries(int(row[0]), float(row[1])) if row is not None else WrongTries()


def reserve_try(tx: Tx, key: str, pause: Callable[[int], float], quiet: float) -> float:
    """Count a try as wrong before it is checked, and return 0; or the seconds until it may be, without counting it.

    So tries that are checked at several servers at once get no more than one after the other. `pause` gives the seconds
    after a number of wrong tries, which are forgotten after `quiet` seconds.
    """
    tries = _locked(tx, key, quiet)
    if (remaining := pause(tries.count) - tries.age) > 0:
        return remaining
    _set(tx, key, tries.count + 1)
    return 0.0


def add_tries(tx: Tx, key: str, count: int, quiet: float) -> WrongTries:
    """Count wrong tries that were checked already; return all of the key."""
    total = _locked(tx, key, quiet).count + count
    _set(tx, key, total)
    return WrongTries(total)


def forget_tries(tx: Tx, key: str) -> None:
    """Forget the wrong tries of a key."""
    tx.execute(delete(WrongTriesRow).where(WrongTriesRow.id == key))


_NOW = func.extract("epoch", func.clock_timestamp()).cast(Float)


def _locked(tx: Tx, key: str, quiet: float) -> WrongTries:
    """Return the wrong tries of a key; no other transaction changes them until the end of this one."""
    tx.execute(delete(WrongTriesRow).where(WrongTriesRow.last_at < _NOW - KEPT_SECONDS))
    tx.execute(insert_or_leave(tx.connection, WrongTriesRow, {"id": key, "count": 0, "last_at": _NOW}))
    locked = select(WrongTriesRow.id).where(WrongTriesRow.id == key).with_for_update()
    tx.execute(locked).all()
    tries = read_tries(tx.connection, key)
    return WrongTries() if tries.age > quiet else tries


def _set(tx: Tx, key: str, count: int) -> None:
    tx.execute(update(WrongTriesRow).where(WrongTriesRow.id == key).values(count=count, last_at=_NOW))
