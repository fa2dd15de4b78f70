"""Agent sessions and what they are made by: passkeys of members, tokens, and the rows of both.

A passkey is hashed with scrypt, for it lives long; a token is random, short-lived and looked up by its SHA-256. Both are
compared in constant time. A session is of use until it expires or its member goes.
"""

import hashlib
import hmac
import secrets

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from smoldesk.conversations.errors import INVALID_SESSION, AgentFault
from smoldesk.conversations.models import AgentSession, Login
from smoldesk.store.conversation_tables import (
    AgentSessionRow,
    MemberRow,
    MembershipRow,
    ProjectRow,
)
from smoldesk.store.statements import CompiledStatement
from smoldesk.store.transaction import Tx

PASSKEY_BYTES = 24
TOKEN_BYTES = 32
# Of new hashes, as a power of two; each hash says what it was made with.
COST = 14
_BLOCK, _LANES = 8, 1
_MEMORY = 64 * 1024 * 1024


def new_passkey() -> str:
    """A passkey: `pk_` and 192 random bits."""
    return f"pk_{secrets.token_urlsafe(PASSKEY_BYTES)}"


def hashed(passkey: str) -> str:
    """What is kept of a passkey: scrypt$cost$block$lanes$salt$hash. Takes tens of milliseconds, on purpose."""
    salt = secrets.token_bytes(16)
    return f"scrypt${COST}${_BLOCK}${_LANES}${salt.hex()}${_scrypt(passkey, salt, COST).hex()}"


def matches(passkey: str, stored_hash: str | None) -> bool:
    """Whether this is the passkey; takes as long for `None` (a member that does not exist), which nothing matches."""
    _, cost, _, _, salt, expected = (stored_hash or f"scrypt${COST}${_BLOCK}${_LANES}${_NOBODYS}").split("$")
    digest = _scrypt(passkey, bytes.fromhex(salt), int(cost))
    return hmac.compare_digest(digest, bytes.fromhex(expected)) and stored_hash is not None


def new_token() -> str:
    """A session token: `st_` and 256 random bits."""
    return f"st_{secrets.token_urlsafe(TOKEN_BYTES)}"


def token_hash(token: str) -> str:
    """What is kept of a token, and what it is looked up by."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def _scrypt(passkey: str, salt: bytes, cost: int) -> bytes:
    # scrypt takes a text and the same one with NULs behind it for the same; SHA-256 does not
    return hashlib.scrypt(
        hashlib.sha256(passkey.encode("utf-8", "replace")).digest(),
        salt=salt,
        n=2**cost,
        r=_BLOCK,
        p=_LANES,
        maxmem=_MEMORY,
    )


_NOBODYS = f"{bytes(16).hex()}${bytes(64).hex()}"


# Of one member in one project; a further one takes the place of the oldest.
MOST_SESSIONS = 20
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
