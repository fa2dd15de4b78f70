"""Figures of the guard: pairs of the desk's work and a peer's, timed in turns.

`python -m bench.guard_figures NAME SECONDS` prints one ratio: the tenth percentile of the desk's times to that of the
peer's. Low percentiles leave out what neighbours on the machine took; turns of the same length see the same weather.

All processes of a figure share one processor, so times tell work, not on which processors they happened to meet: pings
between two processes took 4 or 15 ms by that. The browser alone has all processors, and its main thread's own clock.
"""

import asyncio
import gc
import itertools
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from bench.report import CannotMeasure, percentile

SHARE = 0.1
"""Which part of the times counts: a tenth is below it."""
LEAST = 6
"""Turns at the least, however long they take."""
BROWSER = ("page", "map")

Work = Callable[[], float]
"""Does one side's work once and returns the seconds that count."""


class Pair(NamedTuple):
    ours: Work
    peer: Work


Opener = Callable[[ExitStack], Pair]


def timed(work: Callable[[], object]) -> Work:
    """Wrap work whose whole duration counts."""

    def once() -> float:
        started_at = time.perf_counter()
        work()
        return time.perf_counter() - started_at

    return once


def ratio(name: str, seconds: float) -> float:
    """Measure one figure for about so many seconds. Raises CannotMeasure."""
    if name not in BROWSER and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    with ExitStack() as stack:
        pair = FIGURES[name](stack)
        for work in pair:  # imports, caches, processes that wait for the first use
            work()
            work()
        gc.collect()
        gc.freeze()  # as `smoldesk serve` does: no collection looks through what the start made
        stack.callback(gc.unfreeze)
        ours: list[float] = []
        peer: list[float] = []
        end = time.perf_counter() + seconds
        while len(ours) < LEAST or time.perf_counter() < end:
            ours.append(pair.ours())
            peer.append(pair.peer())
        return percentile(ours, SHARE) / percentile(peer, SHARE)


def folder(stack: ExitStack) -> Path:
    path = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="smoldesk-guard-")))
    path.chmod(0o755)
    return path


def runner(stack: ExitStack) -> Callable[[Coroutine[Any, Any, Any]], Any]:
    """Return a function that runs coroutines on one event loop of this process."""
    return stack.enter_context(asyncio.Runner()).run


# --- runs and their log -------------------------------------------------------------------------------------------


def run_of(memory: int) -> Opener:
    """A stored and followed run of one step, `memory` earlier runs in it, to CodeAgent.run with as many."""

    def opener(stack: ExitStack) -> Pair:
        from smolagents import LogLevel

        from bench.desk import QUESTION, Asker, new_chat, open_desk
        from bench.overhead import bare

        run, desk, agent = (
            runner(stack),
            stack.enter_context(open_desk(memory_runs=memory)),
            bare(LogLevel.OFF),
        )
        asker = Asker(desk, run(new_chat(desk)))
        run(asker.open())

        async def several(count: int) -> None:
            for _ in range(count):
                await asker.ask()

        def alone(count: int) -> None:
            for _ in range(count):
                agent.run(QUESTION, reset=not memory)
                del agent.memory.steps[: -2 * memory or len(agent.memory.steps)]

        run(several(memory))
        alone(memory)
        return Pair(timed(lambda: run(several(5))), timed(lambda: alone(5)))

    return opener


EVENTS = 1_000


def append(stack: ExitStack) -> Pair:
    """A thousand events, each a job of its own, to as many rows by sqlite3 alone."""
    from bench.desk import new_chat, open_desk
    from bench.log import append_all

    run, desk = runner(stack), stack.enter_context(open_desk())
    chats = [run(new_chat(desk)) for _ in range(10)]
    rows = _Rows(folder(stack))
    stack.callback(rows.close)
    return Pair(lambda: append_all(desk.store, chats, EVENTS), timed(rows.insert))


def replay(stack: ExitStack) -> Pair:
    """A chat's log of a thousand events read by a new follower, to as many rows read and parsed by sqlite3 and json."""
    from bench.desk import new_chat, open_desk
    from bench.growth import replay as follow
    from bench.log import append_all

    run, desk = runner(stack), stack.enter_context(open_desk())
    chat = run(new_chat(desk))
    append_all(desk.store, [chat], EVENTS)
    rows = _Rows(folder(stack))
    stack.callback(rows.close)
    rows.insert()
    return Pair(timed(lambda: run(follow(desk, chat, EVENTS))), timed(rows.read))


class _Rows:
    """A table of sqlite3 alone: JSON in rows, 50 to a transaction, in WAL like the desk's."""

    def __init__(self, path: Path) -> None:
        self._connection = sqlite3.connect(path / "rows.db")
        self._connection.execute("PRAGMA journal_mode=WAL")
        self._connection.execute("CREATE TABLE rows (seq INTEGER PRIMARY KEY, chat TEXT, body TEXT)")
        self.close = self._connection.close

    def insert(self) -> None:
        for number in range(EVENTS):
            body = json.dumps({"type": "tool.returned", "step": 1, "call_id": "bench", "result": "x" * 100})
            self._connection.execute("INSERT INTO rows (chat, body) VALUES (?, ?)", ("bench", body))
            if number % 50 == 49:
                self._connection.commit()

    def read(self) -> None:
        for _ in range(5):
            for _, body in self._connection.execute(
                "SELECT seq, body FROM rows ORDER BY seq LIMIT ?", (EVENTS,)
            ):
                json.loads(body)


# --- wires --------------------------------------------------------------------------------------------------------


def wire(path: str) -> Opener:
    """A run of a hundred events over a wire, from the request to its end, to the bare stream of as many pieces."""

    def opener(stack: ExitStack) -> Pair:
        from bench.pieces import Order
        from bench.processes import served
        from bench.wires import BARE, WIRES

        run, order = runner(stack), Order(100, 2_000, 0)
        notes = folder(stack) / "notes.json"
        desk = stack.enter_context(served("bench.streaming_desk", str(notes)))
        bare = stack.enter_context(served("bench.bare_stream"))

        async def read(name: str, port: int) -> None:
            count = sum([1 async for _ in WIRES[name](port, order)])
            if count < order.pieces:
                raise CannotMeasure(f"{count} frames of {order.pieces} came over {name}")

        async def several(name: str, port: int, count: int) -> None:
            for _ in range(count):
                await read(name, port)

        return Pair(timed(lambda: run(several(path, desk, 1))), timed(lambda: run(several(BARE, bare, 2))))

    return opener


def echo(stack: ExitStack) -> Pair:
    """Messages over `/ws`, each until its run has ended, to pings of a bare WebSocket server."""
    from websockets.asyncio.client import connect

    from bench.echo import echo_once, open_socket
    from bench.processes import served

    run = runner(stack)
    desk, bare = stack.enter_context(served()), stack.enter_context(served("bench.bare_echo"))
    sockets = AsyncExitStack()
    stack.callback(lambda: run(sockets.aclose()))

    async def opened() -> tuple[Any, Any]:
        return (
            await sockets.enter_async_context(open_socket(desk)),
            await sockets.enter_async_context(connect(f"ws://127.0.0.1:{bare}", compression=None)),
        )

    person, other = run(opened())

    async def messages() -> None:
        for _ in range(5):
            await echo_once(person)

    async def pings() -> None:
        for _ in range(100):
            await (await other.ping())

    return Pair(timed(lambda: run(messages())), timed(lambda: run(pings())))


# --- text ---------------------------------------------------------------------------------------------------------


def parse_stream(stack: ExitStack) -> Pair:
    """A stream of text in pieces of 16 characters, to markdown-it's parse of the same text."""
    from bench.parser import PIECE, sample, stream

    text, markdown = sample(60_000), _markdown()
    pieces = [text[at : at + PIECE] for at in range(0, len(text), PIECE)]
    return Pair(timed(lambda: stream(pieces)), timed(lambda: markdown(text)))


def parse_answer(stack: ExitStack) -> Pair:
    """An answer parsed beside 2,000 rooms, to markdown-it's parse of the same text."""
    from bench.parser import sample
    from smoldesk.output_parser import OutputParser

    text, markdown = sample(60_000), _markdown()
    parser = OutputParser([f"Room {number} of wing {number % 7}" for number in range(2_000)])
    return Pair(timed(lambda: parser.parse({"text": text})), timed(lambda: markdown(text)))


def _markdown() -> Callable[[str], object]:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").parse


def terminal(stack: ExitStack) -> Pair:
    """What a program writes, through our reader, to a tenth of it through pyte alone."""
    from bench.terminals import read, rendered, sample

    data = sample(200_000)
    return Pair(timed(lambda: read(data)), timed(lambda: rendered(data[:20_000])))


# --- code and tables ----------------------------------------------------------------------------------------------


def first_cell(stack: ExitStack) -> Pair:
    """From asking for a child to the end of its first cell, to the start and end of a bare Python."""
    from bench.sandbox import chat, children

    created, place = stack.enter_context(children(2))

    def ours() -> float:
        started_at = time.perf_counter()
        executor = chat(created, place, "start")
        took = time.perf_counter() - started_at
        executor.cleanup()
        created.drop("start", "measured")
        return took

    bare = [sys.executable, "-I", "-S", "-c", "pass"]
    return Pair(ours, timed(lambda: subprocess.run(bare, check=True)))


def cell(stack: ExitStack) -> Pair:
    """Cells of `1 + 1`, to as many lines of a plain Python over a pipe."""
    from bench.sandbox import Plain, chat, children

    created, place = stack.enter_context(children(2))
    executor, plain = chat(created, place, "cells"), stack.enter_context(closing(Plain()))
    stack.callback(executor.cleanup)

    def ours() -> None:
        for _ in range(50):
            executor("1 + 1")

    def peer() -> None:
        for _ in range(200):
            plain.run("1 + 1")

    return Pair(timed(ours), timed(peer))


ROWS = 150_000
PAUSE_SECONDS = 0.7
"""Before each query and profile, on both sides: the process of the next one starts meanwhile."""


def _rested(work: Work) -> Work:
    def once() -> float:
        time.sleep(PAUSE_SECONDS)
        return work()

    return once


def group_by(stack: ExitStack) -> Pair:
    """A group-by over a CSV by way of `sql_engine`, to DuckDB loaded and connected beforehand."""
    from bench.tables import GROUPED, plain, write_csv
    from bench.tables import timed as queried
    from smoldesk.tables.folder_tables import ChatTables

    root = folder(stack)
    (root / "chat").mkdir()
    (root / "cache").mkdir()
    file = root / "chat" / "sales.csv"
    write_csv(file, ROWS)
    tables, ask = ChatTables(file.parent, root / "cache"), stack.enter_context(plain())
    quoted = GROUPED.replace("sales", f"'{file}'")
    return Pair(_rested(lambda: queried(tables, GROUPED)), _rested(lambda: ask(quoted)))


def profile(stack: ExitStack) -> Pair:
    """The profile of an uploaded CSV, to DuckDB's SUMMARIZE of the same file."""
    from bench.tables import plain, write_csv
    from smoldesk.sandbox.children import Children
    from smoldesk.stopping import StopFlag
    from smoldesk.tables import CHILD_PACKAGES
    from smoldesk.tables.table_profiles import AT_ONCE, Profiles

    root = folder(stack)
    file = root / "upload.csv"
    write_csv(file, ROWS)
    children = Children(packages=CHILD_PACKAGES, preload=(), max_children=AT_ONCE)
    profiles, ask = stack.enter_context(closing(Profiles(children))), stack.enter_context(plain())
    stop = StopFlag()
    stack.callback(stop.close)

    names = (root / f"upload{number}.csv" for number in itertools.count())
    current = [file]

    def ours() -> None:
        current[0] = current[0].rename(
            next(names)
        )  # profiles are kept by name and time: a new name is a new file
        if not profiles.start("chat", root, current[0].name, stop).result().tables:
            raise CannotMeasure("the upload was not read")

    def peer() -> float:
        return ask(f"SUMMARIZE SELECT * FROM '{current[0]}'")

    return Pair(_rested(timed(ours)), _rested(peer))


def analyst(stack: ExitStack) -> Pair:
    """Eight requests to code by a model built anew, to a hundred pandas group-bys of the table they are about."""
    from smolagents.models import ChatMessage, MessageRole

    from bench.analyst import REQUESTS, known, orders
    from smoldesk.analyst.model import BuiltinModel

    frame = orders(5_000, 2_000)
    _, catalogue, _ = known(folder(stack), frame)
    messages = [ChatMessage(MessageRole.USER, content=f"New task:\n{text}") for text in REQUESTS]

    def ours() -> None:
        for message in messages:
            BuiltinModel(catalogue).generate([message])

    def peer() -> None:
        for _ in range(100):
            frame.groupby("Region")["Amount"].mean()

    return Pair(timed(ours), timed(peer))


# --- buildings, start and page ------------------------------------------------------------------------------------


def route(stack: ExitStack) -> Pair:
    """The route from corner to corner of 2,500 rooms, to networkx' shortest path over the same edges."""
    import networkx as nx

    from bench.routes import edges_of, square
    from smoldesk.buildings.routing import RouteGraph, route_to

    side = 50
    building = square(side * side)
    graph, goal = RouteGraph(building), ("1F", f"R{side - 1}-{side - 1}")
    start = ("1F", "R0-0")
    bare: Any = nx.Graph()
    bare.add_weighted_edges_from(edges_of(building))
    ends = graph.nodes_of(start)[0], graph.nodes_of(goal)[0]

    def ours() -> None:
        for _ in range(5):
            route_to(graph, start, goal)

    return Pair(timed(ours), timed(lambda: nx.dijkstra_path(bare, *ends)))


def dense_route(stack: ExitStack) -> Pair:
    """Five routes through a floor of 1,011 polygonal rooms, to networkx' path over its doors."""
    from bench.guard_plan import DenseRoute

    work = DenseRoute(stack)
    return Pair(timed(work.ours), timed(work.peer))


def import_plan(stack: ExitStack) -> Pair:
    """The import of 1,011 polygonal rooms from GeoJSON, to parsing the JSON and its shapes."""
    from bench.guard_plan import Import

    work = Import(stack)
    return Pair(timed(work.ours), timed(work.peer))


def startup(stack: ExitStack) -> Pair:
    """From the command to the first 200 on `/`, to a Python that imports FastAPI, SQLAlchemy and smolagents."""
    from bench.processes import clean_environment, started
    from tests.support.servers import free_port

    environment = clean_environment()

    def ours() -> float:
        port = free_port()
        with tempfile.TemporaryDirectory(prefix="smoldesk-guard-") as data:
            command = [
                sys.executable,
                "-m",
                "smoldesk.cli.main",
                "serve",
                "--port",
                str(port),
                "--data-dir",
                data,
            ]
            with started(command, port, environment) as server:
                return server.answered

    bare = [sys.executable, "-c", "import fastapi, sqlalchemy, uvicorn, smolagents"]
    return Pair(ours, timed(lambda: subprocess.run(bare, check=True, env=environment)))


def page(stack: ExitStack) -> Pair:
    """The main thread's work for 400 messages, to a plain page's that shows the same texts."""
    from bench.guard_page import page_messages

    return Pair(*page_messages(stack))


def floor_map(stack: ExitStack) -> Pair:
    """The main thread's work for 202 frames of 2,000 rooms, to Leaflet's of the same floor and views."""
    from bench.guard_page import map_frames

    return Pair(*map_frames(stack))


FIGURES: dict[str, Opener] = {
    "run": run_of(0),
    "run, 40 in memory": run_of(40),
    "append": append,
    "replay": replay,
    "echo": echo,
    "/stream": wire("/stream"),
    "/v1/chat/completions": wire("/v1/chat/completions"),
    "parse a stream": parse_stream,
    "parse an answer": parse_answer,
    "terminal": terminal,
    "first cell": first_cell,
    "cell": cell,
    "group-by": group_by,
    "profile": profile,
    "analyst": analyst,
    "route": route,
    "dense route": dense_route,
    "import": import_plan,
    "start": startup,
    "page": page,
    "map": floor_map,
}


@contextmanager
def quiet_output() -> Iterator[None]:
    """Send what the measured code prints to stderr: stdout carries the ratio."""
    saved = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        os.dup2(saved, 1)
        os.close(saved)


if __name__ == "__main__":
    with quiet_output():
        result = ratio(sys.argv[1], float(sys.argv[2]))
    print(result)
