"""A desk whose agents manage others, each of them scripted on its own, with tools that remember what ran."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
from smolagents.models import ChatMessageStreamDelta
from smolagents.monitoring import TokenUsage

from smoldesk.tools.policy import DeskTool
from tests.support.desk_server import LiveDesk, events_of, live_desk
from tests.support.scripted_model import Reply, ScriptedModel
from tests.support.tools import Failing, Noting, Paying
from tests.support.ws_client import Message, WsClient

LIST = """
default = "boss"
[agents.boss]
kind = "code"
managed = ["searcher", "team-lead"]
[agents.caller]
kind = "tools"
managed = ["searcher", "team-lead"]
[agents.searcher]
kind = "code"
description = "Finds things."
max_steps = 2
[agents.team-lead]
kind = "tools"
description = "Has things found."
managed = ["searcher"]
"""


class Counting(ScriptedModel):
    """Each call takes 10 tokens in and 1 out."""

    def generate_stream(self, *args: Any, **kwargs: Any) -> Iterator[ChatMessageStreamDelta]:
        yield from super().generate_stream(*args, **kwargs)
        yield ChatMessageStreamDelta(content="", token_usage=TokenUsage(10, 1))


class Team:
    """Each agent that is built takes the next script: the one that answers first, then those it calls, as it calls them."""

    def __init__(self) -> None:
        self.ran: list[str] = []
        self.live: LiveDesk
        self._models: list[Counting] = []

    def scripts(self, *scripts: Sequence[Reply]) -> list[Counting]:
        self.ran.clear()
        self._models = [Counting(replies) for replies in scripts]
        return list(self._models)

    def model(self) -> Counting:
        return self._models.pop(0)

    def tools(self, _: Path) -> list[DeskTool]:
        return [kind(self.ran) for kind in (Noting, Paying, Failing)]

    @contextmanager
    def client(self, agent: str | None = None) -> Generator[WsClient]:
        """A new chat with one of them."""
        created = httpx.post(
            f"{self.live.url}/api/chats", json={"agent": agent}, timeout=90
        ).raise_for_status()
        chat_id = created.json()["id"]
        with WsClient(self.live.ws_url, f"?after=0&chat={chat_id}").greeted() as client:
            yield client

    def log(self, client: WsClient) -> list[Message]:
        return events_of(self.live.url, client.chat_id)


@contextmanager
def team_desk(folder: Path, has_own_tools: bool = False, **options: Any) -> Generator[Team]:
    """Serve one, with the tools of every desk where it `has_own_tools`."""
    (folder / "agents.toml").write_text(LIST)
    team = Team()
    tools = None if has_own_tools else team.tools
    with live_desk(folder, team.model, tools, max_steps=4, **options) as team.live:
        yield team
