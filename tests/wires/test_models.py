"""Models over HTTP: listed, chosen for a chat and used, added with a key that nobody sees again, kept across a restart."""

import base64
import json
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support import model_servers
from tests.support.desk_server import LiveDesk, events_of, live_desk
from tests.support.openai_server import Fails, OpenAIServer, Reply, Says, Seen
from tests.support.ws_client import WsClient

KEY = "sk-locked-0123456789abcdef"
OTHER_KEY = "sk-second-fedcba9876543210"
TEAM = """
[agents.boss]
kind = "code"
managed = ["helper"]
[agents.helper]
kind = "code"
description = "Looks."
"""


class Provider:
    """Answers to one key; `looks` is code that the next answer runs."""

    def __init__(self) -> None:
        self.key = KEY
        self.code = "final_answer('hello')"

    def __call__(self, received: Seen) -> Reply:
        if received.key != self.key:
            return Fails(401, "Incorrect API key provided: {key}")
        return Says(f"<code>{self.code}</code>")


@pytest.fixture(scope="module")
def scripted() -> Provider:
    return Provider()


@pytest.fixture(scope="module")
def provider(scripted: Provider) -> Iterator[OpenAIServer]:
    with OpenAIServer(scripted, model_servers.locked(KEY, "big-1")) as server:
        yield server


@pytest.fixture(scope="module")
def local() -> Iterator[OpenAIServer]:
    def reply(received: Seen) -> Reply:
        asks = (
            "final_answer(helper(task='look'))"
            if "Have it looked at" in received.last_text
            else "final_answer('local')"
        )
        return Says(f"<code>{asks}</code>")

    with OpenAIServer(reply, model_servers.ollama()) as server:
        yield server


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    (folder / "agents.toml").write_text(TEAM)
    return folder


def desk_of(folder: Path, local: OpenAIServer) -> Any:
    return live_desk(folder, model_servers={"ollama": local.base_url}, model_retries=0, log_level="DEBUG")


@pytest.fixture(scope="module")
def desk(folder: Path, local: OpenAIServer) -> Iterator[LiveDesk]:
    with desk_of(folder, local) as live:
        yield live


@pytest.fixture
def client(desk: LiveDesk) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=desk.url, timeout=60) as client:
        yield client


def listed(client: httpx.Client) -> dict[str, dict[str, Any]]:
    return {item["id"]: item for item in client.get("/api/models").json()["models"]}


def new_chat(client: httpx.Client, model: str | None) -> str:
    chat_id: str = client.post("/api/chats").json()["id"]
    if model is not None:
        assert client.patch(f"/api/chats/{chat_id}", json={"model": model}).json()["model"] == model
    return chat_id


def ask(
    desk: LiveDesk, chat_id: str, message: str = "hi", attachments: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """The messages of a chat up to the end of the run that answers this one."""
    last = httpx.get(f"{desk.url}/api/chats/{chat_id}").json()["lastSeq"]
    with WsClient(desk.ws_url, f"?chat={chat_id}&after={last}").greeted() as socket:
        socket.send(type="message", message=message, attachments=[*attachments])
        socket.until_closed()
        return socket.seen


def test_models_are_listed_chosen_used_and_told(
    desk: LiveDesk, client: httpx.Client, local: OpenAIServer
) -> None:
    models = listed(client)
    assert list(models) == ["builtin", "ollama/llama3.2:3b", "ollama/llava:7b"]
    assert models["ollama/llava:7b"] == models["ollama/llava:7b"] | {
        "state": "answers",
        "context": 12288,
        "images": True,
        "structured": None,
        "inputPrice": None,
    }
    assert models["builtin"]["structured"] is False
    chat = new_chat(client, "ollama/llava:7b")
    received = ask(desk, chat)
    assert received[-1]["content"]["text"] == "local"
    with WsClient(desk.ws_url, f"?chat={chat}&after=0").greeted() as socket:
        [report] = [item["content"] for item in socket.seen if item["type"] == "chat"]
    assert report["model"] == "ollama/llava:7b" and report["findsModels"] is True
    assert local.requests[-1].body["model"] == "llava:7b"
    assert local.requests[-1].key == "none", "no key of the desk's is sent to a server that was found"
    events = events_of(desk.url, chat)
    assert events[0] == {"type": "model_chosen", "model": "ollama/llava:7b"}

    again = client.patch(f"/api/chats/{chat}", json={"model": None}).json()
    assert again["model"] is None
    assert ask(desk, chat, "What is in the titanic table?")[-1]["content"]["state"] == "finished"
    assert len(local.requests) == 1, "the built-in analyst answered"


def test_managed_agents_without_a_model_of_their_own_have_the_chats(
    desk: LiveDesk, client: httpx.Client, local: OpenAIServer
) -> None:
    chat = new_chat(client, "ollama/llama3.2:3b")
    assert client.patch(f"/api/chats/{chat}", json={"agent": "boss"}).status_code == 200
    before = len(local.requests)
    assert ask(desk, chat, "Have it looked at")[-1]["content"]["text"] == "local"
    assert [request.body["model"] for request in local.requests[before:]] == ["llama3.2:3b"] * 2


def test_only_what_is_listed_can_be_chosen(client: httpx.Client) -> None:
    chat = new_chat(client, None)
    for expected in (
        "openai:gpt-5",
        "http://127.0.0.1:1/v1",
        "other/model",
        "ollama/",
        "ollama/a\nb",
        "",
        "../x",
        "litellm:x/y",
    ):
        refused = client.patch(f"/api/chats/{chat}", json={"model": expected})
        assert (refused.status_code, refused.json()["error"]["code"]) == (404, "unknown_model"), expected
    assert client.patch(f"/api/chats/{chat}", json={"model": 7}).status_code == 422


def test_a_key_is_used_and_seen_by_nobody(
    desk: LiveDesk,
    client: httpx.Client,
    provider: OpenAIServer,
    scripted: Provider,
    folder: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The attack: the model's own code, its provider's errors, files, log, answers and frames are searched for the key."""
    caplog.set_level("DEBUG")
    lines: list[str] = []

    def post(**more: Any) -> httpx.Response:
        body = {"name": "big", "model": "openai:big-1", "baseUrl": provider.base_url, "key": KEY} | more
        answer = client.post("/api/models", json=body)
        lines.append(answer.text)
        return answer

    wrong = post(key="sk-wrong-0123456789abcdef")
    assert (wrong.status_code, wrong.json()["error"]["code"]) == (502, "model_auth")
    assert post(baseUrl="http://me:pass@127.0.0.1/v1").json()["error"]["code"] == "bad_address"
    assert post(model="litellm:vertex_ai/x").json()["error"]["code"] == "bad_address"
    assert post(model="transformers:/root").json()["error"]["code"] == "bad_name"
    assert post(baseUrl="file:///etc/passwd").json()["error"]["code"] == "bad_address"
    assert post(name="Big One").json()["error"]["code"] == "bad_name"
    assert post(name="builtin").json()["error"]["code"] == "bad_name"
    assert post(key="").status_code == 502
    assert post(key=KEY, context="many").status_code == 422
    assert list(listed(client)) == ["builtin", "ollama/llama3.2:3b", "ollama/llava:7b"], (
        "nothing of it was kept"
    )
    created = post(context=16_000)
    assert created.status_code == 201
    assert created.json() == created.json() | {
        "id": "big",
        "state": "answers",
        "context": 16_000,
        "ofPage": True,
    }
    assert post().json()["error"]["code"] == "name_taken"

    scripted.code = (
        "import os, pathlib\nprint(dict(os.environ), pathlib.Path('/proc/self/environ').read_bytes())\n"
    )
    scripted.code += "final_answer(repr({k: v for k, v in globals().items() if 'key' in str(k)}))"
    chat = new_chat(client, "big")
    lines.append(repr(ask(desk, chat)))
    assert provider.requests[-1].key == KEY
    scripted.key = OTHER_KEY  # the provider takes the key back, and repeats it in its refusal
    refused = ask(desk, chat)
    assert refused[-1]["content"]["state"] == "failed"
    assert "the key of 'big' in the page" in repr(refused)
    lines.append(repr(refused))
    changed = client.put("/api/models/big/key", json={"key": OTHER_KEY})
    assert changed.status_code == 200
    lines.append(changed.text)
    scripted.code = "final_answer('again')"
    assert ask(desk, chat)[-1]["content"]["text"] == "again"

    lines += [
        client.get(path).text
        for path in ("/api/models", "/api/chats", f"/api/chats/{chat}/events", "/metrics")
    ]
    runs = {
        line.split('"run_id":"')[1].split('"')[0] for line in lines[-2].splitlines() if '"run_id":"' in line
    }
    lines += [client.get(f"/api/chats/{chat}/runs/{run}/steps/1").text for run in runs]
    lines += [
        client.get(f"/api/chats/{chat}/messages").text,
        client.get(f"/api/chats/{chat}/export/log").text,
    ]
    lines += [caplog.text, *(str(vars(record)) for record in caplog.records)]
    lines += [path.read_bytes().decode("latin-1") for path in folder.rglob("*") if path.is_file()]
    assert len(runs) >= 3
    for secret in (KEY, OTHER_KEY):
        assert not [text[:200] for text in lines if secret in text]
    assert "big-1" in "".join(lines)


def test_a_prompt_is_kept_within_the_window_and_the_log_says_so(desk: LiveDesk, client: httpx.Client) -> None:
    prints = ["print('x' * 10_000)", "print('y' * 10_000)", "print('z' * 10_000)", "final_answer('short')"]
    with OpenAIServer([Says("hi"), *(Says(f"<code>{code}</code>") for code in prints)]) as server:
        body = {"name": "small", "model": "openai:s", "baseUrl": server.base_url, "context": 15_000}
        assert client.post("/api/models", json=body).status_code == 201
        chat = new_chat(client, "small")
        received = ask(desk, chat)
        prompts = [json.dumps(request.body["messages"]) for request in server.requests[1:]]
    calls = [item["content"] for item in received if item["type"] == "model_call"]
    assert received[-1]["content"]["text"] == "short"
    assert [call.get("leftOut") for call in calls] == [None, None, None, 1]
    assert ["x" * 10_000 in text for text in prompts] == [False, True, True, False]
    assert "z" * 10_000 in prompts[-1] and "y" * 10_000 in prompts[-1] and "hi" in prompts[-1]
    trace = client.get(f"/api/chats/{chat}/runs/{received[-1]['runId']}/steps/4").json()
    assert "This output was left out" in json.dumps(trace["calls"][0]["prompt"])


@pytest.mark.parametrize(
    ("message", "attachments"),
    [("What is on plan.png, and on fake.png?", []), ("What is on it?", ["fake.png", "plan.png"])],
)
def test_a_picture_that_comes_with_a_message_or_that_it_names_is_sent_where_the_model_takes_pictures(
    desk: LiveDesk, client: httpx.Client, local: OpenAIServer, message: str, attachments: list[str]
) -> None:
    picture = b"\x89PNG\r\n\x1a\n" + bytes(range(256))
    for model, is_sent in (("ollama/llava:7b", True), ("ollama/llama3.2:3b", False)):
        chat = new_chat(client, model)
        for name, data in (("plan.png", picture), ("fake.png", b"<svg/>"), ("other.png", picture)):
            assert client.post(f"/api/chats/{chat}/files", files={"file": (name, data)}).status_code == 201
        received = ask(desk, chat, message, attachments)
        [task] = [item for item in local.requests[-1].body["messages"] if "New task" in json.dumps(item)]
        pictures = [
            part for part in task["content"] if isinstance(part, dict) and part["type"] == "image_url"
        ]
        url = f"data:image/png;base64,{base64.b64encode(picture).decode()}"
        assert [picture["image_url"]["url"] for picture in pictures] == [url] * is_sent
        trace = client.get(f"/api/chats/{chat}/runs/{received[-1]['runId']}/steps/1").text
        assert "base64" not in trace, "what is kept of a prompt has the picture's name"


def test_a_key_outlives_the_server_and_is_gone_when_the_model_is(
    folder: Path, local: OpenAIServer, tmp_path: Path, provider: OpenAIServer, scripted: Provider
) -> None:
    scripted.key = KEY
    body = {"name": "big", "model": "openai:big-1", "baseUrl": provider.base_url, "key": KEY}
    with desk_of(tmp_path, local) as live, httpx.Client(base_url=live.url, timeout=60) as client:
        assert client.post("/api/models", json=body).status_code == 201
    with desk_of(tmp_path, local) as live, httpx.Client(base_url=live.url, timeout=60) as client:
        chat = new_chat(client, "big")
        scripted.code = "final_answer('kept')"
        assert ask(live, chat)[-1]["content"]["text"] == "kept"
    (tmp_path / "sources.key").unlink()
    with desk_of(tmp_path, local) as live, httpx.Client(base_url=live.url, timeout=60) as client:
        assert listed(client)["big"]["state"] == "needs_key"
        assert "enter it again" in repr(ask(live, chat)[-1])
        assert client.put("/api/models/big/key", json={"key": KEY}).json()["state"] == "answers"
        assert client.delete("/api/models/big").status_code == 204
        assert client.delete("/api/models/big").status_code == 404
        assert client.delete("/api/models/builtin").status_code == 404
        assert "There is no model 'big'" in repr(ask(live, chat)[-1])
    with sqlite3.connect(tmp_path / "smoldesk.db") as database:
        assert database.execute("SELECT count(*) FROM model").fetchone() == (0,)


def test_where_people_may_not_change_models_none_is_added(tmp_path: Path, local: OpenAIServer) -> None:
    options: dict[str, Any] = {"models": "settings", "model_servers": {"ollama": local.base_url}}
    body = {"name": "big", "model": "openai:x", "baseUrl": local.base_url}
    with live_desk(tmp_path, **options) as live, httpx.Client(base_url=live.url, timeout=60) as client:
        assert client.get("/api/models").json()["mayAdd"] is False
        refused = [
            client.post("/api/models", json=body),
            client.put("/api/models/big/key", json={"key": "x"}),
            client.delete("/api/models/big"),
        ]
        assert [item.status_code for item in refused] == [403] * 3
        new_chat(client, "ollama/llava:7b")  # choosing is everybody's


def test_without_isolation_no_other_model_writes_code(tmp_path: Path, local: OpenAIServer) -> None:
    options: dict[str, Any] = {"executor": "ast", "allow_unisolated": False}
    options |= {"model_servers": {"ollama": local.base_url}}
    requested = len(local.asked)
    with live_desk(tmp_path, **options) as live, httpx.Client(base_url=live.url, timeout=60) as client:
        assert list(listed(client)) == ["builtin"] and client.get("/api/models").json()["mayAdd"] is False
        chat = new_chat(client, None)
        refused = client.patch(f"/api/chats/{chat}", json={"model": "ollama/llava:7b"})
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "not_isolated")
        assert len(local.asked) == requested
