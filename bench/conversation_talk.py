"""Pairs that talk at once, however they are connected, and how long each word was on its way."""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

WORD = "りんご"


class Talker(Protocol):
    """One agent, however it is connected."""

    async def say(self, to: str) -> None: ...

    async def wait(self) -> None:
        """Until there is something to do, and fetch it."""
        ...


@dataclass
class Talk:
    """What came out: messages a second, and how long after it began to be said a word was held by who waited for it."""

    seconds: float
    messages: int
    latencies: list[float] = field(default_factory=list[float])

    @property
    def rate(self) -> float:
        return self.messages / self.seconds


async def talk(pairs: Sequence[tuple[tuple[Talker, str], tuple[Talker, str]]], rounds: int) -> Talk:
    """Every pair at once: one says a word, the other waits for it and answers."""
    latencies: list[float] = []

    async def one(first: tuple[Talker, str], second: tuple[Talker, str]) -> None:
        for _ in range(rounds):
            for (speaker, _), (listener, its_id) in ((first, second), (second, first)):
                waiting = asyncio.create_task(listener.wait())
                await asyncio.sleep(0)
                began = time.perf_counter()
                await speaker.say(its_id)
                await waiting
                latencies.append(time.perf_counter() - began)

    began = time.perf_counter()
    await asyncio.gather(*(one(*pair) for pair in pairs))
    return Talk(time.perf_counter() - began, len(latencies), latencies)
