"""Reasons for an unreachable database, as our own text: a driver's message may repeat its address, or more."""

from typing import TYPE_CHECKING
from urllib.parse import quote, quote_plus

if TYPE_CHECKING:
    from sqlalchemy import URL

_SIGNS: tuple[tuple[tuple[str, ...], str], ...] = (
    (
        (
            "authentication failed",
            "no password supplied",
            "access denied",
            "invalid password",
            "validating the login",
        ),
        "wrong user or password",
    ),
    (("pg_hba.conf", 'role "'), "it does not let this user in"),
    (('database "', "unknown database", "schema_not_found"), "there is no such database on it"),
    (("timeout expired", "timed out", "timeout"), "it did not answer in time"),
    (("refused", "no such file", "could not connect to any"), "nothing listens there"),
    (
        ("resolv", "name or service", "nodename", "no address associated"),
        "there is no such host",
    ),
    (("too many", "remaining connection slots"), "it takes no more connections"),
)


def without_password(text: str, url: "URL") -> str:
    """Return a driver's message without the address's password, in each of its encodings."""
    password = str(url.password or "")
    for secret in filter(None, (password, quote(password, safe=""), quote_plus(password))):
        text = text.replace(secret, "***")
    return text


def why_unreachable(fault: Exception) -> str:
    """Return a short reason; the error's class if none is known."""
    if isinstance(fault, ImportError):
        return "its driver is not installed"
    message = f"{fault} {getattr(fault, 'inner', '')}".casefold()
    return next(
        (reason for signs, reason in _SIGNS if any(sign in message for sign in signs)), type(fault).__name__
    )
