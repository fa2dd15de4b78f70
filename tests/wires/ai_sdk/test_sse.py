"""POST /stream and its resume, by a real server: what a client gets, whatever happens to it or to the run."""

import base64
import json
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

from smoldesk.chats.chats import derived
from smoldesk.events import FileAdded, RunQueued
from smoldesk.store import files
from smoldesk.wires.ai_sdk import chat_history
from smoldesk.wires.ai_sdk.requests import BODY_LIMIT
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.scripted_model import Calls, code, text_of
from tests.support.ui_client import SseClient, chunks_of, folded, of_type, parsed, respond, said, types, user
from tests.wires.ai_sdk.conftest import CALL, TEXT, Scripts, answer, payment
from tests.wires.ai_sdk.strict import faults


@pytest.fixture
def client(desk: LiveDesk) -> Iterator[SseClient]:
    with SseClient(desk.url) as client:
        yield client


def events_of(desk: LiveDesk, chat: str = "chat-1") -> list[Any]:
    return [stored.event for stored in desk.desk.store.events(derived(chat, "ui_stream"))]


def asked_of(desk: LiveDesk, chat: str = "chat-1") -> list[str]:
    """What the agent was asked."""
    return [event.message for event in events_of(desk, chat) if isinstance(event, RunQueued)]


def attached_in(desk: LiveDesk, chat: str = "chat-1") -> list[list[str]]:
    """The files that came with each message."""
    return [event.attachments for event in events_of(desk, chat) if isinstance(event, RunQueued)]


def test_the_same_message_from_two_tabs_is_one_run(desk: LiveDesk, scripts: Scripts) -> None:
    """Both get its whole response; when it is over, the same words are a new question."""
    scripts.replies = [Calls(("hold", {"word": "a"})), answer("Held.")]
    body: dict[str, Any] = {"id": "chat-1", "messages": [user("hold on", "m-1")]}
    listening = threading.Semaphore(0)

    def tab(_: int) -> list[str]:
        with client.http.stream("POST", "/stream", json=body) as response:
            pieces = response.iter_text()
            first = next(pieces)
            listening.release()
            return types(chunks_of(first + "".join(pieces)))

    with SseClient(desk.url) as client, ThreadPoolExecutor(4) as pool:
        report = pool.map(tab, range(4))
        for _ in range(4):
            assert listening.acquire(timeout=30)
        scripts.go.set()
        assert list(report) == [["start", *CALL, "tool-output-available", *TEXT, "finish"]] * 4
        assert (scripts.ran, asked_of(desk)) == (["a"], ["hold on"])
        client.post(**body)
    assert asked_of(desk) == ["hold on", "hold on"]


def test_a_history_holds_no_more_files_in_itself_than_a_client_can_take(
    desk: LiveDesk, scripts: Scripts, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The attack: a chat of a thousand files of a megabyte, asked for at once."""
    scripts.replies = [answer("Read.")]
    monkeypatch.setattr(chat_history, "MAX_INLINE", 100)
    text = f"data:text/plain;base64,{base64.b64encode(b'x' * 50).decode()}"
    files = [
        {"type": "file", "mediaType": "text/plain", "filename": f"{n}.txt", "url": text} for n in range(3)
    ]
    with SseClient(desk.url) as client:
        client.post(id="chat-1", messages=[user("read", "m-1", *files)])
        requested, answered = client.http.get("/stream/chat-1/messages").json()
    assert [part["url"] for part in requested["parts"][:2]] == [text] * 2
    assert (
        requested["parts"][2]["url"].startswith("/api/chats/")
        and "files/2.txt" in requested["parts"][2]["url"]
    )
    assert answered["role"] == "assistant"


# --- what a response is ----------------------------------------------------------------------------------------------


def test_a_message_is_answered_as_text(client: SseClient, scripts: Scripts) -> None:
    scripts.replies = [answer("Forty-two.")]
    response = client.post(id="chat-1", messages=[{"role": "user", "content": "what?"}])
    chunks = client.ask("what?")
    assert response.status_code == 200
    assert response.headers["content-type"] == "text/event-stream"
    assert response.headers["cache-control"] == "no-cache"
    assert response.headers["x-vercel-ai-ui-message-stream"] == "v1"
    assert response.headers["x-accel-buffering"] == "no"
    assert types(chunks) == ["start", *TEXT, "finish"]
    assert said(chunks) == "Forty-two."
    assert chunks[0]["messageMetadata"]["chatId"] == derived("chat-1", "ui_stream")
    facts = chunks[-1]["messageMetadata"]
    assert facts["usage"] == {"promptTokens": None, "completionTokens": None, "totalTokens": None}
    assert facts["modelVersion"] == "builtin"
    assert len(facts["durations"]["steps"]) == 1


def test_a_call_is_a_tool_part(client: SseClient, scripts: Scripts) -> None:
    scripts.replies = [Calls(("note", {"word": "a"}), text="I note it."), answer("Done.")]
    chunks = client.ask("note a")
    assert types(chunks) == ["start", *TEXT, *CALL, "tool-output-available", *TEXT, "finish"]
    [ready] = of_type(chunks, "tool-input-available")
    assert (ready["toolName"], ready["input"]) == ("note", {"word": "a"})
    [output] = of_type(chunks, "tool-output-available")
    assert output == {
        "type": "tool-output-available",
        "toolCallId": ready["toolCallId"],
        "output": "noted a",
    }


@pytest.mark.parametrize("query", ["?agent=tools", ""])
def test_the_agent_calls_tools_unless_the_address_says_code(
    desk: LiveDesk, scripts: Scripts, query: str
) -> None:
    scripts.replies = [Calls(("note", {"word": "a"})), answer("Done.")]
    with SseClient(desk.url, query=query) as client:
        assert said(client.ask("note")) == "Done."


def test_code_and_what_it_shows_are_parts(tmp_path: Path, scripts: Scripts) -> None:
    cell = (
        "import matplotlib.pyplot as plt\nimport pandas as pd\nplt.plot([1, 2])\n"
        "display(pd.DataFrame({'a': [1, None]}))\nprint(draw_arrow(room_name='Kitchen', direction='left'))\n"
        "final_answer('Shown.')"
    )
    scripts.replies = [code(cell, "I draw.")]
    with live_desk(tmp_path, scripts.model) as desk, SseClient(desk.url, query="?agent=code") as client:
        chunks = client.ask("draw")
        [image] = of_type(chunks, "data-image")
        content = client.http.get(image["data"]["url"]).content
        assert client.http.get(of_type(chunks, "data-table")[0]["data"]["url"]).json()["rowCount"] == 2
    assert faults(chunks) == []
    kinds = types(chunks)
    assert kinds[: kinds.index("tool-input-available")].count("tool-input-delta") >= 2
    [ready] = [
        item for item in of_type(chunks, "tool-input-available") if item["toolName"] == "python_interpreter"
    ]
    assert ready["input"] == {"code": cell}
    assert {"file", "data-image", "data-table", "data-map-definition", "data-map"} <= set(kinds)
    [file] = of_type(chunks, "file")
    assert base64.b64decode(file["url"].removeprefix("data:image/png;base64,")) == content
    assert of_type(chunks, "data-map")[0]["data"]["type"] == "arrow"
    assert of_type(chunks, "data-map-definition")[0]["data"].keys() == {"floors", "bitmaps", "links"}
    assert said(chunks).replace("\n", "") == "I draw.Shown."


@pytest.mark.parametrize(
    ("call", "end"),
    [
        (("fail", {"word": "a"}), "ValueError: no luck with a"),
        (("nobody", {}), "NameError: There is no tool 'nobody'"),
        (("note", {"ward": "a"}), "TypeError: note takes word; got 'ward'"),
        (("huge", {"size": 5_000_000}), "xxxxx"),
        (("odd", {"word": "a"}), "{'value': nan, 'word': 'a'}"),
        (("odd", {"word": "bytes"}), "b'\\x00\\xff'"),
        (("odd", {"word": "digits"}), "ValueError"),
        (("odd", {"word": "deep"}), "RecursionError"),
    ],
)
def test_a_tool_that_goes_wrong_ends_its_call_and_nothing_else(
    client: SseClient, scripts: Scripts, call: tuple[str, Any], end: str
) -> None:
    scripts.replies = [Calls(call), answer("Done.")]
    chunks = client.ask("go")
    assert faults(chunks) == []
    [ended] = [chunk for chunk in chunks if chunk["type"].startswith("tool-output")]
    assert str(ended.get("errorText", ended.get("output"))).startswith(end)
    assert len(json.dumps(chunks)) < 20_000
    assert said(chunks) == "Done."


def test_a_run_that_fails_says_so_in_the_protocols_form(client: SseClient, scripts: Scripts) -> None:
    scripts.replies = [Calls(("note", {"word": "a"}), text="I try."), RuntimeError("gone")]
    chunks = client.ask("go")
    assert faults(chunks) == []
    assert types(chunks) == ["start", *TEXT, *CALL, "tool-output-available", "error", "finish"]
    assert chunks[-1]["finishReason"] == "error"


# --- requests that cannot be answered ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"{", 400, "not_json"),
        (b"[]", 400, "not_an_object"),
        (b'{"messages": 7}', 400, "missing_field"),
        (b'{"messages": [{"role": "user", "parts": [7]}]}', 400, "not_an_object"),
        (b'{"messages": [{"role": "user", "content": ""}]}', 400, "empty"),
        (b'{"messages": [{"role": "assistant", "parts": []}]}', 400, "no_chat"),
        (b'{"id": "x", "messages": [{"role": "assistant", "parts": []}]}', 400, "nothing_to_continue"),
        (b'{"id": "x", "messages": [{"role": "user"}], "trigger": "regenerate-message"}', 400, "empty"),
        (b'{"messages": [{"role": "user", "content": "' + b"x" * 300_000 + b'"}]}', 413, "too_large"),
        (b'{"messages": "' + b"x" * BODY_LIMIT + b'"}', 413, "too_large"),
        (b'{"messages": [' + b"{}," * 300_000 + b"{}]}", 413, "too_large"),
        (b"[" * 200_000, 400, "too_deep"),
    ],
)
def test_a_request_that_cannot_be_answered_is_refused_in_words(
    inside_http: httpx.Client, body: bytes, status: int, code: str
) -> None:
    response = inside_http.post("/stream", content=body)
    assert response.status_code == status
    error = response.json()["error"]
    assert error["code"] == code
    assert error["message"] and error["hint"]


def test_an_agent_that_is_none_is_refused(desk: LiveDesk) -> None:
    response = httpx.post(f"{desk.url}/stream?agent=evil", json={"messages": [user("x")]})
    assert (response.status_code, response.json()["error"]["code"]) == (400, "unknown_agent")


def test_a_history_of_ten_megabytes_is_taken(client: SseClient, desk: LiveDesk, scripts: Scripts) -> None:
    scripts.replies = [answer("Still here.")]
    old = {
        "role": "assistant",
        "parts": [{"type": "file", "mediaType": "image/png", "url": "data:," + "x" * 100_000}],
    }
    client.messages = [user("draw"), *[old] * 100]
    assert said(client.ask("and now?")) == "Still here."
    assert asked_of(desk) == ["draw", "and now?"]


# --- whose memory counts -----------------------------------------------------------------------------------------------


def test_a_history_the_desk_does_not_know_becomes_the_chats_own(
    client: SseClient, desk: LiveDesk, scripts: Scripts
) -> None:
    scripts.replies = [answer("Twice.")]
    client.messages = [
        {"role": "user", "content": "My number is 21."},
        {"role": "assistant", "parts": [{"type": "text", "text": "I keep it in mind."}]},
    ]
    assert said(client.ask("Double it.")) == "Twice."
    prompt = text_of(scripts.models[0].seen[0])
    assert "My number is 21." in prompt
    assert "I keep it in mind." in prompt
    client.messages[0]["content"] = "My number is 7."  # what the desk knows is not told again
    client.ask("Once more.")
    prompt = text_of(scripts.models[1].seen[0])
    assert "My number is 21." in prompt
    assert "My number is 7." not in prompt
    assert asked_of(desk) == ["My number is 21.", "Double it.", "Once more."]


def test_the_same_id_is_the_same_chat_and_another_is_another(desk: LiveDesk, scripts: Scripts) -> None:
    scripts.replies = [answer("Yes.")]
    with SseClient(desk.url, "a/b c?d#e") as odd, SseClient(desk.url, "a") as other:
        odd.ask("one")
        odd.messages = []
        odd.ask("two")
        other.ask("three")
    assert (asked_of(desk, "a/b c?d#e"), asked_of(desk, "a")) == (["one", "two"], ["three"])


def test_a_chat_of_the_page_goes_on_under_its_own_id(desk: LiveDesk, scripts: Scripts) -> None:
    scripts.replies = [answer("Yes.")]
    chat = httpx.post(f"{desk.url}/api/chats").json()["id"]
    with SseClient(desk.url, chat) as client:
        assert client.ask("here?")[0]["messageMetadata"]["chatId"] == chat


def test_a_client_without_an_id_goes_on_by_what_it_answers(client: SseClient, scripts: Scripts) -> None:
    scripts.replies = [Calls(("pay", {"word": "bread"})), answer("Paid.")]
    client.messages = [{"role": "user", "content": "pay"}]
    first = chunks_of(client.post(messages=client.messages).text)
    part = {"type": "tool-pay", "toolCallId": first[1]["toolCallId"], "state": "approval-responded"}
    [request] = of_type(first, "tool-approval-request")
    part |= {"approval": {"id": request["approvalId"], "approved": True}}
    second = chunks_of(client.post(messages=[{"role": "assistant", "parts": [part]}]).text)
    assert types(second) == ["start", "tool-output-available", *TEXT, "finish"]
    assert "messageId" not in second[0]
    assert scripts.ran == ["bread"]


def test_an_answer_is_given_anew(client: SseClient, desk: LiveDesk, scripts: Scripts) -> None:
    scripts.replies = [answer("Once.")]
    client.ask("say")
    scripts.replies = [answer("Again.")]
    body = {"id": "chat-1", "trigger": "regenerate-message"}
    again = chunks_of(client.post(**body, messages=client.messages[:1], messageId="r_1").text)
    bare = chunks_of(client.post(**body, messages=[{"role": "assistant", "content": "x"}]).text)
    assert said(again) == said(bare) == "Again."
    assert asked_of(desk) == ["say", "say", "say"]


def test_an_earlier_message_is_answered_anew_although_the_last_begins_like_it(
    client: SseClient, desk: LiveDesk, scripts: Scripts
) -> None:
    scripts.replies = [answer("Yes.")]
    client.ask("pay")
    client.ask("pay 100 to Bob")
    client.post(id="chat-1", trigger="regenerate-message", messages=client.messages[:1])
    assert asked_of(desk) == ["pay", "pay 100 to Bob", "pay"]


def test_a_message_with_a_file_is_answered_anew_with_its_file(
    client: SseClient, desk: LiveDesk, scripts: Scripts
) -> None:
    scripts.replies = [answer("Yes.")]
    client.messages.append(user("read", "u1", csv_part()))
    client.send()
    client.post(id="chat-1", trigger="regenerate-message", messages=client.messages[:1])
    assert asked_of(desk) == ["read", "read"] and attached_in(desk) == [["rooms.csv"], ["rooms.csv"]]


# --- files -------------------------------------------------------------------------------------------------------------


def csv_part(name: str | None = "rooms.csv") -> dict[str, Any]:
    data = base64.b64encode(b"room,area\nKitchen,12\n").decode()
    part = {"type": "file", "mediaType": "text/csv", "url": f"data:text/csv;base64,{data}"}
    return part if name is None else part | {"filename": name}


def test_a_file_in_a_message_is_a_file_of_the_chat(desk: LiveDesk, scripts: Scripts) -> None:
    scripts.replies = [code("final_answer(open('rooms.csv').read())")]
    with SseClient(desk.url, query="?agent=code") as client:
        client.messages = [user("What is in it?", "u1", csv_part(), csv_part())]
        assert "Kitchen,12" in said(client.send())
    assert asked_of(desk) == ["What is in it?"]
    assert attached_in(desk) == [["rooms.csv", "rooms (2).csv"]]
    added = [event.file for event in events_of(desk) if isinstance(event, FileAdded)]
    assert [file.name for file in added] == ["rooms.csv", "rooms (2).csv"]
    assert added[0].tables is not None and added[0].tables[0].rows == 1
    names = desk.desk.store.read(
        lambda connection: files.uploaded_names(connection, derived("chat-1", "ui_stream"))
    )
    assert names == {"rooms.csv", "rooms (2).csv"}


def test_a_file_that_cannot_be_one_starts_nothing(desk: LiveDesk, scripts: Scripts) -> None:
    scripts.replies = [answer("Read.")]
    bad = csv_part() | {"url": "http://127.0.0.1:1/secret.csv"}
    response = httpx.post(f"{desk.url}/stream", json={"id": "chat-1", "messages": [user("Read", "u1", bad)]})
    assert (response.status_code, response.json()["error"]["code"]) == (400, "not_a_data_url")
    assert scripts.models == []


# --- clients that go away, and come back -------------------------------------------------------------------------------


def first_events(pieces: Iterator[str], count: int) -> str:
    body = ""
    for piece in pieces:
        body += piece
        if body.count("\n\n") >= count:
            return body
    raise AssertionError(f"the response ended: {body}")


def test_a_run_outlives_its_client_and_resume_tells_all_of_it(desk: LiveDesk, scripts: Scripts) -> None:
    scripts.replies = [Calls(("hold", {"word": "a"}), text="I wait."), answer("Done.")]
    body = {"id": "chat-1", "messages": [user("go")]}
    with httpx.Client(base_url=desk.url, timeout=60) as http:
        with http.stream("POST", "/stream", json=body) as response:
            first = [
                event for event in parsed(first_events(response.iter_text(), 2)) if isinstance(event, dict)
            ]
        assert scripts.began.wait(30)
        with http.stream("GET", "/stream/chat-1/stream") as response:
            assert response.headers["x-vercel-ai-ui-message-stream"] == "v1"
            pieces = response.iter_text()
            started = first_events(pieces, 5)
            scripts.go.set()
            chunks = chunks_of(started + "".join(pieces))
        assert http.get("/stream/chat-1/stream").status_code == 204
    assert types(chunks) == ["start", *TEXT, *CALL, "tool-output-available", *TEXT, "finish"]
    assert chunks[0] == first[0]
    assert scripts.ran == ["a"]


def test_a_reloaded_client_finds_what_is_asked(client: SseClient, scripts: Scripts) -> None:
    scripts.replies = [Calls(("pay", {"word": "bread"})), answer("Paid.")]
    first = client.ask("pay")
    assert chunks_of(client.http.get("/stream/chat-1/stream").text) == first
    # as ai 6.0.0 asks, whose address has a query
    assert chunks_of(client.http.get("/stream?agent=tools/chat-1/stream").text) == first
    refused = client.http.get("/stream?agent=tools")
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "no_chat")
    client.answer(True)
    assert client.http.get("/stream/chat-1/stream").status_code == 204


@pytest.mark.parametrize("chat", ["nobody", "c_1", "a/b"])
def test_there_is_nothing_to_resume_in_an_unknown_chat(desk: LiveDesk, chat: str) -> None:
    response = httpx.get(f"{desk.url}/stream/{chat}/stream")
    assert (response.status_code, response.content) == (204, b"")
    assert (
        desk.desk.store.read(
            lambda connection: connection.exec_driver_sql("SELECT count(*) FROM chat").scalar()
        )
        == 0
    )


def test_a_run_can_be_stopped_over_http(client: SseClient, scripts: Scripts) -> None:
    scripts.replies = [Calls(("pay", {"word": "bread"})), answer("Paid.")]
    client.ask("pay")
    assert client.http.delete("/stream/chat-1/stream").status_code == 204
    while client.http.get("/stream/chat-1/stream").status_code != 204:
        time.sleep(0.02)
    late = client.answer(True)
    assert types(late) == ["start", "tool-output-error", "abort", "finish"]
    assert scripts.ran == []


def test_a_client_that_goes_in_the_middle_of_an_ask_leaves_it_open_for_its_return(
    demo: Callable[..., LiveDesk], scripts: Scripts
) -> None:
    scripts.replies = [Calls(payment()), answer("Paid.")]
    desk = demo()
    body = {"id": "chat-1", "messages": [user("pay")]}
    with SseClient(desk.url) as client:
        with client.http.stream("POST", "/stream", json=body) as response:
            first_events(response.iter_text(), 2)
        chunks = chunks_of(client.http.get("/stream/chat-1/stream").text)
        client.messages = [user("pay"), {"id": chunks[0]["messageId"], "role": "assistant", "parts": []}]
        respond(folded(chunks, client.messages[-1]), True)
        assert of_type(client.send(), "tool-output-available")[0]["output"]["wallet_balance"] == 970


# --- the doors ---------------------------------------------------------------------------------------------------------

OTHER = "http://localhost:5173"


def test_a_front_end_on_another_port_is_let_in_when_the_operator_says_so(
    tmp_path: Path, scripts: Scripts
) -> None:
    scripts.replies = [answer("Welcome.")]
    with live_desk(tmp_path, scripts.model, scripts.tools, allowed_origins=[OTHER]) as desk:
        asks = {"access-control-request-method": "POST", "access-control-request-headers": "content-type"}
        preflight = httpx.options(f"{desk.url}/stream", headers={"origin": OTHER, **asks})
        assert preflight.status_code == 204
        assert preflight.headers["access-control-allow-origin"] == OTHER
        body = {"id": "chat-1", "messages": [user("hello")]}
        response = httpx.post(f"{desk.url}/stream", json=body, headers={"origin": OTHER}, timeout=30)
        assert response.headers["access-control-allow-origin"] == OTHER
        assert "X-Vercel-AI-UI-Message-Stream" in response.headers["access-control-expose-headers"]
        assert said(chunks_of(response.text)) == "Welcome."
        bad = httpx.post(f"{desk.url}/stream", content=b"{", headers={"origin": OTHER})
        assert (bad.status_code, bad.headers["access-control-allow-origin"]) == (400, OTHER)


def test_any_other_page_is_kept_out(desk: LiveDesk, scripts: Scripts) -> None:
    body = {"id": "chat-1", "messages": [user("hello")]}
    assert httpx.post(f"{desk.url}/stream", json=body, headers={"origin": OTHER}).status_code == 403
    assert scripts.models == []


def test_clients_that_go_away_leave_nobody_following(desk: LiveDesk, scripts: Scripts) -> None:
    scripts.replies = [Calls(("hold", {"word": "a"})), answer("Done.")]
    body = {"id": "chat-1", "messages": [user("go")]}
    with httpx.Client(base_url=desk.url, timeout=60) as http:
        with http.stream("POST", "/stream", json=body) as response:
            pieces = response.iter_text()  # a response is left with the last hold on them
            first_events(pieces, 3)
            assert desk.desk.store.followers.count() == 1
        while desk.desk.store.followers.count():
            time.sleep(0.02)


def test_a_chat_that_is_deleted_ends_its_streams(desk: LiveDesk, scripts: Scripts) -> None:
    scripts.replies = [Calls(("hold", {"word": "a"})), answer("Done.")]
    body = {"id": "chat-1", "messages": [user("go")]}
    with (
        httpx.Client(base_url=desk.url, timeout=60) as http,
        http.stream("POST", "/stream", json=body) as response,
    ):
        pieces = response.iter_text()
        started = first_events(pieces, 3)
        desk.desk.store.followers.close(derived("chat-1", "ui_stream"))
        chunks = chunks_of(started + "".join(pieces))
    assert types(chunks)[-2:] == ["error", "finish"]


def test_a_desk_that_closes_ends_its_streams_in_the_protocols_form(tmp_path: Path, scripts: Scripts) -> None:
    scripts.replies = [Calls(("hold", {"word": "a"})), answer("Done.")]
    body = {"id": "chat-1", "messages": [user("go")]}
    with httpx.Client(timeout=60) as http:
        with live_desk(tmp_path, scripts.model, scripts.tools) as desk:
            response = http.send(http.build_request("POST", f"{desk.url}/stream", json=body), stream=True)
            pieces = response.iter_text()
            started = first_events(pieces, 3)
            thread = threading.Thread(target=lambda: parts.extend(pieces))
            parts: list[str] = []
            thread.start()
        thread.join(30)
    chunks = chunks_of(started + "".join(parts))
    assert faults(chunks) == []
    assert types(chunks)[-3:] == ["tool-output-error", "abort", "finish"]
