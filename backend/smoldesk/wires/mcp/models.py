"""Output schemas of the tools, as clients see them. Times are ISO 8601 in UTC."""

from datetime import UTC, datetime
from typing import Literal

from pydantic import BaseModel, Field

from smoldesk.conversations import Action, Conversation, Message
from smoldesk.conversations.rules import Reason, State


def utc_time(at: float) -> datetime:
    """Return seconds since the epoch as a time in UTC."""
    return datetime.fromtimestamp(at, UTC)


class LoggedIn(BaseModel):
    """Session; every other call needs its token."""

    session_token: str
    expires_at: datetime


class Started(BaseModel):
    """New conversation; the other agent is not notified yet."""

    success: Literal[True] = True
    conversation_id: str
    status: State


class Ended(BaseModel):
    """Conversation that is over after the other agent is notified."""

    success: Literal[True] = True
    conversation_id: str
    status: State


class Sent(BaseModel):
    """Message stored for the other agent; outside a conversation, conversation_id is null."""

    success: Literal[True] = True
    message_id: str
    conversation_id: str | None = None


class PendingMessage(BaseModel):
    """Message that was pending."""

    message_id: str
    from_agent_id: str
    content: str
    conversation_id: str | None
    created_at: datetime


class PendingMessages(BaseModel):
    """Pending messages in order; an empty list means that there are no more."""

    messages: list[PendingMessage]


class NextAction(BaseModel):
    """Next thing to do. Pass `event_id` as `after` once it is done."""

    action: Literal["conversation_request", "conversation_ended", "chat", "wait"]
    event_id: int | None = None
    conversation_id: str | None = None
    from_agent_id: str | None = None
    purpose: str | None = Field(default=None, description="What the conversation is about.")
    ended_by: str | None = None
    reason: Reason | None = None

    @classmethod
    def of(cls, action: Action) -> "NextAction":
        """Return an action as the output of get_next_action."""
        return cls.model_validate(action.model_dump())


class Line(BaseModel):
    """One message of a transcript."""

    message_id: str
    seq: int
    from_agent_id: str
    content: str
    created_at: datetime


class Transcript(BaseModel):
    """Conversation with its newest messages."""

    conversation_id: str
    state: State
    initiator_agent_id: str
    participant_agent_id: str
    purpose: str | None
    ended_by: str | None
    reason: Reason | None
    message_count: int
    messages: list[Line]

    @classmethod
    def of(cls, conversation: Conversation, messages: tuple[Message, ...]) -> "Transcript":
        """Return a conversation and messages as the transcript resource."""
        return cls(
            conversation_id=conversation.id,
            state=conversation.state,
            initiator_agent_id=conversation.initiator_id,
            participant_agent_id=conversation.participant_id,
            purpose=conversation.purpose,
            ended_by=conversation.ended_by,
            reason=conversation.reason,
            message_count=conversation.messages,
            messages=[
                Line(
                    message_id=message.id,
                    seq=message.seq,
                    from_agent_id=message.from_id,
                    content=message.content,
                    created_at=utc_time(message.created_at),
                )
                for message in messages
            ],
        )
