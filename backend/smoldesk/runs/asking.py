"""Asks of a run: opens them, waits for answers, and writes both to the log on the run's thread only."""

import logging
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from smoldesk.events import (
    Ask,
    AskClosed,
    AskOpened,
    RunEvent,
    RunResumed,
    RunWaiting,
)
from smoldesk.logs import log_event
from smoldesk.runs.asks import Asks
from smoldesk.runs.open_calls import OpenEnds
from smoldesk.store.asks import (
    Answer,
    forget_value,
    open_asks,
    record_closed,
)
from smoldesk.store.chat_choices import ChatPolicy, policies_of
from smoldesk.store.run_rows import RunInfo, set_state
from smoldesk.store.store import Store
from smoldesk.store.transaction import Tx

if TYPE_CHECKING:
    from smoldesk.runs.context import ClaimedRun
    from smoldesk.tools.policy import DeskTool

log = logging.getLogger(__name__)


class RunAskPort:
    """Implements AskPort for one run."""

    def __init__(self, store: Store, asks: Asks, run: "ClaimedRun") -> None:
        self._store = store
        self._asks = asks
        self._run = run

    def ask(self, ask: Ask) -> Answer:
        """Open one ask, wait, close it. Raises Stopped when the run was stopped meanwhile."""
        self.open_asks([ask])
        return self.next_answer([ask])[1]

    def open_asks(self, asks: Sequence[Ask], tools: "Mapping[str, DeskTool] | None" = None) -> None:
        """Put questions: from here on they can be answered."""
        run = self._run
        self._asks.will_ask(tools or {})
        run.write(
            [AskOpened(ask=ask) for ask in asks], lambda tx: open_asks(tx, run.chat_id, run.run_id, asks)
        )
        for ask in asks:
            log_event(
                log, "ask_opened", ask=ask.id, run=run.run_id, chat=run.chat_id, kind=ask.kind, tool=ask.tool
            )

    def next_answer(self, asks: Sequence[Ask]) -> tuple[Ask, Answer]:
        """Wait for the first answer to one of these open asks; a grant is committed when this returns.

        The run is said to wait only when none of them is answered yet. Raises Stopped when the run was stopped.
        """
        run = self._run
        answered = self._asks.answered(asks)
        waited = answered is None
        if answered is None:
            waiting = RunWaiting(ask_ids=[ask.id for ask in asks])
            run.write([waiting], lambda tx: set_state(tx, run.run_id, "waiting"))
            answered = self._asks.wait_any(asks, run.stop, run.chat_id)
        self._write_end(*answered, resumes=waited and not run.stop.is_set)
        run.stop.check()
        return answered

    def close_ask(self, ask_id: str, answer: Answer) -> None:
        """Close an open ask from the server; an earlier answer wins."""
        self._asks.close(ask_id, answer)

    def record(self, ask: Ask, answer: Answer) -> None:
        """Keep that an earlier answer reaches this call; committed when this returns."""
        run = self._run
        self._store.submit(lambda tx: record_closed(tx, run.chat_id, run.run_id, ask, answer)).result()
        self._log_ask_closed(ask, answer)

    def policies(self) -> Mapping[str, ChatPolicy]:
        """Return the chat's current policies of tools."""
        return self._store.read(lambda connection: policies_of(connection, self._run.chat_id))

    def _write_end(self, ask: Ask, answer: Answer, resumes: bool) -> None:
        secret = ask.input_type == "password" and ask.kind == "input"
        closed = AskClosed(
            ask_id=ask.id,
            granted=answer.granted,
            value=None if secret else answer.value,
            reason=answer.reason,
            scope=answer.scope,
            by=answer.by,
            said=answer.source_message,
        )

        def also(tx: Tx) -> None:
            if secret:
                forget_value(tx, ask.id)
            if resumes:
                set_state(tx, self._run.run_id, "running")

        self._run.write([closed, RunResumed()] if resumes else [closed], also)
        self._log_ask_closed(ask, answer)

    def _log_ask_closed(self, ask: Ask, answer: Answer) -> None:
        log_ask_closed(self._run.chat_id, self._run.run_id, ask.id, ask.tool, answer)


def log_ask_closed(chat_id: str, run_id: str, ask_id: str, tool: str | None, end: Answer | AskClosed) -> None:
    """Log one line for a grant or a denial."""
    ids = {"ask": ask_id, "run": run_id, "chat": chat_id, "tool": tool}
    log_event(log, "ask_closed", **ids, granted=end.granted, by=end.by, scope=end.scope)


def log_asks_closed(run: RunInfo, open_ends: OpenEnds, ends: Sequence[RunEvent]) -> None:
    """Log a line for each ask that closed because its run did."""
    for end in ends:
        if isinstance(end, AskClosed):
            log_ask_closed(run.chat_id, run.id, end.ask_id, open_ends.tool_of(end.ask_id), end)
