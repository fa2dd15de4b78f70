"""Where notifications may go: a client names the address, so it could be one that only this machine can reach.

A name is resolved once for each connection, every address it has is looked at, and the connection goes to an address that
was looked at: a name that points elsewhere a moment later gains nothing. Redirects are not followed.
"""

import asyncio
import socket
from collections.abc import Iterable
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import Any, cast
from urllib.parse import SplitResult, urlsplit

import httpcore

from smoldesk.errors import BadInput

LONGEST_URL = 2_000
NAME_SECONDS = 5.0
"""How long a name may take to be found."""
EACH_SECONDS = 2.0
"""How long one address of several is tried."""
MOST_ADDRESSES = 4
"""Of one name; all are looked at, these are tried."""
NAT64 = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48"))
SITE_LOCAL = IPv6Network("fec0::/10")


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Whether an address is one of the public internet, by whatever way of writing. Pure."""
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is not None:
            return is_public(inner)
        if address.teredo is not None or address in SITE_LOCAL or any(address in net for net in NAT64):
            return False
        if int(address) >> 32 == 0:  # an IPv4 address in its old dress, ::a.b.c.d
            return False
    return address.is_global and not (
        address.is_multicast or address.is_reserved or address.is_unspecified or address.is_loopback
    )


def split_url(url: str) -> SplitResult:
    """The parts of an address that can be told at all. Raises BadInput. Pure."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise _bad("It is no URL.") from None
    if len(url) > LONGEST_URL or not url.isascii() or not url.isprintable() or " " in url:
        raise _bad(f"It has more than {LONGEST_URL} characters, or some that no URL has.")
    if parts.scheme not in ("http", "https"):
        raise _bad("It is neither http nor https.")
    if not parts.hostname or port == 0:
        raise _bad("It names no host.")
    if parts.username is not None or parts.password is not None:
        raise _bad("It holds a user or a password; `authentication` is the place for them.")
    return parts


class Screen(httpcore.AsyncNetworkBackend):
    """Connects to public addresses alone; to any when the operator allows private ones."""

    def __init__(self, allow_private: bool) -> None:
        self._allow_private = allow_private
        self._inner = cast(httpcore.AsyncNetworkBackend, httpcore.AnyIOBackend())

    async def check(self, url: str) -> None:
        """Raises BadInput for an address that nothing would be sent to."""
        parts = split_url(url)
        assert parts.hostname is not None
        if self._allow_private:
            return  # nothing to look at: whether it can be reached shows when something is sent
        await self._addresses(parts.hostname, parts.port or (443 if parts.scheme == "https" else 80))

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 (httpcore's own form)
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """Raises httpcore.ConnectError where it must not go, or cannot."""
        try:
            addresses = await self._addresses(host, port)
        except BadInput as fault:
            raise httpcore.ConnectError(str(fault)) from fault
        *first, last = addresses
        for address in first:  # a name may have one of a kind that leads nowhere from here
            with suppress(httpcore.ConnectError, httpcore.ConnectTimeout):
                return await self._inner.connect_tcp(
                    address, port, EACH_SECONDS, local_address, socket_options
                )
        return await self._inner.connect_tcp(last, port, timeout, local_address, socket_options)

    async def connect_unix_socket(
        self,
        path: str,
        timeout: float | None = None,  # noqa: ASYNC109 (httpcore's own form)
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        raise httpcore.ConnectError("No notification goes to a socket of this machine.")

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def _addresses(self, host: str, port: int) -> list[str]:
        """What a name resolves to. One address that is not public refuses them all."""
        try:
            async with asyncio.timeout(NAME_SECONDS):
                found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):  # a TimeoutError is the first
            raise _bad("Its host cannot be found.") from None
        addresses = list(dict.fromkeys(str(info[4][0]) for info in found))
        if not self._allow_private and not all(
            is_public(ip_address(address.partition("%")[0])) for address in addresses
        ):
            raise _bad(
                "Its host is not of the public internet, and the operator of the desk allows no other."
            )
        return addresses[:MOST_ADDRESSES]


def _bad(why: str) -> BadInput:
    return BadInput(f"This address cannot be notified. {why}", code="bad_push_address")
