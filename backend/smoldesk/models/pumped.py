"""Models whose library cannot end a call: they run on a thread of their own and send pieces through a queue.

`close` wakes the reader of the next piece at once. The thread notices at its next piece, or when its library's own
time-out ends; its output then has no reader.
"""

import queue
import threading
from collections.abc import Callable, Generator, Sequence
from typing import Any

from pydantic import SecretStr
from smolagents import ChatMessage, ChatMessageStreamDelta, Model
from smolagents.models import agglomerate_stream_deltas, remove_content_after_stop_sequences

from smoldesk.errors import ModelFault, Stopped
from smoldesk.models.access import Names
from smoldesk.models.errors import translate
from smoldesk.models.retries import Retries, RetryPolicy

# Receives one piece of an answer; raises Stopped once the model is closed.
EmitDelta = Callable[[ChatMessageStreamDelta], None]

# None ends an answer, an exception ends it with an error.
_Piece = ChatMessageStreamDelta | Exception | None


class PumpedModel(Model):
    """Model that can be stopped even if its library cannot. A provider implements `stream_reply`."""

    def __init__(
        self,
        model_id: str,
        *,
        retries: int,
        passing: RetryPolicy,
        names: Names,
        secrets: Sequence[SecretStr | None],
    ) -> None:
        super().__init__(model_id=model_id)
        self.retries = Retries(retries, passing)
        self._names = names
        self._secrets = secrets
        self._lock = threading.Lock()
        self._queues: set[queue.SimpleQueue[_Piece]] = set()

    def stream_reply(
        self, emit: EmitDelta, messages: Any, stop_sequences: list[str] | None, **kwargs: Any
    ) -> None:
        """Send the complete answer, piece by piece; runs on a thread of its own. Raises the library's errors."""
        raise NotImplementedError

    def fault(self, error: Exception) -> ModelFault | Stopped:
        """Return the desk's error for one of `stream_reply`."""
        return translate(error, *self._secrets, names=self._names)

    def close(self) -> None:
        """End the calls under way, at once and from any thread, and refuse later ones."""
        self.retries.close()
        with self._lock:
            for pieces in self._queues:
                pieces.put(None)

    def generate_stream(
        self, messages: Any, stop_sequences: list[str] | None = None, **kwargs: Any
    ) -> Generator[ChatMessageStreamDelta]:
        """Yield the answer as it arrives. Raises ModelFault, or Stopped after `close`. Arguments as in smolagents."""
        pieces: queue.SimpleQueue[_Piece] = queue.SimpleQueue()
        with self._lock:
            self._queues.add(pieces)
        speaker = threading.Thread(
            target=self._pump, args=(pieces, messages, stop_sequences, kwargs), name="model-call", daemon=True
        )
        try:
            self.retries.check()  # not before: a `close` from here on is heard in the queue
            speaker.start()
            while isinstance(piece := pieces.get(), ChatMessageStreamDelta):
                self.retries.check()
                yield piece
        finally:
            with self._lock:
                self._queues.discard(pieces)
        self.retries.check()
        if piece is not None:
            raise self.fault(piece)  # without its cause: a traceback must not show what may hold the key

    def generate(
        self, messages: Any, stop_sequences: list[str] | None = None, *_: Any, **kwargs: Any
    ) -> ChatMessage:
        """Return the complete answer. It is streamed internally: only a stream tells a long answer from a stalled one."""
        answer = agglomerate_stream_deltas(list(self.generate_stream(messages, stop_sequences, **kwargs)))
        if stop_sequences is not None and not self.supports_stop_parameter:
            answer.content = remove_content_after_stop_sequences(str(answer.content), stop_sequences)
        return answer

    def _pump(
        self,
        pieces: "queue.SimpleQueue[_Piece]",
        messages: Any,
        stop_sequences: list[str] | None,
        kwargs: dict[str, Any],
    ) -> None:
        def emit(piece: ChatMessageStreamDelta) -> None:
            self.retries.check()
            pieces.put(piece)

        try:
            self.stream_reply(emit, messages, stop_sequences, **kwargs)
        except Exception as error:  # every library has exceptions of its own: `fault` finds words for them
            pieces.put(error)
        else:
            pieces.put(None)
