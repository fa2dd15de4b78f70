"""From the moment in which a real program writes a line, through its terminal, to the subscriber of its task."""

import asyncio
from collections import Counter

import httpx

from bench.echo import served
from bench.pieces import END, Order, made
from bench.report import CannotMeasure
from bench.task_stream import Arrivals, Task, subscribe

DESK = "bench.programs_desk"
PATIENCE = 180.0
"""Seconds that everything may take."""


def measure(programs: int, lines: int, rate: int, size: int) -> list[float]:
    """Seconds of each line. Raises CannotMeasure unless all came, once and in order."""
    order = Order(lines, size, rate)
    with served(DESK, str(programs)) as port:
        found = asyncio.run(_measure(port, programs, order))
    return [delay for arrivals in found for delay in _delays(arrivals, lines)]


async def _measure(port: int, programs: int, order: Order) -> list[Arrivals]:
    try:
        async with (
            asyncio.timeout(PATIENCE),
            httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as http,
        ):
            begun = [await _send(http, order) for _ in range(programs)]
            there = Counter[str]()
            reading = [asyncio.ensure_future(subscribe(port, task, there)) for task in begun]
            while there.total() < programs:
                for reader in reading:
                    if reader.done():
                        reader.result()
                        raise CannotMeasure("a program ended before it was told to begin")
                await asyncio.sleep(0.02)
            for task_id, _ in begun:
                (await http.post(f"/tasks/{task_id}/input", json={"input": "y"})).raise_for_status()
            return await asyncio.gather(*reading)
    except TimeoutError:
        raise CannotMeasure(f"{programs} programs took more than {PATIENCE:.0f} s") from None


async def _send(http: httpx.AsyncClient, order: Order) -> Task:
    answer = await http.post("/tasks/send", json={"message": order.message})
    answer.raise_for_status()
    task = answer.json()["task"]
    return task["id"], task["contextId"]


def _delays(arrivals: Arrivals, lines: int) -> list[float]:
    came = [(line, now) for text, now in arrivals for line in text.splitlines() if line.endswith(END)]
    numbers = [int(line.split(".")[1]) for line, _ in came]
    if numbers != [*range(lines)]:
        raise CannotMeasure(f"{len(numbers)} of {lines} lines of a program came, or not in their order")
    return [(now - made(line)) / 1e9 for line, now in came]
