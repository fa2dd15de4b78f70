"""One turn with an agent elsewhere: a message goes out, what comes of it is followed until it ends or asks.

Everything of the network happens here, in a loop of its own on the run's thread, which is gone when the turn is over.
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

# How long is waited between two looks at a task: at first, and at most.
POLL_SECONDS = (0.2, 2.0)
# How long a stream that asks may stay open, and a task show a question that was answered.
SETTLE_SECONDS = 2.0
CANCEL_SECONDS = 1.5
# Looks at a task that may fail in a row.
LOST_LOOKS = 3
# What the library and its parsers raise for what is no A2A.
BREAKS = (
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
    """One message to a peer; by `task_id` it answers what a task asked, in its message `answers`."""

    text: str
    depth: int
    context_id: str = ""
    task_id: str = ""
    answers: str = ""

    def message(self) -> Message:
        """The message in the types of the protocol."""
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
    """Sends one message and follows its task. `told` hears of every update: its new words, which may be none."""

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
        """When it last did something that is news; by the monotonic clock."""
        self._has_started = False
        """Whether it said anything since the message; before, its task may show a question that is being answered."""

    async def run(self, sent: Sent) -> None:
        """Until the task ends or asks. Raises AgentFailed, BadInput for a token that is missing."""
        async with client_of(self._peer, self._silence, self._meter) as http:
            http.headers.update(self._headers)
            try:
                client, streams = await self._connect(http)
                request = SendMessageRequest(message=sent.message())
                if streams:
                    await self._follow(client, request)
                else:
                    await self._first(client, request)
                await self._poll(client, sent)
            except TimeoutError:
                raise AgentFailed(f"It said nothing for {self._silence:g} s.") from None
            except BREAKS as fault:
                if not self._is_of_the_thread(fault, sent):
                    raise self._as_agent_failure(fault) from fault
                # the other side knows that thread no more: a new one begins
                await self.run(replace(sent, context_id=""))

    def _is_of_the_thread(self, fault: Exception, sent: Sent) -> bool:
        """Whether a message was refused before anything came of it, and perhaps for the thread that it names."""
        begins = sent.context_id and not sent.task_id and not self._work.task_id
        return bool(begins) and isinstance(fault, InvalidParamsError | TaskNotFoundError)

    async def cancel(self) -> None:
        """Tell the peer that nobody waits for its task any more; says nothing when that fails."""
        with suppress(TimeoutError, AgentFailed, *BREAKS):
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
        """Take a stream in to its end, or to the end of the task. One that breaks off is no fault: the task is looked at."""
        self._last_activity, self._has_started = time.monotonic(), False
        try:
            async with aclosing(_updates(client, request)) as stream:
                while not self._work.is_over:
                    async with asyncio.timeout(self._remaining_seconds()):
                        self._take(await anext(stream))
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
        """Seconds in which there must be news; the same said again and again is none."""
        most = SETTLE_SECONDS if self._asks_now() else self._silence
        return max(0.0, self._last_activity + most - time.monotonic())

    async def _first(self, client: Client, request: SendMessageRequest) -> None:
        async with (
            asyncio.timeout(self._silence),
            aclosing(_updates(client, request)) as answers,
        ):
            async for answer in answers:
                self._take(answer)

    async def _poll(self, client: Client, sent: Sent) -> None:
        """Look at the task until it ends or asks. It may still show the question that was just answered, for a while."""
        pause, failed = POLL_SECONDS[0], 0
        started_at = self._last_activity = time.monotonic()
        while not self._is_settled(sent, time.monotonic() - started_at):
            if not self._work.task_id:
                raise AgentFailed("It ended the answer without one.")
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
                if failed >= LOST_LOOKS or self._meter.is_over:
                    raise
                continue
            self._take(StreamResponse(task=task))

    def _is_settled(self, sent: Sent, seconds: float) -> bool:
        may_be_old = sent.task_id and self._work.question_id == sent.answers and seconds < SETTLE_SECONDS
        return self._work.is_over or (self._work.progress == "waiting" and not may_be_old)

    def _take(self, update: StreamResponse) -> None:
        before = self._work.mark
        new = self._work.take(update)
        self._has_started = True
        if new or self._work.mark != before:
            self._last_activity = time.monotonic()
        self._on_text(new)

    def _as_agent_failure(self, fault: Exception) -> AgentFailed:
        """A fault of the library in words for the caller; the token stands in none of them."""
        if self._meter.is_over:
            return AgentFailed("It sends more bytes than are taken.")
        reason = f"{type(fault).__name__}: {fault}" if not isinstance(fault, A2AError) else str(fault)
        return AgentFailed(f"It could not be asked ({reason[:500]}).")


async def _updates(client: Client, request: SendMessageRequest) -> AsyncGenerator[StreamResponse]:
    """What comes of a message, as a generator, which can be closed."""
    stream: Any = client.send_message(request)
    async for update in stream:
        yield update


def run_in_new_loop(work: Callable[[], Coroutine[Any, Any, T]], stop: StopFlag | None = None) -> T:
    """Run a coroutine to its end on this thread; `stop` cuts it off. Raises Stopped then."""

    async def guarded() -> T:
        task = asyncio.ensure_future(work())
        if stop is None:
            return await task
        loop = asyncio.get_running_loop()

        def cut() -> None:
            with suppress(RuntimeError):  # it ended by itself just now, and its loop with it
                loop.call_soon_threadsafe(task.cancel)

        with stop.calling(cut):
            return await task

    try:
        return asyncio.run(guarded())
    except asyncio.CancelledError:
        if stop is not None:
            stop.check()
        raise
