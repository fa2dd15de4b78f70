"""The open asks of this process: answered from any wire, waited for by a run's own thread."""

import asyncio
import threading
import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, cast
from weakref import WeakValueDictionary

from pydantic import JsonValue

from smoldesk.errors import BadInput, Conflict, DeskError
from smoldesk.events import Ask, PolicySet
from smoldesk.runs.asks.answers import check_answer
from smoldesk.stopping import StopFlag
from smoldesk.store.asks import (
    Answer,
    close_ask,
    read_answers,
    read_open,
)
from smoldesk.store.store import Store
from smoldesk.store.transaction import Tx

if TYPE_CHECKING:
    from smoldesk.tools.policy import DeskTool

TIMED_OUT = "Approval request timed out"
NO_ANSWER = "No answer came in time"
# Polling interval of a waiting run: an answer may come through another process.
POLL_SECONDS = 2.0


class Asks:
    """The open asks of this process."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._waiting: dict[str, tuple[str, threading.Event]] = {}
        # Tools of open approvals by the asks' ids; they live as long as their runs.
        self._tools: WeakValueDictionary[str, DeskTool] = WeakValueDictionary()

    async def answer(self, answers: Sequence[tuple[str, Answer]], chat_id: str | None = None) -> None:
        """Answer asks, all or none, in one transaction.

        Raises NotFound, BadInput for an answer that an ask cannot take, Conflict for one that is closed: the first answer
        wins. An `allow` for the whole chat is written as its policy in the same transaction.
        """
        for ask_id, answer in answers:
            if answer.granted and isinstance(answer.value, dict) and (tool := self._tools.get(ask_id)):
                await self._check_edited(tool, ask_id, answer, chat_id)

        def job(tx: Tx) -> None:
            for ask_id, answer in answers:
                ask = read_open(tx.connection, ask_id, tx.now, chat_id)
                check_answer(ask, answer)
                chat = close_ask(tx, ask_id, replace(answer, by="person"))
                if answer.scope == "chat" and ask.tool is not None:
                    tx.append(chat, [PolicySet(tool=ask.tool, policy="allow")])

        await self._store.do(job)
        self._wake(ask_id for ask_id, _ in answers)

    def will_ask(self, tools: Mapping[str, "DeskTool"]) -> None:
        """Have these tools check edited arguments, by the ids of asks that open next; on other servers only the gate does."""
        self._tools.update(tools)

    async def _check_edited(self, tool: "DeskTool", ask_id: str, answer: Answer, chat_id: str | None) -> None:
        """Have the tool check edited arguments, once they have the right types."""
        ask = await self._store.aread(lambda connection: read_open(connection, ask_id, time.time(), chat_id))
        check_answer(ask, answer)
        try:
            await asyncio.to_thread(tool.check_edited, cast("dict[str, JsonValue]", answer.value))
        except DeskError as fault:
            raise BadInput(
                f"The edited arguments cannot be used. {fault.message}",
                f"{fault.hint} The call of {ask.tool} still waits.".strip(),
                code="bad_answer",
            ) from fault

    def wait_any(self, asks: Sequence[Ask], stop: StopFlag, chat_id: str = "") -> tuple[Ask, Answer]:
        """Wait for the first answer to one of these open asks. Expiry and stop are denials like any other."""
        answered = threading.Event()
        with self._lock:
            for ask in asks:
                self._waiting[ask.id] = (chat_id, answered)
        try:
            with stop.calling(answered.set):
                while True:
                    found = self.answered(asks)
                    if found is not None:
                        return found
                    ask = min(asks, key=lambda ask: ask.expires_at)
                    seconds = (ask.expires_at - datetime.now(UTC)).total_seconds()
                    if stop.is_set:
                        self.close(asks[0].id, Answer(False, reason=stop.reason, by="stop"))
                    elif seconds <= 0:
                        why = TIMED_OUT if ask.kind == "approval" else NO_ANSWER
                        self.close(ask.id, Answer(False, reason=why, by="expiry"))
                    else:
                        answered.wait(min(seconds, POLL_SECONDS))
                        answered.clear()
        finally:
            with self._lock:
                for ask in asks:
                    self._waiting.pop(ask.id, None)

    def answered(self, asks: Sequence[Ask]) -> tuple[Ask, Answer] | None:
        """Return the first closed ask of these, in their order."""
        answers = self._store.read(lambda connection: read_answers(connection, [ask.id for ask in asks]))
        return next(((ask, answers[ask.id]) for ask in asks if ask.id in answers), None)

    def close(self, ask_id: str, answer: Answer) -> None:
        """Close an ask from within; an answer that came in the last moment counts instead."""
        try:
            self._store.submit(lambda tx: close_ask(tx, ask_id, answer)).result()
        except Conflict:
            return

    def _wake(self, ask_ids: Iterable[str]) -> None:
        with self._lock:
            waiting = [self._waiting[ask_id][1] for ask_id in ask_ids if ask_id in self._waiting]
        for answered in waiting:
            answered.set()

    def wake_waiters(self, chat_ids: Collection[str]) -> None:
        """Wake the waiters of these chats: another server may have stored an answer."""
        with self._lock:
            waiting = [answered for chat_id, answered in self._waiting.values() if chat_id in chat_ids]
        for answered in waiting:
            answered.set()
