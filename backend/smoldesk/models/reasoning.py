"""Parts of a stream that smolagents drops: reasoning, the reason of its end, a refusal, progress of the prompt, cached tokens.

`ReasoningRetryer` sits where smolagents takes a stream of completions from openai's client or LiteLLM, and hides these parts
of each chunk in its text, and the cached tokens in the count of tokens; `with_reasoning` extracts them on the other side of
smolagents.
"""

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, NamedTuple

from smolagents import ChatMessage, ChatMessageStreamDelta
from smolagents.monitoring import TokenUsage

# Fields with the reasoning: DeepSeek, LiteLLM and older vLLM use the first, OpenRouter and newer vLLM the second.
NAMES = ("reasoning_content", "reasoning")
# Larger counts of tokens are no prompts.
MAX_TOKENS = 10**9


class PromptShare(NamedTuple):
    """Tokens of the prompt that the server has read, those from its cache included, and all of them."""

    processed: int
    total: int


@dataclass
class ReasonedDelta(ChatMessageStreamDelta):
    """Piece of a reply, with a piece of the reasoning before it.

    The last piece has the `finish_reason`, in OpenAI's terms: `stop`, `length` (a limit of tokens was reached),
    `content_filter`, `tool_calls`; None where the provider reports none. `refusal` is text that takes the place of a reply.
    `progress` comes before the first text, from servers that report it.
    """

    reasoning: str = ""
    finish_reason: str | None = None
    refusal: str = ""
    progress: PromptShare | None = None


@dataclass
class CompleteReply(ChatMessage):
    """Reply of a model, with what its stream said besides text and calls; see ReasonedDelta."""

    finish_reason: str | None = None
    refusal: str = ""
    reasoned: bool = False


@dataclass
class CachedUsage(TokenUsage):
    """Tokens of a call; of its input tokens so many were read from the provider's cache."""

    cached_tokens: int = 0


class _Count(int):
    """The tokens of a prompt, with those among them that were cached."""

    cached: int

    def __new__(cls, count: int, cached: int) -> "_Count":
        counted = super().__new__(cls, count)
        counted.cached = cached
        return counted


class _Extras(NamedTuple):
    reasoning: str
    finish_reason: str | None
    refusal: str
    progress: PromptShare | None


class _Content(str):
    """The text of a chunk, with the chunk's other parts."""

    extras: _Extras

    def __new__(cls, content: str, extras: _Extras) -> "_Content":
        text_part = super().__new__(cls, content)
        text_part.extras = extras
        return text_part


class ReasoningRetryer:
    """A retryer of smolagents' around another: the streams it returns keep their reasoning."""

    def __init__(self, retries: Callable[..., Any]) -> None:
        self._retries = retries

    def __call__(self, call: Callable[..., Any], *args: Any, **kwargs: Any) -> Generator[Any]:
        """Yield the chunks of the stream that `call` opens, on demand."""
        for chunk in self._retries(call, *args, **kwargs):
            choices: list[Any] = chunk.choices or []
            for choice in choices[:1]:  # smolagents reads no other
                if any(extras := _extras_of(choice, chunk)):
                    choice.delta = choice.delta or SimpleNamespace(content="", tool_calls=None)
                    choice.delta.content = _Content(choice.delta.content or "", extras)
            usage = getattr(chunk, "usage", None)
            if usage and (cached := _cached_of(usage)) is not None:
                usage.prompt_tokens = _Count(usage.prompt_tokens, cached)
            yield chunk


def with_reasoning(deltas: Iterable[ChatMessageStreamDelta]) -> Generator[ChatMessageStreamDelta]:
    """Yield smolagents' deltas with the captured parts in fields of their own."""
    for delta in deltas:
        text, usage = delta.content, delta.token_usage
        if usage is not None and isinstance(usage.input_tokens, _Count):
            cached = usage.input_tokens.cached
            delta.token_usage = CachedUsage(
                int(usage.input_tokens), usage.output_tokens, cached_tokens=cached
            )
        if isinstance(text, _Content):
            yield ReasonedDelta(str(text), delta.tool_calls, delta.token_usage, *text.extras)
        else:
            yield delta


def _cached_of(usage: Any) -> int | None:
    """As openai's client and LiteLLM have it; None where the server does not tell."""
    cached = getattr(getattr(usage, "prompt_tokens_details", None), "cached_tokens", None)
    return cached if isinstance(cached, int) and isinstance(usage.prompt_tokens, int) else None


def _extras_of(choice: Any, chunk: Any) -> _Extras:
    """Return the parts of a chunk's choice. One of the names is enough: servers that write both repeat the same text."""
    reason = getattr(choice, "finish_reason", None)
    texts = (_text_of(choice.delta, name) for name in NAMES)
    reasoning = next((text for text in texts if text), "")
    refusal = _text_of(choice.delta, "refusal")
    return _Extras(reasoning, reason if isinstance(reason, str) else None, refusal, _progress_of(chunk))


def _progress_of(chunk: Any) -> PromptShare | None:
    """Return the progress that llama.cpp's server reports on request (tools/server/README.md, `return_progress`)."""
    match getattr(chunk, "prompt_progress", None):
        case {"processed": int(processed), "total": int(total)} if (
            0 <= processed <= total < MAX_TOKENS and total
        ):
            return PromptShare(processed, total)
        case _:
            return None


def _text_of(delta: Any, name: str) -> str:
    value = getattr(delta, name, None)
    return value if isinstance(value, str) else ""
