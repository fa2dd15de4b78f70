"""The shared token of a desk, and the parts of a request that can hold it or a browser's session.

Tokens are compared in constant time and never shown or logged: the query parameter is removed before the app and the
server's access log, which reads the same scope, see the request.
"""

import re
from typing import NamedTuple
from urllib.parse import quote, unquote_plus

from pydantic import SecretStr
from starlette.types import Scope

from smoldesk.wires.security.sessions import matches

KEY_HEADER = b"x-smoldesk-key"
# Subprotocol of the page's socket. Browsers cannot set headers on a handshake, so the session's key is offered as a
# second subprotocol, `smoldesk.key.KEY`.
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
    """Remove the parameters of one name, percent-encoded or not; the other bytes of the query stay unchanged."""
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
    """Return all values of a request header, in order."""
    return [value.decode("latin-1") for key, value in scope["headers"] if key.lower() == name]


class TokenGate:
    """Check of the desk's token; without a token, `is_set` is False."""

    def __init__(self, token: SecretStr | None) -> None:
        self._token = token.get_secret_value() if token is not None else ""

    @property
    def is_set(self) -> bool:
        return bool(self._token)

    def matches(self, candidate: str) -> bool:
        """Compare in constant time."""
        return matches(candidate, self._token)


def url_without_token(scope: Scope, remaining_query: bytes) -> str:
    """Return the path of this request with the remaining query.

    It starts with exactly one slash: browsers would read `//elsewhere.example` as another server.
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
    """Return the names and values of all cookies, in order; a name can occur twice."""
    pairs = [
        pair.strip().partition("=")
        for header in header_values(scope, b"cookie")
        for pair in header.split(";")
    ]
    return [(name, value.strip('"')) for name, _, value in pairs]


def session_keys(scope: Scope) -> list[str]:
    """Return the session keys of a request: from its header, for a socket from the offered subprotocols."""
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
    """Return the port in the client's Host header, or the scheme's default port."""
    match = _PORT.search(host)
    return match[1] if match else "443" if scope.get("scheme") in ("https", "wss") else "80"


def _utf8(header: str) -> str:
    """Decode a header as UTF-8: ASGI headers are Latin-1, but a token may have other characters."""
    return header.encode("latin-1").decode("utf-8", "surrogateescape")
