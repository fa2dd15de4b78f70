"""The sockets of one HTTP client, so that another thread can end a read that waits on them.

Closing an httpx client does not wake a thread that is blocked in recv; shutting its socket down does. httpx hands its
sockets out through the documented `trace` request extension. While TLS shakes hands the plain socket object is empty
and the new one not out yet, so for that moment a duplicate of the descriptor is kept.
"""

import contextlib
import socket
import threading
from typing import Any, Protocol


class _Stream(Protocol):
    def get_extra_info(self, info: str) -> Any: ...


class Connections:
    """Keeps hold of the open connections of a client; `cut` ends them, and later ones as soon as they open."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sockets: list[socket.socket] = []
        self._opening: dict[int, socket.socket] = {}  # by thread: no other thread sees that connection yet
        self._cut = False

    def watch(self, request: Any) -> None:
        """Trace the connection that a request opens: an httpx request hook."""
        request.extensions = {**request.extensions, "trace": self._trace}

    def cut(self) -> None:
        """Shut every connection down; safe from any thread, more than once."""
        with self._lock:
            self._cut = True
            for sock in (*self._sockets, *self._opening.values()):
                _shut(sock)

    def _trace(self, event: str, info: dict[str, Any]) -> None:
        if event.endswith("connect_tcp.complete"):
            self._keep(info["return_value"], opening=True)
        elif event.endswith("start_tls.complete"):
            self._keep(info["return_value"], opening=False)
        if event.endswith((".send_request_headers.started", "start_tls.failed")):
            self._opened()

    def _keep(self, stream: _Stream, *, opening: bool) -> None:
        sock: socket.socket = stream.get_extra_info("socket")
        with self._lock:
            self._sockets = [*(open_sock for open_sock in self._sockets if open_sock.fileno() >= 0), sock]
            if opening:
                self._opening[threading.get_ident()] = sock.dup()
            if self._cut:
                _shut(sock)

    def _opened(self) -> None:
        with self._lock:
            duplicate = self._opening.pop(threading.get_ident(), None)
        if duplicate is not None:
            duplicate.close()


def _shut(sock: socket.socket) -> None:
    with contextlib.suppress(OSError):  # closed already, or the other side was first
        # Not SSLSocket's own shutdown, which takes the session away under its reader.
        socket.socket.shutdown(sock, socket.SHUT_RDWR)
