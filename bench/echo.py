"""How long a person waits for the echo of a message while many chats are at work: a real server, real sockets."""

import asyncio
import json
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import cycle, islice
from typing import Any

from bench.processes import served
from bench.report import CannotMeasure, Section, of_shares, shares
from bench.talking_desk import PIECES_A_SECOND, TALK

PATIENCE = 60.0
"""Seconds that any one message may take."""


def measure(chats: int = 50, repeats: int = 300) -> Section:
    """Echoes with nothing else going on, then while `chats` runs talk and as many sockets follow them."""
    section = Section(
        "the echo of a message",
        method=[
            f"from sending a message to its user_message, {repeats} times; the run it starts ends before the next one.",
            f"busy: {chats} other chats each have a run that streams {PIECES_A_SECOND} pieces a second and a socket that",
            "reads them. The server is a process of its own; all clients share another.",
        ],
    )
    with served() as port:
        alone, busy, rate = asyncio.run(echoes([port], chats, repeats))
    for name, delays in (("alone", alone), (f"with {chats} chats running", busy)):
        section.figures.append((f"echo {name}", shares(delays)))
    section.figures.append(("meanwhile to the others", f"{rate:.0f} pieces/s"))
    section.ratios = of_shares("echo of a message", f": {chats} running to none", busy, alone)
    return section


async def echoes(ports: Sequence[int], chats: int, repeats: int) -> tuple[list[float], list[float], float]:
    """Delays at the first server, alone and beside chats that run at all of them; messages a second that reached these."""
    async with AsyncExitStack() as open_sockets:
        person = await open_sockets.enter_async_context(open_socket(ports[0]))
        await _echoes(person, 10)  # the first ones find nothing warm
        alone = await _echoes(person, repeats)
        other_items = [
            await open_sockets.enter_async_context(open_socket(port)) for port in islice(cycle(ports), chats)
        ]
        for other in other_items:
            await say(other, TALK)
        for other in other_items:
            await until(other, "delta")
        read: list[str] = []
        started_at = time.perf_counter()
        reading = [asyncio.create_task(_read_on(other, read)) for other in other_items]
        try:
            busy = await _echoes(person, repeats)
            rate = len(read) / (time.perf_counter() - started_at)
        finally:
            for task in reading:
                task.cancel()
            await asyncio.gather(*reading, return_exceptions=True)
    return alone, busy, rate


@asynccontextmanager
async def open_socket(port: int, chat_id: str = "") -> AsyncIterator[Any]:
    """A client of a chat, by default a new one, that has read its introduction."""
    from websockets.asyncio.client import connect

    address = f"ws://127.0.0.1:{port}/ws?after=0" + (f"&chat={chat_id}" if chat_id else "")
    async with connect(address, max_size=None, compression=None) as socket:
        await until(socket, "chat")
        yield socket


async def _echoes(socket: Any, repeats: int) -> list[float]:
    """Seconds from each message to its echo."""
    return [await echo_once(socket) for _ in range(repeats)]


async def echo_once(socket: Any) -> float:
    """Seconds from a message to its echo; returns when the run it starts has ended."""
    started_at = time.perf_counter()
    await say(socket, "What is one?")
    await until(socket, "user_message")
    seconds = time.perf_counter() - started_at
    while (await until(socket, "run"))["content"]["state"] not in ("finished", "failed"):
        pass
    return seconds


async def say(socket: Any, message: str) -> None:
    await socket.send(json.dumps({"type": "message", "message": message}))


async def until(socket: Any, kind: str) -> dict[str, Any]:
    """The next message of a type; raises CannotMeasure when none comes."""
    while True:
        try:
            message = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
        except TimeoutError:
            raise CannotMeasure(f"no {kind} came within {PATIENCE:.0f} s") from None
        if message["type"] == kind:
            return message


async def _read_on(socket: Any, read: list[str]) -> None:
    async for message in socket:
        read.append(message)
