"""Tool `ask_agent`: gives a task to a remote agent and returns its answer. Offered when agents.toml lists peers."""

from collections.abc import Mapping
from typing import Any, ClassVar

from pydantic import JsonValue

from smoldesk.agents.a2a_client.entries import (
    DEEPEST,
    TOOL,
    Peer,
    Peers,
)
from smoldesk.errors import BadInput
from smoldesk.tools.policy import LongTool
from smoldesk.tools.run_context import ToolContext

LONGEST_MESSAGE = 100_000


class AskAgent(LongTool):
    """Tool of one run; `depth` is the depth of that run among agents that call each other."""

    name = TOOL
    inputs: ClassVar = {
        "name": {"type": "string", "description": "the agent's name"},
        "message": {"type": "string", "description": "all it needs to know, in words"},
    }
    output_type = "string"

    def __init__(self, peers: Peers, depth: int = 0) -> None:
        self.description = _description(peers)
        self._peers = peers
        self._depth = depth
        super().__init__()

    def check(self, arguments: Mapping[str, JsonValue]) -> None:
        message = arguments.get("message")
        self._peer(arguments.get("name"))
        if not isinstance(message, str) or not message.strip():
            raise BadInput("The message is empty or not a text.", "Expected the message as text.")
        if len(message) > LONGEST_MESSAGE:
            raise BadInput(
                f"The message has {len(message):,} characters.", f"Expected at most {LONGEST_MESSAGE:,}."
            )
        if self._depth >= DEEPEST:
            raise BadInput(
                f"This task has passed through {DEEPEST} agents already, the most allowed.",
                "Answer it here.",
                code="too_many_agents",
            )

    def forward(self, name: str, message: str) -> Any:
        raise AssertionError("such a call is made with a context")

    def run_in_context(self, context: ToolContext, arguments: dict[str, JsonValue]) -> str:
        from smoldesk.agents.a2a_client.assignment import Assignment

        self.check(arguments)
        peer = self._peer(arguments["name"])
        return Assignment(peer, self._peers, context, self._depth + 1).run(str(arguments["message"]))

    def _peer(self, name: JsonValue) -> Peer:
        peer = self._peers.entries.get(name) if isinstance(name, str) else None
        if peer is None:
            names = ", ".join(self._peers.entries)
            raise BadInput(f"There is no agent {str(name)[:60]!r} to ask.", f"Expected one of: {names}.")
        return peer


def _description(peers: Peers) -> str:
    who = "; ".join(f"{peer.name}: {peer.description or 'an agent'}" for peer in peers.entries.values())
    first = next(iter(peers.entries), "NAME")
    return (
        "Gives work to another agent and returns its answer as text. It knows nothing of this chat but what it was asked in "
        "it before, so tell it all it needs. It may take minutes. Files that it sends are put into the chat's folder. "
        f'Agents: {who}. Example: ask_agent(name="{first}", message="...")'
    )
