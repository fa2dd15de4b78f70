"""Reasoning and cached tokens, which smolagents' own stream drops: what a model thinks before it answers, and the tokens
of its prompt that came from a cache.

`ReasoningRetryer` sits where smolagents takes a stream of completions from openai's client or LiteLLM, and hides the
reasoning of each chunk in its text, and the cached tokens in the count of tokens; `with_reasoning` extracts them on
the other side of smolagents.
"""

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from typing import Any

from smolagents import ChatMessageStreamDelta
from smolagents.monitoring import TokenUsage

# Fields with the reasoning: DeepSeek, LiteLLM and older vLLM use the first, OpenRouter and newer vLLM the second.
NAMES = ("reasoning_content", "reasoning")


@dataclass
class ReasonedDelta(ChatMessageStreamDelta):
    """A piece of an answer with a piece of reasoning, which comes before it."""

    reasoning: str = ""


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


class _Content(str):
    """The text of a chunk, with the chunk's reasoning."""

    reasoning: str

    def __new__(cls, content: str, reasoning: str) -> "_Content":
        text_part = super().__new__(cls, content)
        text_part.reasoning = reasoning
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
                if choice.delta and (reasoning := _reasoning_of(choice.delta)):
                    choice.delta.content = _Content(choice.delta.content or "", reasoning)
            usage = getattr(chunk, "usage", None)
            if usage and (cached := _cached_of(usage)) is not None:
                usage.prompt_tokens = _Count(usage.prompt_tokens, cached)
            yield chunk


def with_reasoning(deltas: Iterable[ChatMessageStreamDelta]) -> Generator[ChatMessageStreamDelta]:
    """Yield smolagents' deltas with the captured reasoning in a field of its own."""
    for delta in deltas:
        text, usage = delta.content, delta.token_usage
        if usage is not None and isinstance(usage.input_tokens, _Count):
            cached = usage.input_tokens.cached
            delta.token_usage = CachedUsage(
                int(usage.input_tokens), usage.output_tokens, cached_tokens=cached
            )
        if isinstance(text, _Content):
            yield ReasonedDelta(str(text), delta.tool_calls, delta.token_usage, text.reasoning)
        else:
            yield delta


def _cached_of(usage: Any) -> int | None:
    """As openai's client and LiteLLM have it; None where the server does not tell."""
    cached = getattr(getattr(usage, "prompt_tokens_details", None), "cached_tokens", None)
    return cached if isinstance(cached, int) and isinstance(usage.prompt_tokens, int) else None


def _reasoning_of(delta: Any) -> str:
    """Return one of the names is enough: servers that write both say the same twice."""
    values = (getattr(delta, name, None) for name in NAMES)
    return next((text for text in values if isinstance(text, str) and text), "")
