"""Model of a person's own agent in a run: any smolagents model, streamed into the log, with calls that Stop ends at once.

The model may serve several chats, so a stop never closes it: the call goes on in its own thread, without a reader, until
the library's next piece or time limit.
"""

import contextlib
import json
from collections.abc import Generator
from typing import Any, cast

from smolagents.models import (
    ChatMessage,
    ChatMessageStreamDelta,
    ChatMessageToolCallFunction,
    ChatMessageToolCallStreamDelta,
)

from smoldesk.agents.wrapper.model import RunModel
from smoldesk.events import Delta
from smoldesk.models.access import Names
from smoldesk.models.pumped import EmitDelta, PumpedModel

# What the hints of a provider's errors point at: the desk's settings have no effect on a supplied model.
NAMES = Names(key="the key of your agent's model", address="its address", model="your agent's model")


class SuppliedModel(PumpedModel):
    """Calls of one run to a person's model; attributes of the model itself stay readable."""

    def __init__(self, inner: Any) -> None:
        super().__init__(model_id_of(inner), retries=0, passing=lambda _: None, names=NAMES, secrets=())
        self._inner = inner

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "_inner":
            raise AttributeError(name)
        return getattr(self._inner, name)

    def stream_reply(
        self, emit: EmitDelta, messages: Any, stop_sequences: list[str] | None, **kwargs: Any
    ) -> None:
        stream = getattr(self._inner, "generate_stream", None)
        if stream is None:
            emit(as_delta(self._inner.generate(messages, stop_sequences=stop_sequences, **kwargs)))
            return
        deltas: Any = stream(messages, stop_sequences=stop_sequences, **kwargs)
        # Closing a generator ends its request, once a stop lets this thread notice.
        with contextlib.closing(deltas) if hasattr(deltas, "close") else contextlib.nullcontext():
            for delta in deltas:
                emit(delta)

    def parse_tool_calls(self, message: ChatMessage) -> ChatMessage:
        return self._inner.parse_tool_calls(message)


class SuppliedRunModel(RunModel):
    """RunModel for classes that were written for another model: they may stream, and read attributes of their own model."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__") or name == "_inner":
            raise AttributeError(name)
        return getattr(self._inner, name)

    def keep_shown(self) -> None:
        """Keep what the step has shown, a plan, when the model is called again in the step."""
        self._written = False
        self._ctx.emit_soon(Delta(step=self._step(), kind="text", text="\n\n"))

    def generate_stream(self, messages: Any, *args: Any, **kwargs: Any) -> Generator[ChatMessageStreamDelta]:
        """Yield the complete reply as one piece; its pieces are in the log already."""
        yield as_delta(self.generate(messages, *args, **kwargs))


def as_delta(message: ChatMessage) -> ChatMessageStreamDelta:
    """Return a complete reply as one streamed piece."""
    calls = [
        ChatMessageToolCallStreamDelta(
            index,
            call.id,
            call.type,
            # streamed arguments are joined as text; smolagents parses them again
            ChatMessageToolCallFunction(_as_text(call.function.arguments), call.function.name),
        )
        for index, call in enumerate(message.tool_calls or [])
    ]
    content: Any = message.content
    if isinstance(content, list):
        content = "".join(str(part.get("text", "")) for part in cast("list[Any]", content))
    return ChatMessageStreamDelta(content=content, tool_calls=calls or None, token_usage=message.token_usage)


def _as_text(arguments: Any) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def model_id_of(model: Any) -> str:
    """Return the name of a model, else that of its class."""
    return str(getattr(model, "model_id", None) or type(model).__name__)
