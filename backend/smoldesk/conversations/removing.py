"""What people do to conversations: end one, take a member out of a project, close a project. What was said stays."""

from smoldesk.conversations import (
    conversation_rows,
    project_rows,
    rules,
    sessions,
)
from smoldesk.conversations.rules import Conversation
from smoldesk.conversations.unit_of_work import Change, member_key
from smoldesk.errors import Conflict


def end_by_person(change: Change, conversation_id: str) -> Conversation:
    """Raises NotFound, or Conflict when it is over."""
    change.hold(conversation_rows.get(change.tx.connection, conversation_id).project_id)
    conversation = conversation_rows.get(change.tx.connection, conversation_id)
    after = rules.run_out(conversation, change.now, change.times) or rules.cut(
        conversation, "person_ended", None, change.now, change.times
    )
    if after is None or not change.step(conversation, after):
        raise Conflict("This conversation is over.", code="conversation_over")
    return after


def remove_member(change: Change, project_id: str, member_id: str) -> None:
    """Its live conversations in the project end, the others are told, its sessions are of no more use. Raises NotFound."""
    change.hold(project_id)
    project_rows.mark_member_removed(change.tx, project_id, member_id, change.now)
    for conversation in conversation_rows.live_of(change.tx.connection, project_id, member_id):
        _cut(change, conversation, member_id)
    sessions.forget_of(change.tx, project_id, member_id)
    change.keys.add(member_key(project_id, member_id))  # it waits, perhaps: its session is of no more use


def remove_project(change: Change, project_id: str) -> None:
    """Everything live in it ends. Raises NotFound."""
    change.hold(project_id)
    for conversation in conversation_rows.live_of(change.tx.connection, project_id):
        _cut(change, conversation, None)
    sessions.forget_of(change.tx, project_id)
    for member in project_rows.list_members(change.tx.connection, project_id, removed=False):
        project_rows.mark_member_removed(change.tx, project_id, member.id, change.now)
        change.keys.add(member_key(project_id, member.id))
    project_rows.mark_project_removed(change.tx, project_id, change.now)


def _cut(change: Change, conversation: Conversation, by: str | None) -> None:
    change.step(conversation, rules.cut(conversation, "agent_removed", by, change.now, change.times))
