"""Agents over /mcp, each with the official client: who they are comes in as JSON, what they measured goes out as JSON."""

import asyncio
import json
import sys
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from mcp import Client

from bench.report import CannotMeasure

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

    async def item(first: tuple[Talker, str], second: tuple[Talker, str]) -> None:
        for _ in range(rounds):
            for (speaker, _), (listener, its_id) in ((first, second), (second, first)):
                waiting = asyncio.create_task(listener.wait())
                await asyncio.sleep(0)
                started_at = time.perf_counter()
                await speaker.say(its_id)
                await waiting
                latencies.append(time.perf_counter() - started_at)

    started_at = time.perf_counter()
    await asyncio.gather(*(item(*pair) for pair in pairs))
    return Talk(time.perf_counter() - started_at, len(latencies), latencies)


@dataclass
class OverMcp:
    """By the official client, over a socket."""

    client: Any
    token: str

    async def _call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        result = await self.client.call_tool(tool, {"session_token": self.token, **arguments})
        if result.is_error:
            raise CannotMeasure(f"{tool} was refused: {result.content}")
        return result.structured_content

    async def say(self, to: str) -> None:
        await self._call("send_message", target_agent_id=to, content=WORD)

    async def wait(self) -> None:
        while not (await self._call("get_pending_messages"))["messages"]:
            await self._call("get_next_action", wait_seconds=60)


async def measured(url: str, agents: list[tuple[str, str]], rounds: int) -> Talk:
    """Every two agents, (id, token) each, hold a conversation, all at once."""
    async with AsyncExitStack() as stack:
        talkers = [
            (OverMcp(await stack.enter_async_context(Client(url)), token), member_id)
            for member_id, token in agents
        ]
        pairs = list(zip(talkers[::2], talkers[1::2], strict=True))
        for (one, _), (_, other) in pairs:
            started = {"session_token": one.token, "target_agent_id": other}
            await one.client.call_tool("start_conversation", started)
        return await talk(pairs, rounds)


if __name__ == "__main__":
    sys.stdout.write(json.dumps(asdict(asyncio.run(measured(**json.load(sys.stdin))))))
