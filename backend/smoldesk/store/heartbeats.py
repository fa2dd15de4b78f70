"""Rows of servers that share a PostgreSQL: each renews its own, and one that is silent for too long counts as dead.

Times are those of the database, so the clocks of servers may differ. A desk on SQLite is alone and has no row.
"""

import time

from sqlalchemy import (
    Connection,
    Double,
    bindparam,
    delete,
    func,
    insert,
    literal_column,
    or_,
    select,
    update,
)
from sqlalchemy.orm import aliased

from smoldesk.store.postgres import EVERYTHING
from smoldesk.store.statements import CompiledStatement
from smoldesk.store.tables import ServerRow
from smoldesk.store.transaction import Holder, Tx

# Not now(), which is the time at which the transaction began.
_NOW = literal_column("CAST(extract(epoch FROM clock_timestamp()) AS double precision)", Double)
# Seconds by which the clock of a server may differ from that of the database it shares: asks, sessions and addresses of
# views expire by it, and chats without activity are deleted.
MOST_SKEW = 30.0
# Seconds after which the row of a silent server is deleted.
FORGET_SECONDS = 86_400.0

_EARLIEST = _NOW - bindparam("silence", type_=Double)
_Other = aliased(ServerRow)
_LONGEST_SILENCE = select(_NOW - func.min(_Other.seen_at)).where(
    _Other.id != bindparam("me"), _Other.seen_at >= _EARLIEST
)
# Each server executes these each second.
_BEAT = CompiledStatement(
    update(ServerRow)
    .where(ServerRow.id == bindparam("me"))
    .values(seen_at=_NOW, is_leaving=bindparam("leaving"))
    .returning(_LONGEST_SILENCE.scalar_subquery())
)
_HEARD = CompiledStatement(select(ServerRow.id, ServerRow.is_leaving).where(ServerRow.seen_at >= _EARLIEST))


def enter(tx: Tx, server: str, silence: float) -> None:
    """Add a server, in place of earlier starts on its data directory (the part of the id before the colon)."""
    earlier = ServerRow.id.startswith(f"{server.partition(':')[0]}:", autoescape=True)
    tx.execute(delete(ServerRow).where(or_(earlier, ServerRow.seen_at < _NOW - FORGET_SECONDS)))
    beat(tx, server, silence)


def beat(tx: Tx, server: str, silence: float, is_leaving: bool = False) -> float | None:
    """Renew the row of a server, or add it.

    Return the age in seconds of the oldest heartbeat of the other living servers, None without one.
    """
    values = {"me": server, "silence": silence, "leaving": is_leaving}
    if not (rows := _BEAT.rows(tx.unflushed, values)):
        tx.execute(insert(ServerRow).values(id=server, seen_at=_NOW, is_leaving=is_leaving))
        rows = _BEAT.rows(tx.unflushed, values)
    return rows[0][0]


def leave(tx: Tx, server: str, silence: float) -> float | None:
    """Hand the queue and the idle chats of a server to the others, which hear of it at once; its live runs remain its own.

    Return what `beat` does.
    """
    tx.touched.add(EVERYTHING)
    return beat(tx, server, silence, is_leaving=True)


def remove(tx: Tx, server: str) -> None:
    """Hand everything of a server to the others."""
    tx.execute(delete(ServerRow).where(ServerRow.id == server))
    tx.touched.add(EVERYTHING)


def living(connection: Connection, silence: float) -> set[str]:
    """Return the servers whose last heartbeat is at most `silence` seconds old."""
    return {server for server, _ in _heard(connection, silence)}


def serving(connection: Connection, silence: float) -> set[str]:
    """Return the living servers that are not leaving."""
    return {server for server, is_leaving in _heard(connection, silence) if not is_leaving}


def is_held_elsewhere(connection: Connection, holder: Holder, server: str, silence: float) -> bool:
    """Return whether another server works on a chat or has its variables, lives, and is not leaving."""
    if not holder.is_held or holder.owner in (None, server):
        return False
    return holder.owner in serving(connection, silence)


def database_time(connection: Connection) -> float:
    """Return the time of the database, in seconds since 1970."""
    return connection.execute(select(_NOW)).scalar_one()


def clock_skew(connection: Connection) -> float:
    """Return the seconds by which our clock certainly differs from the database's: the answer may have been on its way."""
    if connection.dialect.name != "postgresql":
        return 0.0
    before = time.time()
    there = database_time(connection)
    return max(before - there, there - time.time(), 0.0)


def _heard(connection: Connection, silence: float) -> list[tuple[str, bool]]:
    if connection.dialect.name != "postgresql":
        return []
    return [(row[0], row[1]) for row in _HEARD.rows(connection, {"silence": silence})]
