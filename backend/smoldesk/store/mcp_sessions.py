"""Rows behind sessions of clients at /mcp, and secrets that all servers of one PostgreSQL share."""

import hashlib
import secrets

from sqlalchemy import Connection, delete, insert, select, update

from smoldesk.store.statements import insert_or_leave
from smoldesk.store.tables import McpSessionRow, SharedSecretRow
from smoldesk.store.transaction import Tx


def add_session(tx: Tx, session_id: str, opening: str, idle_seconds: float) -> None:
    """Insert a session, and drop those that were not used for `idle_seconds`."""
    tx.execute(delete(McpSessionRow).where(McpSessionRow.used_at < tx.now - idle_seconds))
    tx.execute(insert(McpSessionRow), {"id": _id(session_id), "opening": opening, "used_at": tx.now})


def find_session(connection: Connection, session_id: str) -> tuple[str, float] | None:
    """Return the opening request of a session, as JSON, and when it was last used; None for an unknown one."""
    query = select(McpSessionRow.opening, McpSessionRow.used_at).where(McpSessionRow.id == _id(session_id))
    row = connection.execute(query).first()
    return (row.opening, row.used_at) if row is not None else None


def use_session(tx: Tx, session_id: str) -> None:
    """Note that a session is used now."""
    tx.execute(update(McpSessionRow).where(McpSessionRow.id == _id(session_id)).values(used_at=tx.now))


def remove_session(tx: Tx, session_id: str) -> None:
    """Forget a session: it is unknown to all servers from now on."""
    tx.execute(delete(McpSessionRow).where(McpSessionRow.id == _id(session_id)))


def shared_secret(tx: Tx, use: str) -> str:
    """Return the secret of all servers for one use, made when it is first asked for."""
    tx.execute(insert_or_leave(tx.connection, SharedSecretRow, {"id": use, "value": secrets.token_hex(32)}))
    return tx.execute(select(SharedSecretRow.value).where(SharedSecretRow.id == use)).scalar_one()


def _id(session_id: str) -> str:
    return hashlib.sha256(session_id.encode("utf-8", "replace")).hexdigest()
