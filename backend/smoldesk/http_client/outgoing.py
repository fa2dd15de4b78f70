"""The HTTP client for addresses that others name: agents elsewhere are asked with it, clients are notified of their tasks.

What may be reached is for the transport to say: the origins of one agent (agents/a2a_client/bounded.py), or public
addresses alone.
"""

import asyncio
import socket
import ssl
from collections.abc import Mapping
from functools import cache
from ipaddress import ip_address

import httpx

from smoldesk.errors import BadInput
from smoldesk.http_client.address_checks import bad_address, is_public, split_url

# Time limit of a DNS lookup.
NAME_SECONDS = 5.0
# Time limit of connecting to one of several addresses.
EACH_SECONDS = 2.0
# Addresses of a name that are tried; all are checked.
MAX_ADDRESSES = 4


def outgoing_client(
    transport: httpx.AsyncBaseTransport, timeout: httpx.Timeout, headers: Mapping[str, str] | None = None
) -> httpx.AsyncClient:
    """Return a client over a transport, which the caller closes. It follows no redirect and uses no proxy or password of
    the environment.
    """
    return httpx.AsyncClient(
        transport=transport, headers=headers, timeout=timeout, follow_redirects=False, trust_env=False
    )


class PublicTransport(httpx.AsyncBaseTransport):
    """Transport to public addresses only, or to any if the operator allows private ones.

    A name is resolved once per request, all its addresses are checked, and the connection goes to a checked address:
    a name that resolves elsewhere a moment later has no effect. The certificate is checked against the name.
    Connections are not reused: one to an address would serve another name of that address.
    """

    def __init__(self, allow_private: bool, inner: httpx.AsyncBaseTransport | None = None) -> None:
        self._allow_private = allow_private
        self._inner = inner or httpx.AsyncHTTPTransport(
            verify=authorities(), limits=httpx.Limits(max_keepalive_connections=0)
        )

    async def check(self, url: str) -> None:
        """Raise BadInput for an address that requests may not go to."""
        parts = split_url(url)
        assert parts.hostname is not None
        if self._allow_private:
            return  # nothing to look at: whether it can be reached shows when something is sent
        await self._addresses(parts.hostname, parts.port or (443 if parts.scheme == "https" else 80))

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request. Raises httpx.ConnectError if the address is forbidden or unreachable."""
        url = request.url
        try:
            *first, last = await self._addresses(url.host, url.port or (443 if url.scheme == "https" else 80))
        except BadInput as fault:
            raise httpx.ConnectError(str(fault)) from fault
        for address in first:  # a name may have one of a kind that leads nowhere from here
            try:
                return await self._inner.handle_async_request(_pinned(request, address, EACH_SECONDS))
            except (httpx.ConnectError, httpx.ConnectTimeout):
                continue
        return await self._inner.handle_async_request(_pinned(request, last))

    async def aclose(self) -> None:
        await self._inner.aclose()

    async def _addresses(self, host: str, port: int) -> list[str]:
        """Resolve a name. One address that is not public refuses them all."""
        try:
            async with asyncio.timeout(NAME_SECONDS):
                found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):  # a TimeoutError is the first
            raise bad_address("Its host cannot be found.") from None
        addresses = list(dict.fromkeys(str(info[4][0]) for info in found))
        if not self._allow_private and not all(
            is_public(ip_address(address.partition("%")[0])) for address in addresses
        ):
            raise bad_address(
                "Its host is not of the public internet, and the operator of the desk allows no other."
            )
        return addresses[:MAX_ADDRESSES]


@cache
def authorities() -> ssl.SSLContext:
    """Load the trusted certificates once: reading the file takes longer than most requests."""
    return httpx.create_ssl_context(trust_env=False)


def _pinned(request: httpx.Request, address: str, connect: float | None = None) -> httpx.Request:
    """Return the request to one address of its host; the Host header and the certificate check still use the name."""
    extensions = {**request.extensions, "sni_hostname": request.url.host}
    if connect is not None:
        extensions["timeout"] = {**request.extensions.get("timeout", {}), "connect": connect}
    return httpx.Request(
        request.method,
        request.url.copy_with(host=address),
        headers=request.headers,  # Host among them
        stream=request.stream,
        extensions=extensions,
    )
