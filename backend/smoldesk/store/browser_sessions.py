"""Rows behind browsers' sessions: the secret that signs them, and the sessions that were signed out."""

import secrets

from sqlalchemy import Connection, delete, insert, select, update

from smoldesk.store.tables import SessionSecretRow, SignedOutRow
from smoldesk.store.transaction import Tx


def read_sessions(connection: Connection) -> tuple[str, frozenset[str]]:
    """Return the secret and the ids of sessions that were signed out."""
    secret = connection.execute(select(SessionSecretRow.value)).scalar_one()
    return secret, frozenset(connection.execute(select(SignedOutRow.id)).scalars())


def sign_out(tx: Tx, session_id: str, until: float) -> None:
    """Add a session to the signed out ones, and drop those that have expired by now."""
    tx.execute(delete(SignedOutRow).where((SignedOutRow.until < tx.now) | (SignedOutRow.id == session_id)))
    tx.execute(insert(SignedOutRow), {"id": session_id, "until": until})
    tx.audit("session.ended", outcome="this one")


def sign_out_all(tx: Tx) -> None:
    """Replace the secret: nothing that was signed before is valid any more."""
    tx.execute(update(SessionSecretRow).values(value=secrets.token_hex(32)))
    tx.execute(delete(SignedOutRow))
    tx.audit("session.ended", outcome="all")
