"""TLS connections between desk and nodes: messages of JSON with a length in front, and files in pieces.

OpenSSL allows one thread at a time in a connection, and a thread that waits in it would keep the others out. Sockets are
therefore never blocking: threads wait outside, by poll.
"""

import contextlib
import json
import select
import socket
import ssl
import struct
import threading
import time
from typing import IO, Any, cast

# Bytes of a TLS record (RFC 8446, section 5.1). A read takes a whole one, so nothing stays behind in OpenSSL, where poll
# would not see it.
RECORD = 16 * 1024
MAX_MESSAGE = 64 * 1024
# Longest list of files in one message.
MAX_LIST = 16 * 1024 * 1024
SEND_SECONDS = 10.0
PIECE = 256 * 1024


class InvalidMessage(Exception):
    """Invalid message from the other side; the text names the problem without repeating the content."""


class SecureSocket:
    """TLS socket that behaves like a plain non-blocking one. Any thread may call."""

    def __init__(self, tls: ssl.SSLSocket) -> None:
        tls.setblocking(False)
        self._tls = tls
        self._readable = select.poll()
        self._readable.register(tls.fileno(), select.POLLIN)
        self._lock = threading.Lock()

    def fileno(self) -> int:
        return self._tls.fileno()

    def recv(self, size: int) -> bytes:
        """Return bytes of one record; empty at the end. Raises BlockingIOError if none has arrived, OSError."""
        with self._lock:
            # OpenSSL takes ten times as long to find that out.
            if not self._readable.poll(0):
                raise BlockingIOError
            try:
                return self._tls.recv(max(size, RECORD))
            except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
                raise BlockingIOError from None

    def send(self, data: "memoryview | bytes") -> int:
        """Send at most a record; return how many bytes. Raises BlockingIOError if none can be sent now, OSError."""
        with self._lock:
            try:
                return self._tls.send(data[:RECORD])
            except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
                raise BlockingIOError from None

    def cut(self) -> None:
        """End the connection; threads that wait for it wake up."""
        # The method of the plain socket: that of SSLSocket changes state that another thread may be using.
        with contextlib.suppress(OSError):
            socket.socket.shutdown(self._tls, socket.SHUT_RDWR)

    def close(self) -> None:
        with self._lock:
            self._tls.close()


class SecureStream:
    """Messages and files over a secure socket. Several threads may send, one at a time receives."""

    def __init__(self, sock: SecureSocket) -> None:
        self.sock = sock
        self._buffer = bytearray()
        self._sending = threading.Lock()

    def send(self, message: dict[str, Any], seconds: float = SEND_SECONDS) -> None:
        """Send a message. Raises OSError, also if the other side takes nothing for `seconds`."""
        self._send(json.dumps(message, separators=(",", ":")).encode(), seconds)

    def send_file(self, file: IO[bytes]) -> None:
        """Send what a file holds, in pieces; an empty one ends it. Raises OSError."""
        while piece := file.read(PIECE):
            self._send(piece, SEND_SECONDS)
        self._send(b"", SEND_SECONDS)

    def waiting(self) -> dict[str, Any] | None:
        """Return the next message if it has arrived; does not wait. Raises InvalidMessage, EOFError or OSError."""
        body = self._cut(MAX_MESSAGE)
        while body is None:
            try:
                data = self.sock.recv(RECORD)
            except BlockingIOError:
                return None
            if not data:
                raise EOFError
            self._buffer += data
            body = self._cut(MAX_MESSAGE)
        return _parsed(body)

    def receive(self, seconds: float, limit: int = MAX_MESSAGE) -> dict[str, Any]:
        """Return the next message. Raises TimeoutError after `seconds`, InvalidMessage, EOFError or OSError."""
        return _parsed(self._body(seconds, limit))

    def receive_file(self, target: IO[bytes], limit: int, seconds: float = SEND_SECONDS) -> int:
        """Write the pieces of a file to `target` and return their size; each may take `seconds`.

        Raises InvalidMessage beyond `limit` bytes, EOFError or OSError.
        """
        size = 0
        while piece := self._body(seconds, PIECE):
            size += len(piece)
            if size > limit:
                raise InvalidMessage(f"more than {limit:,} bytes of files")
            target.write(piece)
        return size

    def _send(self, body: bytes, seconds: float) -> None:
        remaining = memoryview(struct.pack(">I", len(body)) + body)
        give_up = time.monotonic() + seconds
        with self._sending:
            while remaining:
                try:
                    remaining = remaining[self.sock.send(remaining) :]
                except BlockingIOError:
                    if not self._wait(select.POLLOUT, give_up):
                        # Half a message may be out: nothing that follows could be understood.
                        self.sock.cut()
                        raise TimeoutError("the other side took nothing") from None

    def _body(self, seconds: float, limit: int) -> bytes:
        give_up = time.monotonic() + seconds
        while (body := self._cut(limit)) is None:
            try:
                data = self.sock.recv(RECORD)
            except BlockingIOError:
                if not self._wait(select.POLLIN, give_up):
                    raise TimeoutError("the other side sent nothing") from None
                continue
            if not data:
                raise EOFError
            self._buffer += data
        return body

    def _cut(self, limit: int) -> bytes | None:
        if len(self._buffer) < 4:
            return None
        (length,) = struct.unpack_from(">I", self._buffer)
        if length > limit:
            raise InvalidMessage(f"a message of {length:,} bytes (at most {limit:,} are taken)")
        if len(self._buffer) < 4 + length:
            return None
        body = bytes(self._buffer[4 : 4 + length])
        del self._buffer[: 4 + length]
        return body

    def _wait(self, event: int, give_up: float) -> bool:
        remaining = give_up - time.monotonic()
        if remaining <= 0 or self.sock.fileno() < 0:
            return False
        waiting = select.poll()
        waiting.register(self.sock.fileno(), event)
        waiting.poll(remaining * 1000)
        return True


def _parsed(body: bytes) -> dict[str, Any]:
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        raise InvalidMessage("something that is not JSON") from None
    if not isinstance(message, dict):
        raise InvalidMessage("JSON that is not an object")
    return cast("dict[str, Any]", message)
