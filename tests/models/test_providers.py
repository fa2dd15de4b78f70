"""Every provider by its own client library, over real sockets: pieces, faults in the same words, tries, Stop, no key shown."""

import json
import logging
import queue
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest
from pydantic import SecretStr
from smolagents import ChatMessage, MessageRole, Model
from smolagents.models import CODEAGENT_RESPONSE_FORMAT, agglomerate_stream_deltas

from smoldesk.errors import (
    BadInput,
    ModelFault,
    Stopped,
)
from smoldesk.models import Access, build_model, close_model
from smoldesk.models.access import library
from smoldesk.models.reasoning import ReasonedDelta
from smoldesk.tools.catalogue import build_tools
from tests.support.openai_server import Breaks, Calls, Fails, OpenAIServer, Reply, Says, Seen, Stalls

pytestmark = pytest.mark.starts

KEY = "secret-5d1f0c7ab2e94411"
ASK = [ChatMessage(role=MessageRole.USER, content=[{"type": "text", "text": "hello"}])]
NOW = {"retry-after": "0"}


@dataclass(frozen=True)
class Provider:
    """How a test reaches one provider. `key_setting` is what a refused key points at."""

    model_id: str
    server: type[OpenAIServer]
    access: Callable[[Access, Any], Access]
    key_setting: str
    needs: str = "openai"


def openai(access: Access, server: Any) -> Access:
    return replace(access, openai_api_key=SecretStr(KEY), openai_base_url=server.base_url)


def litellm(access: Access, server: Any) -> Access:
    return replace(access, litellm_api_key=SecretStr(KEY), litellm_base_url=server.base_url)


PROVIDERS = {
    "openai": Provider("openai:scripted", OpenAIServer, openai, "SMOLDESK_OPENAI_API_KEY"),
    "litellm": Provider(
        "litellm:openai/scripted", OpenAIServer, litellm, "SMOLDESK_LITELLM_API_KEY", "litellm"
    ),
}


@pytest.fixture(params=PROVIDERS)
def provider(request: pytest.FixtureRequest) -> Provider:
    results = PROVIDERS[request.param]
    pytest.importorskip(results.needs, reason=f"{results.needs} is not installed")
    return results


def model_of(provider: Provider, server: OpenAIServer, *, timeout: float = 20, retries: int = 0) -> Model:
    access = provider.access(Access(timeout, retries), server)
    return build_model(provider.model_id, access, lambda: pytest.fail("the built-in model was not asked for"))


def fault_of(
    provider: Provider, script: Sequence[Reply] | Callable[[Seen], Reply], **limits: Any
) -> ModelFault:
    with provider.server(script) as server, pytest.raises(ModelFault) as caught:
        model_of(provider, server, **limits).generate(ASK)
    return caught.value


def test_an_answer_comes_in_pieces_with_its_tokens(provider: Provider) -> None:
    with provider.server([Says("Hel", "lo ", "you")]) as server:
        deltas = list(model_of(provider, server).generate_stream(ASK))  # type: ignore[attr-defined]
    assert [delta.content for delta in deltas if delta.content] == ["Hel", "lo ", "you"]
    usage = [delta.token_usage for delta in deltas if delta.token_usage]
    assert [(tokens.input_tokens, tokens.output_tokens) for tokens in usage] == [(11, 3)]


@pytest.mark.parametrize("reason", ["stop", "length", "content_filter"])
def test_the_reason_of_an_end_is_passed_on(provider: Provider, reason: str) -> None:
    with provider.server([Says("Four.").ended(reason)]) as server:
        deltas = list(model_of(provider, server).generate_stream(ASK))  # type: ignore[attr-defined]
    reasons = {delta.finish_reason for delta in deltas if isinstance(delta, ReasonedDelta)}
    assert reasons - {None} == {reason}


def test_a_schema_for_the_answer_reaches_the_provider(provider: Provider) -> None:
    with provider.server([Says("{}")]) as server:
        model_of(provider, server).generate(ASK, response_format=CODEAGENT_RESPONSE_FORMAT)  # type: ignore[arg-type]
    assert server.requests[0].body["response_format"] == CODEAGENT_RESPONSE_FORMAT


def test_tools_are_offered_and_calls_of_them_understood(provider: Provider, tmp_path: Any) -> None:
    from smoldesk.buildings.building import Building
    from smoldesk.tools.datasets import Datasets

    tools = build_tools(Building.load(), Datasets.bundled(), tmp_path)
    expected = ("draw_arrow", {"room_name": "Kitchen", "direction": "left"})
    with provider.server([Calls(expected)]) as server:
        model = model_of(provider, server)
        stream = model.generate_stream(ASK, tools_to_call_from=list(tools))  # type: ignore[attr-defined]
        answer = agglomerate_stream_deltas(list(stream))
    assert answer.tool_calls is not None
    call = answer.tool_calls[0].function
    assert (call.name, json.loads(call.arguments)) == expected
    assert "draw_arrow" in json.dumps(server.requests[0].body)


@pytest.mark.parametrize(
    ("status", "code", "text"),
    [
        (401, "model_auth", ""),
        (403, "model_auth", ""),
        (429, "model_rate_limited", "on fire"),
        (404, "model_unknown", "on fire"),
        (400, "model_refused", "on fire"),
        (500, "model_unavailable", "on fire"),
    ],
)
def test_a_refusal_has_the_same_code_everywhere_and_shows_no_key(
    provider: Provider, status: int, code: str, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    fault = fault_of(provider, [Fails(status, f"on fire: {KEY}")])
    assert fault.code == code
    assert text in fault.hint
    if code == "model_auth":
        assert provider.key_setting in fault.hint
    assert KEY not in str(fault) + repr(fault.__cause__) + caplog.text


def test_a_conversation_that_is_too_long_and_a_filter_are_told_apart(provider: Provider) -> None:
    too_long = fault_of(provider, [Fails(400, "This model's maximum context length is 8 tokens")])
    filtered = fault_of(provider, [Fails(400, "stopped by the content filter policy: content_filter")])
    assert "too long" in too_long.message
    assert "content filter" in filtered.message
    assert (too_long.code, filtered.code) == ("model_too_long", "model_refused")


def test_a_passing_fault_is_tried_again(provider: Provider) -> None:
    script = [
        Fails(429, "slow", headers=NOW),
        Fails(500, "oh", headers=NOW),
        Says("here"),
    ]
    with provider.server(script) as server:
        assert model_of(provider, server, retries=2).generate(ASK).content == "here"
    assert len(server.requests) == 3


def test_a_lasting_fault_is_not_tried_again(provider: Provider) -> None:
    with provider.server([Fails(400, "no")]) as server, pytest.raises(ModelFault):
        model_of(provider, server, retries=2).generate(ASK)
    assert len(server.requests) == 1


@pytest.mark.parametrize("reply", [Stalls("half"), Stalls()], ids=["midway", "at once"])
def test_a_stream_that_falls_silent_is_given_up(provider: Provider, reply: Reply) -> None:
    assert fault_of(provider, lambda _: reply, timeout=0.5).code == "model_timeout"


def test_a_stream_that_breaks_off_is_a_lost_connection(provider: Provider) -> None:
    assert fault_of(provider, [Breaks("half")]).code in ("model_unreachable", "model_unavailable")


def test_a_server_that_is_not_there_is_said(provider: Provider) -> None:
    with provider.server([]) as server:
        pass
    with pytest.raises(ModelFault) as caught:
        model_of(provider, server).generate(ASK)
    assert caught.value.code == "model_unreachable"


@pytest.mark.parametrize("reply", [Stalls("half"), Stalls()], ids=["midway", "at once"])
def test_close_ends_a_stalled_call_from_another_thread(provider: Provider, reply: Reply) -> None:
    """Far from any time-out: only hanging up can end this."""
    ended: queue.Queue[Exception | None] = queue.Queue()

    with provider.server([reply]) as server:
        model = model_of(provider, server, timeout=300)

        def ask() -> None:
            try:
                model.generate(ASK)
            except Exception as error:
                ended.put(error)
            else:
                ended.put(None)

        threading.Thread(target=ask, daemon=True).start()
        assert server.stalled.wait(30)
        close_model(model)
        assert isinstance(ended.get(timeout=30), Stopped)
        close_model(model)
        with pytest.raises(Stopped):
            model.generate(ASK)
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("model_id", "form", "reads"),
    [
        ("azure:x", "litellm:azure/DEPLOYMENT", "AZURE_API_VERSION"),
        ("hf:org/x", "litellm:huggingface/PROVIDER/ORG/MODEL", "HF_TOKEN"),
        ("bedrock:x", "litellm:bedrock/MODEL-ID", "AWS_REGION_NAME"),
    ],
)
def test_a_provider_that_litellm_reaches_is_refused_with_the_new_form(
    model_id: str, form: str, reads: str
) -> None:
    with pytest.raises(BadInput) as caught:
        build_model(model_id, Access(1, 0), Model)
    assert caught.value.code == "model_unknown"
    assert form in caught.value.hint and reads in caught.value.hint


def test_azure_is_asked_through_litellm_for_its_deployment_by_version_and_key(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    pytest.importorskip("litellm", reason="litellm is not installed")
    monkeypatch.setenv("AZURE_API_KEY", KEY)
    monkeypatch.setenv("AZURE_API_VERSION", "2024-10-21")
    with OpenAIServer([Says("hi")]) as server:
        monkeypatch.setenv("AZURE_API_BASE", server.base_url.removesuffix("/v1"))
        answer = build_model("litellm:azure/gpt-desk", Access(5, 0), Model).generate(ASK)
    assert answer.content == "hi"
    assert server.requests[0].path == "/openai/deployments/gpt-desk/chat/completions?api-version=2024-10-21"


def test_the_key_of_openai_goes_to_openai_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    with OpenAIServer([Says("hi")]) as server:
        answer = build_model("openai:x", Access(5, 0, openai_base_url=server.base_url), Model).generate(ASK)
    assert (answer.content, server.requests[0].key) == ("hi", "none")
    build_model("openai:x", Access(5, 0), Model)  # without a base URL it counts


@pytest.mark.parametrize("extra", ["litellm", "transformers"])
def test_a_missing_library_is_said_with_the_extra_that_brings_it(
    extra: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in ("litellm", "torch", "transformers"):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(BadInput) as caught:
        build_model(f"{extra}:some/model", Access(1, 0), Model)
    assert caught.value.code == "model_extra_missing"
    assert f"The model \"{extra}:some/model\" needs an extra: pip install -e '.[{extra}]'" in str(
        caught.value
    )


def test_a_library_that_is_there_is_imported() -> None:
    assert library("json", "x", "y") is json


def test_a_model_of_anthropics_is_told_which_beginning_of_a_prompt_to_keep() -> None:
    library("litellm", "litellm", "litellm:anthropic/claude")
    bodies: list[dict[str, Any]] = []

    def keep(body: Any, _: Any) -> Any:
        bodies.append(body)
        return None  # a 404: what it answers is no matter

    messages = [ChatMessage(role=MessageRole.SYSTEM, content=[{"type": "text", "text": "You count."}]), *ASK]
    with OpenAIServer([], {"/v1/messages": keep}) as server:
        access = Access(
            5, 0, litellm_api_key=SecretStr(KEY), litellm_base_url=server.base_url.removesuffix("/v1")
        )
        model = build_model("litellm:anthropic/claude-sonnet-4-5", access, pytest.fail)
        with pytest.raises(ModelFault):
            model.generate(messages)
    mark = {"type": "ephemeral"}
    assert bodies[0]["system"][-1]["cache_control"] == mark
    assert bodies[0]["messages"][-1]["content"][-1]["cache_control"] == mark
