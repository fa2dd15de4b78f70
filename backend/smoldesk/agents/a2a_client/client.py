"""One turn with a remote agent: sends a message and follows its task until it ends or asks.

All network traffic happens here, in an event loop of its own on the run's thread that ends with the turn.
"""

import asyncio
import time
import uuid
from collections.abc import AsyncGenerator, Callable, Coroutine
from contextlib import aclosing, suppress
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import httpx
from a2a.client import A2AClientError, Client, ClientConfig, ClientFactory
from a2a.types import (
    CancelTaskRequest,
    GetTaskRequest,
    Message,
    Part,
    Role,
    SendMessageRequest,
    StreamResponse,
)
from a2a.utils.errors import A2AError, InvalidParamsError, TaskNotFoundError
from google.protobuf.json_format import ParseError

from smoldesk.agents.a2a_client.bounded import BINDINGS, Meter, client_of, fetch_card
from smoldesk.agents.a2a_client.entries import DEPTH_KEY, AgentFailed, Peer
from smoldesk.agents.a2a_client.remote_task import RemoteTask
from smoldesk.stopping import StopFlag

# Pause between two polls of a task: the first one, and the longest.
POLL_SECONDS = (0.2, 2.0)
# For a stream that stays open after a question, and for a task that still shows a question after its answer.
SETTLE_SECONDS = 2.0
# Short, because the run is ending: a person who pressed stop waits for it.
CANCEL_SECONDS = 1.5
# Polls in a row that may fail.
MAX_FAILED_POLLS = 3
# Errors that the library and its parsers raise for malformed responses.
PROTOCOL_ERRORS = (
    A2AError,
    httpx.HTTPError,
    httpx.InvalidURL,
    ParseError,
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    RecursionError,
)

T = TypeVar("T")
TextCallback = Callable[[str], None]


@dataclass(frozen=True)
class Sent:
    """One message to a peer. With `task_id` it answers the question that the task asked in its message `answers`."""

    text: str
    depth: int
    context_id: str = ""
    task_id: str = ""
    answers: str = ""

    def message(self) -> Message:
        """Return the message in the types of the protocol."""
        message = Message(
            message_id=str(uuid.uuid4()),
            role=Role.ROLE_USER,
            context_id=self.context_id,
            task_id=self.task_id,
            parts=[Part(text=self.text)],
        )
        message.metadata.update({DEPTH_KEY: self.depth})
        return message


class Turn:
    """Sender of one message and follower of its task. `on_text` gets the new text of every update, which may be empty."""

    def __init__(
        self,
        peer: Peer,
        silence: float,
        work: RemoteTask,
        on_text: TextCallback,
        traceparent: str | None = None,
    ) -> None:
        self._peer = peer
        self._silence = silence
        self._work = work
        self._on_text = on_text
        self._headers = {"traceparent": traceparent} if traceparent else {}
        self._meter = Meter()
        self._last_activity = 0.0
        """Monotonic time of the last update that changed something."""
        self._has_started = False
        """Whether an update came since the message; before that, the task may still show the answered question."""

    async def run(self, sent: Sent) -> None:
        """Send the message and follow the task until it ends or asks. Raises AgentFailed, BadInput for a missing token."""
        async with client_of(self._peer, self._silence, self._meter) as http:
            http.headers.update(self._headers)
            try:
                client, streams = await self._connect(http)
                request = SendMessageRequest(message=sent.message())
                if streams:
                    await self._follow(client, request)
                else:
                    await self._send_once(client, request)
                await self._poll(client, sent)
            except TimeoutError:
                raise AgentFailed(f"The agent sent nothing for {self._silence:g} s.") from None
            except PROTOCOL_ERRORS as fault:
                if not self._is_unknown_context(fault, sent):
                    raise self._as_agent_failure(fault) from fault
                # the agent has forgotten the thread (a restart, say): try again in a new one
                await self.run(replace(sent, context_id=""))

    def _is_unknown_context(self, fault: Exception, sent: Sent) -> bool:
        """Return whether a message was refused before any task started, possibly because its thread is unknown."""
        begins = sent.context_id and not sent.task_id and not self._work.task_id
        return bool(begins) and isinstance(fault, InvalidParamsError | TaskNotFoundError)

    async def cancel(self) -> None:
        """Ask the peer to cancel the task; a failure is ignored."""
        with suppress(TimeoutError, AgentFailed, *PROTOCOL_ERRORS):
            async with (
                asyncio.timeout(CANCEL_SECONDS),
                client_of(self._peer, CANCEL_SECONDS, Meter()) as http,
            ):
                client, _ = await self._connect(http)
                await client.cancel_task(CancelTaskRequest(id=self._work.task_id))

    async def _connect(self, http: httpx.AsyncClient) -> tuple[Client, bool]:
        async with asyncio.timeout(self._silence):
            card = await fetch_card(http, self._peer)
        streams = card.capabilities.streaming
        config = ClientConfig(
            streaming=streams,
            polling=not streams,
            httpx_client=http,
            supported_protocol_bindings=[*BINDINGS],
        )
        return ClientFactory(config).create(card), streams

    async def _follow(self, client: Client, request: SendMessageRequest) -> None:
        """Read a stream to its end, or to the end of the task. After a broken stream the task is polled instead."""
        self._last_activity, self._has_started = time.monotonic(), False
        try:
            async with aclosing(_updates(client, request)) as stream:
                while not self._work.is_over:
                    async with asyncio.timeout(self._remaining_seconds()):
                        # Each update gets what remains of the silence limit; an update that changes nothing does not renew it.
                        self._apply(await anext(stream))
        except StopAsyncIteration:
            return
        except TimeoutError:
            if not self._asks_now():
                raise
        except A2AClientError:
            if not self._work.task_id or self._meter.is_over:
                raise

    def _asks_now(self) -> bool:
        return self._has_started and self._work.is_asking

    def _remaining_seconds(self) -> float:
        """Return the seconds until the next change is due; repeated updates do not extend them."""
        most = SETTLE_SECONDS if self._asks_now() else self._silence
        return max(0.0, self._last_activity + most - time.monotonic())

    async def _send_once(self, client: Client, request: SendMessageRequest) -> None:
        async with (
            asyncio.timeout(self._silence),
            aclosing(_updates(client, request)) as answers,
        ):
            async for answer in answers:
                self._apply(answer)

    async def _poll(self, client: Client, sent: Sent) -> None:
        """Poll the task until it ends or asks; it may show the answered question for a while."""
        pause, failed = POLL_SECONDS[0], 0
        started_at = self._last_activity = time.monotonic()
        while not self._is_settled(sent, time.monotonic() - started_at):
            if not self._work.task_id:
                raise AgentFailed("The agent's response ended without an answer.")
            if time.monotonic() - self._last_activity > self._silence:
                raise TimeoutError
            await asyncio.sleep(pause)
            pause = min(pause * 1.5, POLL_SECONDS[1])
            try:
                async with asyncio.timeout(self._silence):
                    task = await client.get_task(GetTaskRequest(id=self._work.task_id))
                failed = 0
            except A2AClientError:
                failed += 1
                if failed >= MAX_FAILED_POLLS or self._meter.is_over:
                    raise
                continue
            self._apply(StreamResponse(task=task))

    def _is_settled(self, sent: Sent, seconds: float) -> bool:
        may_be_old = sent.task_id and self._work.question_id == sent.answers and seconds < SETTLE_SECONDS
        return self._work.is_over or (self._work.progress == "waiting" and not may_be_old)

    def _apply(self, update: StreamResponse) -> None:
        before = self._work.mark
        new = self._work.apply(update)
        self._has_started = True
        if new or self._work.mark != before:
            self._last_activity = time.monotonic()
        self._on_text(new)

    def _as_agent_failure(self, fault: Exception) -> AgentFailed:
        """Translate an error of the library; the text never contains the token."""
        if self._meter.is_over:
            return AgentFailed("The agent's response exceeds the size limit.")
        reason = f"{type(fault).__name__}: {fault}" if not isinstance(fault, A2AError) else str(fault)
        return AgentFailed(f"The request to the agent failed ({reason[:500]}).")


async def _updates(client: Client, request: SendMessageRequest) -> AsyncGenerator[StreamResponse]:
    # A generator of its own, so that the caller can close it (`aclosing`).
    stream: Any = client.send_message(request)
    async for update in stream:
        yield update


def run_in_new_loop(work: Callable[[], Coroutine[Any, Any, T]], stop: StopFlag | None = None) -> T:
    """Run a coroutine to its end on this thread, in a loop of its own. Raises Stopped when `stop` cuts it off."""

    async def guarded() -> T:
        task = asyncio.ensure_future(work())
        if stop is None:
            return await task
        loop = asyncio.get_running_loop()

        def cut() -> None:
            with suppress(RuntimeError):  # the loop may have closed by itself in this moment
                loop.call_soon_threadsafe(task.cancel)

        with stop.calling(cut):
            return await task

    try:
        return asyncio.run(guarded())
    except asyncio.CancelledError:
        if stop is not None:
            stop.check()
        raise
