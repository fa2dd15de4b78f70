"""Conversation tools of the desk's own agents, on the same service as the wire for outside agents.

Imports smolagents, so only a run's thread imports this.
"""

from collections.abc import Callable, Coroutine
from typing import Any, ClassVar

from smoldesk.conversations.models import AgentSession, Member
from smoldesk.conversations.service import Conversations
from smoldesk.errors import Refused
from smoldesk.tools.policy import DeskTool

Call = Callable[[Coroutine[Any, Any, Any]], Any]
TARGET = {"type": "string", "description": "The other agent: its id, or its name where only one has it."}


class TalkTool(DeskTool):
    """Tool of one member; errors have the codes of the wire."""

    output_type = "object"
    about: ClassVar[str]

    def __init__(
        self, talk: Conversations, session: AgentSession, call: Call, depth: int, most: int, members: str
    ) -> None:
        """Set up the tool; `depth` is that of a conversation which this run would start, `most` the deepest one allowed."""
        self.description = self.about.format(members=members)
        self._talk = talk
        self._session = session
        self._call = call
        self._depth = depth
        self._most = most
        super().__init__()

    def _target(self, target: str) -> str:
        members: list[Member] = self._call(self._talk.members(self._session.project_id))
        here = [member for member in members if member.removed_at is None]
        named = [member.id for member in here if member.name == target]
        if target in {member.id for member in here} or len(named) != 1:
            return target  # the service refuses unknown ids
        return named[0]


class StartConversation(TalkTool):
    """Tool that starts a conversation with a first message."""

    name = "start_conversation"
    about = (
        "Begins a conversation with another agent of the project and says the first message in it. "
        'Agents: {members}. Example: start_conversation("a_1", "しりとり", "りんご")'
    )
    inputs: ClassVar[dict[str, dict[str, Any]]] = {
        "target_agent_id": TARGET,
        "purpose": {"type": "string", "description": "What it is about."},
        "message": {"type": "string", "description": "What to say first."},
    }

    def forward(self, target_agent_id: str, purpose: str, message: str) -> dict[str, Any]:
        if self._depth > self._most:
            raise Refused(
                f"{self._most} nested conversations are the most allowed.",
                "Answer in the current conversation, or wait for a person.",
            )
        target = self._target(target_agent_id)
        conversation = self._call(self._talk.start(self._session, target, purpose, message, self._depth))
        return {"conversation_id": conversation.id, "status": conversation.state}


class SendMessage(TalkTool):
    """Tool that sends a message to another member."""

    name = "send_message"
    about = (
        "Says something to another agent of the project, in your conversation with it if there is one. It answers later: "
        'you are called again then. Agents: {members}. Example: send_message("a_1", "ごりら")'
    )
    inputs: ClassVar[dict[str, dict[str, Any]]] = {
        "target_agent_id": TARGET,
        "content": {"type": "string", "description": "The message."},
    }

    def forward(self, target_agent_id: str, content: str) -> dict[str, Any]:
        sent = self._call(self._talk.send(self._session, self._target(target_agent_id), content))
        return {"message_id": sent.id, "conversation_id": sent.conversation_id}


class EndConversation(TalkTool):
    """Tool that ends a conversation."""

    name = "end_conversation"
    about = (
        "Ends a conversation that you are in, when it has done what it is for. Without an id, the only one."
    )
    inputs: ClassVar[dict[str, dict[str, Any]]] = {
        "conversation_id": {"type": "string", "description": "Optional: which one.", "nullable": True},
    }

    def forward(self, conversation_id: str | None = None) -> dict[str, Any]:
        ended = self._call(self._talk.end(self._session, conversation_id or None))
        return {"conversation_id": ended.id, "status": ended.state}


class GetPendingMessages(TalkTool):
    """Tool that returns unread messages."""

    name = "get_pending_messages"
    about = "Messages from other agents that came while you work, each once."
    inputs: ClassVar[dict[str, dict[str, Any]]] = {}

    def forward(self) -> dict[str, Any]:
        messages = self._call(self._talk.pending(self._session))
        entries = [
            {
                "from_agent_id": message.from_id,
                "content": message.content,
                "conversation_id": message.conversation_id,
            }
            for message in messages
        ]
        return {"messages": entries}


def talk_tools(
    talk: Conversations, session: AgentSession, call: Call, depth: int, most: int
) -> list[DeskTool]:
    """Return the tools of a member; their descriptions list the other agents. `depth` and `most` as in TalkTool."""
    members: list[Member] = call(talk.members(session.project_id))
    other_members = [
        member
        for member in members
        if member.removed_at is None and member.kind == "ai" and member.id != session.member_id
    ]
    names = ", ".join(f"{other.name} ({other.id})" for other in other_members) or "none"
    kinds: tuple[type[TalkTool], ...] = (StartConversation, SendMessage, EndConversation, GetPendingMessages)
    return [kind(talk, session, call, depth, most, names) for kind in kinds]
