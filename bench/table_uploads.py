"""Profiles of uploads against DuckDB's SUMMARIZE, in turns; and the echo of messages beside uploads, queries and pages."""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

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
            began = time.perf_counter()
            found = profiles.start("chat", folder, file.name, stop).result()
            ours.append(time.perf_counter() - began)
            if [table.rows for table in found.tables] != [rows]:
                raise CannotMeasure("an upload was not read right")
    stop.close()
    shown = f"{ms(min(ours))} to {ms(max(ours))}; SUMMARIZE {ms(min(peer))} to {ms(max(peer))}"
    section.figures.append(("profiles of uploads", shown))
    name = f"profile of an upload of {rows:,} rows to DuckDB's SUMMARIZE"
    section.ratios.append(of_times(name, median(ours), median(peer), PROFILE_GOAL))


def echoes_beside(section: Section, file: Path, rows: int, echoes: int, seconds: float) -> None:
    """The echo of messages at rest (before and after), and while others upload, query and turn pages for so many seconds."""
    with served() as port:
        idle, busy, done = asyncio.run(_echoes(port, file, rows, echoes, seconds))
    for name, delays in (("at rest", idle), ("beside tables", busy)):
        section.figures.append((f"echo {name}", f"{shares(delays)}, {len(delays)} messages"))
    told = ", ".join(f"{count} {what}" for what, count in done.items())
    section.figures.append(("meanwhile", told))
    ours, peer = (percentile(delays, 0.99) for delays in (busy, idle))
    section.ratios.append(
        of_times("echo beside uploads, queries and pages to rest, p99", ours, peer, ECHO_GOAL)
    )


async def _echoes(
    port: int, file: Path, rows: int, count: int, seconds: float
) -> tuple[list[float], list[float], dict[str, int]]:
    """Delays at rest and beside the work, and how much of it was done."""
    async with open_socket(port) as person:
        for _ in range(20):  # the first ones find nothing warm
            await echo_once(person)
        idle = [await echo_once(person) for _ in range(count // 2)]
        command = ("-m", "bench.table_work", str(port), str(file), str(rows), str(seconds))
        work = await asyncio.create_subprocess_exec(sys.executable, *command, stdout=subprocess.PIPE)
        assert work.stdout is not None
        await work.stdout.readline()  # everything has been done once
        ended = asyncio.create_task(work.stdout.read())
        busy: list[float] = []
        while not ended.done():
            busy.append(await echo_once(person))
        if await work.wait():
            raise CannotMeasure("the work beside the echo failed")
        idle += [
            await echo_once(person) for _ in range(count // 2)
        ]  # again: other work on the machine comes and goes
        return idle, busy, json.loads(await ended)
