"""A client nobody wants: floods of header lines, and requests that never end. `python -m bench.flooding_client PORT ...`

Prints one line of JSON when the floods are over and the unfinished requests are held, and holds them until standard input ends.
"""

import argparse
import contextlib
import json
import resource
import socket
import sys
from concurrent.futures import ThreadPoolExecutor

LINES = b"a: b\r\n" * 10_000
MOST_CONNECTIONS = 5_000
"""Of one flood: a server that closes at once is left alone at some point."""
SECONDS = 60.0
HEAD = b"GET / HTTP/1.1\r\nHost: x\r\n"


def flood(port: int, total: int) -> tuple[int, int]:
    """Send so many bytes of header lines, on as many connections as that takes; (bytes, connections)."""
    sent = connections = 0
    while sent < total and connections < MOST_CONNECTIONS:
        connections += 1
        with socket.create_connection(("127.0.0.1", port), SECONDS) as wire:
            try:
                wire.sendall(HEAD)
                while sent < total:
                    wire.sendall(LINES)
                    sent += len(LINES)
            except OSError:
                continue
    return sent, connections


def begin(port: int, size: int) -> socket.socket:
    """A request whose head has so many bytes, and no end."""
    wire = socket.create_connection(("127.0.0.1", port), SECONDS)
    with contextlib.suppress(OSError):  # ended already
        wire.sendall(HEAD + b"Cookie: " + b"x" * size)
    return wire


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("port", type=int)
    options.add_argument("--sockets", type=int, default=8)
    options.add_argument("--megabytes", type=int, default=100, help="of header lines, on each socket")
    options.add_argument("--unfinished", type=int, default=2_000)
    options.add_argument("--size", type=int, default=60_000, help="bytes of each unfinished head")
    args = options.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with ThreadPoolExecutor(args.sockets) as threads:
        floods = list(
            threads.map(lambda _: flood(args.port, args.megabytes * 1_000_000), range(args.sockets))
        )
    locked = [begin(args.port, args.size) for _ in range(args.unfinished)]
    sent, connections = (sum(column) for column in zip(*floods, strict=True))
    print(json.dumps({"sent": sent, "connections": connections, "unfinished": len(locked)}), flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main()
