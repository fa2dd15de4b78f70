"""SMOLDESK_MODEL=openai:... from end to end: a real desk, the real openai client, a scripted provider on a real socket."""

import json
import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from pydantic import SecretStr

from tests.support.desk_server import LiveDesk, events_of, live_desk
from tests.support.openai_server import (
    Breaks,
    Calls,
    ErrsMidway,
    Fails,
    OpenAIServer,
    Reply,
    Says,
    Seen,
    Stalls,
)
from tests.support.scripted_model import code
from tests.support.waiting import come_true
from tests.support.ws_client import Message, WsClient, of_type

KEY = "sk-live-5f0a7c31e88b42d9"
NOW = {"retry-after": "0"}


@contextmanager
def desk_of(
    folder: Path, script: Sequence[Reply] | Callable[[Seen], Reply], **options: Any
) -> Iterator[tuple[LiveDesk, OpenAIServer]]:
    """A desk whose model is the scripted provider."""
    inputs: dict[str, Any] = {"model": "openai:scripted", "openai_api_key": SecretStr(KEY), "max_steps": 3}
    with (
        OpenAIServer(script) as provider,
        live_desk(folder, openai_base_url=provider.base_url, **(inputs | options)) as live,
    ):
        yield live, provider


def pieces(text: str, size: int = 12) -> list[str]:
    return [text[start : start + size] for start in range(0, len(text), size)]


def asked(live: LiveDesk, message: str = "hello") -> tuple[str, list[Message]]:
    """(the chat's id, everything up to the end of one run)"""
    with WsClient(live.ws_url) as client:
        chat_id = client.hello()
        return chat_id, client.ask(message)


def failed(messages: list[Message], code: str) -> Message:
    """The run ended as failed, after an error with this code."""
    error, closing = messages[-2:]
    assert (error["type"], error["code"]) == ("error", code)
    assert (closing["type"], closing["content"]["state"]) == ("run", "failed")
    return error


def test_the_answer_streams_in_pieces_before_its_batch(tmp_path: Path) -> None:
    replies = Says(
        *pieces(code("print('hi')\nfinal_answer('It is 42.')", thought="I will count.")), pause=0.03
    )
    with desk_of(tmp_path, [replies]) as (live, provider):
        _, messages = asked(live)
        assert provider.requests[0].body["model"] == "scripted"
        assert provider.requests[0].body["stream"] is True
    kinds = [message["type"] for message in messages]
    deltas = of_type(messages[: kinds.index("debug")], "delta")
    assert deltas == of_type(messages, "delta")
    assert len(deltas) > 2  # more than one a kind: they came as they were said
    text = {kind: "".join(m["content"] for m in deltas if m["kind"] == kind) for kind in ("text", "code")}
    assert text == {"text": "I will count.\n", "code": "print('hi')\nfinal_answer('It is 42.')"}
    assert messages[-1]["content"] == messages[-1]["content"] | {"state": "finished", "text": "It is 42."}


def test_a_piece_is_on_the_page_while_the_provider_still_holds_the_rest(tmp_path: Path) -> None:
    with (
        desk_of(tmp_path, [Stalls("The first words")]) as (live, provider),
        WsClient(live.ws_url).greeted() as client,
    ):
        client.say("hello")
        assert client.until("delta")["content"] == "The first words"
        assert provider.stalled.wait(10)
        client.send(type="cancel", runId=client.seen[-1]["runId"])
        client.until_closed()


def test_tokens_land_in_the_log_step_by_step(tmp_path: Path) -> None:
    script = [
        Says(*pieces(code("x = 1"))),
        Says("uncounted", code("final_answer('ok')"), usage=False),
    ]
    with desk_of(tmp_path, script) as (live, _):
        chat_id, _ = asked(live)
        steps = [event for event in events_of(live.url, chat_id) if event["type"] == "step_finished"]
    assert [(step["input_tokens"], step["output_tokens"]) for step in steps] == [
        (11, len(pieces(code("x = 1")))),
        (None, None),
    ]


def test_the_second_step_tells_the_provider_what_the_first_one_saw(tmp_path: Path) -> None:
    script = [Says(code("print('seen by code')")), Says(code("final_answer('ok')"))]
    with desk_of(tmp_path, script) as (live, provider):
        asked(live)
        assert "seen by code" in json.dumps(provider.requests[1].body["messages"])
        assert {request.key for request in provider.requests} == {KEY}


def test_a_429_is_tried_again_and_nobody_notices(tmp_path: Path) -> None:
    script = [Fails(429, "slow down", headers=NOW), Says(code("final_answer('at last')"))]
    with desk_of(tmp_path, script) as (live, provider):
        _, messages = asked(live)
        assert len(provider.requests) == 2
    assert messages[-1]["content"]["text"] == "at last"
    assert of_type(messages, "error") == []


def test_a_500_for_good_fails_the_run_and_the_chat_goes_on(tmp_path: Path) -> None:
    replies: list[Reply] = [Fails(500, "on fire", headers=NOW)] * 3 + [Says(code("final_answer('up again')"))]
    with (
        desk_of(tmp_path, replies, model_retries=2) as (live, provider),
        WsClient(live.ws_url) as client,
    ):
        chat_id = client.hello()
        error = failed(client.ask("hello"), "model_unavailable")
        assert "on fire" in error["content"]
        assert len(provider.requests) == 3
        closing = events_of(live.url, chat_id)[-1]
        assert (closing["type"], closing["code"]) == ("run_failed", "model_unavailable")
        assert client.ask("and now?")[-1]["content"]["text"] == "up again"


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        (Stalls("half an"), "model_timeout"),
        (Stalls(), "model_timeout"),
        (Breaks("half an"), "model_unreachable"),
        (ErrsMidway("half an", message="the GPU fell over"), "model_unavailable"),
        (Fails(404, "no such model"), "model_unknown"),
        (Fails(400, "too big", "context_length_exceeded"), "model_too_long"),
    ],
    ids=["stalls midway", "stalls at once", "breaks off", "errs midway", "unknown model", "too long"],
)
def test_a_provider_that_fails_closes_the_run_with_its_code(tmp_path: Path, reply: Reply, fault: str) -> None:
    # short only where silence is the fault: on a busy machine the first answer alone can take longer
    seconds = 0.6 if fault == "model_timeout" else 30
    with desk_of(tmp_path, lambda _: reply, model_timeout_seconds=seconds, model_retries=0) as (live, _):
        chat_id, messages = asked(live)
        failed(messages, fault)
        log = events_of(live.url, chat_id)
    assert [event["type"] for event in log if event["type"].startswith("run_")][-1] == "run_failed"
    assert live.desk.runs.abandoned == 0


@pytest.mark.parametrize("reply", [Stalls("half an"), Stalls()], ids=["midway", "at once"])
def test_stop_ends_a_stalled_stream_and_its_thread(tmp_path: Path, reply: Reply) -> None:
    """Far from any time-out: only hanging up can end this."""
    options = {"model_timeout_seconds": 300, "stop_grace_seconds": 20}
    with (
        desk_of(tmp_path, [reply, Says(code("final_answer('next')"))], **options) as (live, provider),
        WsClient(live.ws_url) as client,
    ):
        chat_id = client.hello()
        client.say("hello")
        assert provider.stalled.wait(20)
        threads = [thread for thread in threading.enumerate() if thread.name == f"run-{chat_id}"]
        assert len(threads) == 1
        client.send(type="cancel", runId=client.until("run", step=1)["runId"])
        client.until("run", state="stopping")
        closing = client.until_closed()[-1]["content"]
        assert (closing["state"], closing["text"]) == ("cancelled", "Stopped by the person")
        threads[0].join(10)
        assert not threads[0].is_alive()
        assert live.desk.runs.abandoned == 0
        assert client.ask("and now?")[-1]["content"]["text"] == "next"


def test_stop_ends_the_wait_between_two_tries(tmp_path: Path) -> None:
    with (
        desk_of(tmp_path, lambda _: Fails(429, headers={"retry-after": "50"})) as (live, provider),
        WsClient(live.ws_url).greeted() as client,
    ):
        client.say("hello")
        step = client.until("run", step=1)
        come_true(lambda: provider.requests)
        client.send(type="cancel", runId=step["runId"])
        assert client.until_closed(timeout=30)[-1]["content"]["state"] == "cancelled"
        assert len(provider.requests) == 1
        assert live.desk.runs.abandoned == 0


@pytest.mark.parametrize("status", [401, 500, 400, 429])
def test_the_key_is_seen_by_the_provider_and_by_nobody_else(
    tmp_path: Path, status: int, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """The provider echoes the key in its error; the server logs everything it can."""
    caplog.set_level(logging.DEBUG)
    echo = Fails(status, "Incorrect API key provided: {key}. Bearer {key} is not good.", headers=NOW)
    code_of = {401: "model_auth", 500: "model_unavailable", 400: "model_refused", 429: "model_rate_limited"}
    with (
        desk_of(tmp_path, lambda _: echo, log_level="DEBUG", model_retries=1) as (live, provider),
        WsClient(live.ws_url) as client,
    ):
        chat_id = client.hello()
        failed(client.ask("hello"), code_of[status])
        assert provider.requests[0].key == KEY
        pages = [
            httpx.get(live.url + path, timeout=30).text
            for path in (
                f"/api/chats/{chat_id}/events",
                "/metrics",
                "/docs",
                "/openapi.json",
                "/api/chats/no",
            )
        ]
        received = json.dumps(client.seen)
    stored = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    printed = capfd.readouterr()
    for place, text in {
        "a message": received,
        "a page": "".join(pages),
        "the log": caplog.text + printed.out + printed.err,
        "the settings as text": repr(live.desk.settings) + repr(live.desk),
        "the data directory": stored.decode("latin-1"),
    }.items():
        assert KEY not in text, place
    assert caplog.records


def test_two_chats_at_once_have_connections_of_their_own(tmp_path: Path) -> None:
    """One chat's stream stalls and is stopped; the other's, under way all the while, goes on to its end."""
    sockets: list[int] = []

    def answer(received: Seen) -> Reply:
        sockets.append(received.port)
        slow = "stall please" in json.dumps(received.body["messages"])
        return Stalls("stalling") if slow else Says(*pieces(code("final_answer('done')"), 4), pause=0.05)

    with (
        desk_of(tmp_path, answer, model_timeout_seconds=300) as (live, provider),
        WsClient(live.ws_url) as stuck,
        WsClient(live.ws_url) as quick,
    ):
        stuck.hello()
        quick.hello()
        stuck.say("stall please")
        stuck.until("delta")
        quick.say("be quick")
        quick.until("delta")
        stuck.send(type="cancel", runId=stuck.seen[-1]["runId"])
        assert stuck.until_closed()[-1]["content"]["state"] == "cancelled"
        messages = quick.until_closed()
        assert messages[-1]["content"] == messages[-1]["content"] | {"state": "finished", "text": "done"}
        assert len(set(sockets)) == len(provider.requests) == 2
        assert live.desk.runs.abandoned == 0


def test_a_tools_agent_calls_tools_as_the_provider_streams_them(tmp_path: Path) -> None:
    script = [
        Calls(("list_datasets", {}), ("draw_arrow", {"room_name": "Kitchen", "direction": "left"})),
        Calls(("final_answer", {"answer": "Both done."})),
    ]
    with desk_of(tmp_path, script, agent="tools") as (live, provider):
        _, messages = asked(live)
        offered = {tool["function"]["name"] for tool in provider.requests[0].body["tools"]}
        report = json.dumps(provider.requests[1].body["messages"])
    assert {"show_map", "final_answer"} <= offered
    assert of_type(messages, "arrow")[0]["content"] == {"room": "Kitchen", "direction": "left"}
    assert "titanic" in report
    assert "ARROW_COMMAND" in report
    assert messages[-1]["content"]["text"] == "Both done."


# --- the other providers ------------------------------------------------------------------------------------------


def litellm_settings(server: OpenAIServer) -> dict[str, Any]:
    pytest.importorskip("litellm")
    settings = {"litellm_api_key": SecretStr(KEY), "litellm_base_url": server.base_url}
    return {"model": "litellm:openai/scripted", **settings}


def test_litellm_answers_at_the_desk(tmp_path: Path) -> None:
    replies = Says("I will count.\n", *pieces(code("final_answer('It is 42.')")))
    with OpenAIServer([replies]) as provider, live_desk(tmp_path, **litellm_settings(provider)) as live:
        chat_id, messages = asked(live)
        [step] = [event for event in events_of(live.url, chat_id) if event["type"] == "step_finished"]
    assert messages[-1]["content"] == messages[-1]["content"] | {"state": "finished", "text": "It is 42."}
    assert len(of_type(messages, "delta")) > 1
    assert step["input_tokens"] == 11
