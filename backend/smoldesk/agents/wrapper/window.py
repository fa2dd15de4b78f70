"""Fits a prompt into the model's window: outputs of the oldest steps are replaced by a note.

Outputs of the oldest steps go first, then the model's replies in them; never a task, the system prompt, or the newest
steps. What was left out stays out for the run, and room is made ahead: otherwise the beginning of the prompt, which
providers cache between calls, would change with each call.
"""

import json
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, cast

from smolagents.models import ChatMessage, MessageRole

# Newest steps, which are sent in full.
NEWEST_STEPS = 2
# Reserve for the answer, unless its length is limited: a fourth of the window, at most this many tokens.
ANSWER_SHARE, MAX_FOR_ANSWER = 4, 4_096
# Once one output must go, outputs are left out down to this share of the room.
ROOM_AHEAD = 0.75
# UTF-8 bytes per token for code and figures with most tokenizers; a model's own counts correct it.
BYTES_PER_TOKEN = 3.0
# Bytes per token of the desk's prompts: usual (SmolLM2's tokenizer made 5,778 tokens of 20,920 bytes), and the most that
# other tokenizers are expected to reach.
USUAL_BYTES_PER_TOKEN, MOST_BYTES_PER_TOKEN = 3.6, 4.5
# A count of tokens means a cut prompt from this many bytes per token on, if it is near a multiple of half of 1,024.
CUT_BYTES_PER_TOKEN, HALF_BLOCK, MOST_ADDED = 6.0, 512, 4
# Estimated tokens that a message costs besides its text, and a picture.
PER_MESSAGE, PER_PICTURE = 8, 1_000
OMITTED_OUTPUT = (
    "(This output was left out, to fit the model's window. Print what is still needed of it again.)"
)
OMITTED_REPLY = "(What I wrote in this step was left out, to fit my window.)"
_OUTPUT_ROLE = MessageRole.TOOL_RESPONSE
_REPLY_ROLES = (MessageRole.ASSISTANT, MessageRole.TOOL_CALL)


class Window:
    """Window of one run's model, `context` tokens long; None: unknown, and prompts are sent in full.

    `max_tokens` limits the answer and is reserved for it, up to half of the window.
    """

    def __init__(self, context: int | None, max_tokens: int | None = None) -> None:
        self._max_tokens = max_tokens
        self._gone: set[int] = set()
        self._bytes_per_token = BYTES_PER_TOKEN
        self._counted = False
        self._sent: Callable[[], float] = float
        self.resize(context)

    def resize(self, context: int | None) -> None:
        """Set the length of the window, which a server may report during a run."""
        self.context = context
        self._room: int | None = None
        if context is not None:
            usual = min(context // ANSWER_SHARE, MAX_FOR_ANSWER)
            self._room = context - (min(self._max_tokens, context // 2) if self._max_tokens else usual)

    def fit(self, messages: list[ChatMessage], tools: Any = None) -> tuple[list[ChatMessage], int]:
        """Return the messages to send, and how many of them were shortened. The given list is not changed."""
        if self._room is None:  # the size is needed only for a model that counts its tokens
            self._sent = cache(lambda: sum(map(_size, messages)) + _size_of_tools(tools))
            return messages, 0
        sizes = [_size(message) for message in messages]
        tools_size = _size_of_tools(tools)
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
        self._sent = lambda: total
        sent = [_shorten(message) if at in self._gone else message for at, message in enumerate(messages)]
        return sent, len(self._gone)

    def excess(self) -> int | None:
        """Return the tokens of the last prompt if it certainly does not fit, else None."""
        if self.context is None:
            return None
        certain = self._bytes_per_token if self._counted else MOST_BYTES_PER_TOKEN
        if self._sent() <= self.context * certain:
            return None
        return round(self._sent() / (self._bytes_per_token if self._counted else USUAL_BYTES_PER_TOKEN))

    def estimate(self) -> int:
        """Return the tokens of the last prompt by a usual tokenizer."""
        return round(self._sent() / USUAL_BYTES_PER_TOKEN)

    def window_of_cut_prompt(self, tokens: int) -> int | None:
        """Return the window of a server that read only `tokens` of the last prompt and reported no error.

        Ollama cuts a prompt to its window, or to half of it and a few tokens (ollama/ollama #17427, #17889), and windows
        are multiples of 1,024. Other counts that are too low, for example without cached tokens, are no sign of it.
        """
        if self.context is not None and 0 <= tokens - self.context <= MOST_ADDED:
            return self.context
        blocks, more = divmod(tokens, HALF_BLOCK)
        if not blocks or more > MOST_ADDED or self._sent() / tokens < CUT_BYTES_PER_TOKEN:
            return None
        return (tokens - more) * (2 if more else 1)

    def calibrate(self, tokens: int) -> None:
        """Correct the estimate of bytes per token by the model's count for the last prompt."""
        if tokens > 100 and self._sent():
            self._counted = True
            # the bounds keep one odd count from ruining the estimate
            self._bytes_per_token = min(
                max(self._sent() / tokens, BYTES_PER_TOKEN / 3), BYTES_PER_TOKEN * 1.5
            )


def _expendable(messages: Sequence[ChatMessage]) -> tuple[list[int], list[int]]:
    """Return the indexes of outputs, and of the model's replies, that may be left out, oldest first."""
    steps = [at for at, message in enumerate(messages) if message.role == MessageRole.ASSISTANT]
    old = range(steps[-NEWEST_STEPS] if len(steps) >= NEWEST_STEPS else 0)
    outputs = [at for at in old if messages[at].role == _OUTPUT_ROLE]
    return outputs, [at for at in old if messages[at].role in _REPLY_ROLES]


def _shorten(message: ChatMessage) -> ChatMessage:
    placeholder = OMITTED_OUTPUT if message.role == _OUTPUT_ROLE else OMITTED_REPLY
    return ChatMessage(
        role=message.role, content=[{"type": "text", "text": placeholder}], tool_calls=message.tool_calls
    )


def _size(message: ChatMessage) -> float:
    """Estimate a message's size in bytes, pictures by a usual size."""
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


def estimate_tokens(text: str, tools: Any = None) -> int:
    """Return the tokens of a text, and of tools that go beside it, by a usual tokenizer."""
    return round((len(text.encode()) + _size_of_tools(tools)) / USUAL_BYTES_PER_TOKEN)


def _size_of_tools(tools: Any) -> int:
    fields = [_tool_fields(tool) for tool in cast("list[Any]", tools or [])]
    return len(json.dumps(fields, default=str).encode()) if fields else 0


def _tool_fields(tool: Any) -> list[Any]:
    return [getattr(tool, name, "") for name in ("name", "description", "inputs")]
