"""Runs of all chats, newest first, and the events of one run, however long the chat around it is."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, case, exists, func, or_, select, true

from smoldesk.errors import NotFound
from smoldesk.events import StoredEvent
from smoldesk.store.chats import IS_THERE, get_chat
from smoldesk.store.event_log import parsed
from smoldesk.store.run_options import IdempotencyKey, RunOptions
from smoldesk.store.run_rows import IS_OPEN
from smoldesk.store.tables import ChatRow, EventRow, RunRow

# Seqs per query.
WINDOW = 1_000
CLOSING = ("run_finished", "run_failed", "run_cancelled")


@dataclass(frozen=True)
class RunRecord:
    """A run's row for those who list runs; times in seconds since the epoch, `changed_at` that of its state."""

    id: str
    chat_id: str
    state: str
    message: str
    created_at: float
    options: RunOptions
    changed_at: float


_RECORDS = select(
    RunRow.id,
    RunRow.chat_id,
    RunRow.state,
    RunRow.message,
    RunRow.created_at,
    RunRow.options,
    RunRow.changed_at,
).where(exists().where(ChatRow.id == RunRow.chat_id, IS_THERE))


def run_record(connection: Connection, run_id: str) -> RunRecord:
    """Return a run. Raises NotFound."""
    row = connection.execute(_RECORDS.where(RunRow.id == run_id)).first()
    if row is None:
        raise NotFound(f"There is no run {run_id[:40]!r}.")
    return _record(row)


@dataclass(frozen=True)
class RunFilter:
    """Filter of a list of runs: a state, a chat, and a least time of the last state change; None means any."""

    state: str | None = None
    chat_id: str | None = None
    since: float | None = None

    def of(self, query: Any) -> Any:
        """Return the query limited to these runs."""
        if self.state is not None:
            query = query.where(RunRow.state == self.state)
        if self.chat_id is not None:
            query = query.where(RunRow.chat_id == self.chat_id)
        if self.since is not None:
            query = query.where(RunRow.changed_at >= self.since)
        return query


def newest_runs(
    connection: Connection,
    limit: int,
    before: str | None = None,
    state: str | None = None,
    chat_id: str | None = None,
) -> list[RunRecord]:
    """At most `limit` runs, newest first; with `before`, those that come after that run in this order. Raises NotFound."""
    query = RunFilter(state, chat_id).of(_RECORDS)
    if before is not None:
        last = run_record(connection, before)
        query = query.where(
            RunRow.created_at <= last.created_at,  # which an index is entered at, unlike at an or
            or_(RunRow.created_at < last.created_at, RunRow.id < last.id),
        )
    query = query.order_by(RunRow.created_at.desc(), RunRow.id.desc()).limit(limit)
    return [_record(row) for row in connection.execute(query)]


def last_run(connection: Connection, chat_id: str) -> RunRecord | None:
    """Return the run that was asked last; None in a chat without runs."""
    query = _RECORDS.where(RunRow.chat_id == chat_id).order_by(RunRow.position.desc()).limit(1)
    row = connection.execute(query).first()
    return None if row is None else _record(row)


# Time of a run's last change of state, and its id: a position in the order of changes.
Change = tuple[float, str]


def last_changed_runs(
    connection: Connection, limit: int, filters: RunFilter, before: Change | None = None
) -> list[RunRecord]:
    """At most `limit` runs, the one whose state changed last first; with `before`, those that come after that place."""
    query = filters.of(_RECORDS)
    if before is not None:
        at, run_id = before
        query = query.where(
            RunRow.changed_at <= at,  # which an index is entered at, unlike at an or
            or_(RunRow.changed_at < at, RunRow.id < run_id),
        )
    query = query.order_by(RunRow.changed_at.desc(), RunRow.id.desc()).limit(limit)
    return [_record(row) for row in connection.execute(query)]


def count_runs(connection: Connection, filters: RunFilter) -> int:
    """Return the number of runs that match a filter."""
    return connection.execute(
        filters.of(
            select(func.count())
            .select_from(RunRow)
            .join(ChatRow, ChatRow.id == RunRow.chat_id)
            .where(IS_THERE)
        )
    ).scalar_one()


def run_sent_as(connection: Connection, key: IdempotencyKey) -> RunRecord | None:
    """Return the run that was started with this idempotency key, while it is valid; see IdempotencyKey."""
    row = connection.execute(_RECORDS.where(RunRow.client_message_id == key.id, is_valid(key))).first()
    return None if row is None else _record(row)


def is_valid(key: IdempotencyKey) -> ColumnElement[bool]:
    """Return the condition for a run of this key to count."""
    return and_(RunRow.created_at >= key.since, IS_OPEN if key.while_open else true())


def _record(row: Any) -> RunRecord:
    run_id, chat_id, state, message, created_at, options, changed_at = row
    return RunRecord(run_id, chat_id, state, message, created_at, RunOptions.read(options), changed_at)


def events_of_run(
    connection: Connection, chat_id: str, run_id: str, after: int, types: Collection[str]
) -> Iterator[StoredEvent]:
    """Yield a run's events of these types after a seq, in order, up to the closing one (which is among the types)."""
    condition = and_(EventRow.run_id == run_id, EventRow.type.in_(types))
    body = case((condition, EventRow.body))  # other bodies may be large, and are not read
    query = select(EventRow.seq, EventRow.at, EventRow.type, body).where(EventRow.chat_id == chat_id)
    last = get_chat(connection, chat_id).last_seq
    while after < last:
        window = query.where(EventRow.seq > after, EventRow.seq <= after + WINDOW).order_by(EventRow.seq)
        for seq, at, kind, text in connection.execute(window):
            if text is None:
                continue
            yield StoredEvent.of(chat_id, seq, run_id, datetime.fromtimestamp(at, UTC), parsed(text))
            if kind in CLOSING:
                return
        after += WINDOW
