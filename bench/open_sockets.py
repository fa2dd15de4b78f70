"""What a server holds open after thousands of clients came over each wire, asked, went away in the middle, and were deleted.

Every client of a wire is one connect, one message, one answer that nobody reads to its end, and one chat that is deleted; so
that runs do not outlive their clients, each writes two pieces and ends.
"""

import asyncio
import tempfile
from contextlib import aclosing
from pathlib import Path
from typing import Any

import httpx
import psutil

from bench.pieces import Order
from bench.processes import served
from bench.report import CannotMeasure, Ratio, Section
from bench.wires import BARE, DESK, WIRES, Ask

ORDER = Order(2, 60, 20)
AT_ONCE = 20
"""Clients that are there at the same time."""
BATCH = 500
"""Clients after which all chats are deleted."""
REST_SECONDS = 1.0
"""How long the server's count stays the same when it is at rest."""
PATIENCE = 60.0
"""Seconds that one client may take, and that the server may take to come to rest."""


def measure(clients: int = 10_000) -> Section:
    """So many clients over each wire, after a first batch that finds nothing warm."""
    section = Section(
        "open sockets",
        method=[
            f"{clients:,} clients over each wire, {AT_ONCE} at a time: connect, ask, read one frame, go away; then their",
            "chats are deleted. Descriptors of the server (sockets, files, pipes) at rest, before and after.",
        ],
    )
    with (
        tempfile.TemporaryDirectory(prefix="smoldesk-bench-") as folder,
        served(DESK, str(Path(folder) / "commits.json"), "at-once") as port,
    ):
        locked = asyncio.run(_measure(port, clients))
    for wire, (before, after) in locked.items():
        section.ratios.append(
            Ratio(
                f"descriptors after {clients:,} clients over {wire}",
                str(after),
                str(before),
                after / before,
                1,
            )
        )
    return section


async def _measure(port: int, clients: int) -> dict[str, tuple[int, int]]:
    server = _server()
    locked: dict[str, tuple[int, int]] = {}
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{port}", timeout=PATIENCE) as http:
        wires = {wire: ask for wire, ask in WIRES.items() if wire != BARE}
        for ask in wires.values():
            await _come_and_go(http, ask, port, min(clients, BATCH))
        for wire, ask in wires.items():
            before = await _at_rest(server)
            for first in range(0, clients, BATCH):
                await _come_and_go(http, ask, port, min(BATCH, clients - first))
            locked[wire] = before, await _at_rest(server)
    return locked


async def _come_and_go(http: httpx.AsyncClient, ask: Ask, port: int, count: int) -> None:
    turn = asyncio.Semaphore(AT_ONCE)

    async def client() -> None:
        async with turn, asyncio.timeout(PATIENCE), aclosing(ask(port, ORDER)) as frames:
            await anext(frames)

    try:
        await asyncio.gather(*(client() for _ in range(count)))
    except TimeoutError:
        raise CannotMeasure(f"a client waited more than {PATIENCE:.0f} s") from None
    while chats := (await _listed(http)):
        for chat in chats:
            await _delete(http, chat["id"])


async def _delete(http: httpx.AsyncClient, chat_id: str) -> None:
    """Delete a chat, once its run has ended."""
    for _ in range(int(PATIENCE / 0.05)):
        answer = await http.delete(f"/api/chats/{chat_id}")
        if answer.status_code != 409:
            answer.raise_for_status()
            return
        await asyncio.sleep(0.05)
    raise CannotMeasure("a run did not end")


async def _listed(http: httpx.AsyncClient) -> list[dict[str, Any]]:
    answer = await http.get("/api/chats")
    answer.raise_for_status()
    return answer.json()["chats"]


def _server() -> psutil.Process:
    """The desk that this process has started."""
    for child in psutil.Process().children():
        if DESK in child.cmdline():
            return child
    raise CannotMeasure(f"{DESK} is not running")


async def _at_rest(server: psutil.Process) -> int:
    """How many descriptors it holds once that stays the same: the least, for a kept connection may end late."""
    waited, same, least = 0.0, 0, server.num_fds()
    while same < REST_SECONDS * 10 and waited < PATIENCE:
        await asyncio.sleep(0.1)
        waited += 0.1
        now = server.num_fds()
        same, least = (same + 1, least) if now >= least else (0, now)
    return least
