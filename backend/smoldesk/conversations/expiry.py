"""Ends what ran out when nobody asks, and drops sessions that expired. One thread; each look is two short reads.

A caller finds what ran out anyway (changing.in_time): the sweeper is for those who wait, and for the page.
"""

import logging
import threading
from collections.abc import Callable

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from smoldesk.conversations import conversation_rows, rules, sessions
from smoldesk.conversations.rules import Conversation, Timeouts
from smoldesk.conversations.unit_of_work import Change
from smoldesk.errors import DeskError, NotFound
from smoldesk.store.store import Store

LOOK_SECONDS = 1.0
AT_ONCE = 200
log = logging.getLogger(__name__)


def sweep(change: Change, session_seconds: float) -> int:
    """End what ran out, and keep what would last too long after the clock went back; how many conversations that were."""
    connection, now, times = change.tx.connection, change.now, change.times
    sessions.forget_expired(change.tx, now, session_seconds)
    conversations = _expired(connection, now, times)
    for conversation in conversations:
        try:
            change.hold(conversation.project_id)
        except NotFound:  # removed meanwhile, with all that was live in it
            continue
        after = rules.expire(conversation, now, times) or rules.set_back(conversation, now, times)
        change.step(conversation, after)
    return len(conversations)


def _expired(connection: Connection, now: float, times: Timeouts) -> list[Conversation]:
    longest = max(times.pending_seconds, times.active_seconds)
    late = conversation_rows.expired(connection, now, AT_ONCE)
    return late or conversation_rows.with_invalid_deadline(connection, now, longest, AT_ONCE)


class Expiry:
    """Looks every second; `change` writes what there is to write and wakes who waits for it."""

    def __init__(
        self,
        store: Store,
        clock: Callable[[], float],
        times: Timeouts,
        session_seconds: float,
        change: Callable[[Callable[[Change], int]], int],
    ) -> None:
        self._store = store
        self._clock = clock
        self._times = times
        self._session_seconds = session_seconds
        self._change = change
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._loop, name="conversations-sweeper", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """End the thread; calling it again, or before `start`, does nothing."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join()

    def sweep(self) -> int:
        """Look once; how many conversations were ended or set right."""

        def is_needed(connection: Connection) -> bool:
            now = self._clock()
            return bool(_expired(connection, now, self._times)) or sessions.any_to_forget(
                connection, now, self._session_seconds
            )

        if not self._store.read(is_needed):
            return 0
        return self._change(lambda change: sweep(change, self._session_seconds))

    def _loop(self) -> None:
        while not self._closing.wait(LOOK_SECONDS):
            try:
                self.sweep()
            except (DeskError, SQLAlchemyError) as fault:  # a full disk, say: later it may be better
                if not self._closing.is_set():
                    log.error("sweeping conversations failed (%s)", type(fault).__name__)
