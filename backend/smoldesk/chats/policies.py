"""What a chat says about tools that need approval."""

import asyncio

from smoldesk.agents import DeskAgents
from smoldesk.errors import NotFound
from smoldesk.store import chats
from smoldesk.store.policies import ChatPolicy, policies_of, set_policy
from smoldesk.store.store import Store


class Policies:
    """Tool to policy, for each chat."""

    def __init__(self, store: Store, agents: DeskAgents) -> None:
        self._store = store
        self._agents = agents

    async def of(self, chat_id: str) -> dict[str, ChatPolicy]:
        """The tools that a person said something about. Raises NotFound."""
        await self._store.aread(lambda connection: chats.get_chat(connection, chat_id))
        return await self._store.aread(lambda connection: policies_of(connection, chat_id))

    async def set(self, chat_id: str, tool: str, policy: ChatPolicy) -> None:
        """Say for a chat that a tool may be called without asking, or take that back.

        Raises NotFound for an unknown chat, and for a tool that asks nobody.
        """
        asking = await asyncio.to_thread(self._agents.approvals)
        if tool not in asking:
            expected = f"Tools that ask: {', '.join(asking) or 'none'}."
            raise NotFound(f"No tool {tool[:40]!r} asks for approval.", expected, code="unknown_tool")
        await self._store.do(lambda tx: set_policy(tx, chat_id, tool, policy))
