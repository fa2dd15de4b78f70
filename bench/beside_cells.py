"""What other people notice of two chats whose code computes: the echo of their messages, by executor.

Ours runs code in processes of its own; the peer is smolagents' local executor, which interprets it inside the server.
"""

import asyncio
from contextlib import AsyncExitStack

from bench.echo import echo_once, open_socket, say, until
from bench.processes import served
from bench.report import Section, of_shares, shares
from bench.talking_desk import COMPUTE

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
        with served("bench.talking_desk", executor) as port:
            delays[executor] = asyncio.run(_measure(port, chats, rounds, warm_seconds))
        section.figures.append((f"echo beside {executor} cells", shares(delays[executor])))
    what = f"echo beside {CELLS} cells"
    section.ratios = of_shares(what, ": sandbox to in-process", delays["sandbox"], delays["ast"])
    return section


async def _measure(port: int, chats: int, rounds: int, warm_seconds: float) -> list[float]:
    async with AsyncExitStack() as sockets:
        computing = [await sockets.enter_async_context(open_socket(port)) for _ in range(CELLS)]
        for socket in computing:
            await say(socket, COMPUTE)
            await until(socket, "delta")
        people = [await sockets.enter_async_context(open_socket(port)) for _ in range(chats)]
        await asyncio.sleep(warm_seconds)  # both loops are under way by then
        return [await echo_once(person) for _ in range(rounds) for person in people]
