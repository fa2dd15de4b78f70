"""Server-sent events, for every wire that has some: one event as bytes, and a response that sends them as they become known;
and the events of one run, which most of them tell.

The response is sse-starlette's: it notices at once when its client leaves, waits for a client that reads slowly (so nothing
piles up here), and comments now and then while there is nothing to tell, so that no proxy takes it for dead.
"""

from collections.abc import AsyncGenerator, Mapping
from typing import TYPE_CHECKING

import anyio
from starlette.responses import Response

from smoldesk.events import StoredEvent
from smoldesk.runs.runs import PAGE, Runs

if TYPE_CHECKING:
    from sse_starlette import ServerSentEvent

HEADERS = {
    "content-type": "text/event-stream; charset=utf-8",
    "cache-control": "no-cache, no-transform",
}
# How long a stream may last once the server is told to stop: the desk ends each with an event that says so.
FAREWELL_SECONDS = 30.0


def event_text(
    data: str | None = None, *, event: str | None = None, id: str | None = None, retry: int | None = None
) -> bytes:
    """One event; breaks in `data` become lines of it, and those in a name or an id, which cannot have any, are dropped."""
    from sse_starlette import ServerSentEvent

    return ServerSentEvent(data, event=event, id=id, retry=retry, sep="\n").encode()


def event_stream(
    pieces: AsyncGenerator[bytes, None], keep_alive_seconds: float, headers: Mapping[str, str] = HEADERS
) -> Response:
    """A response of events, in the pieces in which they come. `headers` are instead of the usual ones."""
    from sse_starlette import EventSourceResponse  # it is imported with the first stream, not with the server

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
    """What the log of a chat holds of one run after a seq, then what comes, in the batches in which it is read.

    `page` events at most are held while nobody takes them. Ends when the desk closes or the chat is deleted.
    """
    async for batch in runs.follow(chat_id, after, page):
        yield [item for item in batch if isinstance(item, StoredEvent) and item.run_id == run_id]


async def events_of_chat(
    runs: Runs, chat_id: str, after: int, page: int = PAGE
) -> AsyncGenerator[list[StoredEvent], None]:
    """The same of all runs of a chat, and of the chat itself."""
    async for batch in runs.follow(chat_id, after, page):
        yield [item for item in batch if isinstance(item, StoredEvent)]


def _keep_alive() -> "ServerSentEvent":
    from sse_starlette import ServerSentEvent

    return ServerSentEvent(comment="keep-alive", sep="\n")
