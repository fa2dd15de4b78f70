"""A2A: from a message to the first word of its task, and from an event's commit to its text at a follower.

The peer is the wire of plain tasks: the same messages in turn, and a subscriber of the same tasks in the same moments.
"""

import asyncio
import json
import tempfile
import time
import uuid
from collections import Counter
from pathlib import Path
from typing import Any

import httpx

from bench.pieces import END, Order
from bench.processes import served
from bench.report import CannotMeasure, Section, of_shares, shares
from bench.task_stream import MOST_BYTES, Arrivals, Task, begin, let_begin, subscribe

DESK = "bench.tasks_desk"
SIZE = 60
PATIENCE = 180.0
"""Seconds that everything may take."""


def measure(tasks: int = 20, pieces: int = 40, rate: int = 4, messages: int = 100) -> Section:
    """`messages` one after the other on each wire; then `tasks` tasks, each with a follower on each wire."""
    order = Order(pieces, SIZE, rate)
    with tempfile.TemporaryDirectory(prefix="smoldesk-bench-") as folder:
        notes = Path(folder) / "commits.json"
        with served(DESK, str(notes)) as port:
            first, streams = asyncio.run(_measure(port, tasks, messages, order))
        committed: dict[str, int] = json.loads(notes.read_text())
    ours, theirs = (_delays(stream, committed, pieces) for stream in streams)
    section = Section(
        "A2A",
        method=[
            f"{messages} messages in turn over /a2a (JSON-RPC) and /tasks: from the request to the first event of its",
            f"stream. Then {tasks} tasks with a follower on each wire; {pieces} pieces of {SIZE} characters in each, {rate} a",
            "second: from an event's commit to its text at the client. A2A merges what comes within 0.2 s.",
        ],
        figures=[
            ("message to first event, A2A", _told(first[0])),
            ("message to first event, tasks", _told(first[1])),
            ("event to follower, A2A", _told(ours)),
            ("event to follower, tasks", _told(theirs)),
        ],
    )
    for what, (mine, other) in (("message to first event", first), ("event to follower", (ours, theirs))):
        section.ratios += of_shares(what, ": A2A to tasks", mine, other)
    return section


async def _measure(
    port: int, tasks: int, messages: int, order: Order
) -> tuple[tuple[list[float], list[float]], tuple[list[Arrivals], list[Arrivals]]]:
    base = f"http://127.0.0.1:{port}"
    try:
        async with asyncio.timeout(PATIENCE), httpx.AsyncClient(base_url=base, timeout=60) as http:
            first: tuple[list[float], list[float]] = ([], [])
            for number in range(messages + 1):
                for results, post in zip(first, (_send_a2a, _send_task), strict=True):
                    seconds = await post(http, order)
                    if number:  # the first one imports the SDK
                        results.append(seconds)
            started = [await begin(http, order) for _ in range(tasks)]
            existing = Counter[str]()
            ours = [asyncio.ensure_future(_follow(port, task, existing)) for task in started]
            theirs = [asyncio.ensure_future(subscribe(port, task, existing)) for task in started]
            await let_begin(http, started, "", existing, [*ours, *theirs])
            return first, (await asyncio.gather(*ours), await asyncio.gather(*theirs))
    except TimeoutError:
        raise CannotMeasure(f"{tasks} tasks took more than {PATIENCE:.0f} s") from None


async def _send_a2a(http: httpx.AsyncClient, order: Order) -> float:
    message = {"messageId": uuid.uuid4().hex, "role": "ROLE_USER", "parts": [{"text": order.message}]}
    body = {"jsonrpc": "2.0", "id": 1, "method": "SendStreamingMessage", "params": {"message": message}}
    return await _first_event(http, "/a2a", body)


async def _send_task(http: httpx.AsyncClient, order: Order) -> float:
    return await _first_event(http, "/tasks/sendSubscribe", {"message": order.message})


async def _first_event(http: httpx.AsyncClient, path: str, body: dict[str, Any]) -> float:
    """Seconds from the request to the first line of data; its task is then cancelled, so that it costs the next no time."""
    started_at = time.monotonic()
    async with http.stream("POST", path, json=body, headers={"A2A-Version": "1.0"}) as answer:
        async for line in answer.aiter_lines():
            if not line.startswith("data:"):
                continue
            seconds = time.monotonic() - started_at
            data = json.loads(line[5:])
            task_id = data["taskId"] if "taskId" in data else data["result"]["task"]["id"]
            await http.post(f"/tasks/{task_id}/cancel")
            return seconds
    raise CannotMeasure("a stream said nothing")


async def _follow(port: int, task: Task, existing: Counter[str]) -> Arrivals:
    """A task's stream over HTTP+JSON to its end, over a plain socket."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=MOST_BYTES)
    try:
        lines = [
            f"GET /a2a/rest/tasks/{task[0]}:subscribe HTTP/1.1",
            f"Host: 127.0.0.1:{port}",
            "A2A-Version: 1.0",
        ]
        writer.write("".join(f"{line}\r\n" for line in [*lines, ""]).encode())
        arrivals: Arrivals = []
        while line := await reader.readline():
            if not line.startswith(b"data: "):
                continue
            now = time.monotonic_ns()
            data = json.loads(line[6:])
            status = (data.get("task") or data.get("statusUpdate") or {}).get("status", {})
            if status.get("state") == "TASK_STATE_INPUT_REQUIRED":
                existing["a2a"] += 1
                if "statusUpdate" in data:  # which ends this stream
                    return await _follow(port, task, Counter[str]())
            elif status.get("state") == "TASK_STATE_COMPLETED":
                return arrivals
            elif "artifactUpdate" in data:
                arrivals.append((data["artifactUpdate"]["artifact"]["parts"][0]["text"], now))
        raise CannotMeasure("a stream broke off")
    finally:
        writer.close()


def _delays(results: list[Arrivals], committed: dict[str, int], pieces: int) -> list[float]:
    """Seconds from each piece's commit to its arrival. Raises CannotMeasure unless all came, once and in order."""
    when = {piece: at for text, at in committed.items() for piece in text.split(END) if piece}
    delays: list[float] = []
    for arrivals in results:
        came = [(piece, now) for text, now in arrivals for piece in text.split(END) if piece]
        if [int(piece.split(".")[1]) for piece, _ in came] != [*range(pieces)]:
            raise CannotMeasure(f"{len(came)} of {pieces} pieces came, or not in their order")
        delays += [(now - when[piece]) / 1e9 for piece, now in came]
    return delays


def _told(seconds: list[float]) -> str:
    return f"{shares(seconds)}  ({len(seconds)} times)"
