"""Transaction of the writer: what a job may do in it, and appending to a chat's log."""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from pydantic_core import PydanticSerializationError
from sqlalchemy import Connection, bindparam, insert, select, update

from smoldesk.errors import Conflict, NotFound
from smoldesk.events import (
    ChatEvent,
    PolicySet,
    RunEvent,
    StoredEvent,
    event_adapter,
)
from smoldesk.logs import DESK
from smoldesk.messages.strict_json import without_surrogates
from smoldesk.store.audit_rows import ADD_AUDIT, AuditAction, audit_values
from smoldesk.store.statements import CompiledStatement, Values
from smoldesk.store.tables import ChatRow, EventRow

# Takes the next seqs of a chat, the last of which it returns; other modules add their own columns to the same statement.
TAKE_SEQS = (
    update(ChatRow)
    .where(ChatRow.id == bindparam("chat"))
    .values(last_seq=ChatRow.last_seq + bindparam("count"), updated_at=bindparam("now"))
    .returning(ChatRow.last_seq)
)

_TAKE = CompiledStatement(TAKE_SEQS)
_TAKE_FENCED = CompiledStatement(TAKE_SEQS.where(ChatRow.epoch == bindparam("fence")))
_HOLD = CompiledStatement(
    select(ChatRow.owner, ChatRow.is_held)
    .where(ChatRow.id == bindparam("chat"))
    .with_for_update(key_share=True)
)
_ADD_EVENTS = CompiledStatement(insert(EventRow), ("chat_id", "seq", "run_id", "type", "at", "body"))


@dataclass(frozen=True)
class Holder:
    """Server that was the last to work on a chat; `is_held`: it works on it now, or has its variables."""

    owner: str | None
    is_held: bool | None


class Tx:
    """Transaction of the writer; `appended` is published once it is committed, with `sizes` in characters.

    `touched` are the chats with changed rows that other waiters need to see, and LISTS for a changed list of the
    desk: desks that share the database are notified. `appended_to` are those in which no other desk has to act, such as
    those with new events of a run: they hear of them a little later. `asks_changed`: it opened or closed asks, or changed
    what a list of the open ones shows. `erased`: it removed data that must not remain anywhere, also not in the database's
    own log. `actor` is who asked for the job that runs, `server` the server it runs at.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._unwritten: list[Values] = []
        self._audited: list[Values] = []
        self.actor = DESK
        self.server = ""
        self.now = time.time()
        self.appended: list[StoredEvent] = []
        self.sizes: list[int] = []
        self.touched: set[str] = set()
        self.appended_to: set[str] = set()
        self.asks_changed = False
        self.erased = False

    @property
    def connection(self) -> Connection:
        """To read and to write with: everything that was appended until now is written."""
        self.flush()
        return self._connection

    def reading(self, chat_id: str) -> Connection:
        """To read the log of one chat with: what was appended to it until now is written."""
        return (
            self.connection if any(row["chat_id"] == chat_id for row in self._unwritten) else self._connection
        )

    @property
    def unflushed(self) -> Connection:
        """For statements that neither read nor change the log: what was appended may wait for other jobs' events."""
        return self._connection

    def flush(self) -> None:
        """Write what was appended: the events of many jobs in one go, for each trip to a server costs."""
        if self._unwritten:
            rows, self._unwritten = self._unwritten, []
            _ADD_EVENTS.run_many(self._connection, rows)
        if self._audited:
            rows, self._audited = self._audited, []
            ADD_AUDIT.run_many(self._connection, rows)

    def audit(
        self,
        action: AuditAction,
        object_id: str = "",
        name: str = "",
        chat_id: str | None = None,
        outcome: str = "",
    ) -> None:
        """Add an entry to the audit log; see audit_rows.py for what a `name` may be."""
        self._audited.append(
            audit_values(self.actor, self.server, self.now, action, object_id, name, chat_id, outcome)
        )

    def execute(self, statement: Any, *args: Any) -> Any:
        """Run a SQLAlchemy statement."""
        return self.connection.execute(statement, *args)

    def append(
        self,
        chat_id: str,
        events: Sequence[RunEvent | ChatEvent],
        run_id: str | None = None,
        epoch: int | None = None,
    ) -> None:
        """Append events to a chat's log under its next seqs.

        With `epoch`, only while it is still the chat's (Conflict otherwise: a later run or a closing came between).
        Raises NotFound for a chat that does not exist.
        """
        if not events:
            return
        next_seq = self.take(_TAKE if epoch is None else _TAKE_FENCED, chat_id, len(events), fence=epoch)
        if next_seq is None:
            if epoch is None:
                raise NotFound(f"There is no chat {chat_id}.")
            raise fenced()
        if epoch is not None:
            self.appended_to.add(chat_id)
        elif chat_id not in self.appended_to:  # held here: see `hold`
            self.touched.add(chat_id)
        self.record(chat_id, next_seq[0], [(run_id, event) for event in events])

    def take(
        self, statement: CompiledStatement, chat_id: str, count: int, **values: str | float | None
    ) -> tuple[Any, ...] | None:
        """Take seqs by a statement made of TAKE_SEQS; the row it returns, None when it found no such chat."""
        taking = {"chat": chat_id, "count": count, "now": self.now, **values}
        rows = statement.rows(self._connection, taking)
        return rows[0] if rows else None

    def hold(self, chat_id: str) -> Holder | None:
        """Keep every other desk from changing the chat's runs until the end of this transaction; None: no such chat.

        First in a job that decides by what it reads of them. (SQLite has one writer at a time anyway.) Only the desk that
        holds the chat needs to know at once, to act on a message, a stop or an answer.
        """
        rows = _HOLD.rows(self._connection, {"chat": chat_id})
        holder = Holder(*rows[0]) if rows else None
        is_ours = holder is not None and (not holder.is_held or self.is_own(holder.owner))
        (self.appended_to if is_ours else self.touched).add(chat_id)
        return holder

    def is_own(self, owner: str | None) -> bool:
        """Return whether an owner of a chat is this server, also at an earlier start."""
        return owner is None or owner.partition(":")[0] == self.server

    def record(
        self, chat_id: str, last: int, events: "Sequence[tuple[str | None, RunEvent | ChatEvent]]"
    ) -> None:
        """Note (run id, event) pairs, to be written under seqs that were taken, the last of which is `last`."""
        at = datetime.fromtimestamp(self.now, UTC)
        for seq, (run_id, event) in enumerate(events, last - len(events) + 1):
            event, body = _encoded(event)
            if isinstance(event, PolicySet):
                is_given = event.policy == "allow"
                action = "permission.given" if is_given else "permission.withdrawn"
                self.audit(action, name=event.tool, chat_id=chat_id)
            self._unwritten.append(
                {
                    "chat_id": chat_id,
                    "seq": seq,
                    "run_id": run_id,
                    "type": event.type,
                    "at": self.now,
                    "body": body,
                }
            )
            self.appended.append(StoredEvent.of(chat_id, seq, run_id, at, event))
            self.sizes.append(len(body))


def fenced() -> Conflict:
    """Return the error for a run that writes under an epoch that is no longer its chat's."""
    return Conflict("This run may write no more: it was closed from outside.", code="fenced")


def _encoded(event: RunEvent | ChatEvent) -> tuple[RunEvent | ChatEvent, str]:
    try:
        return event, event.model_dump_json()
    except PydanticSerializationError:
        # Half a surrogate pair cannot be written as UTF-8; code and clients can produce one.
        event = event_adapter.validate_python(
            without_surrogates(event.model_dump(mode="python", by_alias=False))
        )
        return event, event.model_dump_json()


def plain(text: str) -> str:
    """Return the text as a column of either database can store it: surrogates replaced, and U+FFFD for NUL. (JSON
    escapes a NUL.)
    """
    return without_surrogates(text).replace("\0", "\ufffd")
