"""Model that gives the recorded replies of a run, so that the run is played again without a provider."""

import json
from collections.abc import Sequence
from typing import Any, cast

from smolagents.models import (
    ChatMessage,
    ChatMessageToolCall,
    ChatMessageToolCallFunction,
    MessageRole,
    Model,
)

from smoldesk.errors import DeskError

RECORDING_ENDED = "recording_ended"


class RecordedModel(Model):
    """Gives its replies in order, each a message as JSON (traces.md)."""

    counts_tokens = False

    def __init__(self, replies: Sequence[str]) -> None:
        super().__init__(model_id="recorded")
        self._replies = list(replies)

    def generate(self, messages: list[ChatMessage], *args: Any, **kwargs: Any) -> ChatMessage:
        """Return the next reply. Raises DeskError("recording_ended") after the last one."""
        if not self._replies:
            raise DeskError(
                "The run needs more replies of the model than were recorded.",
                "Ask the question again: the code does not fit its data any more.",
                code=RECORDING_ENDED,
            )
        return message_of(self._replies.pop(0))


def message_of(text: str) -> ChatMessage:
    """Return the message of its JSON."""
    data = cast("dict[str, Any]", json.loads(text))
    calls = [
        ChatMessageToolCall(
            id=call["id"],
            type="function",
            function=ChatMessageToolCallFunction(name=call["name"], arguments=call["arguments"]),
        )
        for call in data.get("tool_calls") or ()
    ]
    return ChatMessage(role=MessageRole(data["role"]), content=data["content"], tool_calls=calls or None)
