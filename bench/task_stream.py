"""A subscriber of a task, over a plain socket: a client that weighs little beside the server it measures."""

import asyncio
import json
import time
from collections import Counter

from bench.report import CannotMeasure

MOST_BYTES = 1_000_000
"""Of one line."""

Arrivals = list[tuple[str, int]]
"""Each text that came, and when, in nanoseconds of the monotonic clock."""
Task = tuple[str, str]
"""Its id, and its context's."""


async def subscribe(port: int, task: Task, there: Counter[str]) -> Arrivals:
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
                there["stream"] += 1
            elif data.get("final"):
                return arrivals
            elif "artifact" in data and (text := data["artifact"]["parts"][0]["text"]):
                arrivals.append((text, now))
        raise CannotMeasure("a stream broke off")
    finally:
        writer.close()
