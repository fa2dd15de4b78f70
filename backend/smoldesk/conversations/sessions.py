"""Rows of agent sessions: made by a right passkey, found by their token, of use until they expire or their member goes."""

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from smoldesk.conversations.errors import INVALID_SESSION, AgentFault
from smoldesk.conversations.models import AgentSession, Login
from smoldesk.conversations.passkeys import new_token, token_hash
from smoldesk.store.conversation_tables import (
    AgentSessionRow,
    MemberRow,
    MembershipRow,
    ProjectRow,
)
from smoldesk.store.statements import CompiledStatement
from smoldesk.store.transaction import Tx

MOST_SESSIONS = 20
"""Of one member in one project; a further one takes the place of the oldest."""
_FIND = CompiledStatement(
    select(*(getattr(AgentSessionRow, name) for name in AgentSession.model_fields))
    .join(ProjectRow, ProjectRow.id == AgentSessionRow.project_id)
    .join(
        MembershipRow,
        (MembershipRow.project_id == AgentSessionRow.project_id)
        & (MembershipRow.member_id == AgentSessionRow.member_id),
    )
    .where(AgentSessionRow.token_hash == bindparam("hash"), AgentSessionRow.expires_at > bindparam("now"))
    .where(MembershipRow.removed_at.is_(None), ProjectRow.removed_at.is_(None))
)


def passkey_hash_of(connection: Connection, project_id: str, member_id: str) -> str | None:
    """None for a member or a project that is not there, and for one that is not in the other: nobody can tell which."""
    return connection.execute(
        select(MemberRow.passkey_hash)
        .join(MembershipRow, MembershipRow.member_id == MemberRow.id)
        .join(ProjectRow, ProjectRow.id == MembershipRow.project_id)
        .where(MemberRow.id == member_id, ProjectRow.id == project_id)
        .where(MembershipRow.removed_at.is_(None), ProjectRow.removed_at.is_(None))
    ).scalar()


def add(tx: Tx, project_id: str, member_id: str, now: float, lasts: float) -> Login:
    """Log a member in for `lasts` seconds."""
    mine = (AgentSessionRow.project_id == project_id) & (AgentSessionRow.member_id == member_id)
    newest = select(AgentSessionRow.token_hash).where(mine).order_by(AgentSessionRow.created_at.desc())
    too_many = [row[0] for row in tx.execute(newest.offset(MOST_SESSIONS - 1))]
    if too_many:
        tx.execute(delete(AgentSessionRow).where(AgentSessionRow.token_hash.in_(too_many)))
    login = Login(token=new_token(), expires_at=now + lasts)
    tx.execute(
        insert(AgentSessionRow),
        {
            "token_hash": token_hash(login.token),
            "project_id": project_id,
            "member_id": member_id,
            "purpose": "chat",
            "created_at": now,
            "expires_at": login.expires_at,
        },
    )
    return login


def find(connection: Connection, token: str, now: float) -> AgentSession:
    """Raises invalid_session for a token that is unknown, expired, or of a member or a project that was removed."""
    rows = _FIND.rows(connection, {"hash": token_hash(token), "now": now})
    if not rows:
        raise AgentFault(INVALID_SESSION)
    return AgentSession.model_validate(dict(zip(AgentSession.model_fields, rows[0], strict=True)))


def forget_of(tx: Tx, project_id: str, member_id: str | None = None) -> None:
    """End the sessions of a project, or of one member in it."""
    query = delete(AgentSessionRow).where(AgentSessionRow.project_id == project_id)
    tx.execute(query if member_id is None else query.where(AgentSessionRow.member_id == member_id))


def forget_expired(tx: Tx, now: float, lasts: float) -> None:
    """Drop what expired; a session lasts no longer than it may from now, also when the clock went back."""
    tx.execute(delete(AgentSessionRow).where(AgentSessionRow.expires_at <= now))
    beyond = AgentSessionRow.expires_at > now + lasts
    tx.execute(update(AgentSessionRow).where(beyond).values(expires_at=now + lasts))


def any_to_forget(connection: Connection, now: float, lasts: float) -> bool:
    """Whether `forget_expired` has something to do."""
    expired = AgentSessionRow.expires_at <= now
    beyond = AgentSessionRow.expires_at > now + lasts
    return any(
        connection.execute(select(AgentSessionRow.token_hash).where(which).limit(1)).first() is not None
        for which in (expired, beyond)
    )
