"""One change of a project, inside one transaction: the project is held, steps of the rules are written, members are told.

Waiters for what changed are woken after the commit, by keys: `member_key` and `conversation_key`.
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
_TELL = CompiledStatement(
    insert(AgentEventRow), ("project_id", "seq", "member_id", "kind", "conversation_id", "created_at")
)


def member_key(project_id: str, member_id: str) -> str:
    """Woken when there is something for a member to do."""
    return f"member:{project_id}:{member_id}"


def conversation_key(conversation_id: str) -> str:
    """Woken when a conversation changed, or something was said in it."""
    return f"conversation:{conversation_id}"


# Woken when agents of the desk came into projects, or left some.
DESK_MEMBERS = "desk-members"


def project_key(project_id: str) -> str:
    """Woken when anything happened in a project."""
    return f"project:{project_id}"


@dataclass
class Change:
    """What a job works with; `keys` collects whom to wake."""

    tx: Tx
    now: float
    times: Timeouts
    keys: set[str] = field(default_factory=set[str])
    place: int = 0

    def hold(self, project_id: str, places: int = 0) -> int:
        """First of all: nobody else changes this project until the commit. Raises NotFound.

        Takes `places` in it, the last of which is returned.
        """
        self.keys.add(project_key(project_id))
        return take_seqs(self.tx, project_id, places)

    def hold_for(self, session: AgentSession, other: str = "", places: int = 0) -> dict[str, Kind]:
        """Hold a session's project, and take places in it (the last is `place`); the kind of `other`, if it is in it.

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
        """Write a step of the rules and tell who is to know; False when the rules or somebody else forbid it."""
        if after is None or not conversation_rows.change(self.tx, before, after):
            return False
        self.keys |= {conversation_key(after.id), project_key(after.project_id)}
        if before.state == "pending" and after.state != "pending":
            conversation_rows.want_no_more(self.tx, after.id)
        for member_id in members_to_notify(before, after):
            self.notify(member_id, "conversation_ended", after)
        return True

    def notify(self, member_id: str, kind: str, conversation: Conversation) -> None:
        """Something for a member to be given by next_action."""
        row = {
            "project_id": conversation.project_id,
            "seq": take_seqs(self.tx, conversation.project_id, 1),
            "member_id": member_id,
            "kind": kind,
            "conversation_id": conversation.id,
            "created_at": self.now,
        }
        _TELL.run(self.tx.connection, row)
        self.keys.add(member_key(conversation.project_id, member_id))

    def in_time(self, conversation: Conversation | None) -> Conversation | None:
        """The conversation, unless its time ran out: then it ends here and now, and there is none."""
        if conversation is None:
            return None
        late = expire(conversation, self.now, self.times)
        if late is None:
            return conversation
        self.step(conversation, late)
        return None
