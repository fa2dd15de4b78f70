"""Jobs of members (start and end a conversation, send a message) and of people (end a conversation, remove a project).

Each job runs in one transaction; one that raises leaves no change.
"""

import secrets
from contextlib import suppress

from sqlalchemy import Connection, insert

from smoldesk.conversations import conversation_rows, project_rows, rules, sessions
from smoldesk.conversations.errors import (
    ALREADY_ACTIVE,
    EMPTY,
    NO_ACTIVE,
    NOT_A_PARTICIPANT,
    NOT_IN_PROJECT,
    SEVERAL,
    TOO_LONG,
    WITH_HUMAN,
    WITH_SELF,
    AgentFault,
)
from smoldesk.conversations.models import AgentSession, Kind, Message
from smoldesk.conversations.rules import Conversation
from smoldesk.conversations.unit_of_work import DESK_MEMBERS, Change, conversation_key, member_key
from smoldesk.errors import Conflict, NotFound
from smoldesk.store.conversation_tables import ConversationMessageRow
from smoldesk.store.statements import CompiledStatement
from smoldesk.store.transaction import plain

# Bytes of a message, as UTF-8.
CONTENT_LIMIT = 64_000
# Bytes of a conversation's purpose, as UTF-8.
PURPOSE_LIMIT = 2_000
_INSERT_MESSAGE = CompiledStatement(insert(ConversationMessageRow), tuple(Message.model_fields))


def checked(text: str, limit: int, what: str) -> str:
    """Return a text in its stored form. Raises AgentFault for an empty or long one."""
    stored = plain(text)
    size = len(stored.encode())
    if not stored.strip():
        raise AgentFault(EMPTY, f"Expected a {what} of 1 to {limit} bytes.")
    if size > limit:
        raise AgentFault(TOO_LONG, f"Expected a {what} of at most {limit} bytes, got {size}.")
    return stored


def start(
    change: Change,
    session: AgentSession,
    target_id: str,
    purpose: str | None,
    first: str | None = None,
    depth: int = 0,
) -> Conversation:
    """Start a conversation and notify its participant; `first` is sent as its first message."""
    me, project_id = session.member_id, session.project_id
    if _hold_for_target(change, session, target_id) == "human":
        raise AgentFault(WITH_HUMAN)
    change.in_time(conversation_rows.live_between(change.tx.connection, project_id, me, target_id))
    conversation = rules.new_conversation(
        conversation_id=f"conv_{secrets.token_hex(12)}",
        seq=change.place,
        project_id=project_id,
        initiator_id=me,
        participant_id=target_id,
        purpose=purpose,
        now=change.now,
        times=change.times,
        depth=depth,
    )
    if not conversation_rows.add(change.tx, conversation):
        raise AgentFault(ALREADY_ACTIVE)
    conversation_rows.add_pending_purpose(change.tx, conversation, change.now)
    change.notify(target_id, "conversation_request", conversation)
    if first is not None:
        send(change, session, target_id, first)
        conversation = conversation_rows.get(change.tx.connection, conversation.id)
    return conversation


def _hold_for_target(change: Change, session: AgentSession, target_id: str) -> Kind:
    """Lock the project for an action towards another member, and return that member's kind. Raises AgentFault."""
    kinds = change.hold_for(session, target_id, places=1)
    # After the lock: the session's member, its target and their kinds are those of this transaction.
    if target_id == session.member_id:
        raise AgentFault(WITH_SELF)
    if target_id not in kinds:
        raise AgentFault(NOT_IN_PROJECT)
    return kinds[target_id]


def end(change: Change, session: AgentSession, conversation_id: str | None) -> Conversation | AgentFault:
    """End a conversation, by default the only open one. Errors are returned, so that expired conversations stay ended."""
    change.hold_for(session)
    open_ones = [
        conversation
        for conversation in conversation_rows.live_of(
            change.tx.connection, session.project_id, session.member_id
        )
        if change.in_time(conversation) is not None and conversation.is_open
    ]
    if conversation_id is not None:
        require_part(change.tx.connection, session, conversation_id)
        open_ones = [conversation for conversation in open_ones if conversation.id == conversation_id]
    if not open_ones:
        return AgentFault(NO_ACTIVE)
    if len(open_ones) > 1:
        named = ", ".join(conversation.id for conversation in open_ones)
        return AgentFault(SEVERAL, f"Say which one to end by its conversation_id: {named}.")
    (conversation,) = open_ones
    after = rules.request_end(conversation, session.member_id, change.now, change.times)
    if after is None or not change.step(conversation, after):
        return AgentFault(NO_ACTIVE)
    return after


def require_part(connection: Connection, session: AgentSession, conversation_id: str) -> Conversation:
    """Return a conversation of the session's member in its project.

    Raises not_a_participant, the same for foreign conversations, other projects and unknown ids.
    """
    with suppress(NotFound):
        conversation = conversation_rows.get(connection, conversation_id)
        if conversation.project_id == session.project_id and session.member_id in conversation.both:
            return conversation
    raise AgentFault(NOT_A_PARTICIPANT)


def send(
    change: Change, session: AgentSession, target_id: str, content: str, message_id: str | None = None
) -> Message:
    """Send a message to another member, in their open conversation if there is one.

    A `message_id` of the caller is stored once. Raises IntegrityError for a known one.
    """
    me, project_id = session.member_id, session.project_id
    _hold_for_target(change, session, target_id)
    live = change.in_time(conversation_rows.live_between(change.tx.connection, project_id, me, target_id))
    after = rules.record_message(live, me, change.now, change.times) if live is not None else None
    spoken_in = live if live is not None and change.step(live, after) else None
    message = Message(
        id=message_id or f"msg_{secrets.token_hex(12)}",
        seq=change.place,
        project_id=project_id,
        from_id=me,
        to_id=target_id,
        conversation_id=spoken_in.id if spoken_in is not None else None,
        content=content,
        created_at=change.now,
    )
    _INSERT_MESSAGE.run(change.tx.connection, message.model_dump())
    change.keys.add(member_key(project_id, target_id))
    if spoken_in is not None:
        change.keys.add(conversation_key(spoken_in.id))
    return message


def end_by_person(change: Change, conversation_id: str) -> Conversation:
    """End a conversation for a person. Raises NotFound, or Conflict when it is over."""
    change.hold(conversation_rows.get(change.tx.connection, conversation_id).project_id)
    conversation = conversation_rows.get(change.tx.connection, conversation_id)
    after = rules.expire(conversation, change.now, change.times) or rules.force_end(
        conversation, "person_ended", None, change.now, change.times
    )
    if after is None or not change.step(conversation, after):
        raise Conflict("This conversation has ended.", code="conversation_over")
    return after


def remove_member(change: Change, project_id: str, member_id: str) -> None:
    """Remove a member: end its live conversations in the project, notify the others, delete its sessions. Raises NotFound."""
    change.hold(project_id)
    project_rows.mark_member_removed(change.tx, project_id, member_id, change.now)
    for conversation in conversation_rows.live_of(change.tx.connection, project_id, member_id):
        _force_end(change, conversation, member_id)
    sessions.forget_of(change.tx, project_id, member_id)
    # wake its own waiting calls, too: they fail with invalid_session
    change.keys |= {member_key(project_id, member_id), DESK_MEMBERS}


def remove_project(change: Change, project_id: str) -> None:
    """Remove a project and end its live conversations. Raises NotFound."""
    change.hold(project_id)
    for conversation in conversation_rows.live_of(change.tx.connection, project_id):
        _force_end(change, conversation, None)
    sessions.forget_of(change.tx, project_id)
    for member in project_rows.list_members(change.tx.connection, project_id, removed=False):
        project_rows.mark_member_removed(change.tx, project_id, member.id, change.now)
        change.keys.add(member_key(project_id, member.id))
    project_rows.mark_project_removed(change.tx, project_id, change.now)
    change.keys.add(DESK_MEMBERS)


def _force_end(change: Change, conversation: Conversation, by: str | None) -> None:
    change.step(conversation, rules.force_end(conversation, "agent_removed", by, change.now, change.times))
