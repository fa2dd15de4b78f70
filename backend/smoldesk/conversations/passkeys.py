"""Passkeys of members and tokens of their sessions: made here, kept as hashes, compared in constant time.

A passkey is hashed with scrypt, for it lives long; a token is random, short-lived and looked up by its SHA-256.
"""

import hashlib
import hmac
import secrets

PASSKEY_BYTES = 24
TOKEN_BYTES = 32
COST = 14
"""Of new hashes, as a power of two; each hash says what it was made with."""
_BLOCK, _LANES = 8, 1
_MEMORY = 64 * 1024 * 1024


def new_passkey() -> str:
    """A passkey: `pk_` and 192 random bits."""
    return f"pk_{secrets.token_urlsafe(PASSKEY_BYTES)}"


def hashed(passkey: str) -> str:
    """What is kept of a passkey: scrypt$cost$block$lanes$salt$hash. Takes tens of milliseconds, on purpose."""
    salt = secrets.token_bytes(16)
    return f"scrypt${COST}${_BLOCK}${_LANES}${salt.hex()}${_scrypt(passkey, salt, COST).hex()}"


def matches(passkey: str, kept: str | None) -> bool:
    """Whether this is the passkey; takes as long for `None` (a member that does not exist), which nothing matches."""
    _, cost, _, _, salt, expected = (kept or f"scrypt${COST}${_BLOCK}${_LANES}${_NOBODYS}").split("$")
    found = _scrypt(passkey, bytes.fromhex(salt), int(cost))
    return hmac.compare_digest(found, bytes.fromhex(expected)) and kept is not None


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
