"""Runs of all chats, newest first, and the events of one run, however long the chat around it is."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import Connection, and_, case, or_, select

from backend.errors import NotFound
from backend.events import StoredEvent
from backend.store.chats import get_chat
from backend.store.event_log import parsed
from backend.store.run_options import RunOptions
from backend.store.tables import EventRow, RunRow

WINDOW = 1_000
"""Seqs that are looked through at once."""
CLOSING = ("run_finished", "run_failed", "run_cancelled")


@dataclass(frozen=True)
class RunRecord:
    """A run's row for those who list runs; `created_at` in seconds since the epoch."""

    id: str
    chat_id: str
    state: str
    message: str
    created_at: float
    options: RunOptions


_RECORDS = select(RunRow.id, RunRow.chat_id, RunRow.state, RunRow.message, RunRow.created_at, RunRow.options)


def run_record(connection: Connection, run_id: str) -> RunRecord:
    """Raises NotFound."""
    row = connection.execute(_RECORDS.where(RunRow.id == run_id)).first()
    if row is None:
        raise NotFound(f"There is no run {run_id[:40]!r}.")
    return RunRecord(*row[:-1], RunOptions.read(row[-1]))


def newest_runs(
    connection: Connection,
    limit: int,
    before: str | None = None,
    state: str | None = None,
    chat_id: str | None = None,
) -> list[RunRecord]:
    """At most `limit` runs, newest first; with `before`, those that come after that run in this order. Raises NotFound."""
    query = _RECORDS
    if before is not None:
        last = run_record(connection, before)
        query = query.where(
            RunRow.created_at <= last.created_at,  # which an index is entered at, unlike at an or
            or_(RunRow.created_at < last.created_at, RunRow.id < last.id),
        )
    if state is not None:
        query = query.where(RunRow.state == state)
    if chat_id is not None:
        query = query.where(RunRow.chat_id == chat_id)
    query = query.order_by(RunRow.created_at.desc(), RunRow.id.desc()).limit(limit)
    return [RunRecord(*row[:-1], RunOptions.read(row[-1])) for row in connection.execute(query)]


def events_of_run(
    connection: Connection, chat_id: str, run_id: str, after: int, types: Collection[str]
) -> Iterator[StoredEvent]:
    """A run's events of these types after a seq, in order, up to the one that closes it (which is among the types)."""
    wanted = and_(EventRow.run_id == run_id, EventRow.type.in_(types))
    body = case((wanted, EventRow.body))  # what is not wanted may be large, and stays where it is
    query = select(EventRow.seq, EventRow.at, EventRow.type, body).where(EventRow.chat_id == chat_id)
    last = get_chat(connection, chat_id).last_seq
    while after < last:
        window = query.where(EventRow.seq > after, EventRow.seq <= after + WINDOW).order_by(EventRow.seq)
        for seq, at, kind, text in connection.execute(window):
            if text is None:
                continue
            yield StoredEvent.model_construct(  # its event was validated as it was parsed
                chat_id=chat_id,
                seq=seq,
                run_id=run_id,
                at=datetime.fromtimestamp(at, UTC),
                event=parsed(text),
            )
            if kind in CLOSING:
                return
        after += WINDOW
