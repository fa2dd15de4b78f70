"""Agents over /mcp, each with the official client: who they are comes in as JSON, what they measured goes out as JSON."""

import asyncio
import json
import sys
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass
from typing import Any

from mcp import Client

from bench.conversation_talk import WORD, Talk, talk
from bench.report import CannotMeasure


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
