"""Addresses of Spark Connect, `sc://host:port/;token=...;use_ssl=true;user_id=...`, as URLs whose password is the token."""

from typing import TYPE_CHECKING
from urllib.parse import unquote

from smoldesk.errors import BadInput
from smoldesk.tools.databases.spark.spark_connection import LOCAL_HOSTS, USER

if TYPE_CHECKING:
    from sqlalchemy import URL

SCHEME = "sc"
EXAMPLE = 'It looks like "sc://host:15002/;token=...". The token may stand in the field for the password.'
_OPTIONS = ("token", "use_ssl", "user_id", "file_paths")
_SWITCHES = ("use_ssl", "file_paths")


def spark_url(name: str, url: "URL") -> "URL":
    """Return the URL with the parameters of the path in their places. Raises BadInput."""
    path, *parts = (url.database or "").split(";")
    pairs = [part.partition("=") for part in parts if part]
    options = {key: unquote(value) for key, _, value in pairs}
    strange = sorted({*options} - {*_OPTIONS})
    if path or strange:
        refused = ", ".join(strange) or "a path"
        raise BadInput(
            f"The address of {name!r} has {refused[:200]}, which is not used; expected of: {', '.join(_OPTIONS)}.",
            hint=EXAMPLE,
            code="bad_address",
        )
    query = dict(url.query)
    query |= {key: options[key].casefold() for key in _SWITCHES if key in options}
    if wrong := [key for key in _SWITCHES if query.get(key, "true") not in ("true", "false")]:
        raise BadInput(
            f"`{wrong[0]}` of {name!r} is neither true nor false.", hint=EXAMPLE, code="bad_address"
        )
    # Always a user: SQLAlchemy writes no password without one.
    read = url.set(database="", query=query, username=options.get("user_id") or url.username or USER)
    token = options.get("token")
    return read.set(password=token) if token else read


def check_encryption(name: str, url: "URL") -> None:
    """Raise BadInput for a token that would travel in the clear."""
    if url.password and url.query.get("use_ssl") == "false" and url.host not in LOCAL_HOSTS:
        raise BadInput(
            f"The token of {name!r} would be sent without encryption.",
            hint="Leave `use_ssl=false` out, or the token.",
            code="bad_address",
        )
