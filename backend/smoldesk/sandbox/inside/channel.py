"""Frames as the child moves them: 4 bytes of length (big endian), then that many bytes of JSON.

Reading happens in one place at a time: the main thread between cells, the calling thread while a tool call
waits.
"""

import json
import socket
import struct
import threading
from typing import Any

from .interrupts import Interrupts

# Bytes of JSON in one frame, in both directions.
MAX_FRAME = 16 * 1024 * 1024

Frame = dict[str, Any]


def receive_plain(sock: socket.socket) -> Frame | None:
    """Return one frame, before anything else of a child is there; None when the host has gone."""
    data = b""
    length = 4
    while len(data) < length:
        part = sock.recv(length - len(data))
        if not part:
            return None
        data += part
        if len(data) == 4 and length == 4:
            length += struct.unpack(">I", data)[0]
    return json.loads(data[4:])


class Channel:
    """The child's end of the socket. `send` raises ValueError when a frame would be too large."""

    def __init__(self, sock: socket.socket, interrupts: Interrupts) -> None:
        self._sock = sock
        self._deferred = interrupts.deferred
        self._write_lock = threading.Lock()

    def send(self, frame: Frame) -> None:
        """Write one frame; waits until it is taken."""
        body = json.dumps(frame, allow_nan=False, separators=(",", ":")).encode("ascii")
        if len(body) > MAX_FRAME:
            most = f"{len(body):,} bytes are more than the {MAX_FRAME:,} that fit"
            raise ValueError(f"{most}: write a file and pass its name")
        with self._deferred, self._write_lock:
            self._sock.sendall(struct.pack(">I", len(body)) + body)

    def receive(self) -> Frame:
        """Return the next frame from the host. Raises EOFError if the host is gone."""
        with self._deferred:
            (length,) = struct.unpack(">I", self._read(4))
            return json.loads(self._read(length))

    def close(self) -> None:
        self._sock.close()

    def _read(self, count: int) -> bytes:
        parts: list[bytes] = []
        while count:
            part = self._sock.recv(min(count, 1 << 20))
            if not part:
                raise EOFError
            parts.append(part)
            count -= len(part)
        return b"".join(parts)
