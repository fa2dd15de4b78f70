"""Rows of the audit log: who allowed, added, deleted and exported what. `Tx.audit` adds them.

They have ids, and names of what belongs to the desk: tools, sources, models, servers. What a person calls a chat or a file
is not in them, so that a deleted chat is gone, and neither is any value, address of a database or key.
"""

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from sqlalchemy import Connection, delete, insert, select, update

from smoldesk.messages.strict_json import without_surrogates
from smoldesk.store.statements import CompiledStatement, Values, insert_or_leave
from smoldesk.store.tables import AuditRow

if TYPE_CHECKING:
    from smoldesk.logs import Actor
    from smoldesk.store.transaction import Tx

AuditAction = Literal[
    "ask.allowed",
    "ask.refused",
    "permission.given",
    "permission.withdrawn",
    "view_call.allowed",
    "source.added",
    "source.deleted",
    "source.exported",
    "model.added",
    "model.changed",
    "model.deleted",
    "mcp_server.added",
    "mcp_server.changed",
    "mcp_server.deleted",
    "mcp_server.authorized",
    "keys.resealed",
    "building.added",
    "building.deleted",
    "building.restored",
    "building.erased",
    "building.exported",
    "suite.exported",
    "desk.exported",
    "chat.imported",
    "chat.deleted",
    "chat.restored",
    "chat.erased",
    "chat.exported",
    "log.exported",
    "table.exported",
    "report.made",
    "report.exported",
    "file.added",
    "file.deleted",
    "shared_view.added",
    "shared_view.deleted",
    "push.added",
    "push.deleted",
    "watch.added",
    "watch.changed",
    "watch.deleted",
    "project.added",
    "project.deleted",
    "passkey.added",
    "passkey.deleted",
    "passkey.used",
    "passkey.wrong",
    "session.started",
    "session.ended",
    "token.wrong",
]
# Characters of a text: names of tools come from agents, addresses from proxies.
LONGEST = 200
HOUR = 3600
_COLUMNS = tuple(column.name for column in AuditRow.__table__.columns if column.name != "id")
ADD_AUDIT = CompiledStatement(insert(AuditRow).inline(), _COLUMNS)


@dataclass(frozen=True)
class AuditEntry:
    """One entry: `at` in seconds since the epoch, `count` of equal actions within an hour, `server` by its data directory."""

    id: int
    at: float
    action: str
    outcome: str
    who: str
    address: str
    wire: str
    server: str
    chat_id: str | None
    object_id: str
    name: str
    count: int


def audit_values(
    actor: "Actor",
    server: str,
    at: float,
    action: AuditAction,
    object_id: str,
    name: str,
    chat_id: str | None,
    outcome: str,
) -> Values:
    """Return the columns of an entry."""
    return {
        "at": at,
        "action": action,
        "outcome": _short(outcome),
        "who": _short(actor.who),
        "address": _short(actor.address),
        "wire": actor.wire,
        "server": server,
        "chat_id": None if chat_id is None else _short(chat_id),
        "object_id": _short(object_id),
        "name": _short(name),
        "count": 1,
        "tally": None,
    }


def tally(
    tx: "Tx",
    action: AuditAction,
    object_id: str = "",
    name: str = "",
    chat_id: str | None = None,
    outcome: str = "",
    count: int = 1,
) -> None:
    """Count equal actions of this hour, server and actor in one row: who repeats them does not fill the table."""
    values = audit_values(tx.actor, tx.server, tx.now, action, object_id, name, chat_id, outcome)
    parts = ("action", "server", "who", "address", "object_id", "name", "chat_id", "outcome")
    same = [str(int(tx.now) // HOUR), *(str(values[part]) for part in parts)]
    key = hashlib.sha256("\0".join(same).encode()).hexdigest()
    tx.execute(insert_or_leave(tx.connection, AuditRow, {**values, "count": 0, "tally": key}))
    tx.execute(update(AuditRow).where(AuditRow.tally == key).values(count=AuditRow.count + count))


def audit_page(
    connection: Connection, before: int | None, limit: int, since: float, chat_id: str | None
) -> list[AuditEntry]:
    """Return entries from a time on, newest first; `before` is the id of the last entry of the previous page."""
    columns: list[Any] = [getattr(AuditRow, name) for name in AuditEntry.__dataclass_fields__]
    query = select(*columns).where(AuditRow.at >= since).order_by(AuditRow.id.desc()).limit(limit)
    if before is not None:
        query = query.where(AuditRow.id < before)
    if chat_id is not None:
        query = query.where(AuditRow.chat_id == chat_id)
    return [AuditEntry(*row) for row in connection.execute(query)]


def erase_audit_before(tx: "Tx", then: float) -> None:
    """Delete entries that are older than a time."""
    tx.execute(delete(AuditRow).where(AuditRow.at < then))


def _short(text: str) -> str:
    return without_surrogates(text[:LONGEST]).replace("\0", "\ufffd")
