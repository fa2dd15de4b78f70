"""Passkeys of members and tokens of their sessions: made here, kept as hashes, compared in constant time.

A passkey is hashed with scrypt, for it lives long; a token is random, short-lived and looked up by its SHA-256.
"""

import hashlib
import hmac
import secrets

PASSKEY_BYTES = 24
TOKEN_BYTES = 32
_COST, _BLOCK, _LANES = 14, 8, 1
_MEMORY = 64 * 1024 * 1024


def new_passkey() -> str:
    """A passkey: `pk_` and 192 random bits."""
    return f"pk_{secrets.token_urlsafe(PASSKEY_BYTES)}"


def hashed(passkey: str) -> str:
    """What is kept of a passkey: scrypt$cost$block$lanes$salt$hash. Takes tens of milliseconds, on purpose."""
    salt = secrets.token_bytes(16)
    return f"scrypt${_COST}${_BLOCK}${_LANES}${salt.hex()}${_scrypt(passkey, salt).hex()}"


def matches(passkey: str, kept: str | None) -> bool:
    """Whether this is the passkey; takes as long for `None` (a member that does not exist), which nothing matches."""
    salt, expected = (bytes.fromhex(part) for part in (kept or _NOBODYS).split("$")[4:])
    return hmac.compare_digest(_scrypt(passkey, salt), expected) and kept is not None


def new_token() -> str:
    """A session token: `st_` and 256 random bits."""
    return f"st_{secrets.token_urlsafe(TOKEN_BYTES)}"


def token_hash(token: str) -> str:
    """What is kept of a token, and what it is looked up by."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def _scrypt(passkey: str, salt: bytes) -> bytes:
    # scrypt takes a text and the same one with NULs behind it for the same; SHA-256 does not
    return hashlib.scrypt(
        hashlib.sha256(passkey.encode("utf-8", "replace")).digest(),
        salt=salt,
        n=2**_COST,
        r=_BLOCK,
        p=_LANES,
        maxmem=_MEMORY,
    )


_NOBODYS = f"scrypt${_COST}${_BLOCK}${_LANES}${bytes(16).hex()}${bytes(64).hex()}"
