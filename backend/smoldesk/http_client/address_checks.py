"""Addresses that others name: which can be reached from this machine alone, which are public, which are URLs. Pure."""

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from urllib.parse import SplitResult, urlsplit

from smoldesk.errors import BadInput

LONGEST_URL = 2_000
NAT64 = (IPv6Network("64:ff9b::/96"), IPv6Network("64:ff9b:1::/48"))
# Of Amazon's machines; it is no link-local address.
_METADATA_V6 = IPv6Address("fd00:ec2::254")
SITE_LOCAL = IPv6Network("fec0::/10")


def is_loopback(host: str) -> bool:
    """Return whether only this machine can reach the address; a name other than localhost might be anywhere."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def split_url(url: str) -> SplitResult:
    """Split an address into its parts. Raises BadInput."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise bad_address("It is not a URL.") from None
    if len(url) > LONGEST_URL or not url.isascii() or not url.isprintable() or " " in url:
        raise bad_address(f"It has more than {LONGEST_URL} characters, or some that no URL has.")
    if parts.scheme not in ("http", "https"):
        raise bad_address("It is neither http nor https.")
    if not parts.hostname or port == 0:
        raise bad_address("It names no host.")
    if parts.username is not None or parts.password is not None:
        raise bad_address("It holds a user or a password; `authentication` is the place for them.")
    return parts


def is_public(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an address is one of the public internet, in any notation."""
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


def is_link_local(address: IPv4Address | IPv6Address) -> bool:
    """Return whether an address is of this link only, in any notation: cloud machines read their credentials at one."""
    if isinstance(address, IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour
        if inner is not None:
            return inner.is_link_local
    return address.is_link_local or address == _METADATA_V6


def bad_address(why: str) -> BadInput:
    """Make the refusal of an address that nothing is sent to."""
    return BadInput(f"This address cannot be notified. {why}", code="bad_push_address")
