"""The agent of a node: connects with the desk, forks children from a warm zygote, and starts again when the desk was away.

The thread that runs it is the one that starts the zygote, so it must last as long as the process (see `supervisor`).
"""

import contextlib
import fcntl
import logging
import os
import re
import secrets
import select
import signal
import socket
import ssl
import sys
import threading
import time
from dataclasses import dataclass, fields
from pathlib import Path
from typing import IO, Any, NoReturn, cast

from smoldesk import __version__
from smoldesk.errors import DeskError, Refused
from smoldesk.folders import remove_tree
from smoldesk.nodes.authority import (
    DESK_NAME,
    days_left,
    fingerprint_of,
    new_request,
    node_context,
    unverified_context,
    write_private,
)
from smoldesk.nodes.membership import check_name, parse_token
from smoldesk.nodes.node import BEAT_SECONDS, PROTOCOL
from smoldesk.nodes.secure_stream import InvalidMessage, SecureSocket, SecureStream
from smoldesk.nodes.served_child import ServedChild
from smoldesk.sandbox.isolation import Jail, jail_here
from smoldesk.sandbox.limits import MIB, Limits
from smoldesk.sandbox.machine import is_short_of_memory, processors
from smoldesk.sandbox.sites import CellSetup
from smoldesk.sandbox.zygote import Zygote

log = logging.getLogger(__name__)
FIRST_SECONDS = 10.0
# Without a beat of the desk for this long, its connection is taken for dead.
DESK_SILENT_SECONDS = 10.0
RETRY_SECONDS = (0.2, 0.5, 1.0, 2.0, 5.0)
RENEW_DAYS = 120
AUTHORITY, CERTIFICATE = "authority.pem", "node.pem"


@dataclass(frozen=True)
class DeskAddress:
    """Where a desk listens for nodes."""

    host: str
    port: int

    def connect(self, context: ssl.SSLContext) -> SecureStream:
        """Return a connection. Raises OSError."""
        sock = socket.create_connection((self.host, self.port), FIRST_SECONDS)
        try:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            return SecureStream(SecureSocket(context.wrap_socket(sock, server_hostname=DESK_NAME)))
        except BaseException:
            sock.close()
            raise


class Identity:
    """Certificate of this node and authority of its desk, in a folder that only its user may read."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._folder = folder

    @property
    def exists(self) -> bool:
        """Whether this machine has joined a desk."""
        return (self._folder / CERTIFICATE).exists()

    def join(self, desk: DeskAddress, token: str, name: str) -> None:
        """Use a join token. Raises Refused, BadInput, or DeskError if the desk cannot be reached."""
        check_name(name)
        fingerprint = parse_token(token)
        with _reaching(desk):
            authority = _asked(desk.connect(unverified_context()), {"role": "authority"})
            if not _has_fingerprint(authority, fingerprint):
                raise Refused(
                    "The machine at this address is not the desk that made the token.",
                    "Check the address; somebody may be in between.",
                    code="another_desk",
                )
            key, request = new_request(name)
            message = {"role": "join", "token": token.strip(), "name": name, "request": request}
            certificate = _asked(desk.connect(node_context(authority)), message)
        write_private(self._folder / AUTHORITY, authority)
        write_private(self._folder / CERTIFICATE, key + certificate)

    def renew_if_old(self, desk: DeskAddress) -> None:
        """Ask for a new certificate if the present one ends soon. Raises Refused or OSError."""
        path = self._folder / CERTIFICATE
        present = path.read_text()
        if days_left(present[present.index("-----BEGIN CERTIFICATE") :]) < RENEW_DAYS:
            key, request = new_request("node")
            certificate = _asked(desk.connect(self.context()), {"role": "join", "request": request})
            write_private(path, key + certificate)

    def context(self) -> ssl.SSLContext:
        return node_context((self._folder / AUTHORITY).read_text(), self._folder / CERTIFICATE)


def restore_signals() -> None:
    """Let this process end by SIGTERM and SIGINT; on its main thread.

    Some launchers (Ray, nohup) ignore or block SIGINT, which the zygote and all cells would inherit.
    """
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT, signal.SIGTERM})
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGTERM, _exit)


def _exit(_number: int, _frame: object) -> NoReturn:
    sys.exit(0)


class NodeAgent:
    """Serves a desk from `serve` on. `folder` is for chats' files, which are deleted with their processes."""

    def __init__(
        self,
        desk: DeskAddress,
        identity: Identity,
        setup: CellSetup,
        folder: Path,
        processes: int,
        cells: int,
    ) -> None:
        """`cells`: how many compute at once, 0 for as many as there are processors."""
        self._desk = desk
        self._identity = identity
        self._setup = setup
        self._folder = folder / "chats"
        self._cache = folder / "cache"
        self._processes = processes
        self._cells = min(cells or processors(), processes)
        self._jail = _jail(folder)
        self._lock = _locked(folder)
        self._zygote: Zygote | None = None
        self._zygote_for: tuple[Any, ...] = ()

    def serve(self) -> NoReturn:
        """Serve the desk, connecting again whenever it was away. Raises Refused if it does not accept this node."""
        failures = 0
        try:
            while True:
                try:
                    self._identity.renew_if_old(self._desk)
                    self._serve_once()
                    failures = 0
                except (OSError, EOFError, InvalidMessage) as fault:
                    _raise_if_refused(fault)
                    log.warning("the desk is not reached: %s", str(fault) or type(fault).__name__)
                time.sleep(RETRY_SECONDS[min(failures, len(RETRY_SECONDS) - 1)])
                failures += 1
        finally:
            self.close()

    def close(self) -> None:
        """End the zygote and all children."""
        if self._zygote is not None:
            self._zygote.close()
        remove_tree(self._folder)
        self._lock.close()

    def _serve_once(self) -> None:
        """Serve one connection until the desk closes it."""
        context = self._identity.context()
        stream = self._desk.connect(context)
        gone = threading.Event()
        try:
            welcome = _answer(stream, {"role": "node", **self._hello()})
            limits = _limits(welcome)
            self._start_zygote(limits, welcome)
            threading.Thread(target=_beat, args=(stream, gone), name="beats", daemon=True).start()
            log.info("connected with the desk %s:%d", self._desk.host, self._desk.port)
            self._take_requests(stream, context, limits)
        finally:
            gone.set()
            stream.sock.close()

    def _take_requests(self, stream: SecureStream, context: ssl.SSLContext, limits: Limits) -> None:
        heard_at = time.monotonic()
        waiting = select.poll()
        waiting.register(stream.sock.fileno(), select.POLLIN)
        while time.monotonic() - heard_at < DESK_SILENT_SECONDS:
            waiting.poll(1000)
            try:
                while (message := stream.waiting()) is not None:
                    heard_at = time.monotonic()
                    if "fork" in message:
                        self._fork(str(message["fork"]), context, limits)
            except EOFError:
                log.warning("the desk closed the connection")
                return

    def _fork(self, child: str, context: ssl.SSLContext, limits: Limits) -> None:
        """Fork a child, and serve it on a thread of its own."""
        assert self._zygote is not None
        folder = self._folder / secrets.token_hex(16)
        folder.mkdir(parents=True)
        ours, theirs = socket.socketpair()
        with theirs:
            forked = self._zygote.fork(theirs)
        own_user = bool(self._jail.plan and self._jail.plan["own_user"])
        served = ServedChild(forked, ours, folder, limits, own_user)

        def connect(role: str) -> SecureStream:
            stream = self._desk.connect(context)
            stream.send({"role": role, "child": child})
            return stream

        threading.Thread(target=served.serve, args=(connect,), name=f"child-{child[:6]}", daemon=True).start()

    def _start_zygote(self, limits: Limits, welcome: dict[str, Any]) -> None:
        """Have a zygote for these limits and packages; another one ends, with its children of the last connection."""
        preload = [str(name) for name in cast("list[Any]", welcome.get("preload", []))]
        wanted = (limits, preload)
        if self._zygote is None or self._zygote_for != wanted:
            if self._zygote is not None:
                self._zygote.close()
            remove_tree(self._folder)
            self._folder.mkdir(parents=True, mode=0o711)
            self._cache.mkdir(parents=True, exist_ok=True, mode=0o700)
            setup = CellSetup(
                preload, self._setup.packages, self._setup.modules, self._setup.datasets, self._setup.readable
            )
            self._zygote = setup.zygote(self._cache.resolve(), self._jail, limits.of_process())
            self._zygote_for = wanted
        if self._zygote is not None:
            self._zygote.warm()

    def _hello(self) -> dict[str, Any]:
        report = self._jail.report()
        return {
            "version": __version__,
            "protocol": PROTOCOL,
            "processes": self._processes,
            "cells": self._cells,
            "isolated": report.isolated,
            "label": report.label,
            "reasons": report.reasons,
        }


def _jail(folder: Path) -> Jail:
    folder.mkdir(parents=True, exist_ok=True, mode=0o711)
    jail = jail_here(folder.absolute())
    if jail.plan is None:
        raise DeskError("A node requires Linux: other systems have no jail.", code="not_isolated")
    return jail


def _locked(folder: Path) -> IO[str]:
    """Return the lock of a node's folder, held as long as it is open. Raises DeskError if another agent has it."""
    lock = (folder / "lock").open("w")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        lock.close()
        raise DeskError(
            "Another agent uses this data directory.",
            "Give each agent its own, by --data-dir.",
            "node_running",
        ) from None
    return lock


def _beat(stream: SecureStream, gone: threading.Event) -> None:
    """Send a beat as long as the connection lasts, with whether memory is short."""
    with contextlib.suppress(OSError, ValueError):
        while not gone.wait(BEAT_SECONDS):
            stream.send({"beat": is_short_of_memory(512 * MIB)})


def _limits(welcome: dict[str, Any]) -> Limits:
    values: Any = welcome.get("limits")
    try:
        return Limits(**{field.name: int(values[field.name]) for field in fields(Limits)})
    except (TypeError, ValueError, KeyError):
        raise InvalidMessage("limits of another form") from None


def _asked(stream: SecureStream, message: dict[str, Any]) -> str:
    """Send one request and return the certificate of the answer."""
    try:
        certificate: object = _answer(stream, message).get("certificate")
    finally:
        stream.sock.close()
    if not isinstance(certificate, str):
        raise InvalidMessage("no certificate")
    return certificate


def _answer(stream: SecureStream, message: dict[str, Any]) -> dict[str, Any]:
    stream.send(message)
    answer = stream.receive(FIRST_SECONDS)
    if "refused" in answer:
        raise Refused(str(answer["refused"]), str(answer.get("hint", "")), code=str(answer.get("code")))
    return answer


def _has_fingerprint(authority: str, fingerprint: str) -> bool:
    try:
        return fingerprint_of(authority) == fingerprint
    except ValueError:
        return False


def _raise_if_refused(fault: Exception) -> None:
    """Translate what OpenSSL reports of a certificate that one side does not accept; trying again would not help."""
    if isinstance(fault, ssl.SSLCertVerificationError):
        raise Refused(
            f"The machine at this address is not the node's desk: {fault.verify_message}.",
            "Check the address, or join again with a new token.",
            code="another_desk",
        ) from None
    # TLS 1.3: the alert about our certificate arrives after the handshake, with the first read.
    if isinstance(fault, ssl.SSLError) and re.search("ALERT.*(CERT|UNKNOWN_CA)", str(fault.reason)):
        raise Refused(
            f"The desk does not accept this node's certificate ({str(fault.reason).lower().replace('_', ' ')}).",
            "It has expired, or belongs to another desk: join again with a new token.",
            code="bad_certificate",
        ) from None


@contextlib.contextmanager
def _reaching(desk: DeskAddress) -> Any:
    try:
        yield
    except (OSError, EOFError, InvalidMessage) as fault:
        raise DeskError(
            f"The desk at {desk.host}:{desk.port} cannot be reached: {str(fault) or type(fault).__name__}.",
            "It listens for nodes with SMOLDESK_EXECUTOR=nodes, at SMOLDESK_NODES_HOST and SMOLDESK_NODES_PORT.",
            code="desk_away",
        ) from None


def default_name() -> str:
    """Return this machine's name, as far as it is a name of a node."""
    letters = "".join(char if char.isascii() and char.isalnum() else "-" for char in os.uname().nodename)
    return letters.lower()[:40].strip("-") or "node"
