"""Port of the desk for its nodes: who may connect, and which process a connection belongs to.

A client without a certificate may only ask for the authority and join. Each connection has a thread until its first
message is answered, so that one that stays silent holds up nobody.
"""

import contextlib
import logging
import socket
import ssl
import threading
import time
from collections import Counter
from collections.abc import Generator
from pathlib import Path
from typing import Any

from smoldesk.errors import BadInput, DeskError, Refused
from smoldesk.nodes.membership import Membership
from smoldesk.nodes.node import Node, parse_hello
from smoldesk.nodes.node_process import ROLES
from smoldesk.nodes.secure_stream import InvalidMessage, SecureSocket, SecureStream
from smoldesk.sandbox.limits import Limits

log = logging.getLogger(__name__)
FIRST_SECONDS = 5.0
# Connections whose first message is awaited at the same time.
MAX_WAITING = 128
# Pause before the next try to accept a connection.
FULL_SECONDS = 0.1


class NodeListener:
    """Implements sandbox.sites.Nodes: accepts nodes from `start` to `close`."""

    def __init__(
        self, data_dir: Path, scratch: Path, limits: Limits, preload: list[str], allow_unisolated: bool
    ) -> None:
        """`limits` are those of each process; `scratch` is for files that arrive."""
        self._membership = Membership(data_dir)
        self._context = self._membership.authority.server_context()
        self._scratch = scratch
        self._limits = limits
        self._preload = preload
        self._allow_unisolated = allow_unisolated
        self._lock = threading.Lock()
        self._nodes: dict[str, Node] = {}
        self._waiting: dict[ssl.SSLSocket, str] = {}
        """Connections without a first message, the oldest first, with their addresses."""
        self._listening: socket.socket | None = None
        self.port = 0

    def start(self, host: str, port: int) -> None:
        """Listen at a port, a free one for 0. Raises DeskError."""
        try:
            listening = socket.create_server((host, port), family=_family(host))
        except OSError as fault:
            raise DeskError(
                f"The port of nodes {host}:{port} cannot be used: {fault.strerror}.",
                "Set SMOLDESK_NODES_HOST and SMOLDESK_NODES_PORT.",
                code="nodes_port",
            ) from None
        self._listening = listening
        self.port = listening.getsockname()[1]
        threading.Thread(target=self._accept, args=(listening,), name="smoldesk-nodes", daemon=True).start()
        log.info("nodes can connect to %s:%d", host, self.port)

    def sites(self) -> list[Node]:
        """Return the nodes that take processes at the moment."""
        with self._lock:
            return [node for node in self._nodes.values() if not node.is_silent]

    def close(self) -> None:
        """Stop listening and give all nodes up."""
        if self._listening is not None:
            with contextlib.suppress(OSError):
                self._listening.shutdown(socket.SHUT_RDWR)
            self._listening.close()
        with self._lock:
            nodes, self._nodes = [*self._nodes.values()], {}
        for node in nodes:
            node.lose("the desk is closing")

    def _accept(self, listening: socket.socket) -> None:
        while True:
            try:
                sock, address = listening.accept()
            except ConnectionAbortedError:
                continue  # the client has left
            except OSError:
                if listening.fileno() < 0:
                    return
                time.sleep(FULL_SECONDS)  # no descriptors or memory at the moment; the client still waits
                continue
            threading.Thread(target=self._receive, args=(sock, address[0]), daemon=True).start()

    def _receive(self, sock: socket.socket, address: str) -> None:
        """Do the handshake, answer the first message, and serve a node until it is lost."""
        node = None
        try:
            sock.settimeout(FIRST_SECONDS)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            # Not within wrap_socket, which would close the socket before the client has read the alert.
            sock = tls = self._context.wrap_socket(sock, server_side=True, do_handshake_on_connect=False)
            with self._waits(tls, address):
                tls.do_handshake()
                certificate: dict[str, Any] = tls.getpeercert() or {}
                stream = SecureStream(SecureSocket(tls))
                message = stream.receive(FIRST_SECONDS)
            node = self._answered(stream, message, certificate.get("serialNumber", "").lstrip("0"))
        except (OSError, EOFError, ssl.SSLError, InvalidMessage, DeskError) as fault:
            log.warning("a connection of %s to the port of nodes was refused: %s", address, _reason(fault))
            _close(sock)
        if node is not None:
            node.serve()
            with self._lock:
                if self._nodes.get(node.serial) is node:
                    del self._nodes[node.serial]

    @contextlib.contextmanager
    def _waits(self, tls: ssl.SSLSocket, address: str) -> Generator[None]:
        """Note a connection; of too many, the oldest of the address with the most is ended, so that others get in."""
        with self._lock:
            self._waiting[tls] = address
            if len(self._waiting) > MAX_WAITING:
                busiest, _ = Counter(self._waiting.values()).most_common(1)[0]
                oldest = next(sock for sock, at in self._waiting.items() if at == busiest)
                del self._waiting[oldest]
                with contextlib.suppress(OSError):
                    socket.socket.shutdown(oldest, socket.SHUT_RDWR)
        try:
            yield
        finally:
            with self._lock:
                self._waiting.pop(tls, None)

    def _answered(self, stream: SecureStream, message: dict[str, Any], serial: str) -> Node | None:
        """Answer the first message; return the node if it was the introduction of one."""
        try:
            match message.pop("role", None):
                case "authority":
                    stream.send({"certificate": self._membership.authority.pem})
                case "join":
                    stream.send({"certificate": self._join(message, serial)})
                case "node":
                    return self._node(stream, message, serial)
                case str(role) if role in ROLES:
                    self._attach(stream, message, role, serial)
                    return None
                case _:
                    raise InvalidMessage("an unknown first message")
        except (Refused, BadInput) as fault:
            log.warning("a node was refused: %s", fault.message)
            stream.send({"refused": fault.message, "hint": fault.hint, "code": fault.code})
        stream.sock.close()
        return None

    def _join(self, message: dict[str, Any], serial: str) -> str:
        request = message.get("request")
        if not isinstance(request, str):
            raise InvalidMessage("a request to join of another form")
        if serial:
            return self._membership.renew(serial, request)
        certificate = self._membership.join(str(message.get("token")), str(message.get("name")), request)
        log.info("the node %s joined", message.get("name"))
        return certificate

    def _node(self, stream: SecureStream, message: dict[str, Any], serial: str) -> Node:
        member = self._membership.member(serial)
        hello = parse_hello(message, self._allow_unisolated)
        node = Node(member, hello, stream, self._scratch, self._limits, self._is_member)
        stream.send({"limits": vars(self._limits), "preload": self._preload})
        with self._lock:
            former = self._nodes.get(serial)
            self._nodes[serial] = node
        if former is not None:
            former.lose("it connected again")
        log.info("the node %s is connected, for %d processes", node.name, node.max_children)
        return node

    def _attach(self, stream: SecureStream, message: dict[str, Any], role: str, serial: str) -> None:
        """Give a connection to its process; only the node that was asked to start it may open it."""
        with self._lock:
            node = self._nodes.get(serial)
        if node is None or not node.attach(str(message.get("child")), role, stream):
            stream.sock.close()

    def _is_member(self, serial: str) -> bool:
        try:
            self._membership.member(serial)
        except Refused:
            return False
        except DeskError:  # the file cannot be read at the moment: no reason to lose variables
            return True
        return True


def _close(sock: socket.socket) -> None:
    """Close a connection after a fault; what is unread would else reset it, and the client would not see the alert."""
    with contextlib.suppress(OSError):
        sock.settimeout(1)
        socket.socket.shutdown(sock, socket.SHUT_WR)
        socket.socket.recv(sock, 1 << 16)
    sock.close()


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET


def _reason(fault: Exception) -> str:
    if isinstance(fault, ssl.SSLCertVerificationError):
        return fault.verify_message
    return str(fault) or type(fault).__name__
