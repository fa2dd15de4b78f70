"""Sweeper: ends conversations whose time has run out, and deletes expired sessions. One thread; each round is a short read.

Callers notice an expired conversation anyway (`Change.in_time`); the sweeper is for waiting members and for the page.
"""

import logging
import threading
from collections.abc import Callable

from sqlalchemy import Connection, bindparam, or_, select
from sqlalchemy.exc import SQLAlchemyError

from smoldesk.conversations import conversation_rows, rules, sessions
from smoldesk.conversations.rules import Conversation, Timeouts
from smoldesk.conversations.unit_of_work import Change
from smoldesk.errors import DeskError, NotFound
from smoldesk.store.conversation_tables import AgentSessionRow, ConversationRow
from smoldesk.store.statements import CompiledStatement
from smoldesk.store.store import Store

POLL_SECONDS = 1.0
# Conversations per transaction; the next round takes further ones.
AT_ONCE = 200
# Whether a round has something to do: every server asks each second, so it is one statement, compiled once.
_IS_NEEDED = CompiledStatement(
    select(
        or_(
            select(ConversationRow.id).where(ConversationRow.due_at <= bindparam("now")).exists(),
            select(ConversationRow.id).where(ConversationRow.due_at > bindparam("last_due")).exists(),
            select(AgentSessionRow.token_hash).where(AgentSessionRow.expires_at <= bindparam("now")).exists(),
            select(AgentSessionRow.token_hash)
            .where(AgentSessionRow.expires_at > bindparam("last_expiry"))
            .exists(),
        )
    )
)
log = logging.getLogger(__name__)


def sweep(change: Change, session_seconds: float) -> int:
    """End expired conversations and shorten deadlines after the clock went back; return the number of both."""
    connection, now, times = change.tx.connection, change.now, change.times
    sessions.forget_expired(change.tx, now, session_seconds)
    conversations = _expired(connection, now, times)
    for conversation in conversations:
        try:
            change.hold(conversation.project_id)
        except NotFound:  # the project was removed meanwhile, which ended its conversations
            continue
        after = rules.expire(conversation, now, times) or rules.shorten_deadline(conversation, now, times)
        change.step(conversation, after)
    return len(conversations)


def _expired(connection: Connection, now: float, times: Timeouts) -> list[Conversation]:
    late = conversation_rows.expired(connection, now, AT_ONCE)
    # Deadlines after a clock change are rare, so the second query runs only in rounds without expired conversations.
    return late or conversation_rows.with_invalid_deadline(connection, now, _longest(times), AT_ONCE)


def _longest(times: Timeouts) -> float:
    return max(times.pending_seconds, times.active_seconds)


class Expiry:
    """Sweeper thread with a round every second; `change` runs a job in a transaction and wakes its waiters."""

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
        """End the thread; may be called twice, or before `start`."""
        self._closing.set()
        if self._thread.is_alive():
            self._thread.join()

    def sweep(self) -> int:
        """Run one round; return the number of changed conversations."""

        now = self._clock()
        values = {
            "now": now,
            "last_due": now + _longest(self._times),
            "last_expiry": now + self._session_seconds,
        }
        # Most rounds find nothing, and a read takes no write lock.
        if not self._store.read(lambda connection: _IS_NEEDED.value(connection, values), snapshot=False):
            return 0
        return self._change(lambda change: sweep(change, self._session_seconds))

    def _loop(self) -> None:
        while not self._closing.wait(POLL_SECONDS):
            try:
                self.sweep()
            except (DeskError, SQLAlchemyError) as fault:
                # a full disk, for example: try again in the next round
                if not self._closing.is_set():
                    log.error("sweeping conversations failed (%s)", type(fault).__name__)
