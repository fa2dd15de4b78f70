"""Bytes over a plain socket, for clients that no HTTP library would let one be."""

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

PATIENCE = 60.0


class RawClient:
    """One connection to "127.0.0.1:PORT" (also with http:// before it), from `source`, any address of 127.0.0.0/8."""

    def __init__(self, place: str, source: str = "127.0.0.1") -> None:
        host, port = place.removeprefix("http://").split(":")
        self.socket = socket.create_connection(
            (host, int(port)), timeout=PATIENCE, source_address=(source, 0)
        )
        self.received = b""

    def __enter__(self) -> "RawClient":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.socket.close()

    def send(self, data: bytes) -> bool:
        """Send; False once the server has closed the connection."""
        try:
            self.socket.sendall(data)
        except (ConnectionError, TimeoutError):
            return False
        return True

    def flood(self, piece: bytes, total: int) -> int:
        """Send a piece again and again, up to `total` bytes; how many the server let come."""
        sent = 0
        while sent < total and self.send(piece):
            sent += len(piece)
        return sent

    def trickle(self, piece: bytes, every: float, count: int) -> int:
        """Send a piece, wait, send it again, until the server closes or `count` were sent; how many were."""
        self.socket.settimeout(every)
        try:
            for number in range(count):
                if not self.send(piece):
                    return number
                try:
                    if not (data := self.socket.recv(65_536)):
                        return number
                    self.received += data
                except TimeoutError:
                    continue
                except ConnectionError:
                    return number
            return count
        finally:
            self.socket.settimeout(PATIENCE)

    def read(self) -> bytes:
        """Everything up to the end of the connection."""
        try:
            while data := self.socket.recv(65_536):
                self.received += data
        except ConnectionError:
            pass
        return self.received

    def read_until(self, end: bytes) -> bytes:
        """What came when it first holds these bytes; fails when the connection ends before."""
        while end not in self.received:
            data = self.socket.recv(65_536)
            assert data, f"the connection ended after {self.received[:200]!r}"
            self.received += data
        return self.received

    @property
    def is_open(self) -> bool:
        """Whether the server has not closed it yet."""
        self.socket.setblocking(False)
        try:
            return self.socket.recv(1, socket.MSG_PEEK) != b""
        except BlockingIOError:
            return True
        except ConnectionError:
            return False
        finally:
            self.socket.settimeout(PATIENCE)


@contextmanager
def many(place: str, count: int, first: bytes = b"", source: str = "127.0.0.1") -> Iterator[list[RawClient]]:
    """So many connections, each of which has sent this much."""
    clients: list[RawClient] = []
    try:
        for _ in range(count):
            clients.append(RawClient(place, source))
            clients[-1].send(first)
        yield clients
    finally:
        for client in clients:
            client.socket.close()


def status_of(answer: bytes) -> int:
    """The status of the first answer in these bytes."""
    assert answer.startswith(b"HTTP/1.1 "), answer[:200]
    return int(answer.split(b" ", 2)[1])


def get(place: str, path: str = "/", source: str = "127.0.0.1", extra: str = "") -> bytes:
    """One request on a connection of its own; the answer."""
    with RawClient(place, source) as client:
        client.send(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n{extra}\r\n".encode())
        return client.read()


def rest(seconds: float) -> None:
    """Do nothing for longer than a limit of the server under test."""
    time.sleep(seconds)
