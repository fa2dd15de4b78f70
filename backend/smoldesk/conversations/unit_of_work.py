"""One change of a project in one transaction: locks the project, writes steps of the rules, and notifies members.

Waiters are woken after the commit, by the keys of `member_key`, `conversation_key` and `project_key`.
"""

from dataclasses import dataclass, field

from sqlalchemy import bindparam, insert, or_, select

from smoldesk.conversations import conversation_rows
from smoldesk.conversations.errors import INVALID_SESSION, AgentFault
from smoldesk.conversations.models import AgentSession, Kind
from smoldesk.conversations.project_rows import take_seqs
from smoldesk.conversations.rules import (
    Conversation,
    Timeouts,
    expire,
    members_to_notify,
)
from smoldesk.errors import NotFound
from smoldesk.store.conversation_tables import AgentEventRow, MemberRow, MembershipRow
from smoldesk.store.statements import CompiledStatement
from smoldesk.store.transaction import Tx

_PRESENT = CompiledStatement(
    select(MemberRow.id, MemberRow.kind)
    .join(MembershipRow, MembershipRow.member_id == MemberRow.id)
    .where(MembershipRow.project_id == bindparam("project"), MembershipRow.removed_at.is_(None))
    .where(or_(MemberRow.id == bindparam("me"), MemberRow.id == bindparam("other")))
)
_INSERT_EVENT = CompiledStatement(
    insert(AgentEventRow), ("project_id", "seq", "member_id", "kind", "conversation_id", "created_at")
)


def member_key(project_id: str, member_id: str) -> str:
    """Return the key that is woken when a member has a new action."""
    return f"member:{project_id}:{member_id}"


def conversation_key(conversation_id: str) -> str:
    """Return the key that is woken when a conversation changes or gets a message."""
    return f"conversation:{conversation_id}"


# Key that is woken when agents of the desk join or leave projects.
DESK_MEMBERS = "desk-members"


def project_key(project_id: str) -> str:
    """Return the key that is woken by any change in a project."""
    return f"project:{project_id}"


@dataclass
class Change:
    """Change in progress: its transaction, time and timeouts; `keys` collects the keys to wake."""

    tx: Tx
    now: float
    times: Timeouts
    keys: set[str] = field(default_factory=set[str])
    place: int = 0

    def hold(self, project_id: str, places: int = 0) -> int:
        """Lock a project until the commit, before anything else. Raises NotFound.

        Takes `places` in it and returns the last one.
        """
        self.keys.add(project_key(project_id))
        return take_seqs(self.tx, project_id, places)

    def hold_for(self, session: AgentSession, other: str = "", places: int = 0) -> dict[str, Kind]:
        """Lock a session's project and take places in it (`place` is the last one); return the kind of `other`, if present.

        Raises invalid_session when the project or the session's own member was removed meanwhile.
        """
        try:
            self.place = self.hold(session.project_id, places)
        except NotFound:
            raise AgentFault(INVALID_SESSION) from None
        parameters = {"project": session.project_id, "me": session.member_id, "other": other}
        kinds: dict[str, Kind] = dict(_PRESENT.rows(self.tx.connection, parameters))
        if session.member_id not in kinds:
            raise AgentFault(INVALID_SESSION)
        return {member_id: kind for member_id, kind in kinds.items() if member_id == other}

    def step(self, before: Conversation, after: Conversation | None) -> bool:
        """Write a step of the rules and notify members; False when the rules or a concurrent change forbid it."""
        if after is None or not conversation_rows.change(self.tx, before, after):
            return False
        self.keys |= {conversation_key(after.id), project_key(after.project_id)}
        if before.state == "pending" and after.state != "pending":
            # The participant has heard of the conversation, or it is over: in both cases the member is no longer wanted.
            conversation_rows.delete_pending_purposes(self.tx, after.id)
        for member_id in members_to_notify(before, after):
            self.notify(member_id, "conversation_ended", after)
        return True

    def notify(self, member_id: str, kind: str, conversation: Conversation) -> None:
        """Add an action to a member's inbox."""
        row = {
            "project_id": conversation.project_id,
            "seq": take_seqs(self.tx, conversation.project_id, 1),
            "member_id": member_id,
            "kind": kind,
            "conversation_id": conversation.id,
            "created_at": self.now,
        }
        _INSERT_EVENT.run(self.tx.connection, row)
        self.keys.add(member_key(conversation.project_id, member_id))

    def in_time(self, conversation: Conversation | None) -> Conversation | None:
        """Return the conversation, unless its time has run out: then end it now and return None."""
        if conversation is None:
            return None
        late = expire(conversation, self.now, self.times)
        if late is None:
            return conversation
        self.step(conversation, late)
        return None
