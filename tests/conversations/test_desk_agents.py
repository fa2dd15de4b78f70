"""Agents of the desk as members: woken at their turn, one run for each, within their limits, over a real desk."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from smoldesk.conversations import AgentFault
from tests.support.aio import run_async
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.scripted_model import ScriptedModel, code, text_of
from tests.support.waiting import come_true

CHAIN = [
    "りんご",
    "ごりら",
    "らっぱ",
    "ぱんだ",
    "だちょう",
    "うさぎ",
    "ぎんこう",
    "うま",
    "まくら",
    "らいおん",
]
ENTRIES = """
[agents.left]
kind = "code"

[agents.right]
kind = "code"

[agents.parrot]
kind = "code"

[agents.slow]
kind = "code"

[agents.restless]
kind = "code"
"""
RESTLESS = """
import time
end_conversation()
for attempt in range(200):  # the one that was ended may not be over yet
    try:
        AGAIN
        break
    except Exception as fault:
        if "already_active" not in str(fault):
            final_answer(str(fault))
        time.sleep(0.05)
final_answer("more")
"""
LIMITS: dict[str, Any] = {"conversation_max_messages": 12, "conversation_runs_per_minute": 1000}
SLOW = "import time\nfor n in range(2000):\n    print(n)\n    time.sleep(0.02)\nfinal_answer('at last')"


def reply(messages: list[Any]) -> str:
    """A player of shiritori, whoever it is: the word after the last one that it was told."""
    prompt = text_of(messages)
    turn = prompt.rfind("Answer by send_message(")
    if "You are parrot" in prompt:
        return code("final_answer('again')")
    if "You are restless" in prompt:
        again = f'start_conversation({prompt[turn:].split(chr(34))[1]!r}, "more", "hello")'
        return code(RESTLESS.replace("AGAIN", again))
    if "You are slow" in prompt:
        return code(SLOW)
    if prompt.rfind("please begin") > turn:
        return code(f'start_conversation("right", "しりとり", "{CHAIN[0]}")\nfinal_answer("begun")')
    last = max(range(len(CHAIN)), key=lambda at: prompt.rfind(f": {CHAIN[at]}"))
    other = prompt[turn:].split('"')[1]
    if last == len(CHAIN) - 1:
        return code("end_conversation()\nfinal_answer('over')")
    return code(f'send_message("{other}", "{CHAIN[last + 1]}")\nfinal_answer("said")')


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    folder = tmp_path_factory.mktemp("desk")
    (folder / "agents.toml").write_text(ENTRIES)
    with live_desk(folder, lambda: ScriptedModel([reply]), **LIMITS) as live:
        yield live


def api(live: LiveDesk) -> httpx.Client:
    return httpx.Client(base_url=f"{live.url}/api", timeout=60)


@pytest.fixture
def http(live: LiveDesk) -> Iterator[httpx.Client]:
    with api(live) as client:
        yield client


def project_of(http: httpx.Client, *agents: str) -> tuple[str, list[dict[str, Any]]]:
    """A project with these agents of the desk; its members once each has its chat."""
    project = http.post("/projects", json={"name": "Games"}).json()["id"]
    for agent in agents:
        answer = http.post(f"/projects/{project}/agents", json={"agent": agent})
        assert answer.status_code == 201 and "passkey" not in answer.json()

    def ready() -> list[dict[str, Any]]:
        members = http.get(f"/projects/{project}").json()["members"]
        return members if all("chatId" in member for member in members) else []

    return project, come_true(ready)


def talked(http: httpx.Client, project: str) -> dict[str, Any]:
    """The one conversation of a project once it is over, with its messages."""

    def over() -> dict[str, Any] | None:
        conversations = http.get(f"/projects/{project}/conversations").json()["conversations"]
        return conversations[0] if conversations and conversations[0]["state"] == "ended" else None

    return http.get(f"/conversations/{come_true(over)['id']}").json()


def test_two_agents_of_the_desk_play_shiritori_by_themselves(http: httpx.Client) -> None:
    project, (left_agent, right) = project_of(http, "left", "right")
    assert (
        http.post(f"/chats/{left_agent['chatId']}/runs", json={"message": "please begin"}).status_code == 202
    )
    transcript = talked(http, project)
    assert [message["content"] for message in transcript["messages"]] == CHAIN
    assert [message["fromAgentId"] for message in transcript["messages"]] == [
        left_agent["id"],
        right["id"],
    ] * 5
    conversation = transcript["conversation"]
    assert conversation["reason"] == "initiator_ended" and conversation["messageCount"] == 10
    runs = [len(runs_of(http, member["chatId"])) for member in (left_agent, right)]
    assert runs == [6, 5]  # one for the person, then one for each word that was told


def runs_of(http: httpx.Client, chat_id: str) -> list[dict[str, Any]]:
    return [event for event in events(http, {"chatId": chat_id}) if event["event"]["type"] == "run_queued"]


def begin(live: LiveDesk, project: str, starter: str, other: str) -> str:
    """A conversation that one of them begins, with something said in it."""
    talk = live.desk.conversations
    return run_async(talk.start(talk.session_of(project, starter), other, "a test", "hello")).id


def test_what_says_nothing_by_a_tool_has_its_answer_said_and_a_conversation_has_an_end(
    live: LiveDesk, http: httpx.Client
) -> None:
    project, (first, other) = project_of(http, "parrot", "parrot")
    begin(live, project, first["id"], other["id"])
    transcript = talked(http, project)
    assert transcript["conversation"]["messageCount"] == LIMITS["conversation_max_messages"]
    assert [message["content"] for message in transcript["messages"]] == ["hello", *["again"] * 11]


def test_agents_that_begin_a_conversation_in_each_turn_come_to_an_end(
    live: LiveDesk, http: httpx.Client
) -> None:
    project, (first, other) = project_of(http, "restless", "restless")
    begin(live, project, first["id"], other["id"])

    def refused() -> list[Any]:
        ends = [line["event"] for member in (first, other) for line in events(http, member)]
        return [
            event
            for event in ends
            if event["type"] == "run_finished" and "nested conversations are the most" in event["text"]
        ]

    assert len(come_true(refused, 60)) == 1
    conversations = http.get(f"/projects/{project}/conversations").json()["conversations"]
    assert len(conversations) == 11, "the first, and ten that each began in a turn of the one before"


def test_a_person_who_ends_the_conversation_stops_the_run(live: LiveDesk, http: httpx.Client) -> None:
    project, (first, slow) = project_of(http, "left", "slow")
    conversation = begin(live, project, first["id"], slow["id"])
    come_true(lambda: "printed" in http.get(f"/chats/{slow['chatId']}/events").text)
    assert http.post(f"/conversations/{conversation}/end").status_code == 200
    ended = come_true(
        lambda: [line for line in events(http, slow) if line["event"]["type"] == "run_cancelled"]
    )
    assert ended[0]["event"]["reason"] == "The conversation is over: person_ended"
    assert talked(http, project)["conversation"]["messageCount"] == 1


def test_a_removed_agent_is_woken_no_more_and_nobody_else_may_speak_for_one(
    live: LiveDesk, http: httpx.Client
) -> None:
    project, (first, other) = project_of(http, "left", "parrot")
    assert http.delete(f"/projects/{project}/agents/{other['id']}").status_code == 204
    login = live.desk.conversations.authenticate(first["id"], "", project)
    with pytest.raises(AgentFault, match="authentication_failed"):
        run_async(login)
    refused = http.post(f"/projects/{project}/agents", json={"agent": "nobody"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (404, "unknown_agent")
    person = http.post(f"/projects/{project}/agents", json={"agent": "left", "kind": "human"})
    assert person.json()["error"]["code"] == "bad_kind"
    assert runs_of(http, other["chatId"]) == []


def events(http: httpx.Client, member: dict[str, Any]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in http.get(f"/chats/{member['chatId']}/events").text.splitlines()]


def test_a_turn_that_a_restart_broke_goes_on_and_is_said_once(tmp_path: Path) -> None:
    (tmp_path / "agents.toml").write_text(ENTRIES)
    with live_desk(tmp_path, lambda: ScriptedModel([code(SLOW)]), **LIMITS) as before, api(before) as http:
        project, (first, slow) = project_of(http, "left", "slow")
        begin(before, project, first["id"], slow["id"])
        come_true(lambda: "printed" in http.get(f"/chats/{slow['chatId']}/events").text)
    last = [code("end_conversation()\nfinal_answer('over')")]
    models = {"You are slow": [code("final_answer('here I am')")], "You are left": last}

    def answers(messages: list[Any]) -> str:
        prompt = text_of(messages)
        return models[max(models, key=prompt.rfind)][0]

    with live_desk(tmp_path, lambda: ScriptedModel([answers]), **LIMITS) as after, api(after) as http:
        transcript = talked(http, project)
        kinds = [event["event"]["type"] for event in events(http, slow)]
    ends = [kind for kind in kinds if kind.startswith("run_")]
    assert [message["content"] for message in transcript["messages"]] == ["hello", "here I am"]
    assert ends[-4:] == ["run_cancelled", "run_queued", "run_started", "run_finished"]
