"""The one shared token of a desk, and the parts of a request that may carry it or a browser's session.

Compared in constant time; never shown, logged or handed on: it is taken out of the request's query before the
app (and the server's access log, which reads the same scope) sees it.
"""

import re
from typing import NamedTuple
from urllib.parse import quote, unquote_plus

from pydantic import SecretStr
from starlette.types import Scope

from smoldesk.wires.security.sessions import matches

KEY_HEADER = b"x-smoldesk-key"
# What a socket of the page speaks; offered beside it, `smoldesk.key.KEY` is the session's key.
SUBPROTOCOL = "smoldesk"
_KEY_SUBPROTOCOL = "smoldesk.key."
_PORT = re.compile(r":([0-9]{1,5})$")
_PATH_SAFE = "/%:@!$&'()*+,;=~-._"
_QUERY_SAFE = _PATH_SAFE + "?"


class SplitQuery(NamedTuple):
    """A query string without its parameters of one name, and their values."""

    remaining: bytes
    values: list[str]


def split_parameter(query: bytes, parameter: str) -> SplitQuery:
    """Part the parameters of a name (however it is percent-encoded) from the rest, which stays as it was."""
    remaining: list[bytes] = []
    matched: list[str] = []
    for part in query.split(b"&") if query else []:
        name, _, value = part.decode("latin-1").partition("=")
        if unquote_plus(name) == parameter:
            matched.append(unquote_plus(value))
        else:
            remaining.append(part)
    return SplitQuery(b"&".join(remaining), matched)


def header_values(scope: Scope, name: bytes) -> list[str]:
    """All values of a request header, in order."""
    return [value.decode("latin-1") for key, value in scope["headers"] if key.lower() == name]


class TokenGate:
    """Knows the token. Without a token everybody may pass."""

    def __init__(self, token: SecretStr | None) -> None:
        self._token = token.get_secret_value() if token is not None else ""

    @property
    def is_set(self) -> bool:
        return bool(self._token)

    def matches(self, candidate: str) -> bool:
        """Constant-time comparison, also for text that is not ASCII."""
        return matches(candidate, self._token)


def url_without_token(scope: Scope, remaining_query: bytes) -> str:
    """The same place on this server, with what is left of the query.

    Always begins with exactly one slash: `//elsewhere.example` would be another server.
    """
    raw: bytes = scope.get("raw_path") or quote(scope["path"]).encode()
    path = "/" + quote(raw.decode("latin-1"), safe=_PATH_SAFE).lstrip("/")
    query = quote(remaining_query.decode("latin-1"), safe=_QUERY_SAFE)
    return f"{path}?{query}" if query else path


def bearer_tokens(scope: Scope) -> list[str]:
    """Return the tokens of the Authorization headers."""
    parts = [header.partition(" ") for header in header_values(scope, b"authorization")]
    return [_utf8(credential.strip()) for scheme, _, credential in parts if scheme.lower() == "bearer"]


def cookies(scope: Scope) -> list[tuple[str, str]]:
    """Return the names and values of all cookies, in order; a name can come more than once."""
    pairs = [
        pair.strip().partition("=")
        for header in header_values(scope, b"cookie")
        for pair in header.split(";")
    ]
    return [(name, value.strip('"')) for name, _, value in pairs]


def session_keys(scope: Scope) -> list[str]:
    """Return the keys that a request carries: in its header, or offered as a subprotocol by a socket."""
    offered = [
        protocol.strip()
        for header in header_values(scope, b"sec-websocket-protocol")
        for protocol in header.split(",")
    ]
    of_socket = [
        protocol.removeprefix(_KEY_SUBPROTOCOL)
        for protocol in offered
        if protocol.startswith(_KEY_SUBPROTOCOL)
    ]
    return of_socket if scope["type"] == "websocket" else header_values(scope, KEY_HEADER)


def request_port(scope: Scope, host: str) -> str:
    """Return the port that the client reached the desk at, by its Host header."""
    match = _PORT.search(host)
    return match[1] if match else "443" if scope.get("scheme") in ("https", "wss") else "80"


def _utf8(header: str) -> str:
    """A header's bytes read as UTF-8, for tokens beyond ASCII."""
    return header.encode("latin-1").decode("utf-8", "surrogateescape")
