"""What was sent on streams, for clients whose connection broke: the newest of it, bounded in number and in size."""

from collections import OrderedDict
from itertools import count

from mcp.server.streamable_http import EventCallback, EventId, EventMessage, EventStore, StreamId
from mcp_types import JSONRPCMessage

MOST_EVENTS = 10_000
MOST_BYTES = 32_000_000


class BoundedEventStore(EventStore):
    """In memory: a desk that is started anew has none of the sessions these belong to either."""

    def __init__(self, most_events: int = MOST_EVENTS, most_bytes: int = MOST_BYTES) -> None:
        self._most_events = most_events
        self._most_bytes = most_bytes
        self._ids = count(1)
        self._events: OrderedDict[int, tuple[StreamId, JSONRPCMessage | None, int]] = OrderedDict()
        self._bytes = 0

    async def store_event(self, stream_id: StreamId, message: JSONRPCMessage | None) -> EventId:
        """Keep an event; the oldest ones make room."""
        size = 100 if message is None else 100 + len(message.model_dump_json())
        number = next(self._ids)
        self._events[number] = (stream_id, message, size)
        self._bytes += size
        while len(self._events) > self._most_events or (
            self._bytes > self._most_bytes and len(self._events) > 1
        ):
            _, (_, _, gone) = self._events.popitem(last=False)
            self._bytes -= gone
        return str(number)

    async def replay_events_after(
        self, last_event_id: EventId, send_callback: EventCallback
    ) -> StreamId | None:
        """Send what followed on the stream of that event; None when it is not (or no more) known."""
        last = int(last_event_id) if last_event_id.isascii() and last_event_id.isdigit() else 0
        if last not in self._events:
            return None
        stream_id = self._events[last][0]
        later = [
            (number, message)
            for number, (stream, message, _) in self._events.items()
            if number > last and stream == stream_id and message is not None
        ]
        for number, message in later:
            await send_callback(EventMessage(message, str(number)))
        return stream_id
