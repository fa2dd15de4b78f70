"""The real openai client through smolagents' OpenAIModel, against a scripted server on a real socket."""

import threading
import traceback
from collections.abc import Callable, Sequence
from typing import Any

import openai
import pytest
from pydantic import SecretStr
from smolagents import CodeAgent, Model, OpenAIModel
from smolagents.models import agglomerate_stream_deltas

from smoldesk.errors import ModelFault, Stopped
from smoldesk.models import (
    Access,
    bounded_answers,
    build_model,
    close_model,
    translate,
)
from smoldesk.models.options import ModelOptions
from smoldesk.models.reasoning import ReasonedDelta
from tests.models.test_providers import ASK, PROVIDERS, model_of
from tests.support.openai_server import (
    Breaks,
    Calls,
    Chunks,
    ErrsMidway,
    Fails,
    Garbles,
    OpenAIServer,
    Reply,
    Says,
    Seen,
    Stalls,
)

KEY = "sk-test-8f2b71c0d9e4"
NOW = {"retry-after-ms": "1"}


def model_for(server: OpenAIServer, *, timeout: float = 5, retries: int = 2, key: str | None = KEY) -> Model:
    secret = SecretStr(key) if key else None
    access = Access(timeout, retries, openai_api_key=secret, openai_base_url=server.base_url)
    return build_model("openai:scripted", access, lambda: pytest.fail("the built-in model was not asked for"))


def fault_of(
    script: Sequence[Reply] | Callable[[Seen], Reply], *, timeout: float = 5, retries: int = 2
) -> tuple[ModelFault, OpenAIServer]:
    with OpenAIServer(script) as server:
        with pytest.raises(ModelFault) as caught:
            model_for(server, timeout=timeout, retries=retries).generate(ASK)
        return caught.value, server


def test_the_first_piece_is_out_while_the_server_still_holds_the_rest() -> None:
    with OpenAIServer([Stalls("first")]) as server:
        model = model_for(server)
        stream = model.generate_stream(ASK)  # pyright: ignore[reportAttributeAccessIssue]
        assert next(stream).content == "first"
        close_model(model)


def test_a_whole_answer_is_put_together_from_the_stream() -> None:
    with OpenAIServer([Says("Hel", "lo")]) as server:
        answer = model_for(server).generate(ASK, stop_sequences=["</code>"])
    assert answer.content == "Hello"
    assert answer.token_usage is not None
    assert answer.token_usage.total_tokens == 13
    assert (server.requests[0].body["stop"], server.requests[0].body["model"]) == (["</code>"], "scripted")
    assert server.requests[0].key == KEY


def test_a_server_that_counts_no_tokens_is_good_enough() -> None:
    with OpenAIServer([Says("ok", usage=False)]) as server:
        assert model_for(server).generate(ASK).content == "ok"


def test_an_empty_answer_is_an_empty_answer() -> None:
    with OpenAIServer([Says()]) as server:
        assert model_for(server).generate(ASK).content == ""


@pytest.mark.parametrize("retries", [0, 1, 3])
def test_the_number_of_tries_is_the_setting_and_one(retries: int) -> None:
    fault, server = fault_of(lambda _: Fails(429, "slow down", headers=NOW), retries=retries)
    assert fault.code == "model_rate_limited"
    assert len(server.requests) == retries + 1


def test_a_limit_that_asks_for_an_hour_is_told_at_once() -> None:
    fault, server = fault_of([Fails(429, headers={"retry-after": "3600"})])
    assert fault.code == "model_rate_limited"
    assert "3600 seconds" in fault.hint
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    ("reply", "code", "replies"),
    [
        (Fails(400, "too big", "context_length_exceeded"), "model_too_long", "longer window"),
        (Fails(400, "stop is not a field"), "model_refused", "stop is not a field"),
        (Fails(307, headers={"location": "/v1/elsewhere"}), "model_error", "SMOLDESK_OPENAI_BASE_URL"),
        (Fails(402, "Insufficient Balance"), "model_no_credit", "Add credit"),
        (Fails(400, "Your credit balance is too low"), "model_no_credit", "another model"),
        (Fails(422, "temperature is odd"), "model_refused", "temperature is odd"),
        (Fails(429, "none left", "insufficient_quota", headers=NOW), "model_no_credit", "quota"),
        (Fails(400, "cut off", headers={"content-length": "999"}), "model_unreachable", "network"),
        (Breaks("half an ans"), "model_unreachable", "network"),
        (Garbles("half an ans"), "model_error", "SMOLDESK_OPENAI_BASE_URL"),
        (ErrsMidway("half", message="the GPU fell over"), "model_unavailable", "the GPU fell over"),
        (ErrsMidway("half", message="Rate limit reached"), "model_rate_limited", "Rate limit"),
    ],
    ids=lambda value: value if isinstance(value, str) and value.startswith("model_") else "",
)
def test_every_failure_has_a_stable_code_and_says_what_to_do(reply: Reply, code: str, replies: str) -> None:
    fault, _ = fault_of(lambda _: reply)
    assert fault.code == code
    assert replies in fault.hint


def test_an_answer_has_an_end_and_is_never_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The attacks: one endless line, pieces without end, an error without end, few bytes that unpack to many."""
    monkeypatch.setattr(bounded_answers, "MAX_BYTES", 20_000)
    endless = "sent more than"
    packed = Fails(200, headers={"content-encoding": "gzip"})
    for reply, text in (
        (Says("a" * 30_000), endless),
        (Says(*["a"] * 500), endless),
        (Fails(400, "a" * 30_000), endless),
        (packed, "compressed"),
    ):
        fault, server = fault_of(lambda _, reply=reply: reply)
        assert (fault.code, text in fault.message) == ("model_error", True)
        assert server.requests[0].headers["accept-encoding"] == "identity"
        assert len(server.requests) == 1, "it is not tried again"


def test_what_will_not_pass_is_not_tried_again() -> None:
    for status in (400, 401, 403, 404, 422):
        _, server = fault_of(lambda _, status=status: Fails(status))
        assert len(server.requests) == 1, status


def test_a_stream_that_falls_silent_ends_with_model_timeout_and_is_not_begun_again() -> None:
    fault, server = fault_of([Stalls("one", "two")], timeout=0.3)
    assert fault.code == "model_timeout"
    assert "a faster model" in fault.hint
    assert len(server.requests) == 1


def test_a_server_that_never_begins_ends_with_model_timeout() -> None:
    fault, server = fault_of(lambda _: Stalls(), timeout=0.3, retries=1)
    assert fault.code == "model_timeout"
    assert len(server.requests) == 2


def test_an_answer_longer_than_the_timeout_is_fine_while_it_keeps_coming() -> None:
    with OpenAIServer([Says(*"abcdefgh", pause=0.1)]) as server:
        assert model_for(server, timeout=0.5).generate(ASK).content == "abcdefgh"


@pytest.mark.parametrize("status", [400, 401, 404, 429, 500])
def test_a_key_the_server_echoes_is_in_no_error_and_no_traceback(status: int) -> None:
    with OpenAIServer(lambda _: Fails(status, "your key {key} is odd", headers=NOW)) as server:
        try:
            model_for(server).generate(ASK)
        except ModelFault as fault:
            text = f"{fault} {fault!r} {fault.message} {fault.hint} {traceback.format_exc()}"
        else:
            pytest.fail("the server's error was lost")
    assert server.requests[0].key == KEY
    assert KEY not in text


def test_a_key_echoed_inside_a_stream_is_scrubbed() -> None:
    fault, _ = fault_of([ErrsMidway("x", message=f"bad {KEY}!")])
    assert fault.hint == "It said: bad [key]!"


def test_the_fault_is_found_under_what_an_agent_wraps_around_it() -> None:
    with OpenAIServer(lambda _: Fails(401, "bad key {key}")) as server:
        agent = CodeAgent(tools=[], model=model_for(server), verbosity_level=-1, max_steps=2)
        try:
            agent.run("hello")
        except Exception as wrapped:  # smolagents' own AgentGenerationError
            fault = translate(wrapped)
            displayed = "".join(traceback.format_exception(wrapped))
        else:
            pytest.fail("the agent hid the failure")
    assert fault.code == "model_auth"
    assert KEY not in displayed


def test_an_agent_answers_with_code_from_the_server() -> None:
    with OpenAIServer([Says("Thought: add.\n<code>\n", "final_answer(1 + 1)\n", "</code>")]) as server:
        assert CodeAgent(tools=[], model=model_for(server), verbosity_level=-1).run("what is 1 + 1?") == 2
    assert "what is 1 + 1?" in server.requests[0].last_text


def client_of(model: Model) -> openai.OpenAI:
    assert isinstance(model, OpenAIModel)
    return model.client


def read(model: Model) -> None:
    """The model's stream to its end, which is a stop."""
    with pytest.raises(Stopped):
        list(model.generate_stream(ASK))  # pyright: ignore[reportAttributeAccessIssue]


def test_the_client_is_closed_by_the_last_call_to_leave() -> None:
    with OpenAIServer([Says("ok"), Stalls("one")]) as server:
        model = model_for(server, timeout=60)
        model.generate(ASK)
        assert not client_of(model).is_closed()
        thread = threading.Thread(target=read, args=(model,), daemon=True)
        thread.start()
        assert server.stalled.wait(10)
        close_model(model)
        thread.join(10)
        assert client_of(model).is_closed()


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


def endings(script: Says) -> list[tuple[str | None, str]]:
    """Reason and refusal of each delta that has one."""
    with OpenAIServer([script]) as server:
        deltas: list[Any] = list(model_for(server).generate_stream(ASK))  # pyright: ignore[reportAttributeAccessIssue]
    parts = [(d.finish_reason, d.refusal) for d in deltas if isinstance(d, ReasonedDelta)]
    return [part for part in parts if any(part)]


@pytest.mark.parametrize("reason", ["stop", "length", "content_filter", "tool_calls", "eos"])
def test_the_reason_of_an_end_is_passed_on(reason: str) -> None:
    assert endings(Says("Four.").ended(reason)) == [(reason, "")]


def test_a_refusal_is_passed_on_as_no_part_of_the_text() -> None:
    refusal = [{"delta": {"refusal": "I cannot "}}, {"delta": {"refusal": "help."}}]
    script = Chunks(*refusal, {"finish_reason": "stop"})
    assert endings(script) == [(None, "I cannot "), (None, "help."), ("stop", "")]


def test_the_reason_of_an_end_needs_no_delta_beside_it() -> None:
    assert endings(Chunks({"delta": {"content": "Fo"}}, {"delta": None, "finish_reason": "length"})) == [
        ("length", "")
    ]


def test_a_whole_answer_has_no_reasoning_in_it() -> None:
    with OpenAIServer([Says("Four.").after("Two and two.")]) as server:
        assert model_for(server).generate(ASK).content == "Four."


@pytest.mark.starts
@pytest.mark.parametrize("name", PROVIDERS)
def test_every_provider_passes_it_on(name: str) -> None:
    provider = PROVIDERS[name]
    pytest.importorskip(provider.needs, reason=f"{provider.needs} is not installed")
    with provider.server([Says("Four.").after("Two ", "and two.")]) as server:
        deltas = list(model_of(provider, server).generate_stream(ASK))  # type: ignore[attr-defined]
    reasoning, text = ("".join(parts) for parts in zip(*told(deltas), strict=True))
    assert (reasoning, text) == ("Two and two.", "Four.")


def test_progress_of_the_prompt_comes_before_the_text_from_a_server_that_is_known_to_report_it() -> None:
    lies = [(-1, 9), (10, 9), (0, 0), (1, 10**12)]
    replies = [Says("Hi").reading((0, 90), *lies, (45, 90)) for _ in range(4)]
    options = ModelOptions(extra_body={"top_k": 40})
    streams: list[list[Any]] = []
    with OpenAIServer(replies) as server:
        access = Access(5, 0, openai_base_url=server.base_url, options=options)
        for make in ("scripted", "llama.cpp", "llama.cpp"):
            server.make = make
            model: Any = build_model("openai:scripted", access, lambda: pytest.fail())
            streams.append(list(model.generate_stream(ASK)))
        access.capability("openai:scripted").refuse("return_progress")
        streams.append(list(model.generate_stream(ASK)))
    shares = [
        [delta.progress for delta in stream if isinstance(delta, ReasonedDelta) and delta.progress]
        for stream in streams
    ]
    assert shares == [[], [], [(0, 90), (45, 90)], []]
    assert all(agglomerate_stream_deltas(stream).content == "Hi" for stream in streams)
    bodies = [(request.body.get("return_progress"), request.body["top_k"]) for request in server.requests]
    assert bodies == [(None, 40), (None, 40), (True, 40), (None, 40)]
