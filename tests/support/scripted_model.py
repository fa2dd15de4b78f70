"""A smolagents model that says what the test tells it to: the only part of a desk that tests script."""

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from smolagents.models import (
    ChatMessage,
    ChatMessageStreamDelta,
    ChatMessageToolCallFunction,
    ChatMessageToolCallStreamDelta,
    MessageRole,
    Model,
    agglomerate_stream_deltas,
)


class Calls:
    """A reply of tool calls: (name, arguments) each. Text arguments are sent as they are, all others as JSON.

    `ids` are the provider's: by default call_0, call_1, ...
    """

    def __init__(self, *calls: tuple[str, Any], text: str = "", ids: Sequence[str] | None = None) -> None:
        self.calls = calls
        self.text = text
        self.ids = ids or [f"call_{index}" for index in range(len(calls))]

    def deltas(self) -> Iterator[ChatMessageStreamDelta]:
        """As providers stream them: the name first, then the arguments in two pieces."""
        for index, ((name, arguments), call_id) in enumerate(zip(self.calls, self.ids, strict=True)):
            text = arguments if isinstance(arguments, str) else json.dumps(arguments)
            half = len(text) // 2
            for piece in (text[:half], text[half:]):
                function = ChatMessageToolCallFunction(name=name, arguments=piece)
                delta = ChatMessageToolCallStreamDelta(index, call_id, "function", function)
                yield ChatMessageStreamDelta(tool_calls=[delta])


Said = str | Calls
Reply = Said | Exception | Callable[[list[ChatMessage]], Said]


class ScriptedModel(Model):
    """Gives its replies one after the other, in chunks; the last one is repeated. An Exception is raised."""

    def __init__(self, replies: Sequence[Reply], chunk: int = 7) -> None:
        super().__init__(model_id="scripted")
        self.replies = list(replies)
        self.chunk = chunk
        self.seen: list[list[ChatMessage]] = []
        self.offered = ""
        """Names and descriptions of the tools that the last request of a tools agent had beside its messages."""
        self._lock = threading.Lock()

    def _next(self, messages: list[ChatMessage], options: dict[str, Any]) -> Said:
        tools = options.get("tools_to_call_from") or []
        with self._lock:
            self.offered = "\n".join(f"{tool.name}: {tool.description}" for tool in tools)
            self.seen.append(messages)
            reply = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        if isinstance(reply, Exception):
            raise reply
        return reply(messages) if callable(reply) else reply

    def generate(self, messages: list[ChatMessage], *args: Any, **kwargs: Any) -> ChatMessage:
        reply = self._next(messages, kwargs)
        if isinstance(reply, Calls):
            return agglomerate_stream_deltas(list(reply.deltas()))
        return ChatMessage(role=MessageRole.ASSISTANT, content=reply)

    def generate_stream(
        self, messages: list[ChatMessage], *args: Any, **kwargs: Any
    ) -> Iterator[ChatMessageStreamDelta]:
        reply = self._next(messages, kwargs)
        text = reply.text if isinstance(reply, Calls) else reply
        for start in range(0, len(text), self.chunk):
            yield ChatMessageStreamDelta(content=text[start : start + self.chunk])
        if isinstance(reply, Calls):
            yield from reply.deltas()


class Scripts:
    """What the model of the desk under test says next."""

    def __init__(self) -> None:
        self.model = ScriptedModel([code("final_answer('ok')")])

    def set(self, *replies: Any) -> ScriptedModel:
        self.model = ScriptedModel(replies)
        return self.model


def code(body: str, thought: str = "Let me see.") -> str:
    """A reply of a CodeAgent's model."""
    return f"{thought}\n<code>\n{body}\n</code>"


def text_of(messages: list[ChatMessage]) -> str:
    """All text of a prompt."""
    return "\n".join(
        part["text"] for message in messages for part in (message.content or []) if isinstance(part, dict)
    )
