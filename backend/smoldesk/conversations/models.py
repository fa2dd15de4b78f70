"""Frozen data of this room besides conversations. Times are seconds since the epoch, UTC."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from smoldesk.conversations.rules import Conversation, Reason

Kind = Literal["ai", "human"]
# Purpose of a login, and of a note that an agent is wanted.
Purpose = Literal["chat"]


class _Shape(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Project(_Shape):
    """A project; `agents` counts present members, `live` those of its `conversations` that are not over."""

    id: str
    name: str
    created_at: float
    agents: int
    live: int
    conversations: int


class Member(_Shape):
    """A member of projects. A removed one keeps its name in its messages; see `removed_at`.

    `agent` names the desk's own agent, `chat_id` the chat in which it works for the project.
    """

    id: str
    name: str
    kind: Kind
    joined_at: float
    removed_at: float | None = None
    agent: str | None = None
    chat_id: str | None = None


class AgentSession(_Shape):
    """A member's login to one project."""

    member_id: str
    project_id: str
    purpose: Purpose
    expires_at: float


class Login(_Shape):
    """Result of a login; the token is shown once."""

    token: str
    expires_at: float


class Message(_Shape):
    """A message between members; without `conversation_id` outside of conversations. `seq` orders the messages of a project."""

    id: str
    seq: int
    project_id: str
    from_id: str
    to_id: str
    conversation_id: str | None
    content: str
    created_at: float


class PendingAgentPurpose(_Shape):
    """Member that has not been notified of its conversation yet."""

    member_id: str
    project_id: str
    purpose: Purpose
    conversation_id: str
    created_at: float


class Action(_Shape):
    """Next action of a member; `event_id` is its place in the project, None for wait."""

    action: Literal["conversation_request", "conversation_ended", "chat", "wait"]
    event_id: int | None = None
    conversation_id: str | None = None
    from_agent_id: str | None = None
    purpose: str | None = None
    ended_by: str | None = None
    reason: Reason | None = None


class Followed(_Shape):
    """A conversation in its present state, with its new messages."""

    conversation: Conversation
    messages: tuple[Message, ...]
