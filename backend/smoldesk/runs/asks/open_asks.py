"""Open asks of all chats for watching clients: read once for all of them, at most every PACE_SECONDS.

One thread reads when a client watches and the store reports a change, of this or another server. It publishes
snapshots; a slow client gets the latest one and misses those between.
"""

import logging
import threading
from collections.abc import AsyncGenerator, Collection
from dataclasses import dataclass

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from smoldesk.errors import DeskError
from smoldesk.events import Ask
from smoldesk.store import ask_queries, asks, chats
from smoldesk.store.ask_queries import AskState
from smoldesk.store.asks import AskRecord, open_asks_everywhere
from smoldesk.store.store import Store
from smoldesk.store.wakers import Waker

PACE_SECONDS = 0.1
RETRY_SECONDS = 2.0
# Maximum asks in a snapshot, the oldest ones.
MOST = 200
# Maximum of the count of open asks.
COUNTED = 1000
log = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class OpenAsks:
    """Snapshot of the open asks, oldest first, shared by all watchers. `count` is the total number."""

    asks: tuple[AskRecord, ...]
    count: int


class OpenAskWatch:
    """Watches the open asks of a store; `follow` is for event loops, all else for any thread."""

    def __init__(self, store: Store, pace_seconds: float = PACE_SECONDS) -> None:
        self._store = store
        self.pace_seconds = pace_seconds
        self._turn = threading.Condition()
        self._stale = True
        self._closing = False
        self._now: OpenAsks | None = None
        self._looking: set[Waker] = set()
        self._thread = threading.Thread(target=self._watch, name="open-asks", daemon=True)

    def open(self) -> None:
        """Begin to watch."""
        self._store.listen_asks(self.changed)
        self._thread.start()

    def close(self) -> None:
        """End every `follow`, and the thread; calling it again does nothing."""
        with self._turn:
            self._closing = True
            self._turn.notify_all()
            looking = list(self._looking)
        Waker.wake(looking)
        if self._thread.is_alive():
            self._thread.join(1)

    def changed(self) -> None:
        """Mark the snapshot as stale."""
        with self._turn:
            self._stale = True
            self._turn.notify_all()

    async def follow(self) -> AsyncGenerator[OpenAsks]:
        """Yield the open asks now and after each change, until the watch closes."""
        looker = Waker()
        with self._turn:
            self._looking.add(looker)
            self._turn.notify_all()
        previous: OpenAsks | None = None
        try:
            while not self._closing:
                now = self._now
                if now is not None and now is not previous:
                    previous = now
                    yield now
                else:
                    await looker.wait()
        finally:
            with self._turn:
                self._looking.discard(looker)
                if not self._looking:  # without watchers the snapshot is not refreshed
                    self._now, self._stale = None, True

    def _watch(self) -> None:
        while self._wait_for_change():
            try:
                self._publish(self._store.read(read_open_asks))
                self._pause(self.pace_seconds)
            except (SQLAlchemyError, DeskError) as fault:  # its words hold what was written
                log.warning("the open asks could not be read (%s)", type(fault).__name__)
                self.changed()
                self._pause(RETRY_SECONDS)

    def _wait_for_change(self) -> bool:
        """Wait for a change while a client watches; return False when the watch closes."""
        with self._turn:
            self._turn.wait_for(lambda: self._closing or (self._stale and self._looking))
            self._stale = False
            return not self._closing

    def _pause(self, seconds: float) -> None:
        with self._turn:
            self._turn.wait_for(lambda: self._closing, seconds)

    def _publish(self, now: OpenAsks) -> None:
        with self._turn:
            before = self._now
            if not self._looking or (before is not None and _same(before, now)):
                return
            self._now = now
            looking = list(self._looking)
        Waker.wake(looking)


def read_open_asks(connection: Connection) -> OpenAsks:
    """Return the open asks that a person can answer; work for a client is excluded."""
    records = open_asks_everywhere(connection, COUNTED)
    asks = [record for record in records if record.ask.kind != "client_tool"]
    return OpenAsks(tuple(asks[:MOST]), len(asks))


def _same(first: OpenAsks, second: OpenAsks) -> bool:
    return first.count == second.count and first.asks == second.asks


class AskRecords:
    """The asks of a desk's chats, open and closed."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def open_everywhere(self) -> list[AskRecord]:
        """Return the open asks of all chats, oldest first."""
        return await self._store.aread(asks.open_asks_everywhere)

    async def of_chat(self, chat_id: str, before: str | None = None) -> list[AskRecord]:
        """Return a page of a chat's asks, newest first. `before` is the last id of the previous page. Raises NotFound."""
        await self._store.aread(lambda connection: chats.get_chat(connection, chat_id))
        return await self._store.aread(lambda connection: asks.asks_of_chat(connection, chat_id, before))

    async def ask_states(self, chat_id: str, ask_ids: Collection[str] = ()) -> list[AskState]:
        """Return the chat's asks with these ids and all its open ones. Asks of other chats are excluded."""
        return await self._store.aread(
            lambda connection: ask_queries.ask_states(connection, chat_id, ask_ids)
        )

    async def chat_of(self, ask_ids: Collection[str]) -> str | None:
        """Return the chat that opened one of these asks."""
        return await self._store.aread(lambda connection: ask_queries.chat_of_ask(connection, ask_ids))

    async def still_open(self, ask_ids: Collection[str]) -> list[Ask]:
        """Return the unanswered ones of these asks."""
        return await self._store.aread(lambda connection: ask_queries.still_open(connection, ask_ids))

    async def last_seq_of(self, chat_id: str, run_id: str, ask_ids: Collection[str]) -> int:
        """Seq of the run's last event that opened, or waited for, one of these asks; 0 when none did."""
        return await self._store.aread(
            lambda connection: ask_queries.last_ask_seq(connection, chat_id, run_id, ask_ids)
        )
