"""Agents of the desk as members: woken at their turn, one run for each, within their limits, over a real desk."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from smoldesk.conversations import Conversation, Message
from tests.support.aio import run_async
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.scripted_model import ScriptedModel, code, text_of

CHAIN = ["りんご", "ごりら", "らっぱ", "ぱんだ", "だちょう", "うさぎ", "ぎんこう", "うま", "まくら", "らいおん"]
ENTRIES = """
[agents.left]
kind = "code"

[agents.right]
kind = "code"
"""


def reply(messages: list[Any]) -> str:
    """A player of shiritori, whoever it is: the word after the last one that it was told."""
    asked = text_of(messages)
    turn = asked.rfind("Answer by send_message(")
    if asked.rfind("please begin") > turn:
        return code(f'start_conversation("right", "しりとり", "{CHAIN[0]}")\nfinal_answer("begun")')
    last = max(range(len(CHAIN)), key=lambda at: asked.rfind(f": {CHAIN[at]}"))
    other = asked[turn:].split('"')[1]
    if last == len(CHAIN) - 1:
        return code("end_conversation()\nfinal_answer('over')")
    return code(f'send_message("{other}", "{CHAIN[last + 1]}")\nfinal_answer("said")')


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    folder = tmp_path_factory.mktemp("desk")
    (folder / "agents.toml").write_text(ENTRIES)
    with live_desk(folder, lambda: ScriptedModel([reply])) as live:
        yield live


@pytest.fixture
def http(live: LiveDesk) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=f"{live.url}/api", timeout=60) as client:
        yield client


def until(what: Callable[[], Any], seconds: float = 30) -> Any:
    """What is looked for, once it is there."""
    deadline = time.monotonic() + seconds
    while not (found := what()):
        assert time.monotonic() < deadline, "it did not come"
        time.sleep(0.05)
    return found


def project_of(http: httpx.Client, *agents: str) -> tuple[str, list[dict[str, Any]]]:
    """A project with these agents of the desk; its members once each has its chat."""
    project = http.post("/projects", json={"name": "Games"}).json()["id"]
    for agent in agents:
        answer = http.post(f"/projects/{project}/agents", json={"agent": agent})
        assert answer.status_code == 201 and "passkey" not in answer.json()

    def ready() -> list[dict[str, Any]]:
        members = http.get(f"/projects/{project}").json()["members"]
        return members if all("chatId" in one for one in members) else []

    return project, until(ready)


def talked(http: httpx.Client, project: str) -> dict[str, Any]:
    """The one conversation of a project once it is over, with its messages."""

    def over() -> dict[str, Any] | None:
        found = http.get(f"/projects/{project}/conversations").json()["conversations"]
        return found[0] if found and found[0]["state"] == "ended" else None

    return http.get(f"/conversations/{until(over)['id']}").json()


def test_two_agents_of_the_desk_play_shiritori_by_themselves(http: httpx.Client) -> None:
    project, (left, right) = project_of(http, "left", "right")
    assert http.post(f"/chats/{left['chatId']}/runs", json={"message": "please begin"}).status_code == 202
    told = talked(http, project)
    assert [one["content"] for one in told["messages"]] == CHAIN
    assert [one["fromAgentId"] for one in told["messages"]] == [left["id"], right["id"]] * 5
    conversation = told["conversation"]
    assert conversation["reason"] == "initiator_ended" and conversation["messageCount"] == 10
    runs = [len(runs_of(http, one["chatId"])) for one in (left, right)]
    assert runs == [6, 5]  # one for the person, then one for each word that was told


def runs_of(http: httpx.Client, chat_id: str) -> list[dict[str, Any]]:
    lines = http.get(f"/chats/{chat_id}/events").text.splitlines()
    return [line for line in lines if '"type":"run_queued"' in line or '"type": "run_queued"' in line]
