"""Options of a model: what reaches its server, which values are refused, and what a body may not contain."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from smoldesk.agents.read_entries import load_agents, read_agents
from smoldesk.errors import BadInput
from smoldesk.models import Access, build_model, openai_model
from smoldesk.models.options import MAX_BODY_DEPTH, ModelOptions
from smoldesk.models.transformers_model import sampling
from tests.models.test_providers import ASK
from tests.support.openai_server import OpenAIServer, Says

ALL = ModelOptions(0.2, 500, "low", {"top_k": 40, "chat_template_kwargs": {"enable_thinking": False}})


def body_of(options: ModelOptions, model_id: str = "openai:x", **request: Any) -> dict[str, Any]:
    """Return the body of the one request that a model with these options sends."""
    with OpenAIServer([Says("hello")]) as server:
        key = SecretStr("k")
        access = Access(
            20,
            0,
            openai_api_key=key,
            openai_base_url=server.base_url,
            litellm_api_key=key,
            litellm_base_url=server.base_url,
            options=options,
        )
        build_model(model_id, access, lambda: pytest.fail("not asked for")).generate(ASK, **request)
    return server.requests[0].body


@pytest.mark.parametrize("model_id", ["openai:x", "litellm:openai/x"])
def test_all_options_reach_the_server(model_id: str) -> None:
    if model_id.startswith("litellm"):
        pytest.importorskip("litellm", reason="litellm is not installed")
    body = body_of(ALL, model_id)
    assert (body["temperature"], body["max_tokens"], body["top_k"]) == (0.2, 500, 40)
    assert body["chat_template_kwargs"] == {"enable_thinking": False}
    if model_id.startswith("openai"):  # LiteLLM drops it for models that it knows to have no reasoning
        assert body["reasoning_effort"] == "low"


def test_without_options_the_server_decides() -> None:
    options = {"temperature", "max_tokens", "max_completion_tokens", "reasoning_effort"}
    assert not options & body_of(ModelOptions()).keys()


def test_a_temperature_of_zero_is_sent() -> None:
    assert body_of(ModelOptions(temperature=0))["temperature"] == 0


def test_openai_itself_gets_its_newer_name_of_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    with OpenAIServer([Says("hello")]) as server:
        monkeypatch.setattr(openai_model, "OPENAI_URL", server.base_url)
        access = Access(20, 0, openai_api_key=SecretStr("k"), options=ALL)
        build_model("openai:x", access, lambda: pytest.fail("not asked for")).generate(ASK, max_tokens=9_000)
    body = server.requests[0].body
    assert body["max_completion_tokens"] == 500
    assert "max_tokens" not in body


@pytest.mark.parametrize(("asked", "sent"), [(100, 100), (9_000, 500)])
def test_of_two_limits_the_lower_counts(asked: int, sent: int) -> None:
    assert body_of(ALL, max_tokens=asked)["max_tokens"] == sent


def test_transformers_samples_at_a_temperature_and_not_at_zero() -> None:
    assert sampling(None) == {}
    assert sampling(0.7) == {"do_sample": True, "temperature": 0.7}
    assert sampling(0) == {"do_sample": False}


@pytest.mark.parametrize(
    "wrong",
    [
        *({"temperature": value} for value in (-0.1, 2.1, float("nan"), True, "0.5")),
        *({"max_tokens": value} for value in (0, -1, 1_000_001, 2.5, True, "9")),
        *({"reasoning_effort": value} for value in ("", "huge", 3, ["low"])),
        *({"extra_body": value} for value in ("{}", [1], 3)),
    ],
    ids=repr,
)
def test_a_value_out_of_range_is_refused_with_its_name(wrong: dict[str, Any]) -> None:
    [option] = wrong
    with pytest.raises(BadInput) as caught:
        ModelOptions(**wrong)
    assert caught.value.code == f"bad_{option}"
    assert f"`{option}`" in str(caught.value)


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = {"a": [value]}
    return value


@pytest.mark.parametrize(
    "body",
    [
        *({name: "x"} for name in ("messages", "model", "stream", "tools", "stop", "n", "max_tokens")),
        *(
            {name: "x"}
            for name in ("api_key", "apiKey", "Authorization", "headers", "extra_headers", "token")
        ),
        *({name: "x"} for name in ("accessToken", "x-api-key", "client_secret", "api_base", "base_url")),
        {"metadata": [{"deep": {"password": "x"}}]},
        nested(MAX_BODY_DEPTH),
        nested(1_000),
        {"text": "a" * 1_000_000},
        {"number": float("inf")},
        {"bytes": b"a"},
    ],
    ids=lambda body: next(iter(body)),
)
def test_a_body_that_takes_over_the_request_or_holds_a_secret_is_refused(body: Any) -> None:
    with pytest.raises(BadInput) as caught:
        ModelOptions(extra_body=body)
    assert caught.value.code == "bad_extra_body"
    assert len(str(caught.value)) < 300


def test_bodies_of_providers_documentation_are_accepted() -> None:
    for body in (
        {"top_k": 40, "min_p": 0.05, "repeat_penalty": 1.1},  # llama.cpp, vLLM
        {"chat_template_kwargs": {"enable_thinking": False}},  # vLLM with Qwen
        {"thinking": {"type": "enabled", "budget_tokens": 2_000}},  # Anthropic, DeepSeek
        {"provider": {"order": ["a", "b"], "allow_fallbacks": False}},  # OpenRouter
        {"logit_bias": {"50256": -100}, "stop_token_ids": [1], "skip_special_tokens": True},
    ):
        assert ModelOptions(extra_body=body).set_options() == {"extra_body": body}


TOML = """
[models.big]
model = "openai:x"
base_url = "http://127.0.0.1:9/v1"
temperature = 0.3
max_tokens = 2000
reasoning_effort = "high"
extra_body = { top_k = 5 }

[agents.exact]
kind = "code"
model = "big"
temperature = 0
"""


def test_agents_toml_sets_options_and_an_agent_replaces_two(tmp_path: Path) -> None:
    (tmp_path / "agents.toml").write_text(TOML)
    agents = load_agents(tmp_path)
    model = agents.models["big"]
    assert model.options == ModelOptions(0.3, 2000, "high", {"top_k": 5})
    assert model.access(Access(1, 0)).options == model.options
    entry = agents.entries["exact"].options
    assert model.options.merged(entry) == ModelOptions(0, 2000, "high", {"top_k": 5})


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ('[models.x]\nmodel = "openai:y"\ntemperature = 9', "model 'x', key 'temperature'"),
        ('[models.x]\nmodel = "openai:y"\nextra_body = {model = "z"}', "model 'x', key 'extra_body'"),
        ('[models.x]\nmodel = "openai:y"\nextra_body = {day = 2026-01-01}', "model 'x', key 'extra_body'"),
        (
            '[models.x]\nmodel = "transformers:y"\nextra_body = {top_k = 4}',
            "on this machine has no such option",
        ),
        ('[agents.x]\nkind = "code"\nmax_tokens = 0', "agent 'x', key 'max_tokens'"),
        ('[agents.x]\nkind = "code"\nextra_body = {}', "agent 'x', key 'extra_body': an agent of kind code"),
    ],
)
def test_a_mistake_in_agents_toml_has_its_place(tmp_path: Path, text: str, place: str) -> None:
    (tmp_path / "agents.toml").write_text(text)
    [mistake] = read_agents(tmp_path)[1]
    assert place in str(mistake)
