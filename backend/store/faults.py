"""Why a database could not be opened, in words for whoever runs the desk. None of its URL is ever repeated."""

from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from backend.errors import DeskError

# what PostgreSQL and its driver say, and what to do about it
_SIGNS: tuple[tuple[tuple[str, ...], str, str], ...] = (
    (
        ("password authentication failed", "no password supplied", "authentication failed"),
        "PostgreSQL refused the user or the password",
        "Check both in SMOLDESK_DATABASE_URL; special characters in a password are written as %40 and the like.",
    ),
    (
        ("role ", "no pg_hba.conf entry"),
        "PostgreSQL does not let this user in",
        "Check the user in SMOLDESK_DATABASE_URL, and the server's pg_hba.conf.",
    ),
    (
        ("database ",),
        "There is no such database on this PostgreSQL",
        "Make it with CREATE DATABASE ... ENCODING 'UTF8', or check its name in SMOLDESK_DATABASE_URL.",
    ),
    (
        ("permission denied",),
        "PostgreSQL lets this user make no tables",
        "Grant it CREATE on the schema, or let it own the database.",
    ),
    (
        ("starting up", "shutting down", "too many clients", "remaining connection slots"),
        "PostgreSQL takes no connections just now",
        "Try again in a moment; a desk needs up to 18 connections.",
    ),
)
_UNREACHABLE = (
    "PostgreSQL cannot be reached",
    "Check host and port in SMOLDESK_DATABASE_URL, and that the server runs.",
)


def cannot_open(url: str, fault: Exception) -> DeskError:
    """What to raise when opening the database at `url` ended with `fault`; an empty URL is SQLite in the data directory."""
    if not url:
        message = (
            f"The database (smoldesk.db in the data directory) cannot be opened ({type(fault).__name__})"
        )
        hint = "Is the file broken, or from a newer smoldesk? Another --data-dir begins anew."
    elif isinstance(fault, NoSuchModuleError | ImportError):
        message = "The driver of the database is not installed"
        hint = "For PostgreSQL: pip install 'smoldesk[postgres]'."
    elif isinstance(fault, ArgumentError | ValueError):
        message = "SMOLDESK_DATABASE_URL is not the URL of a database"
        hint = "Expected postgresql://user:password@host:5432/name, or sqlite:///path."
    elif not url.startswith("postgres"):
        message = f"The database cannot be opened ({type(fault).__name__})"
        hint = "Check the path in SMOLDESK_DATABASE_URL."
    else:
        message, hint = _of_postgres(str(fault))
    return DeskError(f"{message}.", hint, code="database_unavailable")


def _of_postgres(said: str) -> tuple[str, str]:
    if "FATAL" in said or "permission denied" in said:
        for signs, message, hint in _SIGNS:
            if any(sign in said for sign in signs):
                return message, hint
    return _UNREACHABLE
