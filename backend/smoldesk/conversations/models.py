"""What the room hands out besides conversations: plain, frozen data. Times in seconds since the epoch, UTC."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from smoldesk.conversations.rules import Conversation, Reason

Kind = Literal["ai", "human"]
# What an agent is wanted for, and logs in for.
Purpose = Literal["chat"]


class _Shape(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Project(_Shape):
    """A project; `agents` are its present members, `live` its conversations that are not over, of all `conversations`."""

    id: str
    name: str
    created_at: float
    agents: int
    live: int
    conversations: int


class Member(_Shape):
    """A party of projects. One that was removed from the project keeps its name in what it said: `removed_at`.

    `agent` is the desk's own agent that it is, `chat_id` the chat in which that one works for the project.
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
    """What authenticating gives; the token is told here and never again."""

    token: str
    expires_at: float


class Message(_Shape):
    """What one member said to another; without `conversation_id` outside a conversation. `seq` orders those of a project."""

    id: str
    seq: int
    project_id: str
    from_id: str
    to_id: str
    conversation_id: str | None
    content: str
    created_at: float


class PendingAgentPurpose(_Shape):
    """Why a member is wanted: a conversation that it has not heard of yet."""

    member_id: str
    project_id: str
    purpose: Purpose
    conversation_id: str
    created_at: float


class Action(_Shape):
    """What a member is to do next; `event_id` is its place in the project, None for wait."""

    action: Literal["conversation_request", "conversation_ended", "chat", "wait"]
    event_id: int | None = None
    conversation_id: str | None = None
    from_agent_id: str | None = None
    purpose: str | None = None
    ended_by: str | None = None
    reason: Reason | None = None


class Followed(_Shape):
    """A conversation as it stands, and what was said in it since the last of these."""

    conversation: Conversation
    messages: tuple[Message, ...]
