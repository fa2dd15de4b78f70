"""Profiles of uploads against DuckDB's SUMMARIZE, in turns; and the echo of messages beside uploads, queries and pages."""

import asyncio
import functools
import json
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from bench.echo import echo_once, open_socket
from bench.processes import served
from bench.report import CannotMeasure, Section, median, ms, of_times, percentile, shares
from smoldesk.sandbox.children import Children
from smoldesk.stopping import StopFlag
from smoldesk.tables import CHILD_PACKAGES
from smoldesk.tables.table_profiles import AT_ONCE, Profiles

PROFILE_GOAL = 2.0
ECHO_GOAL = 2.0
PAUSE_SECONDS = 1.0


def profiles_of(
    section: Section, folder: Path, file: Path, rows: int, repeats: int, ask: Callable[[str], float]
) -> None:
    """How long the desk takes for all that a card says of an upload, from the placed file on, to `ask` for a SUMMARIZE."""
    ours: list[float] = []
    peer: list[float] = []
    stop = StopFlag()
    folder.mkdir()
    (folder / "first.csv").write_text("a,b\n1,2\n")
    children = Children(packages=CHILD_PACKAGES, preload=(), max_children=AT_ONCE)
    with closing(Profiles(children)) as profiles:
        profiles.start("chat", folder, "first.csv", stop).result()
        for turn in range(repeats):
            file = file.rename(folder / f"upload{turn}.csv")
            time.sleep(PAUSE_SECONDS)
            peer.append(ask(f"SUMMARIZE SELECT * FROM '{file}'"))
            time.sleep(PAUSE_SECONDS)
            started_at = time.perf_counter()
            result = profiles.start("chat", folder, file.name, stop).result()
            ours.append(time.perf_counter() - started_at)
            if [table.rows for table in result.tables] != [rows]:
                raise CannotMeasure("an upload was not read right")
    stop.close()
    text = f"{ms(min(ours))} to {ms(max(ours))}; SUMMARIZE {ms(min(peer))} to {ms(max(peer))}"
    section.figures.append(("profiles of uploads", text))
    name = f"profile of an upload of {rows:,} rows to DuckDB's SUMMARIZE"
    section.ratios.append(of_times(name, median(ours), median(peer), PROFILE_GOAL))


@dataclass
class Waits:
    """Seconds: from a message to its echo, and from a ping to its pong, of the desk and of a server that does nothing."""

    messages: list[float] = field(default_factory=list[float])
    pings: list[float] = field(default_factory=list[float])
    bare: list[float] = field(default_factory=list[float])

    async def take(self, person: Any, bare: Any) -> None:
        """One of each, one after the other."""
        self.messages.append(await echo_once(person))
        for socket, seconds in ((person, self.pings), (bare, self.bare)):
            started_at = time.perf_counter()
            await (await socket.ping())
            seconds.append(time.perf_counter() - started_at)


def echoes_beside(section: Section, file: Path, rows: int, echoes: int, seconds: float) -> None:
    """What is waited for at rest (before and after), and while others upload, query and turn pages for so many seconds.

    A ping is answered by the event loop alone. The bare server is the measure of the machine: what it waits for more
    than at rest, everybody waits for where all processors are at work.
    """
    with served() as port, served("bench.bare_echo") as bare:
        remaining, busy, done = asyncio.run(_waits(port, bare, file, rows, echoes, seconds))
    for name, waits in (("at rest", remaining), ("beside tables", busy)):
        report = (("message", waits.messages), ("ping", waits.pings), ("ping of a bare server", waits.bare))
        section.figures += [
            (f"echo of a {what} {name}", f"{shares(delays)}, {len(delays)} times") for what, delays in report
        ]
    report = ", ".join(f"{count} {what}" for what, count in done.items())
    section.figures.append(("meanwhile", report))
    text = "beside uploads, queries and pages"
    p99 = functools.partial(percentile, share=0.99)
    section.ratios += [
        of_times(
            f"echo of the event loop {text} to rest, p99", p99(busy.pings), p99(remaining.pings), ECHO_GOAL
        ),
        of_times(f"echo of a bare server {text} to rest, p99", p99(busy.bare), p99(remaining.bare)),
        of_times(f"echo of the event loop to a bare server's, {text}, p99", p99(busy.pings), p99(busy.bare)),
        of_times(f"echo of a message {text} to rest, p99", p99(busy.messages), p99(remaining.messages)),
    ]


async def _waits(
    port: int, bare_port: int, file: Path, rows: int, count: int, seconds: float
) -> tuple[Waits, Waits, dict[str, int]]:
    """At rest and beside the work, and how much of it was done."""
    from websockets.asyncio.client import connect

    remaining, busy, cold = Waits(), Waits(), Waits()
    async with open_socket(port) as person, connect(f"ws://127.0.0.1:{bare_port}", compression=None) as bare:
        for _ in range(20):  # the first ones find nothing warm
            await cold.take(person, bare)
        for _ in range(count // 2):
            await remaining.take(person, bare)
        command = ("-m", "bench.table_work", str(port), str(file), str(rows), str(seconds))
        work = await asyncio.create_subprocess_exec(sys.executable, *command, stdout=subprocess.PIPE)
        assert work.stdout is not None
        await work.stdout.readline()  # everything has been done once
        ended = asyncio.create_task(work.stdout.read())
        while not ended.done():
            await busy.take(person, bare)
        if await work.wait():
            raise CannotMeasure("the work beside the echo failed")
        for _ in range(count // 2):  # again: other work on the machine comes and goes
            await remaining.take(person, bare)
        return remaining, busy, json.loads(await ended)
