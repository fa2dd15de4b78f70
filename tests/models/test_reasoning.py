"""What models think before they answer, as each provider's server tells it, over real sockets."""

from typing import Any

import pytest
from smolagents.models import agglomerate_stream_deltas

from smoldesk.models.reasoning import ReasonedDelta
from tests.models.test_openai_model import model_for
from tests.models.test_providers import ASK, PROVIDERS, model_of
from tests.support.openai_server import Calls, OpenAIServer, Says


def told(deltas: list[Any]) -> list[tuple[str, str]]:
    """(reasoning, text) of each delta that says something."""
    pairs = [(d.reasoning if isinstance(d, ReasonedDelta) else "", d.content or "") for d in deltas]
    return [pair for pair in pairs if any(pair)]


@pytest.mark.parametrize(
    "named", [("reasoning_content",), ("reasoning",), ("reasoning_content", "reasoning")]
)
def test_reasoning_comes_before_the_answer_and_once(named: tuple[str, ...]) -> None:
    with OpenAIServer([Says("Fo", "ur.").after("Two ", "and two.", named=named)]) as server:
        deltas = list(model_for(server).generate_stream(ASK))  # pyright: ignore[reportAttributeAccessIssue]
    assert told(deltas) == [("Two ", ""), ("and two.", ""), ("", "Fo"), ("", "ur.")]
    assert all(type(delta.content) in (str, type(None)) for delta in deltas)
    assert agglomerate_stream_deltas(deltas).content == "Four."


def test_reasoning_that_is_no_text_is_passed_over() -> None:
    with OpenAIServer([Says("Four.").after(*["", None, {"text": "Two"}, 2])]) as server:  # type: ignore[list-item]
        assert told(list(model_for(server).generate_stream(ASK))) == [("", "Four.")]  # pyright: ignore[reportAttributeAccessIssue]


def test_a_chunk_may_bring_reasoning_and_text() -> None:
    with OpenAIServer([Says("ur.").after("Two", named=("reasoning", "content"))]) as server:
        assert told(list(model_for(server).generate_stream(ASK))) == [("Two", "Two"), ("", "ur.")]  # pyright: ignore[reportAttributeAccessIssue]


def test_calls_that_follow_reasoning_are_whole() -> None:
    with OpenAIServer([Calls(("pay", {"amount": 30})).after("I pay.")]) as server:
        deltas = list(model_for(server).generate_stream(ASK))  # pyright: ignore[reportAttributeAccessIssue]
    (call,) = agglomerate_stream_deltas(deltas).tool_calls or []
    assert (call.function.name, call.function.arguments) == ("pay", '{"amount": 30}')
    assert told(deltas) == [("I pay.", "")]


def test_a_whole_answer_has_no_reasoning_in_it() -> None:
    with OpenAIServer([Says("Four.").after("Two and two.")]) as server:
        assert model_for(server).generate(ASK).content == "Four."


@pytest.mark.parametrize("name", PROVIDERS)
def test_every_provider_passes_it_on(name: str) -> None:
    provider = PROVIDERS[name]
    pytest.importorskip(provider.needs, reason=f"{provider.needs} is not installed")
    with provider.server([Says("Four.").after("Two ", "and two.")]) as server:
        deltas = list(model_of(provider, server).generate_stream(ASK))  # type: ignore[attr-defined]
    reasoning, text = ("".join(parts) for parts in zip(*told(deltas), strict=True))
    assert (reasoning, text) == ("Two and two.", "Four.")
