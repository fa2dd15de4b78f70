"""What a model thinks before it answers, where its server tells it: smolagents' own stream drops it.

`Listening` sits where smolagents takes a stream of completions from openai's client or LiteLLM, and hides the
reasoning of each chunk in its text; `with_reasoning` brings it out again on the other side of smolagents.
"""

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from typing import Any

from smolagents import ChatMessageStreamDelta

NAMES = ("reasoning_content", "reasoning")
"""Where servers put it: DeepSeek, LiteLLM and older vLLM the one, OpenRouter and newer vLLM the other."""


@dataclass
class ReasonedDelta(ChatMessageStreamDelta):
    """A piece of an answer with a piece of reasoning, which comes before it."""

    reasoning: str = ""


class _Content(str):
    """The text of a chunk, with the chunk's reasoning."""

    reasoning: str

    def __new__(cls, content: str, reasoning: str) -> "_Content":
        made = super().__new__(cls, content)
        made.reasoning = reasoning
        return made


class Listening:
    """A retryer of smolagents' around another: the streams it returns keep their reasoning."""

    def __init__(self, retries: Callable[..., Any]) -> None:
        self._retries = retries

    def __call__(self, call: Callable[..., Any], *args: Any, **kwargs: Any) -> Generator[Any]:
        """The chunks of the stream that `call` opens, when they are asked for."""
        for chunk in self._retries(call, *args, **kwargs):
            choices: list[Any] = chunk.choices or []
            for choice in choices[:1]:  # smolagents reads no other
                if choice.delta and (reasoning := _reasoning_of(choice.delta)):
                    choice.delta.content = _Content(choice.delta.content or "", reasoning)
            yield chunk


def with_reasoning(deltas: Iterable[ChatMessageStreamDelta]) -> Generator[ChatMessageStreamDelta]:
    """What smolagents made of the chunks of Listening, the reasoning in a field of its own."""
    for delta in deltas:
        said = delta.content
        if isinstance(said, _Content):
            yield ReasonedDelta(str(said), delta.tool_calls, delta.token_usage, said.reasoning)
        else:
            yield delta


def _reasoning_of(delta: Any) -> str:
    """One of the names is enough: servers that write both say the same twice."""
    found = (getattr(delta, name, None) for name in NAMES)
    return next((text for text in found if isinstance(text, str) and text), "")
