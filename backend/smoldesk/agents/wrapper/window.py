"""A prompt within the window of its model: what the oldest steps put out is left out, and a line says so.

Left out are first the outputs of the oldest steps, then what the model wrote in them; never a task, the system prompt, or
anything of the newest steps. What was left out once stays so for the run, and room is made for a while ahead: else the
beginning of the prompt, which providers keep from one call to the next, would change with each.
"""

import json
from collections.abc import Sequence
from typing import Any, cast

from smolagents.models import ChatMessage, MessageRole

# Steps that are told whole, whatever they hold.
NEWEST_STEPS = 2
# Of the window a fourth, but at most so many tokens, is kept free for the answer.
ANSWER_SHARE, MOST_FOR_ANSWER = 4, 4_096
# Down to this share of the room outputs are left out, once one must be.
ROOM_AHEAD = 0.75
# Of UTF-8: what most tokenizers need for code and figures; a model's own counts correct it.
BYTES_PER_TOKEN = 3.0
PER_MESSAGE, PER_PICTURE = 8, 1_000
LEFT_OUT = "(This output was left out, to fit the model's window. Print what is still needed of it again.)"
LEFT_OUT_WORDS = "(What I wrote in this step was left out, to fit my window.)"
_OUTPUT = MessageRole.TOOL_RESPONSE
_WORDS = (MessageRole.ASSISTANT, MessageRole.TOOL_CALL)


class Window:
    """The window of one run's model, `context` tokens long; None: of no known length, and everything is sent."""

    def __init__(self, context: int | None) -> None:
        self._room = None if context is None else context - min(context // ANSWER_SHARE, MOST_FOR_ANSWER)
        self._gone: set[int] = set()
        self._bytes_per_token = BYTES_PER_TOKEN
        self._sent = 0

    def fitted(self, messages: list[ChatMessage], tools: Any = None) -> tuple[list[ChatMessage], int]:
        """The messages as they are sent, and how many of them were shortened. The list itself is left as it is."""
        if self._room is None:
            return messages, 0
        sizes = [_size(message) for message in messages]
        tools_size = len(
            json.dumps([_tool_fields(tool) for tool in cast("list[Any]", tools or [])], default=str).encode()
        )
        for at in self._gone:
            sizes[at] = min(sizes[at], _size(_shorten(messages[at])))
        room = self._room * self._bytes_per_token
        total = sum(sizes) + tools_size
        outputs, replies = _expendable(messages) if total > room else ([], [])
        for places, enough in ((outputs, room * ROOM_AHEAD), (replies, room)):
            for at in places:
                if total <= enough:
                    break
                shorter = _size(_shorten(messages[at]))
                if at not in self._gone and shorter < sizes[at]:
                    self._gone.add(at)
                    total -= sizes[at] - shorter
        self._sent = total
        sent = [_shorten(message) if at in self._gone else message for at, message in enumerate(messages)]
        return sent, len(self._gone)

    def calibrate(self, tokens: int) -> None:
        """What the model counted for the prompt that was sent last: how long its tokens are."""
        if tokens > 100 and self._sent:
            self._bytes_per_token = min(max(self._sent / tokens, BYTES_PER_TOKEN / 3), BYTES_PER_TOKEN * 1.5)


def _expendable(messages: Sequence[ChatMessage]) -> tuple[list[int], list[int]]:
    """Places of outputs, and of the model's words, that may be left out, the oldest first."""
    steps = [at for at, message in enumerate(messages) if message.role == MessageRole.ASSISTANT]
    old = range(steps[-NEWEST_STEPS] if len(steps) >= NEWEST_STEPS else 0)
    outputs = [at for at in old if messages[at].role == _OUTPUT]
    return outputs, [at for at in old if messages[at].role in _WORDS]


def _shorten(message: ChatMessage) -> ChatMessage:
    placeholder = LEFT_OUT if message.role == _OUTPUT else LEFT_OUT_WORDS
    return ChatMessage(
        role=message.role, content=[{"type": "text", "text": placeholder}], tool_calls=message.tool_calls
    )


def _size(message: ChatMessage) -> float:
    """In bytes, pictures by what they usually come to."""
    content = (
        message.content
        if isinstance(message.content, list)
        else [{"type": "text", "text": str(message.content)}]
    )
    size = PER_MESSAGE * BYTES_PER_TOKEN
    for part in content:
        text = part.get("text")
        size += (
            len(text.encode("utf-8", "replace")) if isinstance(text, str) else PER_PICTURE * BYTES_PER_TOKEN
        )
    return size


def _tool_fields(tool: Any) -> list[Any]:
    return [getattr(tool, name, "") for name in ("name", "description", "inputs")]
