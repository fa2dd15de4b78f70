"""Agents that talk over /mcp with the library's own client, in either generation of the protocol, over a real socket."""

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Literal

from mcp import Client

from smoldesk.conversations import Conversations
from tests.support.desk_server import LiveDesk

Mode = Literal["legacy", "auto"]
MODES: tuple[Mode, ...] = ("legacy", "auto")


class ToolRefused(Exception):
    """The tool answered with an error; the message is its text."""


class McpAgent:
    """One agent: its client, and its login. Calling it calls a tool with its session_token."""

    def __init__(self, client: Client, agent_id: str, passkey: str, project_id: str) -> None:
        self.client = client
        self.id = agent_id
        self.passkey = passkey
        self.project_id = project_id
        self.token = ""

    async def log_in(self) -> None:
        login = await call(
            self.client,
            "authenticate",
            agent_id=self.id,
            passkey=self.passkey,
            project_id=self.project_id,
        )
        self.token = login["session_token"]

    async def __call__(self, tool: str, **arguments: Any) -> dict[str, Any]:
        return await call(self.client, tool, session_token=self.token, **arguments)


async def call(client: Client, tool: str, **arguments: Any) -> dict[str, Any]:
    """What a tool answers, as structured content. Raises ToolRefused with the text of its error."""
    result = await client.call_tool(tool, arguments)
    if result.is_error:
        raise ToolRefused("".join(getattr(part, "text", "") for part in result.content))
    assert result.structured_content is not None
    return result.structured_content


@asynccontextmanager
async def clients(live: LiveDesk, mode: Mode, count: int) -> AsyncGenerator[list[Client]]:
    """Connections of their own."""
    async with AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(Client(f"{live.url}/mcp", mode=mode, read_timeout_seconds=120))
            for _ in range(count)
        ]


@asynccontextmanager
async def agents(
    live: LiveDesk, mode: Mode, *names: str, project_id: str | None = None
) -> AsyncGenerator[list[McpAgent]]:
    """Agents of one project (a new one, unless told otherwise), each connected and logged in."""
    conversations: Conversations = live.desk.conversations
    project = project_id or (await conversations.create_project("project")).id
    async with clients(live, mode, len(names)) as connected:
        created: list[McpAgent] = []
        for name, client in zip(names, connected, strict=True):
            member, passkey = await conversations.add_member(project, name, "ai")
            agent = McpAgent(client, member.id, passkey, project)
            await agent.log_in()
            created.append(agent)
        yield created
