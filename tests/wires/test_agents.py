"""The list of agents over HTTP, the agent of a chat, and what the page, the log and a run make of it."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.support.desk_server import DeskProcess, LiveDesk, events_of, live_desk
from tests.support.scripted_model import Calls, ScriptedModel, code
from tests.support.ws_client import WsClient

AGENTS = """
default = "code"
[agents.reader]
kind = "tools"
description = "Only reads."
tools = ["list_datasets", "load_dataset"]
[agents.drawer]
kind = "code"
tools = ["show_map", "process_payment"]
[agents.broken]
kind = "code"
tools = ["no_such"]
[agents.elsewhere]
kind = "terminal"
profile = "gone.yaml"
"""


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    folder = tmp_path_factory.mktemp("desk")
    (folder / "agents.toml").write_text(AGENTS)
    (folder / "gone.yaml").write_text("command: no-such-program-here\n")
    with live_desk(folder, lambda: ScriptedModel([code("final_answer('by code')")])) as live:
        yield live


def new_chat(http: httpx.Client, **body: Any) -> str:
    answer = http.post("/api/chats", json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()["id"]


def introduction(desk: LiveDesk, chat: str) -> dict[str, Any]:
    with WsClient(desk.ws_url, f"?chat={chat}").greeted() as client:
        return client.seen[-1]["content"]


def test_every_agent_is_told_with_what_keeps_it_from_working(http: httpx.Client) -> None:
    body = http.get("/api/agents").json()
    assert body["default"] == "code"
    by_name = {agent["name"]: agent for agent in body["agents"]}
    assert list(by_name) == [
        "code",
        "tools",
        "demo",
        "small",
        "demo-tools",
        "reader",
        "drawer",
        "broken",
        "elsewhere",
    ]
    assert by_name["reader"] == {
        "name": "reader",
        "description": "Only reads.",
        "kind": "tools",
        "model": "builtin",
        "tools": ["list_datasets", "load_dataset"],
        "available": True,
    }
    assert "python_interpreter" in by_name["tools"]["tools"]
    assert by_name["demo"] == by_name["demo"] | {
        "kind": "terminal",
        "profile": "demo",
        "tools": [],
        "available": True,
    }
    assert "model" not in by_name["demo"]
    problems = {name: agent["problem"] for name, agent in by_name.items() if not agent["available"]}
    assert problems.keys() == {"broken", "elsewhere"}
    assert "'no_such'" in problems["broken"]
    assert "no-such-program-here" in problems["elsewhere"]


def test_a_chat_chooses_its_agent_and_takes_it_back(desk: LiveDesk, http: httpx.Client) -> None:
    chat = new_chat(http)
    assert http.get(f"/api/chats/{chat}").json()["agent"] is None
    with WsClient(desk.ws_url, f"?chat={chat}").greeted() as watching:
        before = watching.seen[-1]["content"]
        assert (before["agentName"], before["agent"], before["model"]) == ("code", "code", "builtin")
        assert (before["approvals"], "process_payment" in before["tools"]) == ({}, False)
        http.patch(f"/api/chats/{chat}", json={"agent": "demo-tools"})
        assert watching.until("chat")["content"]["approvals"] == {
            "process_payment": "always",
            "get_location": "always",
        }
        assert http.patch(f"/api/chats/{chat}", json={"agent": "reader"}).json()["agent"] == "reader"
        content = watching.until("chat")["content"]
        assert (content["agentName"], content["agent"]) == ("reader", "tools")
        assert content["tools"] == ["list_datasets", "load_dataset"]
        assert content["approvals"] == {}
        http.patch(f"/api/chats/{chat}", json={"agent": "demo"})
        content = watching.until("chat")["content"]
        assert (content["agentName"], content["agent"], content["model"]) == ("demo", "terminal", "")
        assert (content["tools"], content["approvals"]) == ([], {})
        assert content["isolation"]["isolated"] is False
        assert "limits" not in content
        http.patch(f"/api/chats/{chat}", json={"agent": None})
        assert watching.until("chat")["content"] | {"lastSeq": 0} == before | {"lastSeq": 0}
    assert http.get(f"/api/chats/{chat}").json()["agent"] is None
    assert events_of(desk.url, chat) == [
        {"type": "agent_chosen", "agent": name} for name in ("demo-tools", "reader", "demo", None)
    ]


def test_the_same_choice_again_says_nothing(http: httpx.Client) -> None:
    chat = new_chat(http, agent="reader")
    assert http.patch(f"/api/chats/{chat}", json={"agent": "reader"}).status_code == 200
    assert len(http.get(f"/api/chats/{chat}/events").text.splitlines()) == 1


def test_a_chat_may_begin_with_an_agent(desk: LiveDesk, http: httpx.Client) -> None:
    chat = new_chat(http, title="Reading", agent="reader")
    assert introduction(desk, chat)["agentName"] == "reader"


@pytest.mark.parametrize("name", ["poet", "Code", "", "x" * 200])
def test_an_unknown_agent_is_refused_with_the_names_there_are(http: httpx.Client, name: str) -> None:
    chat = new_chat(http)
    count = len(http.get("/api/chats").json()["chats"])
    patched = http.patch(f"/api/chats/{chat}", json={"agent": name, "title": "no"})
    for refused in (patched, http.post("/api/chats", json={"agent": name, "title": "no"})):
        assert refused.status_code == 404
        error = refused.json()["error"]
        assert error["code"] == "unknown_agent"
        assert "code, tools, demo, small, demo-tools, reader" in error["hint"]
    assert http.get(f"/api/chats/{chat}").json()["title"] == ""
    assert len(http.get("/api/chats").json()["chats"]) == count


@pytest.mark.parametrize("value", [3, ["code"], {}, True, "x" * 201])
def test_what_is_no_name_is_refused(http: httpx.Client, value: object) -> None:
    chat = new_chat(http)
    assert http.patch(f"/api/chats/{chat}", json={"agent": value}).status_code == 422


def test_an_unknown_chat_chooses_nothing(http: httpx.Client) -> None:
    assert http.patch("/api/chats/c_none", json={"agent": "demo"}).json()["error"]["code"] == "not_found"


def test_a_run_of_an_agent_that_cannot_work_says_why(desk: LiveDesk, http: httpx.Client) -> None:
    chat = new_chat(http, agent="broken")
    with WsClient(desk.ws_url, f"?chat={chat}").greeted() as client:
        error = next(message for message in client.ask("hello") if message["type"] == "error")
    assert error["code"] == "unknown_tool"
    assert "no_such" in error["content"] and "show_map" in error["content"]


def test_an_agent_that_is_listed_no_more_ends_its_runs_clearly(tmp_path: Path) -> None:
    file = tmp_path / "agents.toml"
    file.write_text('[agents.passing]\nkind = "code"\n')
    with live_desk(tmp_path) as live, httpx.Client(base_url=live.url) as http:
        chat = new_chat(http, agent="passing")
    file.unlink()
    with live_desk(tmp_path) as live, WsClient(live.ws_url, f"?chat={chat}").greeted() as client:
        content = client.seen[-1]["content"]
        assert (content["agentName"], content["agent"], content["tools"]) == ("passing", "", [])
        error = next(message for message in client.ask("hello") if message["type"] == "error")
        assert error["code"] == "unknown_agent"
        assert "'passing'" in error["content"] and "code, tools, demo" in error["content"]


def test_an_open_run_goes_on_with_its_agent_and_the_next_has_the_new_one(
    tmp_path: Path, free_port: int
) -> None:
    """One kind writes code and pays; the other calls a tool: each can be told by what it does. The log names both."""
    (tmp_path / "agents.toml").write_text(
        '[agents.asking]\nkind = "tools"\ntools = ["process_payment"]\nmodel = "openai:second"\n'
    )
    script = 'final_answer("by code")'
    paying = Calls(
        ("process_payment", {"recipient": "a", "amount": 1, "currency": "USD", "description": "b"})
    )
    models = iter(
        [
            ScriptedModel([paying, Calls(("final_answer", {"answer": "by tools"}))]),
            ScriptedModel([code(script)]),
        ]
    )
    with live_desk(tmp_path, lambda: next(models)) as live, httpx.Client(base_url=live.url) as http:
        chat = new_chat(http, agent="asking")
        with WsClient(live.ws_url, f"?chat={chat}").greeted() as client:
            assert client.seen[-1]["content"]["model"] == "openai:second"
            client.say("pay")
            ask = client.until("ask")["content"]
            assert http.patch(f"/api/chats/{chat}", json={"agent": "code"}).status_code == 200
            client.until("chat", agentName="code")
            client.send(type="answer", askId=ask["askId"], granted=False)
            assert client.until_closed()[-1]["content"]["text"] == "by tools"
            assert client.ask("again")[-1]["content"]["text"] == "by code"


def test_a_tools_agent_without_the_interpreter_does_not_have_it(tmp_path: Path) -> None:
    (tmp_path / "agents.toml").write_text('[agents.reader]\nkind = "tools"\ntools = ["list_datasets"]\n')
    reach = Calls(("python_interpreter", {"code": "open('x', 'w').write('1')"}))
    model = ScriptedModel([reach, Calls(("show_map", {})), Calls(("final_answer", {"answer": "ok"}))])
    with (
        live_desk(tmp_path, lambda: model, agent="reader") as live,
        WsClient(live.ws_url).greeted() as client,
    ):
        messages = client.ask("try")
    assert messages[-1]["content"]["text"] == "ok"
    calls = [message["content"] for message in messages if message["type"] == "tool"]
    assert [(call["tool"], call["state"]) for call in calls if call["state"] != "called"] == [
        ("python_interpreter", "failed"),
        ("show_map", "failed"),
    ]
    assert not list(tmp_path.glob("chats/*/x"))


def test_the_log_names_the_agent_and_its_own_model(tmp_path: Path, free_port: int) -> None:
    (tmp_path / "agents.toml").write_text('[agents.mine]\nkind = "code"\nmodel = "openai:own-model"\n')
    env = {"SMOLDESK_LOG_FORMAT": "json", "SMOLDESK_ALLOW_UNISOLATED": "true"}
    process = DeskProcess(tmp_path, free_port, env)
    try:
        process.wait_until_up()
        with httpx.Client(base_url=process.url, timeout=30) as http:
            chat = new_chat(http, agent="mine")
            with WsClient(process.ws_url, f"?chat={chat}").greeted() as client:
                client.say("hello")  # fails: there is no key
                client.until_closed()
                http.patch(f"/api/chats/{chat}", json={"agent": None})
                client.until("chat", agentName="code")
                client.ask("How many rows are in titanic?")
        assert process.terminate() == 0
        facts = [json.loads(line) for line in process.errors().splitlines()]
    finally:
        process.close()
    runs = [(fact["agent"], fact["model"], fact["state"]) for fact in facts if fact["event"] == "run"]
    assert runs == [("mine", "openai:own-model", "failed"), ("code", "builtin", "finished")]


@pytest.mark.parametrize(("agent", "message"), [("code", "by code"), ("drawer", "by code")])
def test_other_front_ends_name_agents_in_their_address(http: httpx.Client, agent: str, message: str) -> None:
    body = {"messages": [{"role": "user", "parts": [{"type": "text", "text": "hello"}]}]}
    answer = http.post("/stream", params={"agent": agent}, json=body)
    assert answer.status_code == 200
    assert message in answer.text


def test_other_front_ends_hear_the_names_when_theirs_is_none(http: httpx.Client) -> None:
    body = {"messages": [{"role": "user", "parts": [{"type": "text", "text": "hello"}]}]}
    answer = http.post("/stream", params={"agent": "poet"}, json=body)
    assert answer.status_code == 400
    assert "unknown_agent" in answer.text and "drawer" in answer.text


@pytest.mark.parametrize("request_", ["Pay 30 USD to Alice", "アリスに30ドル払って", "Where am I?"])
def test_the_default_agent_points_to_the_one_with_the_demo_tools(request_: str, tmp_path: Path) -> None:
    with live_desk(tmp_path) as live, WsClient(live.ws_url) as client:
        client.hello()
        client.say(request_)
        assert "demo-tools" in client.until_closed()[-1]["content"]["text"]
