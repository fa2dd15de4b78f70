"""Sessions of agents: passkeys of members, tokens, and their rows.

A passkey is hashed with scrypt, because it is long-lived; a token is random, short-lived and looked up by its SHA-256. Both
are compared in constant time. A session is valid until it expires or its member is removed.
"""

import hashlib
import hmac
import secrets

from sqlalchemy import Connection, bindparam, delete, insert, select, update

from smoldesk.conversations.errors import INVALID_SESSION, AgentFault
from smoldesk.conversations.models import AgentSession, Login
from smoldesk.store.audit_rows import tally
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
# scrypt's cost of new hashes, as a power of two; each hash contains its own.
COST = 14
_BLOCK, _LANES = 8, 1
# Bytes that OpenSSL may use: 128 * 2**COST * _BLOCK are 16 MiB, and its default limit is 32 MiB.
_MEMORY = 64 * 1024 * 1024


def new_passkey() -> str:
    """Return a new passkey: `pk_` and 192 random bits."""
    return f"pk_{secrets.token_urlsafe(PASSKEY_BYTES)}"


def hashed(passkey: str) -> str:
    """Hash a passkey as scrypt$cost$block$lanes$salt$hash. Takes tens of milliseconds, on purpose."""
    salt = secrets.token_bytes(16)
    return f"scrypt${COST}${_BLOCK}${_LANES}${salt.hex()}${_scrypt(passkey, salt, COST).hex()}"


def matches(passkey: str, stored_hash: str | None) -> bool:
    """Return whether a passkey matches a hash. Takes as long for None, the hash of an unknown member, which never matches."""
    _, cost, _, _, salt, expected = (stored_hash or f"scrypt${COST}${_BLOCK}${_LANES}${_DUMMY_HASH}").split(
        "$"
    )
    digest = _scrypt(passkey, bytes.fromhex(salt), int(cost))
    return hmac.compare_digest(digest, bytes.fromhex(expected)) and stored_hash is not None


def new_token() -> str:
    """Return a new session token: `st_` and 256 random bits."""
    return f"st_{secrets.token_urlsafe(TOKEN_BYTES)}"


def token_hash(token: str) -> str:
    """Return the stored form of a token, by which it is looked up."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def _scrypt(passkey: str, salt: bytes, cost: int) -> bytes:
    # scrypt hashes a password and the same one with trailing NULs alike (HMAC pads its key); SHA-256 does not
    return hashlib.scrypt(
        hashlib.sha256(passkey.encode("utf-8", "replace")).digest(),
        salt=salt,
        n=2**cost,
        r=_BLOCK,
        p=_LANES,
        maxmem=_MEMORY,
    )


# Salt and hash for unknown members, so that their logins take the same time.
_DUMMY_HASH = f"{bytes(16).hex()}${bytes(64).hex()}"


# Sessions of one member in one project; a further login ends the oldest one.
MAX_SESSIONS = 20
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
    """Return the hash of a member's passkey; None for an unknown member or project, or a member of other projects."""
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
    # The oldest sessions go, so that a client that logs in again and again does not fill the table.
    too_many = [row[0] for row in tx.execute(newest.offset(MAX_SESSIONS - 1))]
    if too_many:
        tx.execute(delete(AgentSessionRow).where(AgentSessionRow.token_hash.in_(too_many)))
    tally(tx, "passkey.used", member_id)
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
    """Return the session of a token. Raises invalid_session for an unknown or expired one, or a removed member or project."""
    rows = _FIND.rows(connection, {"hash": token_hash(token), "now": now})
    if not rows:
        raise AgentFault(INVALID_SESSION)
    return AgentSession.model_validate(dict(zip(AgentSession.model_fields, rows[0], strict=True)))


def forget_of(tx: Tx, project_id: str, member_id: str | None = None) -> None:
    """End the sessions of a project, or of one member in it."""
    query = delete(AgentSessionRow).where(AgentSessionRow.project_id == project_id)
    tx.execute(query if member_id is None else query.where(AgentSessionRow.member_id == member_id))


def forget_expired(tx: Tx, now: float, lasts: float) -> None:
    """Delete expired sessions, and shorten those that last too long because the clock went back."""
    tx.execute(delete(AgentSessionRow).where(AgentSessionRow.expires_at <= now))
    beyond = AgentSessionRow.expires_at > now + lasts
    tx.execute(update(AgentSessionRow).where(beyond).values(expires_at=now + lasts))
