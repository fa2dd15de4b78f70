"""What /api tells of projects, their agents and conversations. Keys are camelCase outside; times in seconds since the epoch.

A passkey is in one answer only, that to the request which made it (`NewAgent`).
"""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from smoldesk.conversations import (
    Kind,
    State,
)
from smoldesk.conversations.rules import Reason
from smoldesk.messages import Shape

Name = Annotated[str, Field(min_length=1, max_length=200, json_schema_extra={"pattern": "\\S"})]


class ProjectRequest(BaseModel):
    """Body of POST /api/projects."""

    model_config = ConfigDict(extra="forbid")

    name: Name


class AgentRequest(BaseModel):
    """Body of POST /api/projects/{project_id}/agents: a party from elsewhere, or an `agent` of this desk by its name there."""

    model_config = ConfigDict(extra="forbid")

    name: Name | None = None
    kind: Kind | None = None
    agent: Annotated[str | None, Field(max_length=200)] = None

    @model_validator(mode="after")
    def _check_fields(self) -> Self:
        if self.agent is None and (self.name is None or self.kind is None):
            raise ValueError("expected `name` and `kind`, or `agent`")
        return self


class ProjectInfo(Shape):
    """`agents` are there now; `live` of its `conversations` are not over."""

    id: str
    name: str
    created_at: float
    agents: int
    live: int
    conversations: int


class ProjectList(Shape):
    """Projects, oldest first."""

    projects: list[ProjectInfo]


class AgentInfo(Shape):
    """A member of a project. One that was removed keeps its name in what it said, and has `removedAt`.

    `agent` is the desk's own agent that it is, `chatId` the chat in which that one works for the project.
    """

    id: str
    name: str
    kind: Kind
    joined_at: float
    removed_at: float | None = None
    agent: str | None = None
    chat_id: str | None = None


class ProjectDetail(ProjectInfo):
    """A project with its agents."""

    members: list[AgentInfo]


class NewAgent(Shape):
    """`passkey` is told here and never again; an agent of the desk has none."""

    id: str
    passkey: str | None = None


class PartyInfo(Shape):
    """One of the two who talk; `removed`: no longer in the project."""

    id: str
    name: str
    removed: bool


class ConversationInfo(Shape):
    """`endedBy` is an agent's id; a time-out and a person have none."""

    id: str
    project_id: str
    initiator: PartyInfo
    participant: PartyInfo
    purpose: str | None = None
    state: State
    created_at: float
    ended_at: float | None = None
    ended_by: str | None = None
    reason: Reason | None = None
    message_count: int


class ConversationPage(Shape):
    """`more`: there are older ones, which `before` the last of these gives."""

    conversations: list[ConversationInfo]
    more: bool


class MessageInfo(Shape):
    """One message; `seq` rises within a conversation, with gaps."""

    seq: int
    message_id: str
    from_agent_id: str
    content: str
    created_at: float


class TranscriptInfo(Shape):
    """A conversation with some of its messages in their order; `earlier` and `later`: there are more before, after them."""

    conversation: ConversationInfo
    messages: list[MessageInfo]
    earlier: bool
    later: bool


# Which conversations a list has: those of a state, or those that are not over.
StateFilter = Literal["live"] | State
