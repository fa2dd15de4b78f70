"""The model of every benchmark: it takes no time. Imports nothing of the desk, so that the peers do not carry it."""

from collections.abc import Iterator
from typing import Any

from smolagents.models import (
    ChatMessage,
    ChatMessageStreamDelta,
    ChatMessageToolCallFunction,
    ChatMessageToolCallStreamDelta,
    MessageRole,
    Model,
)

REPLY = "One step will do.\n<code>\nfinal_answer(1)\n</code>"


class InstantModel(Model):
    """Gives the same one-step reply at once, whole."""

    def __init__(self) -> None:
        super().__init__(model_id="instant")

    def generate(self, messages: list[ChatMessage], *args: Any, **kwargs: Any) -> ChatMessage:
        return ChatMessage(role=MessageRole.ASSISTANT, content=REPLY)

    def generate_stream(
        self, messages: list[ChatMessage], *args: Any, **kwargs: Any
    ) -> Iterator[ChatMessageStreamDelta]:
        yield ChatMessageStreamDelta(content=REPLY)


def answered() -> ChatMessageStreamDelta:
    """A tools agent's answer."""
    function = ChatMessageToolCallFunction(name="final_answer", arguments='{"answer": "1"}')
    return ChatMessageStreamDelta(
        tool_calls=[ChatMessageToolCallStreamDelta(0, "call_0", "function", function)]
    )
