"""Views of MCP servers over HTTP: in the log, served sandboxed and once, calling by the desk's approvals."""

import base64
import hashlib
import io
import json
import sys
import zipfile
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.desk_server import LiveDesk, events_of, live_desk
from tests.support.scripted_model import ScriptedModel, code
from tests.support.ws_client import WsClient
from tests.tools.mcp_servers.test_apps import APPS


def server_of_views(folder: Path, **options: Any) -> AbstractContextManager[LiveDesk]:
    folder.mkdir(exist_ok=True)
    received = [str(APPS), str(APPS.with_name("app_view.html"))]
    (folder / "agents.toml").write_text(
        f"[mcp.weather]\ncommand = {sys.executable!r}\nargs = {[str(APPS), 'https://api.example.com']!r}\n"
        f"readable = {received!r}\n"
    )
    model = ScriptedModel([code("print(weather_forecast(city='Nara'))\nfinal_answer('See it.')")])
    return live_desk(folder, lambda: model, **options)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    with server_of_views(tmp_path_factory.mktemp("views")) as live:
        yield live


@pytest.fixture(scope="module")
def chat(desk: LiveDesk) -> str:
    return run(desk)


def run(desk: LiveDesk) -> str:
    """A new chat in which an agent has shown a view."""
    chat = httpx.post(f"{desk.url}/api/chats", json={"agent": "code"}).json()["id"]
    again(desk, chat)
    return chat


def again(desk: LiveDesk, chat: str) -> None:
    """Ask once more, and wait for the end of that run: what an earlier one told is not heard again."""
    log = httpx.get(f"{desk.url}/api/chats/{chat}/events", timeout=60).text.splitlines()
    after = json.loads(log[-1])["seq"] if log else 0
    with WsClient(desk.ws_url, f"?chat={chat}&after={after}").greeted() as client:
        client.say("go")
        while (message := client.next())["type"] != "run" or message["content"]["state"] != "finished":
            pass


def shown(desk: LiveDesk, chat: str) -> list[dict[str, Any]]:
    return [
        item["message"]["content"]
        for item in events_of(desk.url, chat)
        if item["type"] == "shown" and item["message"]["type"] == "mcp_app"
    ]


def ask(desk: LiveDesk, chat: str, what: str, **body: Any) -> tuple[int, dict[str, Any]]:
    answer = httpx.post(
        f"{desk.url}/api/chats/{chat}/apps/{shown(desk, chat)[0]['factsId']}/{what}", json=body, timeout=60
    )
    return answer.status_code, answer.json()


def test_a_view_is_in_the_log_and_told_to_the_page_of_2_0_alone(desk: LiveDesk, chat: str) -> None:
    started, ended = shown(desk, chat)
    assert (started["state"], ended["state"], ended["factsId"]) == ("called", "returned", started["factsId"])
    assert httpx.get(f"{desk.url}/api/chats/{chat}/files").json()["files"] == []
    with WsClient(desk.ws_url, f"?chat={chat}&after=0").greeted() as client:
        client.send(type="selection", rooms=[])
        while (message := client.next())["type"] != "mcp_app" or "resultUrl" not in message:
            pass
    assert httpx.get(desk.url + message["url"]).json()["arguments"] == {"city": "Nara"}
    assert httpx.get(desk.url + message["resultUrl"]).json()["content"][0]["text"] == "It rains in Nara."
    for form in ("html", "notebook", "markdown"):
        got = httpx.get(f"{desk.url}/api/chats/{chat}/export", params={"format": form}, timeout=60)
        text = got.text
        if form == "markdown":
            with zipfile.ZipFile(io.BytesIO(got.content)) as archive:
                text = archive.read("chat.md").decode()
        assert text.count("An interactive view of") == 1, form


def test_a_frame_is_served_once_and_sandboxed(desk: LiveDesk, chat: str) -> None:
    page = shown(desk, chat)[0]["pageId"]
    _, body = ask(desk, chat, "frames", pageId=page)
    assert not any(body["domains"].values())
    got = httpx.get(desk.url + body["url"])
    policy = got.headers["content-security-policy"]
    assert "sandbox allow-scripts allow-forms" in policy and "allow-same-origin" not in policy
    assert "default-src 'none'" in policy and "example" not in policy
    assert got.headers["connection-allowlist"] == "();webrtc=block;redirects=block"
    assert "ui/initialize" in got.text
    assert httpx.get(desk.url + body["url"]).status_code == 404
    for wrong in ("f_0", shown(desk, chat)[0]["factsId"]):
        assert ask(desk, chat, "frames", pageId=wrong)[0] == 404
    assert httpx.get(f"{desk.url}/").headers["content-security-policy"].count("frame-src 'self'") == 1


def test_calls_go_by_the_desks_approvals(desk: LiveDesk, chat: str) -> None:
    status, body = ask(desk, chat, "calls", tool="refresh")
    assert (status, body["result"]["content"][0]["text"]) == (200, "Now it snows.")
    umbrella = {"tool": "order", "arguments": {"what": "an umbrella"}}
    _, body = ask(desk, chat, "calls", **umbrella)
    assert body.keys() == {"grant"}, "nothing was done"
    _, other = ask(desk, chat, "calls", tool="order", arguments={"what": "a car"}, grant=body["grant"])
    assert other.keys() == {"grant"}, "a grant is for the call that was shown"
    _, again = ask(desk, chat, "calls", **umbrella, grant=body["grant"])
    assert again.keys() == {"grant"}, "and used up by any call"
    _, done = ask(desk, chat, "calls", **umbrella, grant=again["grant"])
    assert done["result"]["content"][0]["text"] == "Ordered an umbrella."
    for tool, arguments, expected in (
        ("secret", {}, (403, "not_for_views")),
        ("no_such", {}, (404, "unknown_tool")),
        ("weather_refresh", {}, (404, "unknown_tool")),
        ("order", {"what": 3}, (400, "bad_input")),
    ):
        status, body = ask(desk, chat, "calls", tool=tool, arguments=arguments)
        assert (status, body["error"]["code"]) == expected, tool
    _, body = ask(desk, chat, "reads", uri="weather://today")
    assert body["result"]["contents"][0]["text"] == "rain"
    facts = shown(desk, chat)[0]["factsId"]
    elsewhere = httpx.post(f"{desk.url}/api/chats", json={}).json()["id"]
    answer = httpx.post(f"{desk.url}/api/chats/{elsewhere}/apps/{facts}/calls", json={"tool": "refresh"})
    assert answer.status_code == 404


def test_frames_and_grants_of_one_server_are_good_once_at_the_other(
    tmp_path: Path, postgres_of_a_desk: str
) -> None:
    options = {"database_url": postgres_of_a_desk, "files_dir": tmp_path / "files"}
    with server_of_views(tmp_path / "a", **options) as a, server_of_views(tmp_path / "b", **options) as b:
        chat = run(a)
        _, body = ask(a, chat, "frames", pageId=shown(a, chat)[0]["pageId"])
        page = httpx.get(b.url + body["url"], timeout=60)
        assert page.status_code == 200 and "ui/initialize" in page.text
        assert [httpx.get(desk.url + body["url"]).status_code for desk in (a, b)] == [404, 404]
        umbrella = {"tool": "order", "arguments": {"what": "an umbrella"}}
        _, granted = ask(a, chat, "calls", **umbrella)
        _, done = ask(b, chat, "calls", **umbrella, grant=granted["grant"])
        assert done["result"]["content"][0]["text"] == "Ordered an umbrella."
        _, again = ask(a, chat, "calls", **umbrella, grant=granted["grant"])
        assert again.keys() == {"grant"}, "it was used up at the other server"


def test_a_view_of_an_imported_log_is_shown_and_calls_nothing(desk: LiveDesk, chat: str) -> None:
    log = httpx.get(f"{desk.url}/api/chats/{chat}/export", params={"format": "jsonl"}, timeout=60)
    assert log.status_code == 200
    assert json.loads(log.text.splitlines()[0])["smoldesk_log"] == 2
    response = httpx.post(f"{desk.url}/api/imports", content=log.content, timeout=60)
    imported = response.json()["chatId"]
    status, body = ask(desk, imported, "frames", pageId=shown(desk, imported)[0]["pageId"])
    assert status == 200 and "ui/initialize" in httpx.get(desk.url + body["url"]).text
    for what, sent in (("calls", {"tool": "refresh"}), ("reads", {"uri": "weather://today"})):
        status, body = ask(desk, imported, what, **sent)
        assert (status, body["error"]["code"]) == (403, "imported_view")
    # whose parts are what its writer wants
    for bad in (b"{", b"[" * 100_000, b"[1]", json.dumps({"server": 1, "domains": [1]}).encode()):
        sent = forged(log.text, bad)
        response = httpx.post(f"{desk.url}/api/imports", content=sent, timeout=60)
        assert response.status_code < 300, response.text
        forgery = response.json()["chatId"]
        status, body = ask(desk, forgery, "frames", pageId=shown(desk, forgery)[0]["pageId"])
        assert status == (200 if b"server" in bad else 404), bad[:20]
    _, body = ask(desk, imported, "frames", pageId=shown(desk, imported)[0]["pageId"])
    httpx.delete(f"{desk.url}/api/chats/{imported}").raise_for_status()
    assert httpx.get(desk.url + body["url"]).status_code == 404


def forged(log: str, facts: bytes) -> str:
    """The log with other facts of its view."""
    lines = [json.loads(line) for line in log.splitlines()]
    at = next(
        at for at, line in enumerate(lines) if line.get("file", {}).get("name") == "weather_forecast.json"
    )
    lines[at]["file"] |= {"size": len(facts), "sha256": hashlib.sha256(facts).hexdigest()}
    lines[at + 1] = {"piece": base64.b64encode(facts).decode()}
    return "".join(json.dumps(line) + "\n" for line in lines)


def test_a_branch_has_the_views_of_the_turns_before_with_what_they_may(desk: LiveDesk) -> None:
    chat = httpx.post(f"{desk.url}/api/chats", json={"agent": "code"}).json()["id"]
    again(desk, chat)
    again(desk, chat)
    log = httpx.get(f"{desk.url}/api/chats/{chat}/export", params={"format": "jsonl"}, timeout=60)
    imported = httpx.post(f"{desk.url}/api/imports", content=log.content, timeout=60).json()["chatId"]
    for trunk, expected in ((chat, 200), (imported, 403)):
        with WsClient(desk.ws_url, f"?chat={trunk}&after=0").greeted() as client:
            client.send(type="selection", rooms=[])
            _, second = (client.until("user_message")["runId"] for _ in range(2))
            client.send(type="branch", runId=second, message="otherwise")
            other = client.until("branch")["content"]["chatId"]
        assert shown(desk, other)[0]["factsId"] != shown(desk, trunk)[0]["factsId"]
        assert ask(desk, other, "calls", tool="refresh")[0] == expected
