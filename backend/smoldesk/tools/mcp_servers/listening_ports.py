"""The TCP ports at which this process listens: a program of an MCP server that has the network has no business there."""

import contextlib
from pathlib import Path

LISTENING = "0A"
# Never closed: a rule closes a port at every address, and these are most of the web.
OF_THE_WEB = frozenset((80, 443))


def listening_ports(expected: int = 0) -> frozenset[int]:
    """Return the current listening ports, as the kernel lists them (not on macOS and Windows, which have no jail
    either).

    Without any, return the `expected` one: a run that continues after a restart starts before the desk's port is
    open.
    """
    mine: set[str] = set()
    with contextlib.suppress(OSError):
        for descriptor in Path("/proc/self/fd").iterdir():
            with contextlib.suppress(OSError):
                mine.add(str(descriptor.readlink()))
    ports: set[int] = set()
    for table in ("tcp", "tcp6"):
        with contextlib.suppress(OSError):
            for line in Path("/proc/self/net", table).read_text().splitlines()[1:]:
                _, local, _, state, *_, inode = line.split()[:10]
                if state == LISTENING and f"socket:[{inode}]" in mine:
                    ports.add(int(local.rpartition(":")[2], 16))
    return frozenset(ports or {expected}) - OF_THE_WEB - {0}
