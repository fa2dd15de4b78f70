"""Allowed hosts, allowed origins and addresses that the desk may bind.

A page on any site can make a browser send requests to 127.0.0.1. The Host header reveals a name that was made to resolve
to this address (DNS rebinding), the Origin header the site of the page. Both are compared exactly, never by prefix or
pattern.
"""

import re
from collections.abc import Iterable

from pydantic import SecretStr

from smoldesk.errors import BadInput, Refused
from smoldesk.http_client.address_checks import is_loopback

LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")
_HOST = re.compile(r"(?P<name>\[[0-9a-f:.]{2,45}\]|[a-z0-9._-]{1,253})(?::(?P<port>[0-9]{1,5}))?")
_ORIGIN = re.compile(rf"(?P<scheme>[a-z][a-z0-9+.-]{{0,30}})://{_HOST.pattern}")
_DEFAULT_PORTS = {"http": "80", "https": "443"}
# Browsers send the page's http origin with the handshake of a ws socket.
_WEB_SCHEME = {"ws": "http", "wss": "https"}


def check_bind(host: str, token: SecretStr | None) -> None:
    """Raise Refused if other machines can reach this address and the desk has no token."""
    if is_loopback(host) or (token is not None and token.get_secret_value()):
        return
    raise Refused(
        f"The desk does not listen on {host or 'all addresses'} without a token.",
        "Set SMOLDESK_TOKEN to a long random text, or listen on 127.0.0.1.",
    )


class Hosts:
    """Host names that the desk accepts: loopback and the bind host with any port, and the configured ones."""

    def __init__(self, bind_host: str, allowed: Iterable[str]) -> None:
        bind_name = f"[{bind_host}]" if ":" in bind_host else bind_host
        self._names = {*LOOPBACK_NAMES, *([bind_name.lower()] if bind_name else [])}
        self._with_port: set[str] = set()
        for entry in allowed:
            match = _HOST.fullmatch(entry.strip().lower())
            if match is None:
                raise BadInput(
                    f"SMOLDESK_ALLOWED_HOSTS: {entry!r} is not a host.",
                    'Expected names such as "desk.example.org".',
                )
            (self._with_port if match["port"] else self._names).add(match[0])

    def accepts(self, header: str) -> bool:
        """Return whether the desk accepts this Host header."""
        match = _HOST.fullmatch(header.lower())
        return match is not None and (match["name"] in self._names or match[0] in self._with_port)


def is_web_origin(text: str) -> bool:
    """Return whether a text is an origin of http or https, exactly: no path, no pattern."""
    match = _ORIGIN.fullmatch(text)
    return match is not None and match["scheme"] in _DEFAULT_PORTS


class Origins:
    """Origins whose pages may send requests: the desk's own and the configured ones, by scheme, host and port."""

    def __init__(self, allowed: Iterable[str]) -> None:
        self._allowed: set[str] = set()
        for entry in allowed:
            origin = _normal(entry.strip().removesuffix("/"))
            if origin is None:
                raise BadInput(
                    f"SMOLDESK_ALLOWED_ORIGINS: {entry!r} is not an origin.",
                    'Expected exact origins such as "https://app.example.org:8443"; there is no wildcard.',
                )
            self._allowed.add(origin)

    def allows(self, origin: str) -> bool:
        """Return whether the operator allowed this origin."""
        return _normal(origin) in self._allowed

    @staticmethod
    def is_same_origin(origin: str, scheme: str, host: str) -> bool:
        """Return whether the origin is the desk itself, under the host of this request."""
        desk_origin = _normal(f"{_WEB_SCHEME.get(scheme, scheme)}://{host}")
        return desk_origin is not None and _normal(origin) == desk_origin


def _normal(origin: str) -> str | None:
    """Return the origin in lower case without a default port, or None for other text such as "null" or "*"."""
    match = _ORIGIN.fullmatch(origin.lower())
    if match is None:
        return None
    port = match["port"]
    default = _DEFAULT_PORTS.get(match["scheme"])
    return f"{match['scheme']}://{match['name']}" + (f":{port}" if port and port != default else "")
