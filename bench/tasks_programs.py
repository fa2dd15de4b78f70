"""From the moment in which a real program writes a line, through its terminal, to the subscriber of its task.

`python -m bench.tasks_programs FOLDER PROGRAMS` serves the desk, whose agent is a program that writes pieces.
"""

import asyncio
import json
import sys
from collections import Counter
from pathlib import Path

import httpx

from bench.desk import settings_in
from bench.pieces import END, Order, made
from bench.processes import ROOT, serve_until_told, served
from bench.report import CannotMeasure
from bench.task_stream import Arrivals, begin, let_begin, subscribe
from bench.writing_program import PROMPT
from smoldesk.cli.server import build_server
from smoldesk.desk import build_desk

DESK = "bench.tasks_programs"
PATIENCE = 180.0
"""Seconds that everything may take."""


def measure(programs: int, lines: int, rate: int, size: int) -> list[float]:
    """Seconds of each line. Raises CannotMeasure unless all came, once and in order."""
    order = Order(lines, size, rate)
    with served(DESK, str(programs)) as port:
        result = asyncio.run(_measure(port, programs, order))
    return [delay for arrivals in result for delay in _delays(arrivals, lines)]


async def _measure(port: int, programs: int, order: Order) -> list[Arrivals]:
    try:
        async with (
            asyncio.timeout(PATIENCE),
            httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=60) as http,
        ):
            started = [await begin(http, order) for _ in range(programs)]
            existing = Counter[str]()
            reading = [asyncio.ensure_future(subscribe(port, task, existing)) for task in started]
            await let_begin(http, started, "y", existing, reading)
            return await asyncio.gather(*reading)
    except TimeoutError:
        raise CannotMeasure(f"{programs} programs took more than {PATIENCE:.0f} s") from None


def _delays(arrivals: Arrivals, lines: int) -> list[float]:
    came = [(line, now) for text, now in arrivals for line in text.splitlines() if line.endswith(END)]
    numbers = [int(line.split(".")[1]) for line, _ in came]
    if numbers != [*range(lines)]:
        raise CannotMeasure(f"{len(numbers)} of {lines} lines of a program came, or not in their order")
    return [(now - made(line)) / 1e9 for line, now in came]


def serve(folder: Path, programs: int) -> None:
    """A desk with a program for each of so many tasks, until standard input ends."""
    folder.mkdir(parents=True)
    profile = {  # JSON is YAML
        "command": "{python}",
        "args": ["-m", "bench.writing_program"],
        "env": {"PYTHONPATH": str(ROOT)},
        "submit": "\n",
        "echo": False,
        "startup": {"ready": f"{PROMPT}$"},
        "idle": {"strategy": "pattern", "pattern": f"{PROMPT}$"},
    }
    (folder / "writer.yaml").write_text(json.dumps(profile))
    (folder / "agents.toml").write_text('[agents.writer]\nkind = "terminal"\nprofile = "writer.yaml"\n')
    settings = settings_in(folder, port=0, log_level="ERROR", agent="writer", max_terminals=programs)
    serve_until_told(build_server(build_desk(settings)))


if __name__ == "__main__":
    serve(Path(sys.argv[1]), int(sys.argv[2]))
