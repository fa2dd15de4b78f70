"""Runs as records: found, listed and read back from their events. Reads on the store's threads."""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TypeVar

from sqlalchemy import Connection

from smoldesk.events import StoredEvent
from smoldesk.store import chats, event_log, run_lists, run_rows
from smoldesk.store.run_lists import CLOSING, Change, RunFilter, RunRecord
from smoldesk.store.run_options import IdempotencyKey
from smoldesk.store.run_rows import OPEN_STATES, RunInfo
from smoldesk.store.store import Store

__all__ = ["CLOSING", "OPEN_STATES", "Change", "Fold", "RunFilter", "RunInfo", "RunRecord", "RunRecords"]

T = TypeVar("T")
# Computes a value from a run, the last seq of its chat, and its events; called on a thread of the store.
Fold = Callable[[RunRecord, int, Iterator[StoredEvent]], T]


class RunRecords:
    """The runs of a desk's chats. Methods raise NotFound for an unknown run or chat."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def get(self, run_id: str) -> RunRecord:
        """Return a run. Raises NotFound."""
        return await self._store.aread(lambda connection: run_lists.run_record(connection, run_id))

    async def open_in(self, chat_id: str) -> list[RunInfo]:
        """Return the open runs of a chat, oldest first."""
        return await self._store.aread(lambda connection: run_rows.open_runs(connection, chat_id))

    async def last_in(self, chat_id: str) -> RunRecord | None:
        """Return the newest run of a chat, or None."""
        return await self._store.aread(lambda connection: run_lists.last_run(connection, chat_id))

    async def seq_before(self, chat_id: str, run_id: str) -> int:
        """Return the seq after which a run's events start."""
        return await self._store.aread(
            lambda connection: event_log.seq_before_run(connection, chat_id, run_id)
        )

    async def is_over_before(self, record: RunRecord, seq: int) -> bool:
        """Return whether the run is closed and its closing event is not among those after `seq`."""
        if record.state in OPEN_STATES:
            return False

        def read_end(connection: Connection) -> bool:
            end_events = run_lists.events_of_run(connection, record.chat_id, record.id, seq, CLOSING)
            return next(end_events, None) is None

        return await self._store.aread(read_end)

    async def folded(self, run_id: str, types: Collection[str], fold: Fold[T]) -> T:
        """Return `fold` over a run and its events of these types and the closing ones."""
        return await self._store.aread(
            lambda connection: _folded(connection, run_lists.run_record(connection, run_id), types, fold)
        )

    async def newest(
        self,
        limit: int,
        before: str | None,
        state: str | None,
        chat_id: str | None,
        types: Collection[str],
        fold: Fold[T],
    ) -> list[T]:
        """Return `fold` over each of at most `limit` runs, newest first; with `before`, those after that run."""

        def read_newest(connection: Connection) -> list[T]:
            if chat_id is not None:
                chats.get_chat(connection, chat_id)
            records = run_lists.newest_runs(connection, limit, before, state, chat_id)
            return [_folded(connection, record, types, fold) for record in records]

        return await self._store.aread(read_newest)

    async def last_changed(
        self, limit: int, filters: RunFilter, before: Change | None, types: Collection[str], fold: Fold[T]
    ) -> tuple[Sequence[T], int, Change | None]:
        """Return a page of runs, last changed first: `fold` of each, the number of all, and the start of the next page.

        The start is None on the last page.
        """

        def read_changed(connection: Connection) -> tuple[Sequence[T], int, Change | None]:
            records = run_lists.last_changed_runs(connection, limit + 1, filters, before)
            page = [_folded(connection, record, types, fold) for record in records[:limit]]
            last = records[limit - 1] if len(records) > limit else None
            place = (last.changed_at, last.id) if last is not None else None
            return page, run_lists.count_runs(connection, filters), place

        return await self._store.aread(read_changed)

    async def sent_as(self, key: IdempotencyKey) -> RunRecord | None:
        """Return the run that was started with this idempotency key, or None if there is none or it has expired."""
        return await self._store.aread(lambda connection: run_lists.run_sent_as(connection, key))


def _folded(connection: Connection, record: RunRecord, types: Collection[str], fold: Fold[T]) -> T:
    last = chats.get_chat(connection, record.chat_id).last_seq
    first = event_log.seq_before_run(connection, record.chat_id, record.id)
    return fold(record, last, run_lists.events_of_run(connection, record.chat_id, record.id, first, types))
