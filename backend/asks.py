"""Asks: what a run waits for from outside, and the gate a tool call passes.

The rows are the truth (store/asks.py): an answer is a compare-and-set there, then a wake-up here. Only the run's own
thread waits, and only it writes AskOpened and AskClosed to the log.
"""

import secrets
import threading
from collections.abc import Callable, Collection
from datetime import UTC, datetime, timedelta

from pydantic import JsonValue

from backend.errors import Conflict
from backend.events import Ask
from backend.stopping import StopFlag
from backend.store.asks import Answer, answer_ask, read_answer
from backend.store.store import Store
from backend.tools.gate import ToolDenied

TIMED_OUT = "Approval request timed out"
LOOK_AGAIN_SECONDS = 2.0
"""How often a waiting run looks at the row by itself: an answer may come through another process."""


class Asks:
    """The open asks of this process."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._waiting: dict[str, tuple[str, threading.Event]] = {}

    async def answer(self, ask_id: str, answer: Answer, chat_id: str | None = None) -> None:
        """Answer an ask from any wire; raises NotFound or Conflict (the first answer wins)."""
        await self._store.do(lambda tx: answer_ask(tx, ask_id, answer, chat_id))
        self._wake(ask_id)

    def wait(self, ask: Ask, stop: StopFlag, chat_id: str = "") -> Answer:
        """Wait for the answer of an ask whose row is open. Expiry and stop are denials like any other."""
        answered = threading.Event()
        with self._lock:
            self._waiting[ask.id] = (chat_id, answered)
        try:
            with stop.calling(answered.set):
                while True:
                    answer = self._store.read(lambda connection: read_answer(connection, ask.id))
                    if answer is not None:
                        return answer
                    left = (ask.expires_at - datetime.now(UTC)).total_seconds()
                    if stop.is_set or left <= 0:
                        self._deny(ask.id, stop.reason if stop.is_set else TIMED_OUT)
                        continue
                    answered.wait(min(left, LOOK_AGAIN_SECONDS))
                    answered.clear()
        finally:
            with self._lock:
                del self._waiting[ask.id]

    def _deny(self, ask_id: str, reason: str) -> None:
        try:
            self._store.submit(lambda tx: answer_ask(tx, ask_id, Answer(False, reason=reason))).result()
        except Conflict:
            return  # answered in the last moment: that answer counts

    def _wake(self, ask_id: str) -> None:
        with self._lock:
            _, answered = self._waiting.get(ask_id, ("", None))
        if answered is not None:
            answered.set()

    def look_again(self, chat_ids: Collection[str]) -> None:
        """An ask of these chats may have been answered through another server: whoever waits looks at its row."""
        with self._lock:
            waiting = [answered for chat_id, answered in self._waiting.values() if chat_id in chat_ids]
        for answered in waiting:
            answered.set()


class ApprovalGate:
    """Lets a run's tool calls through: at once, or after a person's yes."""

    def __init__(self, ask: Callable[[Ask], Answer], timeout_seconds: float) -> None:
        self._ask = ask
        self._timeout = timeout_seconds
        self._granted: set[str] = set()

    def admit(
        self, tool: str, approval: str, call_id: str, arguments: dict[str, JsonValue], code_line: str | None
    ) -> dict[str, JsonValue]:
        """See Gate.admit. `approval` is never, once (per run) or always."""
        if approval == "never" or (approval == "once" and tool in self._granted):
            return arguments
        ask = Ask(
            id=f"a_{secrets.token_hex(12)}",
            kind="approval",
            tool=tool,
            call_id=call_id,
            arguments=arguments,
            code_line=code_line,
            prompt=f"Allow {tool}?",
            expires_at=datetime.now(UTC) + timedelta(seconds=self._timeout),
        )
        answer = self._ask(ask)
        if not answer.granted:
            reason = f": {answer.reason}" if answer.reason and answer.reason != TIMED_OUT else ""
            raise ToolDenied(
                answer.reason if answer.reason == TIMED_OUT else f"User denied the tool call{reason}"
            )
        self._granted.add(tool)
        return answer.value if isinstance(answer.value, dict) else arguments
