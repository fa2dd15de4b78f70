"""Which names the desk answers to, whose pages may talk to it, and which addresses it may bind.

A page anywhere on the web can make a browser send requests to 127.0.0.1. The Host header tells a name that
was bent to point
here (DNS rebinding), the Origin header tells whose page is asking. Both are compared whole, never by prefix
or pattern.
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
_WEB_SCHEME = {"ws": "http", "wss": "https"}


def check_bind(host: str, token: SecretStr | None) -> None:
    """Raises Refused when others could reach the desk at this address and nothing asks them for a token."""
    if is_loopback(host) or (token is not None and token.get_secret_value()):
        return
    raise Refused(
        f"The desk will not listen on {host or 'all addresses'} without a token.",
        "Set SMOLDESK_TOKEN to a long random text, or listen on 127.0.0.1.",
    )


class Hosts:
    """The names a Host header may carry: loopback and the bind host with any port, and those that were
    set."""

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
        """Whether the desk answers to this Host header."""
        match = _HOST.fullmatch(header.lower())
        return match is not None and (match["name"] in self._names or match[0] in self._with_port)


class Origins:
    """Whose pages may talk to the desk: its own, and those that were set, compared as scheme, host and
    port."""

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
        """Whether the operator opened the desk to this origin."""
        return _normal(origin) in self._allowed

    @staticmethod
    def is_same_origin(origin: str, scheme: str, host: str) -> bool:
        """Whether the origin is the desk itself, as this request reached it."""
        desk_origin = _normal(f"{_WEB_SCHEME.get(scheme, scheme)}://{host}")
        return desk_origin is not None and _normal(origin) == desk_origin


def _normal(origin: str) -> str | None:
    """The origin in small letters, without a default port; None when it is none (as "null" and "*" are)."""
    match = _ORIGIN.fullmatch(origin.lower())
    if match is None:
        return None
    port = match["port"]
    default = _DEFAULT_PORTS.get(match["scheme"])
    return f"{match['scheme']}://{match['name']}" + (f":{port}" if port and port != default else "")
