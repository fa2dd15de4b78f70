"""Every wire beside a bare Starlette stream, in the same run: from a message to the first event, and from an event's commit
to its frame at the client.

Each wire gets the same order in turn, as its own clients would give it, in a chat of its own. The bare server sends pieces made
when they are due; its events are committed nowhere.
"""

import asyncio
import json
import re
import tempfile
import time
import uuid
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from bench.echo import open_socket, say
from bench.pieces import Order, made
from bench.processes import served
from bench.readers import MOST_BYTES
from bench.report import CannotMeasure, Section, of_shares, shares

DESK, PEER, BARE = "bench.tasks_desk", "bench.bare_stream", "bare"
MCP = "/mcp"
"""Its answers come whole, after the progress of their steps."""
MCP_VERSION = "2026-07-28"
MCP_HEADERS = [f"MCP-Protocol-Version: {MCP_VERSION}", "Mcp-Method: tools/call", "Mcp-Name: ask_analyst"]
SIZE = 60
RATE = 4
"""Pieces a second: each shall be an event, and a frame of A2A, which joins what comes within 0.2 s, of its own."""
PATIENCE = 30.0
"""Seconds that one message may take."""
PIECE = re.compile(r"\d+\.\d+\.\d+_*;")
"""A piece, wherever a wire's frame has it."""

Frames = AsyncGenerator[str]
Ask = Callable[[int, Order], Frames]
"""Gives a server on a port an order; the frames of the answer, to their end."""


@dataclass
class Answers:
    """What came of one wire's messages, in seconds."""

    first: list[float] = field(default_factory=list[float])
    arrivals: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])
    """Each piece once, and when it came first, in nanoseconds of the monotonic clock."""


def measure(messages: int = 16, pieces: int = 2) -> Section:
    """`messages` over each wire, in turns, each answered by so many pieces; as many as end within a minute and a half."""
    order = Order(pieces, SIZE, RATE)
    with tempfile.TemporaryDirectory(prefix="smoldesk-bench-") as folder:
        notes = Path(folder) / "commits.json"
        with served(DESK, str(notes), "at-once") as desk, served(PEER) as bare:
            answers = asyncio.run(_measure(desk, bare, messages, order))
        committed: dict[str, int] = json.loads(notes.read_text())
    when = {piece: at for text, at in committed.items() for piece in PIECE.findall(text)}
    section = Section(
        "wires",
        method=[
            f"{messages} messages over each wire in turn, a chat for each, by plain sockets; {pieces} pieces of {SIZE}",
            f"characters answer, {RATE} a second. Message to first event: from sending to the first frame. Event to frame:",
            "from an event's commit (bare: from the piece) to its text. A2A joins what comes within 0.2 s.",
        ],
    )
    delays = {
        wire: [
            (came - (made(piece) if wire == BARE else when[piece])) / 1e9 for piece, came in answer.arrivals
        ]
        for wire, answer in answers.items()
        if wire != MCP
    }
    for wire, answer in answers.items():
        section.figures.append((f"message to first event, {wire}", shares(answer.first)))
        if wire in delays:
            section.figures.append((f"event to frame, {wire}", shares(delays[wire])))
    for wire in [wire for wire in answers if wire != BARE]:
        against = f": {wire} to bare"
        section.ratios += of_shares(
            "message to first event", against, answers[wire].first, answers[BARE].first
        )
        if wire in delays:
            section.ratios += of_shares("event to frame", against, delays[wire], delays[BARE])
    return section


async def _measure(desk: int, bare: int, messages: int, order: Order) -> dict[str, Answers]:
    answers = {wire: Answers() for wire in WIRES}
    for number in range(messages + 1):
        for wire, ask in WIRES.items():
            try:
                async with asyncio.timeout(PATIENCE):
                    first, arrivals = await _asked(ask, bare if wire == BARE else desk, order)
            except TimeoutError:
                raise CannotMeasure(f"a message over {wire} took more than {PATIENCE:.0f} s") from None
            if wire != MCP and len(arrivals) != order.pieces:
                raise CannotMeasure(f"{len(arrivals)} of {order.pieces} pieces came over {wire}")
            if number:  # the first one imports the wire's libraries
                answers[wire].first.append(first)
                answers[wire].arrivals += arrivals.items()
    return answers


async def _asked(ask: Ask, port: int, order: Order) -> tuple[float, dict[str, int]]:
    """Seconds to the first frame, and when each piece came first."""
    started_at, first = time.monotonic(), 0.0
    arrivals: dict[str, int] = {}
    async with aclosing(ask(port, order)) as frames:
        async for frame in frames:
            now = time.monotonic_ns()
            first = first or now / 1e9 - started_at
            for piece in PIECE.findall(frame):
                arrivals.setdefault(piece, now)
    return first, arrivals


async def over_http(path: str, body: Callable[[Order], Any], port: int, order: Order) -> Frames:
    """The data lines that answer a POST, over a plain socket, so that the client weighs little."""
    data = json.dumps(body(order)).encode()
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=MOST_BYTES)
    try:
        lines = [f"POST {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Content-Type: application/json"]
        lines += ["Accept: application/json, text/event-stream", "A2A-Version: 1.0", *MCP_HEADERS]
        lines += [f"Content-Length: {len(data)}", "Connection: close", "", ""]
        writer.write("\r\n".join(lines).encode() + data)
        status = await reader.readline()
        if b" 200 " not in status:
            raise CannotMeasure(f"POST {path} answered {status.decode(errors='replace').strip()!r}")
        while line := await reader.readline():
            if line.startswith(b"data:"):
                yield line.decode()
    finally:
        writer.close()


async def over_panes(port: int, order: Order) -> Frames:
    """What answers a message over `/ws`, on a socket that is open."""
    async with open_socket(port) as socket:
        await say(socket, order.message)
        async for text in socket:
            yield str(text)
            message = json.loads(text)
            if message["type"] == "run" and message["content"]["state"] in ("finished", "failed"):
                return


async def over_live(port: int, order: Order) -> Frames:
    """What answers a message over `/live`, on a socket that is open."""
    from websockets.asyncio.client import connect

    async with connect(f"ws://127.0.0.1:{port}/live", max_size=None, compression=None) as socket:
        await socket.send(json.dumps({"type": "message", **_ui_messages(order)}))
        async for text in socket:
            yield str(text)
            if "[DONE]" in str(text):
                return


def _ui_messages(order: Order) -> Any:
    parts = [{"type": "text", "text": order.message}]
    return {"id": uuid.uuid4().hex, "messages": [{"id": "m-1", "role": "user", "parts": parts}]}


def _a2a(order: Order) -> Any:
    message = {"messageId": uuid.uuid4().hex, "role": "ROLE_USER", "parts": [{"text": order.message}]}
    return {"jsonrpc": "2.0", "id": 1, "method": "SendStreamingMessage", "params": {"message": message}}


def _agui(order: Order) -> Any:
    message = {"id": "m-1", "role": "user", "content": order.message}
    return {"threadId": uuid.uuid4().hex, "runId": uuid.uuid4().hex, "messages": [message]}


def _task(order: Order) -> Any:
    return {"message": order.message}


def _mcp_call(order: Order) -> Any:
    about = {
        "protocolVersion": MCP_VERSION,
        "clientInfo": {"name": "bench", "version": "1"},
        "clientCapabilities": {},
    }
    meta = {f"io.modelcontextprotocol/{name}": value for name, value in about.items()}
    params = {
        "name": "ask_analyst",
        "arguments": {"question": order.message},
        "_meta": {"progressToken": 1, **meta},
    }
    return {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}


def _chat_completion(order: Order) -> Any:
    return {"model": "smoldesk", "stream": True, "messages": [{"role": "user", "content": order.message}]}


def _response(order: Order) -> Any:
    return {"model": "smoldesk", "stream": True, "input": order.message}


WIRES: dict[str, Ask] = {
    BARE: partial(over_http, "/stream", _ui_messages),
    "/ws": over_panes,
    "/stream": partial(over_http, "/stream", _ui_messages),
    "/live": over_live,
    "/agui": partial(over_http, "/agui", _agui),
    "/tasks": partial(over_http, "/tasks/sendSubscribe", _task),
    "/a2a": partial(over_http, "/a2a", _a2a),
    "/v1/chat/completions": partial(over_http, "/v1/chat/completions", _chat_completion),
    "/v1/responses": partial(over_http, "/v1/responses", _response),
    MCP: partial(over_http, "/mcp", _mcp_call),
}
