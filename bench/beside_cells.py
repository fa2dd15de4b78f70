"""What other people notice of two chats whose code computes: the echo of their messages, by executor.

Ours runs code in processes of its own; the peer is smolagents' local executor, which interprets it inside the server.
"""

import asyncio
import time
from contextlib import AsyncExitStack
from typing import Any

from bench.computing_desk import COMPUTE
from bench.echo import open_socket, say, served, until
from bench.report import Ratio, Section, ms, percentile

CELLS = 2


def measure(chats: int = 50, rounds: int = 6, warm_seconds: float = 1.0) -> Section:
    """Echoes of `chats` chats in turn, `rounds` times each, while two others compute."""
    section = Section(
        "the echo beside computing cells",
        method=[
            f"from sending a message to its user_message; {chats} chats in turn, {rounds} times each, while {CELLS} other",
            "chats run a loop that never ends. The model of the others fails at once: they need no cell.",
        ],
    )
    delays: dict[str, list[float]] = {}
    for executor in ("sandbox", "ast"):
        with served("bench.computing_desk", executor) as port:
            delays[executor] = asyncio.run(_measure(port, chats, rounds, warm_seconds))
        p50, p99 = percentile(delays[executor], 0.5), percentile(delays[executor], 0.99)
        section.figures.append((f"echo beside {executor} cells", f"p50 {ms(p50)}, p99 {ms(p99)}"))
    for name, share in (("p50", 0.5), ("p99", 0.99)):
        ours, peer = percentile(delays["sandbox"], share), percentile(delays["ast"], share)
        section.ratios.append(
            Ratio(f"echo beside {CELLS} cells {name}: sandbox to in-process", ms(ours), ms(peer), ours / peer)
        )
    return section


async def _measure(port: int, chats: int, rounds: int, warm_seconds: float) -> list[float]:
    async with AsyncExitStack() as sockets:
        computing = [await sockets.enter_async_context(open_socket(port)) for _ in range(CELLS)]
        for socket in computing:
            await say(socket, COMPUTE)
            await until(socket, "delta")
        people = [await sockets.enter_async_context(open_socket(port)) for _ in range(chats)]
        await asyncio.sleep(warm_seconds)  # both loops are under way by then
        return [await _echo(person) for _ in range(rounds) for person in people]


async def _echo(socket: Any) -> float:
    began = time.perf_counter()
    await say(socket, "What is one?")
    await until(socket, "user_message")
    seconds = time.perf_counter() - began
    while (await until(socket, "run"))["content"]["state"] != "failed":
        pass
    return seconds
