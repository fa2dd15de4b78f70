"""A prompt and the window of its model, from a real desk to a server: not sent, shortened, or cut off by the server."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from smolagents.models import ChatMessageStreamDelta
from smolagents.monitoring import TokenUsage

from tests.support.desk_server import LiveDesk, live_desk
from tests.support.model_servers import listed
from tests.support.openai_server import Fails, OpenAIServer, Reply, Says, Seen
from tests.support.scripted_model import ScriptedModel, code
from tests.support.ws_client import Message, WsClient, of_type

LONG_QUESTION = "How many rooms has the first floor? " * 800
ANSWER = code("final_answer('done')")
AGENTS = """
[models.narrow]
model = "openai:narrow"
context = 1024
[models.wide]
model = "openai:wide"
context = 65536
"""


def overflow(needed: int, window: int) -> Fails:
    """llama.cpp's refusal of a prompt."""
    error = {
        "code": 400,
        "message": f"request ({needed} tokens) exceeds the available context size ({window} tokens), try increasing it",
        "type": "exceed_context_size_error",
        "n_prompt_tokens": needed,
        "n_ctx": window,
    }
    return Fails(400, body={"error": error})


@contextmanager
def desk_at(
    folder: Path, script: Sequence[Reply] | Callable[[Seen], Reply], offers: Any = None, **options: Any
) -> Iterator[tuple[LiveDesk, OpenAIServer]]:
    (folder / "agents.toml").write_text(AGENTS)
    settings: dict[str, Any] = {"model": "openai:first"} | options
    with (
        OpenAIServer(script, offers) as server,
        live_desk(folder, openai_base_url=server.base_url, **settings) as live,
    ):
        yield live, server


def error_of(messages: list[Message]) -> Message:
    [error] = of_type(messages, "error")
    return error


def test_a_prompt_that_cannot_fit_is_not_sent_and_the_error_says_what_would(tmp_path: Path) -> None:
    with desk_at(tmp_path, [], model="narrow") as (live, server), WsClient(live.ws_url).greeted() as client:
        messages = client.ask("How many rooms?")
        error = error_of(messages)
        assert server.requests == []
        assert of_type(messages, "model_call") == []
        assert of_type(messages, "run")[-1]["content"]["state"] == "failed"
    assert error["code"] == "prompt_too_long"
    facts = error["facts"]
    assert facts["window"] == 1024 < facts["needed"] < 20_000
    assert facts["models"] == "wide"
    assert f"{facts['needed']:,} tokens" in error["content"] and "1,024" in error["content"]
    assert "wide" in error["hint"] and "OLLAMA_CONTEXT_LENGTH=" in error["hint"] and "-c " in error["hint"]


def test_the_window_that_an_error_names_is_used_at_once_and_later(tmp_path: Path) -> None:
    """Three long outputs do not fit: the refused prompt is repeated without the oldest."""
    long = code("print('x' * 60000)")
    replies = [*([Says(long)] * 3), overflow(60_000, 50_000), Says(ANSWER), Says(ANSWER)]
    with desk_at(tmp_path, replies, max_steps=5) as (live, server), WsClient(live.ws_url).greeted() as client:
        messages = client.ask("print a lot")
        assert messages[-1]["content"]["text"] == "done"
        calls = [message["content"] for message in of_type(messages, "model_call")]
        assert [bool(call.get("error")) for call in calls] == [False, False, False, True, False]
        assert calls[-1]["leftOut"] > 0
        sizes = [len(str(request.body["messages"])) for request in server.requests]
        assert sizes[4] < sizes[3]
        assert len(server.requests) == 5
        client.ask("again")
        assert len(str(server.requests[-1].body["messages"])) < sizes[3]


def test_a_window_that_the_instructions_alone_exceed_is_learned_until_the_server_reports_a_larger_one(
    tmp_path: Path,
) -> None:
    window = 1_024
    offers = {"/v1/models": lambda _, __: listed("vllm", "first", max_model_len=window)}
    with (
        desk_at(tmp_path, [overflow(6_000, 1_024), Says(ANSWER)], offers) as (live, server),
        WsClient(live.ws_url).greeted() as client,
    ):
        for _ in range(2):
            error = error_of(client.ask("hello"))
            assert (error["code"], error["facts"]["window"]) == ("prompt_too_long", 1_024)
        assert len(server.requests) == 1
        window = 32_768  # as after a restart of the server
        assert client.ask("hello")[-1]["content"]["text"] == "done"


@pytest.mark.parametrize(
    ("read", "window"),
    [
        (2_050, 4_096),  # ollama/ollama #17889: half the window and two tokens
        (2_048, 2_048),  # ollama/ollama #10368: limit=2048 prompt=5065 keep=5 new=2048
    ],
)
def test_a_prompt_that_the_server_cut_silently_is_reported(tmp_path: Path, read: int, window: int) -> None:
    with (
        desk_at(tmp_path, [Says(ANSWER).counting(read)]) as (live, server),
        WsClient(live.ws_url).greeted() as client,
    ):
        messages = client.ask(LONG_QUESTION)
        [notice] = [message for message in of_type(messages, "text") if message.get("code") == "prompt_cut"]
        assert notice["facts"]["read"] == read and notice["facts"]["window"] == window
        assert "OLLAMA_CONTEXT_LENGTH=" in notice["content"]
        assert messages[-1]["content"]["text"] == "done"
        assert error_of(client.ask(LONG_QUESTION))["code"] == "prompt_too_long"
        assert len(server.requests) == 1


@pytest.mark.parametrize("tokens", [5_778, 900, 1_700, 11])
def test_counts_that_only_look_low_are_not_reported(tmp_path: Path, tokens: int) -> None:
    """Some servers leave out cached tokens."""
    with (
        desk_at(tmp_path, [Says(ANSWER).counting(tokens)]) as (live, _),
        WsClient(live.ws_url).greeted() as client,
    ):
        assert [
            message for message in of_type(client.ask(LONG_QUESTION), "text") if message.get("code")
        ] == []


def test_an_estimated_count_of_the_built_in_analyst_says_nothing_of_a_window(tmp_path: Path) -> None:
    class Estimating(ScriptedModel):
        counts_tokens = False

        def generate_stream(self, *args: Any, **kwargs: Any) -> Iterator[ChatMessageStreamDelta]:
            yield from super().generate_stream(*args, **kwargs)
            yield ChatMessageStreamDelta(content="", token_usage=TokenUsage(512, 8))

    with (
        live_desk(tmp_path, lambda: Estimating([ANSWER])) as live,
        WsClient(live.ws_url).greeted() as client,
    ):
        for _ in range(2):
            messages = client.ask(LONG_QUESTION)
            assert messages[-1]["content"]["text"] == "done"
            assert [message for message in of_type(messages, "text") if message.get("code")] == []


def test_the_debug_pane_shows_the_refused_request_and_what_changed(tmp_path: Path) -> None:
    body = {
        "error": {
            "message": "Unsupported parameter: 'stop' is not supported with this model.",
            "param": "stop",
        }
    }

    def strict(seen: Seen) -> Reply:
        return Fails(400, body=body) if "stop" in seen.body else Says(ANSWER)

    with desk_at(tmp_path, strict) as (live, server), WsClient(live.ws_url).greeted() as client:
        refused, answered = (message["content"] for message in of_type(client.ask("hello"), "model_call"))
        assert (
            "does not take 'stop'" in refused["error"] and "not supported with this model" in refused["error"]
        )
        assert "error" not in answered
        assert len(of_type(client.ask("again"), "model_call")) == 1
        assert ["stop" in request.body for request in server.requests] == [True, False, False]
