"""The one shared token of a desk: where a request may carry it, and how it gets from the address into a
cookie.

Compared in constant time; never shown, logged or handed on: it is taken out of the request's query before the
app (and the server's access log, which reads the same scope) sees it.
"""

import hmac
from typing import NamedTuple
from urllib.parse import quote, unquote, unquote_plus

from pydantic import SecretStr
from starlette.types import Scope

COOKIE = "smoldesk_token"
_PATH_SAFE = "/%:@!$&'()*+,;=~-._"
_QUERY_SAFE = _PATH_SAFE + "?"


class TakenQuery(NamedTuple):
    """A query string without its `token=` parameters, and their values."""

    rest: bytes
    tokens: list[str]


def take_tokens(query: bytes) -> TakenQuery:
    """Part the `token` parameters (however their name is percent-encoded) from the rest, which stays as it
    was."""
    rest: list[bytes] = []
    tokens: list[str] = []
    for part in query.split(b"&") if query else []:
        name, _, value = part.decode("latin-1").partition("=")
        if unquote_plus(name) == "token":
            tokens.append(unquote_plus(value))
        else:
            rest.append(part)
    return TakenQuery(b"&".join(rest), tokens)


def values(scope: Scope, name: bytes) -> list[str]:
    """All values of a request header, in order."""
    return [value.decode("latin-1") for key, value in scope["headers"] if key.lower() == name]


class TokenGate:
    """Knows the token, and whether a request carries it. Without a token everybody may pass."""

    def __init__(self, token: SecretStr | None) -> None:
        self._token = token.get_secret_value().encode() if token is not None else b""

    @property
    def is_set(self) -> bool:
        return bool(self._token)

    def matches(self, candidate: str) -> bool:
        """Constant-time comparison, also for text that is not ASCII."""
        return hmac.compare_digest(candidate.encode("utf-8", "surrogateescape"), self._token)

    def carried_by(self, scope: Scope) -> bool:
        """Whether the Authorization header or the cookie holds the token (or none is asked for)."""
        return not self.is_set or any(self.matches(candidate) for candidate in _carried(scope))

    def cookie(self, secure: bool) -> str:
        """The Set-Cookie value that keeps the token in the browser, out of reach of scripts and other
        sites."""
        value = quote(self._token, safe="")
        return f"{COOKIE}={value}; Path=/; HttpOnly; SameSite=Strict" + ("; Secure" if secure else "")


def without_token(scope: Scope, rest: bytes) -> str:
    """The same place on this server, with what is left of the query.

    Always begins with exactly one slash: `//elsewhere.example` would be another server.
    """
    raw: bytes = scope.get("raw_path") or quote(scope["path"]).encode()
    path = "/" + quote(raw.decode("latin-1"), safe=_PATH_SAFE).lstrip("/")
    query = quote(rest.decode("latin-1"), safe=_QUERY_SAFE)
    return f"{path}?{query}" if query else path


def _carried(scope: Scope) -> list[str]:
    candidates: list[str] = []
    for header in values(scope, b"authorization"):
        scheme, _, credential = header.partition(" ")
        if scheme.lower() == "bearer":
            candidates.append(_utf8(credential.strip()))
    for header in values(scope, b"cookie"):
        for pair in header.split(";"):
            name, _, value = pair.strip().partition("=")
            if name == COOKIE:
                candidates.append(unquote(_utf8(value.strip('"'))))
    return candidates


def _utf8(header: str) -> str:
    """A header's bytes read as UTF-8, for tokens beyond ASCII."""
    return header.encode("latin-1").decode("utf-8", "surrogateescape")
