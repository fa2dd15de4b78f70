"""Nodes for tests: agents in processes of their own, and raw connections that say what no agent would.

`python -m tests.support.node_agent PORT TOKEN NAME FOLDER` is the agent of `smoldesk node join`, with packages for
tables alone and without the imports of a desk.
"""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from smoldesk.nodes.authority import new_request, node_context
from smoldesk.nodes.listener import NodeListener
from smoldesk.nodes.membership import Membership
from smoldesk.nodes.node_agent import DeskAddress, Identity, NodeAgent, restore_signals
from smoldesk.nodes.secure_stream import SecureStream
from smoldesk.sandbox.limits import Limits
from smoldesk.sandbox.sites import CellSetup
from smoldesk.tables import CELL_OBJECTS, CHILD_PACKAGES

ROOT = Path(__file__).parents[2]
WAIT_SECONDS = 30
HELLO = {"processes": 4, "cells": 2, "isolated": True, "label": "isolated", "reasons": ["tests"]}


class NodeDesk:
    """The desk's side: a listener with data in `folder`."""

    def __init__(self, folder: Path, limits: Limits | None = None) -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self.membership = Membership(folder)
        scratch = folder / "scratch"
        scratch.mkdir()
        self.listener = NodeListener(folder, scratch, limits or Limits(), [], False)
        self.listener.start("127.0.0.1", 0)
        self.address = DeskAddress("127.0.0.1", self.listener.port)

    def agent(self, name: str, processes: int = 4) -> "subprocess.Popen[bytes]":
        """Start an agent; it is connected a moment later."""
        return start_agent(self.membership, self.listener.port, name, self.folder / name, processes)

    def wait_for(self, *names: str) -> None:
        """Wait until exactly these nodes are connected."""
        give_up = time.monotonic() + WAIT_SECONDS
        while {node.name for node in self.listener.sites()} != set(names):
            assert time.monotonic() < give_up, "the nodes did not come"
            time.sleep(0.01)

    def certificate(self, name: str, days: float = 1) -> Path:
        """Write key and certificate of a new member into a file."""
        key, request = new_request(name)
        token = self.membership.new_token(1, 1)
        certificate = self.membership.join(token, name, request)
        if days != 1:
            certificate, _ = self.membership.authority.sign(request, name, days)
        path = self.folder / f"{name}.pem"
        path.write_text(key + certificate)
        return path

    def connect(self, certificate: Path | None = None) -> SecureStream:
        """Return a connection of a client that has this certificate."""
        return self.address.connect(node_context(self.membership.authority.pem, certificate))

    def close(self) -> None:
        self.listener.close()


def start_agent(
    membership: Membership, port: int, name: str, place: Path, processes: int
) -> "subprocess.Popen[bytes]":
    """Start an agent with a new token and its data in `place`."""
    line = [sys.executable, "-m", "tests.support.node_agent", str(port), membership.new_token(1, 1)]
    return subprocess.Popen([*line, name, str(place), str(processes)], cwd=ROOT, stdin=subprocess.DEVNULL)


@contextmanager
def running(*agents: "subprocess.Popen[bytes]") -> Iterator[None]:
    """End the agents at the end."""
    try:
        yield
    finally:
        for agent in agents:
            agent.kill()
            agent.wait()


def introduce(stream: SecureStream, **facts: Any) -> dict[str, Any]:
    """Introduce a node that keeps to the protocol but for `facts`; return the answer."""
    from smoldesk import __version__

    stream.send({"role": "node", "version": __version__, "protocol": 1, **HELLO, **facts})
    return stream.receive(10)


def main() -> None:
    port, token, name, place, processes = sys.argv[1:]
    restore_signals()
    folder = Path(place)
    desk = DeskAddress("127.0.0.1", int(port))
    identity = Identity(folder)
    identity.join(desk, token, name)
    folder.chmod(0o711)
    setup = CellSetup((), CHILD_PACKAGES, {CELL_OBJECTS: {"has_objects": True}})
    NodeAgent(desk, identity, setup, folder, int(processes), int(processes)).serve()


if __name__ == "__main__":
    main()
