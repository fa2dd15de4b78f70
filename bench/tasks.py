"""Tasks over plain HTTP: many subscribers of many tasks, counted to the last piece, and what an event takes to reach them.

The peer is the four-pane wire `/ws`: a socket on each task's chat gets the same events in the same moments.
"""

import asyncio
import json
import tempfile
import time
from collections import Counter
from pathlib import Path

import httpx

from bench import tasks_programs
from bench.pieces import END, Order
from bench.processes import served
from bench.report import CannotMeasure, Section, of_shares, shares
from bench.task_stream import Arrivals, Task, begin, let_begin, subscribe

DESK = "bench.tasks_desk"
SIZE = 60
PATIENCE = 180.0
"""Seconds that everything may take."""
QUICK = 10
"""How many times as often the programs write in their second turn."""


def measure(
    tasks: int = 50, subscribers: int = 200, pieces: int = 40, rate: int = 4, programs: int = 4
) -> Section:
    """`subscribers` of `tasks` tasks, which write `pieces` each, `rate` a second; so do then `programs` real ones."""
    order = Order(pieces, SIZE, rate)
    with tempfile.TemporaryDirectory(prefix="smoldesk-bench-") as folder:
        notes = Path(folder) / "commits.json"
        with served(DESK, str(notes)) as port:
            streams, sockets = asyncio.run(_measure(port, tasks, subscribers, order))
        committed: dict[str, int] = json.loads(notes.read_text())
    came = [_counted(arrivals, pieces) for arrivals in (*streams, *sockets)]
    ours, theirs = (_delays(results, committed) for results in (streams, sockets))
    section = Section(
        "tasks over plain HTTP",
        method=[
            f"{subscribers} subscribers of {tasks} tasks, and a socket of /ws on each; {pieces} pieces of {SIZE}",
            f"characters in each, {rate} a second. From an event's commit to its text at the client; the server is a",
            "process of its own, all clients share another. Before its commit what a program writes waits up to 50 ms,",
            "for what comes next to join it: that is not counted.",
            f"Then {programs} programs in terminals write as many lines, {rate} and {QUICK * rate} a second: from a",
            "program's write to the line at its task's subscriber, all that lies between counted.",
        ],
        figures=[
            (
                "pieces that came",
                f"{sum(came[: len(streams)])} of {subscribers * pieces}, each once and in order",
            ),
            ("event to subscriber", _told(ours)),
            ("event to socket of /ws", _told(theirs)),
        ],
    )
    for often in (rate, QUICK * rate):
        delays = tasks_programs.measure(programs, pieces, often, SIZE)
        section.figures.append((f"program's write to subscriber, {often} a second", _told(delays)))
    what = f"event to client, {subscribers} on {tasks} tasks"
    section.ratios = of_shares(what, ": tasks to /ws", ours, theirs)
    return section


async def _measure(
    port: int, tasks: int, subscribers: int, order: Order
) -> tuple[list[Arrivals], list[Arrivals]]:
    """What came to each subscriber, and to each socket."""
    base = f"http://127.0.0.1:{port}"
    limits = httpx.Limits(max_connections=20)
    try:
        async with (
            asyncio.timeout(PATIENCE),
            httpx.AsyncClient(base_url=base, timeout=60, limits=limits) as http,
        ):
            started = [await begin(http, order) for _ in range(tasks)]
            existing = Counter[str]()
            followed = [subscribe(port, started[number % tasks], existing) for number in range(subscribers)]
            listened = [_listen(port, task, existing) for task in started]
            reading = [asyncio.ensure_future(reader) for reader in (*followed, *listened)]
            await let_begin(http, started, "", existing, reading)
            result = await asyncio.gather(*reading)
    except TimeoutError:
        raise CannotMeasure(f"{subscribers} subscribers took more than {PATIENCE:.0f} s") from None
    return result[:subscribers], result[subscribers:]


async def _listen(port: int, task: Task, existing: Counter[str]) -> Arrivals:
    """The same run over `/ws`."""
    from websockets.asyncio.client import connect

    arrivals: Arrivals = []
    address = f"ws://127.0.0.1:{port}/ws?chat={task[1]}&after=0"
    async with connect(address, max_size=None, compression=None) as socket:
        async for text in socket:
            now = time.monotonic_ns()
            message = json.loads(text)
            if message["type"] == "ask":
                existing["socket"] += 1
            elif message["type"] == "delta":
                arrivals.append((message["content"], now))
            elif message["type"] == "run" and message["content"]["state"] in ("finished", "failed"):
                return arrivals
    raise CannotMeasure("a socket broke off")


def _counted(arrivals: Arrivals, pieces: int) -> int:
    """How many pieces came. Raises CannotMeasure unless it is all of them, each once and in order."""
    numbers = [int(text.split(".")[1]) for joined, _ in arrivals for text in joined.split(END) if text]
    if numbers != [*range(pieces)]:
        raise CannotMeasure(f"{len(numbers)} of {pieces} pieces came, or not in their order")
    return len(numbers)


def _delays(results: list[Arrivals], committed: dict[str, int]) -> list[float]:
    """Seconds from each event's commit to its arrival."""
    return [(now - committed[text]) / 1e9 for arrivals in results for text, now in arrivals]


def _told(seconds: list[float]) -> str:
    return f"{shares(seconds)}  ({len(seconds)} arrivals)"
