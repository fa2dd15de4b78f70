"""Addresses of clients: whose they are when a listed proxy says so, and how many requests each has open over one.

Only X-Forwarded-For and X-Forwarded-Proto are read. A proxy that writes these hands on a `Forwarded` (RFC 7239) as the client
wrote it, so believing either would be believing the client.
"""

import json
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

from starlette.types import ASGIApp, Receive, Scope, Send

from smoldesk.logs import log_denial
from smoldesk.wires.security.headers import default_headers
from smoldesk.wires.security.refusals import answer
from smoldesk.wires.security.tokens import header_values

SCHEMES = {"http": "ws", "https": "wss"}
# Of an IPv6 address: what one client is given; the rest it chooses as it likes.
SITE_BITS = 64


@lru_cache(4096)
def parse_address(text: str) -> IPv4Address | IPv6Address | None:
    """Return the address in a text, without a port; an IPv4 address that is written as IPv6 is IPv4. None for anything else."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def client_key(host: str) -> str:
    """Return what clients are counted by: the address, of IPv6 the network that one client has."""
    address = parse_address(host)
    if isinstance(address, IPv6Address):
        return str(IPv6Network((int(address) >> SITE_BITS << SITE_BITS, SITE_BITS)))
    return host if address is None else str(address)


class Proxies:
    """Proxies whose word on the address of a client is believed."""

    def __init__(self, networks: Sequence[IPv4Network | IPv6Network] = ()) -> None:
        self._networks = networks

    def __contains__(self, host: str) -> bool:
        return bool(self._networks) and self._lists(parse_address(host))

    def _lists(self, address: IPv4Address | IPv6Address | None) -> bool:
        return address is not None and any(address in network for network in self._networks)

    def client_of(self, forwarded: str) -> str | None:
        """Return the client that X-Forwarded-For names: from the right, the first that is no listed proxy.

        Each proxy adds the address that it was called from, so what stands further left is only what that client wrote. At
        something that is no address the last one that was believed is the client; None when there is none.
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
    """ASGI middleware, around the doors: gives requests over a listed proxy their client's address and scheme; counts them."""

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
            if not self._open[key]:
                del self._open[key]

    async def _refuse(self, scope: Scope, send: Send, client: str) -> None:
        log_denial("too_many_connections", client)
        error = {
            "code": "too_many_connections",
            "message": "There are too many open requests from this address.",
            "hint": f"At most {self._most} at a time; close some, or raise SMOLDESK_CLIENT_CONNECTIONS.",
        }
        headers = {
            **default_headers(scope["path"], 503),
            "content-type": "application/json",
            "retry-after": "5",
        }
        await answer(scope, send, 503, headers, json.dumps({"error": error}).encode())
