"""Tickets as rows: short-lived values under secrets, each taken once, at any server of the database."""

import hashlib
import secrets

from sqlalchemy import Connection, delete, func, insert, select

from smoldesk.store.tables import TicketRow
from smoldesk.store.transaction import Tx

# Maximum tickets of one kind; the one that expires first is dropped above it.
MAX_TICKETS = 1_000


def give_ticket(tx: Tx, kind: str, body: str, seconds: float, secret: str | None = None) -> str:
    """Store a value for so long, and return its secret: a new one, unless `secret` comes from elsewhere."""
    secret = secret or secrets.token_urlsafe(24)
    tx.execute(delete(TicketRow).where(TicketRow.expires_at < tx.now))
    of_kind = select(TicketRow.id).where(TicketRow.kind == kind)
    if tx.execute(select(func.count()).select_from(of_kind.subquery())).scalar_one() >= MAX_TICKETS:
        first = of_kind.order_by(TicketRow.expires_at).limit(1).scalar_subquery()
        tx.execute(delete(TicketRow).where(TicketRow.id == first))
    row = {"id": _id(kind, secret), "kind": kind, "body": body, "expires_at": tx.now + seconds}
    tx.execute(delete(TicketRow).where(TicketRow.id == row["id"]))
    tx.execute(insert(TicketRow), row)
    return secret


def take_ticket(tx: Tx, kind: str, secret: str) -> str | None:
    """Return a value and forget it; None for one that was taken, has expired or never was."""
    taken = delete(TicketRow).where(TicketRow.id == _id(kind, secret))
    row = tx.execute(taken.returning(TicketRow.body, TicketRow.expires_at)).first()
    return row.body if row is not None and tx.now < row.expires_at else None


def has_ticket(connection: Connection, kind: str, secret: str) -> bool:
    """Return whether there is such a ticket, which may have expired."""
    query = select(TicketRow.id).where(TicketRow.id == _id(kind, secret))
    return connection.execute(query).first() is not None


def _id(kind: str, secret: str) -> str:
    return hashlib.sha256(f"{kind}\0{secret}".encode("utf-8", "replace")).hexdigest()
