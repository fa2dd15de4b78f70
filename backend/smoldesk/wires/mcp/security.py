"""The library's own check of Host and Origin, set to agree with the doors, which are in front of it and stricter."""

from collections.abc import Sequence

from mcp.server.transport_security import TransportSecuritySettings

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


def settings(names: Sequence[str], origins: Sequence[str]) -> TransportSecuritySettings:
    """For these host names besides loopback (with or without a port), and pages of these origins besides the desk's own."""
    hosts = [*LOOPBACK, *(f"[{name}]" if name.count(":") > 1 and "[" not in name else name for name in names)]
    known = [pattern for host in hosts for pattern in (host, f"{host}:*")]
    own = [f"{scheme}://{host}" for scheme in ("http", "https") for host in known]
    return TransportSecuritySettings(
        enable_dns_rebinding_protection=True,
        allowed_hosts=known,
        allowed_origins=[*own, *(origin.rstrip("/") for origin in origins)],
    )
