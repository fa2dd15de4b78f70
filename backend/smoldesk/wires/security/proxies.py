"""Client addresses behind trusted proxies, and a limit on open requests of each client.

Only X-Forwarded-For and X-Forwarded-Proto are read. A proxy that writes these passes on a client's `Forwarded` (RFC 7239)
unchanged, so reading both would trust the client.
"""

import json
from collections import Counter
from collections.abc import Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

from starlette.types import ASGIApp, Receive, Scope, Send

from smoldesk.logs import client_key, log_denial, parse_address
from smoldesk.wires.security.headers import default_headers
from smoldesk.wires.security.refusals import answer
from smoldesk.wires.security.tokens import header_values

SCHEMES = {"http": "ws", "https": "wss"}


class Proxies:
    """Proxies that are trusted to report a client's address."""

    def __init__(self, networks: Sequence[IPv4Network | IPv6Network] = ()) -> None:
        self._networks = networks

    def __contains__(self, host: str) -> bool:
        return bool(self._networks) and self._lists(parse_address(host))

    def _lists(self, address: IPv4Address | IPv6Address | None) -> bool:
        return address is not None and any(address in network for network in self._networks)

    def client_of(self, forwarded: str) -> str | None:
        """Return the client in X-Forwarded-For: from the right, the first address that is not a trusted proxy.

        Each proxy appends the address that called it, so everything further left was written by that client. At text that
        is not an address, the previous address is the client. None for an empty header.
        """
        client: str | None = None
        for text in reversed(forwarded.split(",")):
            address = parse_address(text)
            if address is None:
                break
            client = str(address)
            if not self._lists(address):
                break
        return client


class ForwardedClients:
    """ASGI middleware around SecurityMiddleware: sets address and scheme of proxied requests, and limits open ones."""

    def __init__(self, app: ASGIApp, proxies: Proxies, most: int) -> None:
        self.app = app
        self._proxies = proxies
        self._most = most
        self._open: Counter[str] = Counter()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or (scope.get("client") or ("",))[0] not in self._proxies:
            await self.app(scope, receive, send)
            return
        scheme = "".join(header_values(scope, b"x-forwarded-proto")[-1:]).strip().lower()
        if scheme in SCHEMES:
            scope["scheme"] = SCHEMES[scheme] if scope["type"] == "websocket" else scheme
        client = self._proxies.client_of(",".join(header_values(scope, b"x-forwarded-for")))
        if client is None:
            await self.app(scope, receive, send)
            return
        # uvicorn's access log reads this too. The port is unknown.
        scope["client"] = (client, 0)
        key = client_key(client)
        if self._open[key] >= self._most:
            await self._refuse(scope, send, client)
            return
        self._open[key] += 1
        try:
            await self.app(scope, receive, send)
        finally:
            self._open[key] -= 1
            # A Counter keeps zero entries, which would grow with every address seen.
            if not self._open[key]:
                del self._open[key]

    async def _refuse(self, scope: Scope, send: Send, client: str) -> None:
        log_denial("too_many_connections", client)
        error = {
            "code": "too_many_connections",
            "message": "This address has too many open requests.",
            "hint": f"At most {self._most} at a time; close some, or raise SMOLDESK_CLIENT_CONNECTIONS.",
        }
        headers = {
            **default_headers(scope["path"], 503),
            "content-type": "application/json",
            "retry-after": "5",
        }
        await answer(scope, send, 503, headers, json.dumps({"error": error}).encode())
