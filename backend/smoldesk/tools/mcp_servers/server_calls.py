"""The calls of one MCP server that are under way, and what the server asks people in them.

The run's own thread answers the questions of its call; a call that ends leaves no question open.
"""

import asyncio
import contextlib
import contextvars
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

# Maximum messages of a call that wait for its busy run; further ones are dropped, and questions cancelled.
MAX_UNHEARD = 1_000

# Maximum characters of one progress message: it waits in memory for its run.
MAX_PROGRESS_CHARACTERS = 20_000
UNMATCHED_REQUEST = (
    "It sent a request while calls of several chats were open. "
    "The protocol does not name the call, so no person was asked."
)

_call: "contextvars.ContextVar[OpenCall | None]" = contextvars.ContextVar("smoldesk_mcp_call", default=None)


class Asker(Protocol):
    """Answers a server's requests during a call, on the run's own thread."""

    def progress(self, text: str, share: float | None) -> None: ...
    def elicit(self, params: Any) -> Any: ...
    def sample(self, params: Any) -> Any: ...


class NullAsker:
    """Implements Asker outside of a run: questions are cancelled."""

    def progress(self, text: str, share: float | None) -> None:
        return None

    def elicit(self, params: Any) -> Any:
        return None

    def sample(self, params: Any) -> Any:
        return None


AskerTask = Callable[[Asker], None] | None


@dataclass
class OpenCall:
    """One call under way; `tasks` are for the run's own thread."""

    chat_id: str
    tasks: "queue.SimpleQueue[AskerTask]" = field(default_factory=lambda: queue.SimpleQueue[AskerTask]())
    questions: "set[asyncio.Future[Any]]" = field(default_factory=lambda: set[asyncio.Future[Any]]())
    """Those that are not answered yet. For the server's own loop, like `guessed`: those that may be another call's."""
    guessed: "set[asyncio.Future[Any]]" = field(default_factory=lambda: set[asyncio.Future[Any]]())
    is_over: bool = False

    def enter(self) -> None:
        """Mark the current context as part of this call. Runs on the server's loop."""
        _call.set(self)


class OpenCalls:
    """Open calls of one server. Any thread may call `begin`, `end` and `wake`; the other methods run on the server's
    loop.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._calls: list[OpenCall] = []

    def begin(self, chat_id: str) -> OpenCall:
        """Add a call of a chat."""
        call = OpenCall(chat_id)
        with self._lock:
            self._calls.append(call)
        return call

    def end(self, call: OpenCall) -> None:
        """Remove a call."""
        with self._lock:
            self._calls.remove(call)

    def over(self, call: OpenCall) -> None:
        """Note that the server finished a call: its open requests get no answer. Runs on the server's loop."""
        call.is_over = True
        # A question that names no call may be one of another call of this chat, which is still open.
        heir = next((open_call for open_call in self._open() if open_call.chat_id == call.chat_id), None)
        if heir is not None:
            heir.guessed |= call.guessed
        else:
            call.questions |= call.guessed
        for question in call.questions:
            if not question.done():
                question.set_result(None)

    def _open(self) -> list[OpenCall]:
        with self._lock:
            return [call for call in self._calls if not call.is_over]

    def wake(self) -> None:
        """Have their runs look: the server has ended."""
        with self._lock:
            calls = [*self._calls]
        for call in calls:
            call.tasks.put(None)

    def _current_call(self) -> OpenCall | None:
        """Return the call in which a server asks.

        The protocol does not name it, so it is known only if a single chat has open calls.
        """
        call = _call.get()
        if call is not None:
            return call
        calls = self._open()
        if len({call.chat_id for call in calls}) > 1:
            for open_call in calls:
                if open_call.tasks.qsize() < MAX_UNHEARD:
                    # Every open call is notified, since any of them may be the one that asked.
                    open_call.tasks.put(lambda asker: asker.progress(UNMATCHED_REQUEST, None))
            return None
        return calls[0] if calls else None

    async def elicited(self, context: Any, params: Any) -> Any:
        from mcp_types import ElicitResult

        return await self._put(lambda asker: asker.elicit(params)) or ElicitResult(action="cancel")

    async def sampled(self, context: Any, params: Any) -> Any:
        from mcp_types import INVALID_REQUEST, ErrorData

        return await self._put(lambda asker: asker.sample(params)) or ErrorData(
            code=INVALID_REQUEST, message="No person can be asked: there is no open call of a single chat."
        )

    async def _put(self, ask: Callable[[Asker], Any]) -> Any:
        """Have the run's own thread answer; None when no run can be meant."""
        call = self._current_call()
        if call is None or call.is_over or call.tasks.qsize() >= MAX_UNHEARD:
            return None
        loop = asyncio.get_running_loop()
        answered: asyncio.Future[Any] = loop.create_future()
        (call.guessed if _call.get() is None else call.questions).add(answered)

        def serve(asker: Asker) -> None:
            answer: Any = None
            try:
                answer = ask(asker)
            finally:  # also where that fails: another call of the chat may be the one that waits for it
                with contextlib.suppress(RuntimeError):
                    # Futures of asyncio are not thread-safe. RuntimeError: the loop has ended with its server.
                    loop.call_soon_threadsafe(lambda: answered.done() or answered.set_result(answer))

        call.tasks.put(serve)
        try:
            return await answered
        finally:
            # `over` may have passed the question on to another call.
            for server_call in (call, *self._open()):
                server_call.questions.discard(answered)
                server_call.guessed.discard(answered)
