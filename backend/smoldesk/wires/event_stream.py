"""Server-sent events for all wires: encoding, the response, and the events of a run.

The response is sse-starlette's. It notices a disconnect at once, waits for slow clients, so that nothing accumulates in
memory, and sends comments during pauses, so that proxies do not close the connection.
"""

from collections.abc import AsyncGenerator, Mapping
from typing import TYPE_CHECKING

import anyio
from starlette.responses import Response

from smoldesk.events import StoredEvent
from smoldesk.runs.runs import PAGE, Runs

if TYPE_CHECKING:
    from sse_starlette import ServerSentEvent

# no-transform: a proxy that compresses would buffer events.
HEADERS = {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache, no-transform",
}
# Seconds that a stream may last after the server begins to stop: the desk ends each one with a closing event.
FAREWELL_SECONDS = 30.0


def event_text(
    data: str | None = None, *, event: str | None = None, id: str | None = None, retry: int | None = None
) -> bytes:
    """Encode one event. Line breaks in `data` become further data lines; in names and ids they are removed."""
    from sse_starlette import ServerSentEvent

    return ServerSentEvent(data, event=event, id=id, retry=retry, sep="\n").encode()


def event_stream(
    pieces: AsyncGenerator[bytes, None], keep_alive_seconds: float, headers: Mapping[str, str] = HEADERS
) -> Response:
    """Return a response that sends `pieces` as they come. `headers` replace the default ones."""
    from sse_starlette import (
        EventSourceResponse,
    )  # imported with the first stream, to keep the server's start fast

    return EventSourceResponse(
        pieces,
        headers=headers,
        ping=keep_alive_seconds,
        ping_message_factory=_keep_alive,
        shutdown_event=anyio.Event(),
        shutdown_grace_period=FAREWELL_SECONDS,
    )


async def events_of_run(
    runs: Runs, chat_id: str, run_id: str | None, after: int, page: int = PAGE
) -> AsyncGenerator[list[StoredEvent], None]:
    """Yield the events of one run after a seq, in batches: those of the log, then new ones.

    At most `page` events are buffered for a slow reader. Ends when the desk closes or the chat is deleted.
    """
    async for batch in runs.follow(chat_id, after, page):
        yield [item for item in batch if isinstance(item, StoredEvent) and item.run_id == run_id]


async def events_of_chat(
    runs: Runs, chat_id: str, after: int, page: int = PAGE
) -> AsyncGenerator[list[StoredEvent], None]:
    """Yield all events of a chat after a seq, in batches, as `events_of_run` does for one run."""
    async for batch in runs.follow(chat_id, after, page):
        yield [item for item in batch if isinstance(item, StoredEvent)]


def _keep_alive() -> "ServerSentEvent":
    from sse_starlette import ServerSentEvent

    return ServerSentEvent(comment="keep-alive", sep="\n")
