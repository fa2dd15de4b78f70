"""Clients that read slowly, not at all, or vanish, on every wire that streams."""

import json
import re
import socket
import sqlite3
import struct
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import psutil
from websockets.sync.client import connect

from tests.faults.fault import Fault, Outcome
from tests.support.desk_server import DeskProcess, Servers
from tests.support.task_agents import BLOCK
from tests.support.waiting import come_true
from tests.wires.test_large_output import SERVING

PIECES = 600
ORDER = f"flood {PIECES}"
MCP_VERSION = "2026-07-28"
MCP_HEADERS = f"MCP-Protocol-Version: {MCP_VERSION}\r\nMcp-Method: tools/call\r\nMcp-Name: ask_analyst\r\n"
NUMBER = re.compile(rb"(\d+);x")


def _ui() -> Any:
    parts = [{"type": "text", "text": ORDER}]
    return {"id": uuid.uuid4().hex, "messages": [{"id": "m", "role": "user", "parts": parts}]}


def _agui() -> Any:
    message = {"id": "m", "role": "user", "content": ORDER}
    return {"threadId": uuid.uuid4().hex, "runId": uuid.uuid4().hex, "messages": [message]}


def _a2a() -> Any:
    message = {"messageId": uuid.uuid4().hex, "role": "ROLE_USER", "parts": [{"text": ORDER}]}
    return {"jsonrpc": "2.0", "id": 1, "method": "SendStreamingMessage", "params": {"message": message}}


def _mcp() -> Any:
    facts = {"protocolVersion": MCP_VERSION, "clientInfo": {"name": "faults", "version": "1"}}
    meta = {f"io.modelcontextprotocol/{name}": value for name, value in facts.items()}
    meta["io.modelcontextprotocol/clientCapabilities"] = {}
    call = {"name": "ask_analyst", "arguments": {"question": ORDER}, "_meta": {"progressToken": 1, **meta}}
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}


def _openai(**body: Any) -> Callable[[], Any]:
    return lambda: {"model": "smoldesk", "stream": True, **body}


# Each wire: the path, and the body of a POST or the frame that asks over a WebSocket. REST reads a log that exists.
WEB_SOCKETS: dict[str, Callable[[], Any]] = {
    "/ws?after=0": lambda: {"type": "message", "message": ORDER},
    "/live": lambda: {"type": "message", **_ui()},
}
POSTS: dict[str, Callable[[], Any]] = {
    "/stream": _ui,
    "/agui": _agui,
    "/tasks/sendSubscribe": lambda: {"message": ORDER},
    "/a2a": _a2a,
    "/v1/chat/completions": _openai(messages=[{"role": "user", "content": ORDER}]),
    "/v1/responses": _openai(input=ORDER),
    "/mcp": _mcp,
}
WIRES = (*WEB_SOCKETS, *POSTS)


class Reader:
    """A connection that has asked for a flood over one wire, or for a log (`path`), and takes little until it reads."""

    def __init__(self, port: int, path: str) -> None:
        self.socket = socket.socket()
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 16_384)
        self.socket.settimeout(120)
        self.socket.connect(("127.0.0.1", port))
        head = f"Host: 127.0.0.1:{port}\r\n"
        if path in WEB_SOCKETS:
            head += "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
            self._send(f"GET {path} HTTP/1.1\r\n{head}Sec-WebSocket-Key: {'A' * 22}==\r\n\r\n")
            self.socket.recv(1)
            body = json.dumps(WEB_SOCKETS[path]()).encode()
            # RFC 6455 5.2: a text frame of 126 to 65,535 bytes, or of fewer, with a mask of zeros.
            size = (
                struct.pack("!BBH", 0x81, 0x80 | 126, len(body))
                if len(body) > 125
                else bytes([0x81, 0x80 | len(body)])
            )
            self.socket.sendall(size + bytes(4) + body)
        elif path in POSTS:
            body = json.dumps(POSTS[path]()).encode()
            head += "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"
            head += f"A2A-Version: 1.0\r\n{MCP_HEADERS}Content-Length: {len(body)}\r\nConnection: close\r\n"
            self._send(f"POST {path} HTTP/1.1\r\n{head}\r\n{body.decode()}")
        else:
            self._send(f"GET {path} HTTP/1.1\r\n{head}Connection: close\r\n\r\n")

    def _send(self, text: str) -> None:
        self.socket.sendall(text.encode())

    def numbers(self) -> set[int]:
        """Read until all pieces came or the answer ends; return the numbers of the pieces."""
        numbers, rest = set[int](), b""
        while len(numbers) < PIECES and (data := self.socket.recv(65_536)):
            numbers.update(map(int, NUMBER.findall(rest + data)))
            rest = (rest + data)[-12:]
        return numbers

    def trickle(self, stop: threading.Event) -> None:
        """Read a thousand bytes five times a second."""
        while not stop.wait(0.2) and self.socket.recv(1_000):
            pass

    def vanish(self) -> None:
        """Read the beginning, then reset the connection."""
        self.socket.recv(1_000)
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()


@dataclass
class Memory:
    """The highest resident memory of a process while it is watched."""

    process: psutil.Process
    most: int = 0
    _done: threading.Event = field(default_factory=threading.Event)

    @contextmanager
    def watched(self) -> Iterator[None]:
        watching = threading.Thread(target=self._watch)
        watching.start()
        try:
            yield
        finally:
            self._done.set()
            watching.join()

    def _watch(self) -> None:
        while not self._done.wait(0.05):
            self.most = max(self.most, self.process.memory_info().rss)


def bad_readers(folder: Path) -> Outcome:
    """On each wire: as many good readers as bad ones; then a slow one, one that reads nothing, one that vanishes."""
    with Servers(folder, SERVING) as servers, ExitStack() as closing:
        server = servers.start()
        port, process = int(server.url.rpartition(":")[2]), psutil.Process(server.process.pid)
        good, bad, stop = Memory(process), Memory(process), threading.Event()
        with good.watched():
            for path, numbers in _read_by_all(port).items():
                assert numbers == {*range(PIECES)}, f"{path}: {len(numbers)} pieces"
            _until_finished(folder)
        paths = (*WIRES, f"/api/chats/{_a_chat(server)}/events")
        with bad.watched():
            readers = [Reader(port, path) for path in paths for _ in range(2)]
            slow = [threading.Thread(target=reader.trickle, args=(stop,)) for reader in readers[::2]]
            for thread in slow:
                thread.start()
            closing.callback(stop.set)
            for path in paths:
                Reader(port, path).vanish()
            assert Reader(port, "/stream").numbers() == {*range(PIECES)}, "others are served"
            _until_finished(folder)
        stop.set()
        for thread in slow:
            thread.join()
        for reader in readers:
            reader.socket.close()
        come_true(lambda: len(process.net_connections()) == 1, why="a connection stays open")
        assert server.errors() == "", server.errors()
    # Kept in memory for each reader, it would be two or three times its characters.
    grown, unread = bad.most - good.most, len(readers) * PIECES * BLOCK
    assert grown < unread, f"the server grew by {grown / 1e6:.0f} MB"
    return Outcome(
        "nothing: runs finish, others are served; `/ws` and `/live` close after a ping without an answer",
        "a reader that goes on gets the rest; the server holds what a reader of the chat has not read yet, up to 512 events "
        "or 2 MB, and a page for each",
    )


def _read_by_all(port: int) -> dict[str, set[int]]:
    """Read three floods over each wire at once; return the pieces that came over each."""
    seen: dict[str, set[int]] = {}

    def read(path: str) -> None:
        seen[path] = _over_socket(port, path) if path in WEB_SOCKETS else Reader(port, path).numbers()

    reading = [threading.Thread(target=read, args=(path,)) for path in WIRES for _ in range(3)]
    for thread in reading:
        thread.start()
    for thread in reading:
        thread.join()
    return seen


def _over_socket(port: int, path: str) -> set[int]:
    """Read a flood by a client that answers pings."""
    numbers = set[int]()
    with connect(f"ws://127.0.0.1:{port}{path}", max_size=None, compression=None) as client:
        client.send(json.dumps(WEB_SOCKETS[path]()))
        while len(numbers) < PIECES:
            numbers.update(map(int, NUMBER.findall(client.recv(120, decode=False))))
    return numbers


def _until_finished(folder: Path) -> None:
    """Wait until all runs have finished."""
    database = folder / "data" / "smoldesk.db"

    def states() -> set[str]:
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
            return {row[0] for row in connection.execute("SELECT DISTINCT state FROM run")}

    come_true(lambda: states() == {"finished"})


def _a_chat(server: DeskProcess) -> str:
    return httpx.get(f"{server.url}/api/chats", timeout=60).json()["chats"][0]["id"]


FAULTS: dict[str, Fault] = {"slow, stalled and vanished readers on every wire": bad_readers}
