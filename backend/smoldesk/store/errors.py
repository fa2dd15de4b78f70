"""Reasons for a database that cannot be opened, as text for the operator. No part of its URL is repeated."""

from sqlalchemy.exc import ArgumentError, NoSuchModuleError, OperationalError

from smoldesk.errors import DeskError

# Connections of one desk: one writes, one listens, sixteen read.
_CONNECTIONS = 18

# Parts of PostgreSQL's messages, their meaning, and a hint.
_SIGNS: tuple[tuple[tuple[str, ...], str, str], ...] = (
    (
        ("starting up", "shutting down", "too many clients", "remaining connection slots"),
        "PostgreSQL takes no connections just now",
        f"Try again in a moment; a desk needs up to {_CONNECTIONS} connections.",
    ),
    (
        ("authentication failed", "no password supplied"),
        "PostgreSQL refused the user or the password",
        "Check both in SMOLDESK_DATABASE_URL; special characters in a password are written as %40 and the like.",
    ),
    (
        ("permission denied", "no schema has been selected"),
        "PostgreSQL does not permit this user what a desk does",
        "Let it own the database, or grant it CONNECT on the database and CREATE on its schema.",
    ),
    (
        ('role "', "pg_hba.conf"),
        "PostgreSQL does not let this user in",
        "Check the user in SMOLDESK_DATABASE_URL, and the server's pg_hba.conf.",
    ),
    (
        ('database "',),
        "There is no such database on this PostgreSQL",
        "Make it with CREATE DATABASE ... ENCODING 'UTF8', or check its name in SMOLDESK_DATABASE_URL.",
    ),
)
_REFUSED = ("PostgreSQL refused the connection", "Its own log says why.")
_UNREACHABLE = (
    "PostgreSQL cannot be reached",
    "Check host and port in SMOLDESK_DATABASE_URL, and that the server runs.",
)
_STRANGE = ("The database holds something else", "Expected an empty one, or one of smoldesk's own.")


def cannot_open(url: str, fault: Exception) -> DeskError:
    """Return the error for a failure to open the database at `url`; an empty URL is SQLite in the data directory."""
    kind = type(fault).__name__
    if not url:
        message = f"The database (smoldesk.db in the data directory) cannot be opened ({kind})"
        hint = "Is the file broken, or from a newer smoldesk? Another --data-dir begins anew."
    elif isinstance(fault, NoSuchModuleError | ImportError):
        message = "The driver of the database is not installed"
        hint = "For PostgreSQL, in the checkout: pip install -e '.[postgres]'."
    elif isinstance(fault, ArgumentError | ValueError):
        message = "SMOLDESK_DATABASE_URL is not the URL of a database"
        hint = "Expected postgresql://user:password@host:5432/name, or sqlite:///path."
    elif url.startswith("postgres"):
        message, hint = _of_postgres(str(fault), isinstance(fault, OperationalError))
    else:
        message, hint = f"The database cannot be opened ({kind})", "Check the path in SMOLDESK_DATABASE_URL."
    return DeskError(f"{message}.", hint, code="database_unavailable")


def _of_postgres(error_text: str, connecting: bool) -> tuple[str, str]:
    """Message and hint for what PostgreSQL said (in another language, perhaps, and then we know less)."""
    refused = "FATAL" in error_text
    if refused or not connecting:
        for signs, message, hint in _SIGNS:
            if any(sign in error_text for sign in signs):
                return message, hint
    if not connecting:
        return _STRANGE
    return _REFUSED if refused else _UNREACHABLE
