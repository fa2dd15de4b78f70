"""States of a conversation and the steps between them. Pure: the caller passes the time; every step returns a new value.

    pending ──delivered or answered──> active ──time-out, a person, a member removed──> ended
       │                                 │
       ├──time-out──> expired            └──one side ends it──> terminating ──the other is notified, time-out──> ended
       └──one side ends it──> terminating

Each step returns None when the state does not allow it. Times are seconds since the epoch. A step is stored only if the
stored state is still the one it started from (conversation_rows.py).
"""

from typing import Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

State = Literal["pending", "active", "terminating", "ended", "expired"]
Reason = Literal[
    "initiator_ended", "participant_ended", "timeout", "expired", "agent_removed", "person_ended"
]
Cut = Literal["agent_removed", "person_ended"]
STATES: tuple[State, ...] = get_args(State)
LIVE_STATES: tuple[State, ...] = ("pending", "active", "terminating")
# States in which messages belong to the conversation.
OPEN_STATES: tuple[State, ...] = ("pending", "active")


class Timeouts(BaseModel):
    """Time that a conversation may wait for its participant, and time without messages."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    pending_seconds: float = Field(default=300, gt=0)
    active_seconds: float = Field(default=600, gt=0)

    def of(self, state: State) -> float | None:
        """Return the seconds that a state lasts without a step, None without limit. An unconfirmed end lasts as long."""
        if state not in LIVE_STATES:
            return None
        return self.active_seconds if state == "active" else self.pending_seconds


class Conversation(BaseModel):
    """One conversation. `due_at`: the end of its state's time; `ended_by`: the member who ended it, or was removed.

    `depth` counts the conversations around it: each was started by a desk agent in a turn of the one before.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    id: str
    seq: int
    project_id: str
    initiator_id: str
    participant_id: str
    state: State = "pending"
    purpose: str | None = None
    depth: int = 0
    messages: int = 0
    created_at: float
    updated_at: float
    due_at: float | None = None
    ended_at: float | None = None
    ended_by: str | None = None
    reason: Reason | None = None

    @property
    def is_live(self) -> bool:
        return self.state in LIVE_STATES

    @property
    def is_open(self) -> bool:
        """Whether messages still belong to it."""
        return self.state in OPEN_STATES

    @property
    def both(self) -> tuple[str, str]:
        return (self.initiator_id, self.participant_id)

    def other(self, member_id: str) -> str:
        """Return the partner of a member."""
        return self.participant_id if member_id == self.initiator_id else self.initiator_id


def pair_of(member_id: str, other: str) -> str:
    """Return the key of two members, in either order."""
    return "|".join(sorted((member_id, other)))


def new_conversation(
    conversation_id: str,
    seq: int,
    project_id: str,
    initiator_id: str,
    participant_id: str,
    purpose: str | None,
    now: float,
    times: Timeouts,
    depth: int = 0,
) -> Conversation:
    """Return a new conversation, which its participant has not heard of yet."""
    return Conversation(
        id=conversation_id,
        seq=seq,
        project_id=project_id,
        initiator_id=initiator_id,
        participant_id=participant_id,
        purpose=purpose,
        depth=depth,
        created_at=now,
        updated_at=now,
        due_at=now + times.pending_seconds,
    )


def activate(conversation: Conversation, now: float, times: Timeouts) -> Conversation | None:
    """Activate a conversation: its participant was notified."""
    return _moved(conversation, "active", now, times) if conversation.state == "pending" else None


def record_message(conversation: Conversation, by: str, now: float, times: Timeouts) -> Conversation | None:
    """Count a message. It extends the time of an active conversation; a participant's message also activates a pending one."""
    if not conversation.is_open:
        return None
    more = conversation.model_copy(update={"messages": conversation.messages + 1, "updated_at": now})
    # the initiator's messages do not extend a pending conversation: it could wait for ever
    waits = conversation.state == "pending" and by == conversation.initiator_id
    return more if waits else _moved(more, "active", now, times)


def request_end(conversation: Conversation, by: str, now: float, times: Timeouts) -> Conversation | None:
    """End a conversation for one side; it is over once the other side is notified."""
    if not conversation.is_open:
        return None
    reason: Reason = "initiator_ended" if by == conversation.initiator_id else "participant_ended"
    return _moved(conversation, "terminating", now, times, ended_by=by, reason=reason)


def confirm_end(conversation: Conversation, now: float, times: Timeouts) -> Conversation | None:
    """Confirm that the other side was notified of the end."""
    return _over(conversation, "ended", now, times) if conversation.state == "terminating" else None


def expire(conversation: Conversation, now: float, times: Timeouts) -> Conversation | None:
    """End a conversation whose time has run out."""
    if conversation.due_at is None or now < conversation.due_at or not conversation.is_live:
        return None
    if conversation.state == "pending":
        return _over(conversation, "expired", now, times, reason="expired")
    if conversation.state == "active":
        return _over(conversation, "ended", now, times, reason="timeout")
    return _over(conversation, "ended", now, times)


def force_end(
    conversation: Conversation, reason: Cut, by: str | None, now: float, times: Timeouts
) -> Conversation | None:
    """End a conversation from outside, at once; one that a side has ended keeps that reason."""
    if conversation.state == "terminating":
        return _over(conversation, "ended", now, times)
    if not conversation.is_open:
        return None
    return _over(conversation, "ended", now, times, reason=reason, ended_by=by)


def shorten_deadline(conversation: Conversation, now: float, times: Timeouts) -> Conversation | None:
    """Shorten a deadline after the clock went back: no state lasts longer than its time, counted from now."""
    lasts = times.of(conversation.state)
    if lasts is None or conversation.due_at is None or conversation.due_at <= now + lasts:
        return None
    return conversation.model_copy(update={"due_at": now + lasts})


def members_to_notify(before: Conversation, after: Conversation) -> tuple[str, ...]:
    """Return the members to notify of an end: those who do not know it and are still there."""
    if not before.is_open or after.is_open:
        return ()
    if after.state == "terminating" or after.reason == "agent_removed":
        return (after.other(after.ended_by),) if after.ended_by else after.both
    return after.both


def _moved(
    conversation: Conversation, state: State, now: float, times: Timeouts, **changes: str | float | None
) -> Conversation:
    lasts = times.of(state)
    due_at = None if lasts is None else now + lasts
    return conversation.model_copy(update={"state": state, "updated_at": now, "due_at": due_at, **changes})


def _over(
    conversation: Conversation,
    state: State,
    now: float,
    times: Timeouts,
    **changes: str | None,
) -> Conversation:
    return _moved(conversation, state, now, times, ended_at=now, **changes)
