"""Chat completions as the official Python client sees them, whole and streamed; and what may never happen."""

import base64
import json
import time
from typing import Any

import httpx
import openai
import pytest
from openai import OpenAI

from smoldesk.wires.openai_api.routes import ModelList
from tests.support.desk_server import LiveDesk, events_of
from tests.support.scripted_model import Calls, Scripts, code, text_of
from tests.wires.openai_api.conftest import answer, chat_ids, payment, user

CLOCK: Any = {
    "type": "function",
    "function": {
        "name": "get-time",
        "description": "The time somewhere.",
        "parameters": {"type": "object", "properties": {"zone": {"type": "string"}}, "required": ["zone"]},
    },
}
KNOWN = "try:\n    final_answer(f'known: {secret}')\nexcept NameError:\n    final_answer('unknown')"


def said(ai: OpenAI, messages: list[Any], **more: Any) -> str:
    """The answer; it is added to the messages."""
    created = ai.chat.completions.create(model=more.pop("model", "code"), messages=messages, **more)
    messages.append(created.choices[0].message)
    return created.choices[0].message.content or ""


def test_agents_are_models(ai: OpenAI) -> None:
    assert [model.id for model in ai.models.list()] == [
        *("smoldesk", "code", "tools", "demo"),
        *("small", "demo-tools"),
    ]
    assert ai.models.retrieve("tools").owned_by == "smoldesk"
    with pytest.raises(openai.NotFoundError) as fault:
        ai.models.retrieve("gpt-9")
    assert (fault.value.code, fault.value.type) == ("model_not_found", "invalid_request_error")


def test_a_stream_is_the_answer_in_pieces(ai: OpenAI, scripts: Scripts) -> None:
    scripts.set(code("x = 41\nprint('on my way')\nfinal_answer(x + 1)", thought="I add one."))
    complete = ai.chat.completions.create(model="code", messages=[user("41 + 1?")])
    scripts.set(code("x = 41\nprint('on my way')\nfinal_answer(x + 1)", thought="I add one."))
    stream = ai.chat.completions.create(
        model="code", messages=[user("41 + 1?")], stream=True, stream_options={"include_usage": True}
    )
    chunks = list(stream)
    deltas = [chunk.choices[0].delta for chunk in chunks if chunk.choices]
    assert deltas[0].role == "assistant"
    assert "".join(delta.content or "" for delta in deltas) == "42" == complete.choices[0].message.content
    thoughts = "".join(getattr(delta, "reasoning_content", None) or "" for delta in deltas)
    assert thoughts == getattr(complete.choices[0].message, "reasoning_content")  # noqa: B009  (no field of the client's)
    assert thoughts.startswith("I add one.") and "````python\nx = 41" in thoughts and "on my way" in thoughts
    reasons = [chunk.choices[0].finish_reason for chunk in chunks if chunk.choices]
    assert reasons[-1] == "stop" and set(reasons[:-1]) == {None}
    assert not chunks[-1].choices and chunks[-1].usage is not None
    assert len({chunk.id for chunk in chunks}) == 1


def test_a_run_that_fails_is_an_error_and_is_not_begun_again(desk: LiveDesk, scripts: Scripts) -> None:
    retrying = OpenAI(base_url=f"{desk.url}/v1", api_key="x", max_retries=3)
    model = scripts.set(RuntimeError("no provider"))
    with pytest.raises(openai.InternalServerError) as complete:
        retrying.chat.completions.create(model="code", messages=[user("hi")])
    with pytest.raises(openai.APIError) as streamed:
        list(retrying.chat.completions.create(model="code", messages=[user("hi")], stream=True))
    assert complete.value.code == streamed.value.code == "model_error"
    assert "no provider" in complete.value.message
    assert len(model.seen) == 2


@pytest.mark.parametrize(
    ("wrong", "param", "kind"),
    [
        ({"n": 2}, "n", openai.BadRequestError),
        ({"tools": [{"type": "web_search"}]}, "tools[0].type", openai.BadRequestError),
        ({"tools": [CLOCK], "tool_choice": {"type": "custom"}}, "tool_choice", openai.BadRequestError),
        ({"model": "demo", "tools": [CLOCK]}, "tools", openai.BadRequestError),
        ({"model": "gpt-9"}, None, openai.NotFoundError),
        ({"messages": []}, "messages", openai.BadRequestError),
    ],
)
def test_what_is_not_done_here_is_refused_by_its_name(
    ai: OpenAI, wrong: dict[str, Any], param: str | None, kind: type[openai.APIStatusError]
) -> None:
    requested: dict[str, Any] = {
        "model": "code",
        "messages": [user("hi")],
        "temperature": 0.1,
        "max_tokens": 3,
    }
    with pytest.raises(kind) as fault:
        ai.chat.completions.create(**(requested | wrong))
    assert fault.value.param == param


def test_a_tool_of_the_client_hides_none_of_the_desk(ai: OpenAI) -> None:
    mine = {"type": "function", "function": {"name": "process-payment", "parameters": {}}}
    with pytest.raises(openai.BadRequestError) as fault:
        ai.chat.completions.create(model="tools", messages=[user("pay")], tools=[mine])  # pyright: ignore
    assert fault.value.param == "tools[0].name"


def test_unknown_addresses_are_refused_in_the_same_form(inside_http: httpx.Client) -> None:
    for path in ("/v1/embeddings", "/v1/responses/nothing", "/v1/chat/completions"):
        refused = inside_http.get(path)
        assert refused.status_code == 404
        assert set(refused.json()["error"]) == {"message", "type", "param", "code"}, path
    wrong = inside_http.get("/v1/responses/resp_00000000_1?starting_after=x")
    assert (wrong.status_code, wrong.json()["error"]["param"]) == (400, "starting_after")
    broken = inside_http.post("/v1/chat/completions", content=b"{")
    assert (broken.status_code, broken.json()["error"]["code"]) == (400, "not_json")


def test_a_fault_of_the_desk_has_the_same_form(
    inside_http: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ModelList, "get", lambda *_: 1 / 0)
    refused = inside_http.get("/v1/models/code")
    assert (refused.status_code, refused.headers["x-should-retry"]) == (500, "false")
    assert refused.json()["error"] == refused.json()["error"] | {
        "type": "server_error",
        "code": "internal_error",
    }
    assert "division" not in refused.text


def test_an_image_becomes_a_file_of_the_chat(ai: OpenAI, scripts: Scripts, http: httpx.Client) -> None:
    dot = base64.b64encode(b"GIF89a\1\0\1\0\0\0\0;").decode()
    before = chat_ids(http)
    model = scripts.set(code("final_answer('seen')"))
    parts = [
        {"type": "text", "text": "What is this?"},
        {"type": "image_url", "image_url": {"url": f"data:image/gif;base64,{dot}"}},
        {"type": "file", "file": {"filename": "a.csv", "file_data": base64.b64encode(b"a\n1\n").decode()}},
    ]
    assert said(ai, [user(parts)]) == "seen"
    [chat] = chat_ids(http) - before
    names = {file["name"] for file in http.get(f"/api/chats/{chat}/files").json()["files"]}
    assert names == {"file-1.gif", "a.csv"}
    assert text_of(model.seen[0]).endswith(
        'What is this?\n\n(Note: files that came with this message, in the working directory: ["file-1.gif", "a.csv"])'
    )
    with pytest.raises(openai.BadRequestError) as fault:
        elsewhere = {"type": "image_url", "image_url": {"url": "http://elsewhere.example/a.png"}}
        said(ai, [user([elsewhere])])
    assert fault.value.code == "not_a_data_url"


# --- which chat ---------------------------------------------------------------------------------------------------------


def test_people_with_equal_openings_never_share_a_chat(ai: OpenAI, scripts: Scripts) -> None:
    """Neither those who say who they are, nor those who do not."""
    for mine, other in (({}, {}), ({"user": "ann"}, {"user": "bob"}), ({"user": "cid"}, {})):
        started: list[Any] = [user("Keep this")]
        scripts.set(code("secret = 42\nfinal_answer('kept')"))
        assert said(ai, started, **mine) == "kept"
        scripts.set(code("final_answer('kept')"))
        same: list[Any] = [user("Keep this")]
        assert said(ai, same, **other) == "kept"
        scripts.set(code(KNOWN))
        assert said(ai, [*same, user("What was it?")], **other) == "unknown"


def test_a_conversation_that_is_recognised_keeps_its_variables(ai: OpenAI, scripts: Scripts) -> None:
    talk: list[Any] = [{"role": "system", "content": "Be brief."}, user("Keep this")]
    scripts.set(code("secret = 42\nfinal_answer('kept')"))
    said(ai, talk, user="dee")
    model = scripts.set(code(KNOWN))
    assert said(ai, [*talk, user("What was it?")], user="dee") == "known: 42"
    assert "Be brief." in text_of(model.seen[0])
    assert said(ai, [*talk, user("What was it?")], user="dee") == "known: 42", (
        "the same again, of the same chat"
    )
    edited = [talk[0], user("Keep that"), *talk[2:], user("What was it?")]
    model = scripts.set(code(KNOWN))
    assert said(ai, edited, user="dee") == "unknown", "another conversation, which is told what was said"
    assert "Keep that" in text_of(model.seen[0]) and "kept" in text_of(model.seen[0])


def test_a_chat_can_be_named(ai: OpenAI, scripts: Scripts, chat: str) -> None:
    for name in ("a name of mine", chat):
        named: Any = {"metadata": {"chat_id": name}}
        scripts.set(code("secret = 7\nfinal_answer('kept')"))
        said(ai, [user("Keep this")], **named)
        scripts.set(code(KNOWN))
        assert said(ai, [user("What was it?")], **named) == "known: 7"
        assert (
            said(ai, [user("What was it?")], user="eve", metadata={"chat_id": "a name of mine"}) == "unknown"
        )


def test_what_open_webui_sends(http: httpx.Client, scripts: Scripts) -> None:
    """Its headers name person and chat; the titles that it asks for come with the same, and are no part of the chat."""
    headers = {"X-OpenWebUI-User-Id": "u1", "X-OpenWebUI-Chat-Id": "ow1", "Authorization": "Bearer x"}

    def requested(*messages: Any, stream: bool = True) -> str:
        body = {
            "model": "code",
            "messages": messages,
            "stream": stream,
            "stream_options": {"include_usage": True},
        }
        answered = http.post("/v1/chat/completions", json=body, headers=headers)
        assert answered.status_code == 200
        if not stream:
            return answered.json()["choices"][0]["message"]["content"]
        lines = [line for line in answered.text.splitlines() if line.startswith("data: ")]
        assert lines[-1] == "data: [DONE]"
        chunks = [json.loads(line.removeprefix("data: ")) for line in lines[:-1]]
        return "".join(
            chunk["choices"][0]["delta"].get("content", "") for chunk in chunks if chunk["choices"]
        )

    scripts.set(code("secret = 9\nfinal_answer('kept')"))
    talk = [user("Keep this"), {"role": "assistant", "content": requested(user("Keep this"))}]
    scripts.set(code(KNOWN))
    before = chat_ids(http)
    title = "### Task:\nGenerate a title.\n<chat_history>\nUSER: Keep this\n</chat_history>"
    assert requested(user(title), stream=False) == "unknown"
    assert chat_ids(http) == before, "no chat of the list is made of it"
    assert requested(*talk, user("What was it?")) == "known: 9"


# --- the client's tools, and people ----------------------------------------------------------------------------------


def test_a_tool_of_the_client_is_run_by_the_client(ai: OpenAI, scripts: Scripts) -> None:
    talk: list[Any] = [user("What time is it in Tokyo?")]
    model = scripts.set(Calls(("get_time", {"zone": "Asia/Tokyo"})), answer("Noon."))
    first = ai.chat.completions.create(model="tools", messages=talk, tools=[CLOCK]).choices[0]
    assert first.finish_reason == "tool_calls" and first.message.tool_calls is not None
    [call] = first.message.tool_calls
    assert call.type == "function" and call.function.name == "get-time"
    assert json.loads(call.function.arguments) == {"zone": "Asia/Tokyo"}
    talk += [first.message, {"role": "tool", "tool_call_id": call.id, "content": "12:00"}]
    stream = ai.chat.completions.create(model="tools", messages=talk, tools=[CLOCK], stream=True)
    assert "".join(chunk.choices[0].delta.content or "" for chunk in stream) == "Noon."
    assert "12:00" in text_of(model.seen[-1])
    assert said(ai, talk, model="tools", tools=[CLOCK]) == "Noon.", "sent again, it is the same answer"
    assert len(model.seen) == 2


def test_an_output_for_a_call_that_nobody_made_is_refused(ai: OpenAI, scripts: Scripts) -> None:
    created = {"id": "call_1", "type": "function", "function": {"name": "get-time", "arguments": "{}"}}
    for call_id in ("call_1", "call_" + "0" * 24):
        talk: list[Any] = [user("hi"), {"role": "assistant", "tool_calls": [created]}]
        with pytest.raises(openai.BadRequestError) as fault:
            said(ai, [*talk, {"role": "tool", "tool_call_id": call_id, "content": "12:00"}])
        assert fault.value.param == "tool_call_id"


def test_an_approval_is_asked_in_words_and_answered_by_a_reply(
    ai: OpenAI, scripts: Scripts, http: httpx.Client
) -> None:
    for reply, paid in (("はい", True), ("no, too much", False)):
        before = chat_ids(http)
        model = scripts.set(payment(), answer("Done."))
        talk: list[Any] = [user("Pay Alice")]
        requested = said(ai, talk, model="tools")
        [chat] = chat_ids(http) - before
        assert '"amount":30' in requested and f"#chat={chat}&ask=" in requested
        assert said(ai, [*talk, user(reply)], model="tools") == "Done."
        kinds = [event["type"] for event in events_of(str(http.base_url).rstrip("/"), chat)]
        assert ("tool_returned" in kinds) is paid and ("tool_failed" in kinds) is not paid
        assert ("too much" in text_of(model.seen[-1])) is not paid


def test_a_yes_answers_only_the_question_it_follows(ai: OpenAI, scripts: Scripts, http: httpx.Client) -> None:
    """Not one that was asked after the answer which the client has, nor one of another chat, nor none at all."""
    scripts.set(payment(1), payment(2), answer("Done."))
    named: Any = {"metadata": {"chat_id": "one after the other"}}
    first: list[Any] = [user("Pay twice")]
    before = chat_ids(http)
    said(ai, first, model="tools", **named)
    [chat] = chat_ids(http) - before
    second = [*first, user("yes")]
    assert '"amount":2' in said(ai, second, model="tools", **named)
    again = [*first, user("yes")]
    assert '"amount":2' in said(ai, again, model="tools", **named), (
        "what followed, again; and nothing is answered"
    )
    asks = [
        event for event in events_of(str(http.base_url).rstrip("/"), chat) if event["type"] == "ask_closed"
    ]
    assert len(asks) == 1
    scripts.set(answer("Yes what?"))
    assert said(ai, [user("yes")], model="tools") == "Yes what?"
    assert said(
        ai, [*first[:1], {"role": "assistant", "content": "Pay?"}, user("yes")], model="tools", **named
    )
    closed = [
        event for event in events_of(str(http.base_url).rstrip("/"), chat) if event["type"] == "ask_closed"
    ]
    assert [event["granted"] for event in closed] == [True, False], (
        "a message of its own: the run that asked is over"
    )


def test_a_client_that_leaves_stops_the_run(ai: OpenAI, scripts: Scripts, http: httpx.Client) -> None:
    scripts.set(code("import time\ntime.sleep(60)"))
    for direction in ("completion", "response", "whole"):
        before = chat_ids(http)
        if direction == "completion":
            with ai.chat.completions.create(model="code", messages=[user("wait")], stream=True) as stream:
                next(stream)
        elif direction == "response":
            with ai.responses.create(model="code", input="wait", stream=True) as events:
                next(events)
        else:
            with pytest.raises(openai.APITimeoutError):
                ai.with_options(timeout=0.5).chat.completions.create(model="code", messages=[user("wait")])
        [chat] = chat_ids(http) - before
        until = time.monotonic() + 20
        while (last := events_of(str(http.base_url).rstrip("/"), chat)[-1])["type"] != "run_cancelled":
            assert time.monotonic() < until, last
            time.sleep(0.02)
        assert last["reason"] == "The client closed the connection"


def test_a_request_that_comes_again_is_the_run_it_was(ai: OpenAI, scripts: Scripts) -> None:
    model = scripts.set(code("final_answer('once')"))
    once: Any = {"extra_headers": {"Idempotency-Key": "6e0f4c3a"}}
    ids = {ai.chat.completions.create(model="code", messages=[user("hi")], **once).id for _ in range(2)}
    assert len(ids) == 1 and len(model.seen) == 1
    said(ai, [user("something else")], **once)
    assert len(model.seen) == 2
