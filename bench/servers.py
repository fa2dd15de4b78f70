"""One server and three on one PostgreSQL: what a run costs, how long an echo takes, and what the servers share.

All are processes of this machine, so three servers have no more processors than one.
"""

import asyncio
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager, suppress
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import httpx
import psutil

from bench.echo import PATIENCE, echo_once, echoes, open_socket
from bench.report import CannotMeasure, Ratio, Section, median, ms, of_times, percentile, shares
from bench.talking_desk import PIECES_A_SECOND, TalkingModel
from smoldesk.cli import main as cli
from smoldesk.cli.server import build_server
from smoldesk.desk import build_desk
from smoldesk.store.sealing import add_key
from tests.support.desk_server import Servers
from tests.support.postgres import CannotHave, TestPostgres
from tests.support.ws_client import WsClient, of_type

SERVING = "import sys; from bench.servers import main; sys.exit(main(sys.argv[1:]))"
NAMES = ("a", "b", "c")
MESSAGES = 9
PROCESSOR_GOAL = 1 / 0.9
"""Runs per processor second: at least 0.9 of those of one server."""
ECHO_GOAL = 3.0
SHARED_SECONDS = 2.0


def main(arguments: list[str]) -> int:
    """Serve a desk as `smoldesk serve` does, with the model of bench.talking_desk."""
    settings = cli.read_settings(cli.parser().parse_args(arguments))
    build_server(build_desk(settings, TalkingModel)).run()
    return 0


@dataclass(frozen=True)
class Served:
    """One desk, served on these ports; `processes` are its servers and PostgreSQL."""

    ports: list[int]
    processes: list[psutil.Process]

    def processor_seconds(self) -> float:
        """Return the processor time of its processes and theirs so far."""
        total = 0.0
        for process in self.processes:
            for member in (process, *process.children(recursive=True)):
                with suppress(psutil.NoSuchProcess):  # ended meanwhile: its parent has its time
                    total += sum(member.cpu_times()[:4])
        return total


def measure(
    chats: int = 12, runs: int = 40, talking: int = 50, repeats: int = 300, turns: int = 3
) -> Section:
    """Runs in `chats` chats at once, one server and three in `turns`; then the echo, and what three servers share."""
    section = Section(
        "one server and three on one PostgreSQL",
        method=[
            f"runs: {chats} chats spread over the servers, {runs} runs in each, one after the other; processor time of the",
            f"servers, their children and PostgreSQL (fsync off) for a run, one server and three in {turns} turns after a",
            "first one that does not count, medians.",
            f"echo: at one server, idle and beside {talking} chats, spread over all, with {PIECES_A_SECOND} pieces a second.",
            f"variables: {MESSAGES} messages of a chat, each at another server than the one before; each adds to a variable.",
            "shared: from adding a source at A to B's answer, and from deleting it at B to A's refusal.",
        ],
    )
    with (
        tempfile.TemporaryDirectory(prefix="smoldesk-bench-") as folder,
        _postgresql() as postgres,
        _serving(Path(folder) / "1", postgres, 1) as one,
        _serving(Path(folder) / "3", postgres, 3) as three,
    ):
        costs: dict[int, list[float]] = {1: [], 3: []}
        delays: dict[int, tuple[list[float], list[float], float]] = {}
        for turn in range(turns + 1):
            for desk in (one, three):
                cost = asyncio.run(_cost(desk, chats, runs))
                if turn:  # before, each process of the three had fewer runs to become warm by than the one
                    costs[len(desk.ports)].append(cost)
        for desk in (one, three):
            delays[len(desk.ports)] = asyncio.run(echoes(desk.ports, talking, repeats))
        stored = _variables_stored(three.ports)
        added, deleted = _shared_seconds(three.ports, postgres.url())
    for count, seconds in costs.items():
        section.figures.append((f"processor time of a run, {_count(count)}", ms(median(seconds))))
    for count, (alone, busy, rate) in delays.items():
        section.figures.append((f"echo idle, {_count(count)}", shares(alone)))
        section.figures.append(
            (f"echo beside {talking} chats, {_count(count)}", f"{shares(busy)} ({rate:.0f} pieces/s)")
        )
    section.figures.append(("variables stored by round robin", f"{stored} of {MESSAGES} messages"))
    section.ratios.append(
        of_times(
            "processor time of a run: 3 servers to 1", median(costs[3]), median(costs[1]), PROCESSOR_GOAL
        )
    )
    for count, (alone, busy, _) in delays.items():
        section.ratios.append(
            of_times(
                f"echo p99, {_count(count)}: {talking} chats to idle",
                percentile(busy, 0.99),
                percentile(alone, 0.99),
                ECHO_GOAL,
            )
        )
    section.ratios.append(
        Ratio("messages without the variables", str(MESSAGES - stored), "0", float(MESSAGES - stored), 0)
    )
    for what, seconds in (
        ("added source answers elsewhere", added),
        ("deleted source is refused elsewhere", deleted),
    ):
        section.ratios.append(of_times(f"{what}, to {SHARED_SECONDS:g} s", seconds, SHARED_SECONDS, 1.0))
    return section


@contextmanager
def _postgresql() -> Iterator[TestPostgres]:
    try:
        postgres = TestPostgres()
    except CannotHave as reason:
        raise CannotMeasure(str(reason)) from None
    try:
        yield postgres
    finally:
        postgres.remove()


@contextmanager
def _serving(folder: Path, postgres: TestPostgres, count: int) -> Iterator[Served]:
    """Serve one desk by so many servers."""
    folder.mkdir()
    add_key(folder / "keys")
    settings = {"SMOLDESK_FILES_DIR": str(folder / "files"), "SMOLDESK_KEY_FILE": str(folder / "keys")}
    settings |= {"SMOLDESK_AGENT": "tools"}
    with (
        postgres.desk_database() as url,
        Servers(folder, SERVING, SMOLDESK_DATABASE_URL=url, **settings) as servers,
    ):
        started = [servers.start(name, cold=True) for name in NAMES[:count]]
        processes = [psutil.Process(server.process.pid) for server in started]
        master = int((postgres.folder / "data" / "postmaster.pid").read_text().splitlines()[0])
        yield Served(
            [int(server.url.rpartition(":")[2]) for server in started], [*processes, psutil.Process(master)]
        )


async def _cost(desk: Served, chats: int, runs: int) -> float:
    """Seconds of processor time for a run."""
    async with AsyncExitStack() as opened:
        sockets = [
            await opened.enter_async_context(open_socket(port)) for port in islice(cycle(desk.ports), chats)
        ]
        await asyncio.gather(*(echo_once(socket) for socket in sockets))  # finds nothing warm
        used = desk.processor_seconds()

        async def ask(socket: Any) -> None:
            for _ in range(runs):
                await echo_once(socket)

        await asyncio.gather(*(ask(socket) for socket in sockets))
        return (desk.processor_seconds() - used) / (chats * runs)


def _variables_stored(ports: Sequence[int]) -> int:
    """In how many messages of a chat, each at another server, code finds the variable of the message before."""
    stored, chat = 0, ""
    for number in range(MESSAGES):
        query = f"?after=0&chat={chat}" if chat else "?after=0"
        with WsClient(f"ws://127.0.0.1:{ports[number % len(ports)]}/ws", query) as client:
            chat = client.hello()
            for _ in range(number):
                client.until_closed(PATIENCE)
            client.send(
                type="run_code", code="total += 1\nprint(total)" if number else "total = 1\nprint(total)"
            )
            printed = of_type(client.until_closed(PATIENCE), "printed")
            stored += "".join(message["content"] for message in printed) == f"{number + 1}\n"
    return stored


def _shared_seconds(ports: Sequence[int], source: str) -> tuple[float, float]:
    """Seconds from adding a source at the first server to an answer at the second, and from deleting it there to a refusal."""
    here, there = (f"http://127.0.0.1:{port}/api/sources" for port in ports[:2])
    tables = "/bench/tables?schema=pg_catalog"
    started_at = time.perf_counter()
    httpx.post(here, json={"name": "bench", "url": source}, timeout=PATIENCE).raise_for_status()
    _until(lambda: httpx.get(there + tables, timeout=PATIENCE).status_code == 200)
    added, started_at = time.perf_counter() - started_at, time.perf_counter()
    httpx.delete(f"{there}/bench", timeout=PATIENCE).raise_for_status()
    _until(lambda: httpx.get(here + tables, timeout=PATIENCE).status_code == 404)
    return added, time.perf_counter() - started_at


def _count(servers: int) -> str:
    return "1 server" if servers == 1 else f"{servers} servers"


def _until(is_true: Callable[[], bool]) -> None:
    give_up = time.perf_counter() + PATIENCE
    while not is_true():
        if time.perf_counter() > give_up:
            raise CannotMeasure(f"a change did not reach the other server within {PATIENCE:.0f} s")
        time.sleep(0.01)
