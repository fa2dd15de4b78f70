"""Models of projects, their agents and conversations. JSON keys are camelCase; times are in seconds since the epoch.

A passkey is only in the response to the request that created it (`NewAgent`).
"""

from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from smoldesk.conversations import (
    Kind,
    State,
)
from smoldesk.conversations.rules import Reason
from smoldesk.messages import Shape
from smoldesk.wires.rest.models import NOT_BLANK

Name = Annotated[str, Field(min_length=1, max_length=200, json_schema_extra={"pattern": NOT_BLANK})]


class ProjectRequest(BaseModel):
    """Body of POST /api/projects."""

    model_config = ConfigDict(extra="forbid")

    name: Name


class AgentRequest(BaseModel):
    """Body of POST /api/projects/{project_id}/agents: an external agent or person, or an `agent` of this desk by name."""

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
    """Project; `agents` counts present members, `live` those of its `conversations` that are not over."""

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
    """Member of a project; removed ones have `removedAt` and keep their names in messages.

    `agent` names an agent of the desk, `chatId` the chat in which it works for the project.
    """

    id: str
    name: str
    kind: Kind
    joined_at: float
    removed_at: float | None = None
    agent: str | None = None
    chat_id: str | None = None


class ProjectDetail(ProjectInfo):
    """Project with its agents."""

    members: list[AgentInfo]


class NewAgent(Shape):
    """New member. `passkey` is never shown again; agents of the desk have none."""

    id: str
    passkey: str | None = None


class PartyInfo(Shape):
    """One side of a conversation; `removed` if it has left the project."""

    id: str
    name: str
    removed: bool


class ConversationInfo(Shape):
    """Conversation; `endedBy` is an agent's id, null after a time-out or an end by a person."""

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
    """Page of conversations; with `more`, `before` the last id returns older ones."""

    conversations: list[ConversationInfo]
    more: bool


class MessageInfo(Shape):
    """Message; `seq` increases within a conversation, with gaps."""

    seq: int
    message_id: str
    from_agent_id: str
    content: str
    created_at: float


class TranscriptInfo(Shape):
    """Conversation with a page of its messages; `earlier` and `later` tell whether there are more on either side."""

    conversation: ConversationInfo
    messages: list[MessageInfo]
    earlier: bool
    later: bool


# Filter of a list: a state, or `live` for all conversations that are not over.
StateFilter = Literal["live"] | State
