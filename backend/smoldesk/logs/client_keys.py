"""Addresses of clients, and the key by which a client is counted."""

from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

# Prefix length of an IPv6 network that one client gets; it chooses the other 64 bits freely.
SITE_BITS = 64


@lru_cache(4096)
def parse_address(text: str) -> IPv4Address | IPv6Address | None:
    """Return the address in a text, without its port, or None. IPv4-mapped IPv6 addresses become IPv4."""
    text = text.strip()
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        address = ip_address(text)
    except ValueError:
        return None
    # Dual-stack sockets report IPv4 peers as ::ffff:a.b.c.d.
    return getattr(address, "ipv4_mapped", None) or address


def client_key(host: str) -> str:
    """Return the key by which a client is counted: its IPv4 address, or its /64 network."""
    address = parse_address(host)
    if isinstance(address, IPv6Address):
        return str(IPv6Network((int(address) >> SITE_BITS << SITE_BITS, SITE_BITS)))
    return host if address is None else str(address)
