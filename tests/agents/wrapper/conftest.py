"""Desks whose model is scripted and whose tools remember what ran, one for each kind of agent."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from smoldesk.tools.policy import DeskTool
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.scripted_model import Reply, ScriptedModel, code
from tests.support.tools import Failing, Huge, Idle, Noting, Paying
from tests.support.ws_client import Message, WsClient


class Scene:
    """A served desk, what its model says next, and what its tools really did."""

    def __init__(self) -> None:
        self.model: Any = ScriptedModel([code("final_answer('ok')")])
        self.ran: list[str] = []
        self.live: LiveDesk

    def script(self, *replies: Reply) -> ScriptedModel:
        self.ran.clear()
        self.model = ScriptedModel(replies)
        return self.model

    def tools(self, _: Path) -> list[DeskTool]:
        return [*(kind(self.ran) for kind in (Noting, Paying, Failing)), Idle(), Huge()]

    def log(self, chat_id: str) -> list[Message]:
        """The chat's events as their JSONL export has them."""
        text = httpx.get(f"{self.live.url}/api/chats/{chat_id}/events", timeout=30).text
        return [json.loads(line)["event"] for line in text.splitlines()]


def scene_of(folder: Path, **options: Any) -> Iterator[Scene]:
    scene = Scene()
    with live_desk(folder, lambda: scene.model, scene.tools, max_steps=4, **options) as scene.live:
        yield scene


@pytest.fixture(scope="module")
def code_scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    yield from scene_of(tmp_path_factory.mktemp("code"))


@pytest.fixture(scope="module")
def tools_scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    yield from scene_of(tmp_path_factory.mktemp("tools"), agent="tools")


@pytest.fixture(scope="module")
def patient_scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    """A tools agent that runs its calls one by one."""
    yield from scene_of(tmp_path_factory.mktemp("patient"), agent="tools", tool_calls="one_by_one")


class Talk:
    """One chat of a scene, over /ws."""

    def __init__(self, scene: Scene, client: WsClient) -> None:
        self.scene = scene
        self.client = client
        self.chat_id = client.hello()

    def ask(self, message: str = "go") -> list[Message]:
        """Say something; everything up to the end of its run."""
        self.client.say(message)
        return self.client.until_closed()

    def post(self, message: str) -> Message:
        """Say something; the question that comes of it."""
        self.client.say(message)
        return self.client.until("ask")

    def stopped(self, message: Message) -> list[Message]:
        """Stop the run of a message; everything up to its end."""
        self.client.send(type="cancel", runId=message["runId"])
        return self.client.until_closed()

    def log(self) -> list[Message]:
        return self.scene.log(self.chat_id)

    def answer(self, ask: Message, granted: bool, **more: Any) -> None:
        self.client.send(type="answer", askId=ask["content"]["askId"], granted=granted, **more)


def talk_in(scene: Scene) -> Iterator[Talk]:
    with WsClient(scene.live.ws_url) as client:
        yield Talk(scene, client)


@pytest.fixture
def code_talk(code_scene: Scene) -> Iterator[Talk]:
    yield from talk_in(code_scene)


@pytest.fixture
def tools_talk(tools_scene: Scene) -> Iterator[Talk]:
    yield from talk_in(tools_scene)


@pytest.fixture
def patient_talk(patient_scene: Scene) -> Iterator[Talk]:
    yield from talk_in(patient_scene)
