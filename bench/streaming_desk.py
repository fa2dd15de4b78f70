"""`python -m bench.streaming_desk FOLDER NOTES`: a served desk whose runs stream the pieces they are asked for.

When it ends, it writes into the file NOTES when each event was committed, by its text. No code runs.
"""

import itertools
import json
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from smolagents.models import ChatMessage, ChatMessageStreamDelta, Model

from bench.instant import answered
from bench.pieces import Order, piece
from bench.talking_desk import serve
from smoldesk.events import Delta, StoredEvent
from smoldesk.store.followers import Followers

_streams = itertools.count()


class StreamingModel(Model):
    """Streams what the message orders, then answers."""

    def __init__(self) -> None:
        super().__init__(model_id="streaming")

    def generate_stream(
        self, messages: list[ChatMessage], *args: Any, **kwargs: Any
    ) -> Iterator[ChatMessageStreamDelta]:
        order = Order.read(str(messages[-1].content))
        stream, started_at = next(_streams), time.monotonic()
        for number in range(order.pieces if order else 0):
            assert order is not None
            time.sleep(order.wait(started_at, number))
            yield ChatMessageStreamDelta(content=piece(stream, number, order.size))
        yield answered()


def note_commits() -> dict[str, int]:
    """When each piece was committed, filled from now on: the writer publishes right after its commit.

    For all stores of this process, which is for this alone.
    """
    noted: dict[str, int] = {}
    publish = Followers.publish

    def note_and_publish(self: Followers, events: Sequence[StoredEvent], sizes: Sequence[int]) -> None:
        now = time.monotonic_ns()
        noted.update((stored.event.text, now) for stored in events if isinstance(stored.event, Delta))
        publish(self, events, sizes)

    Followers.publish = note_and_publish
    return noted


def main(folder: Path, notes: Path) -> None:
    noted = note_commits()
    serve(folder, StreamingModel, agent="tools")
    notes.write_text(json.dumps(noted))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
