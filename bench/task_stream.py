"""Tasks as a client sees them; a subscriber uses a plain socket, so that it weighs little beside the server it measures."""

import asyncio
import json
import time
from asyncio import Future
from collections import Counter
from collections.abc import Sequence
from typing import Any

import httpx

from bench.pieces import Order
from bench.report import CannotMeasure

MOST_BYTES = 1_000_000
"""Of one line."""

Arrivals = list[tuple[str, int]]
"""Each text that came, and when, in nanoseconds of the monotonic clock."""
Task = tuple[str, str]
"""Its id, and its context's."""


async def begin(http: httpx.AsyncClient, order: Order) -> Task:
    """A task that asks before it does what is ordered."""
    answer = await http.post("/tasks/send", json={"message": order.message})
    answer.raise_for_status()
    task = answer.json()["task"]
    return task["id"], task["contextId"]


async def let_begin(
    http: httpx.AsyncClient,
    started: Sequence[Task],
    text: str,
    existing: Counter[str],
    reading: Sequence[Future[Any]],
) -> None:
    """Answer the tasks' questions once every reader is there. Raises what a reader raised, CannotMeasure for its end."""
    while existing.total() < len(reading):
        for reader in reading:
            if reader.done():
                reader.result()
                raise CannotMeasure("a task ended before it was told to begin")
        await asyncio.sleep(0.02)
    for task_id, _ in started:
        (await http.post(f"/tasks/{task_id}/input", json={"input": text})).raise_for_status()


async def subscribe(port: int, task: Task, existing: Counter[str]) -> Arrivals:
    """A task's stream to its end; counts itself as `there` at its question. Raises CannotMeasure when it breaks off."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=MOST_BYTES)
    try:
        writer.write(f"GET /tasks/{task[0]}/subscribe HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())
        arrivals: Arrivals = []
        while line := await reader.readline():
            if not line.startswith(b"data: "):
                continue
            now = time.monotonic_ns()
            data = json.loads(line[6:])
            if data.get("state") == "input_required":
                existing["stream"] += 1
            elif data.get("final"):
                return arrivals
            elif "artifact" in data and (text := data["artifact"]["parts"][0]["text"]):
                arrivals.append((text, now))
        raise CannotMeasure("a stream broke off")
    finally:
        writer.close()
