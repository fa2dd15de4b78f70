"""A served desk on which agents talk: they act on its own service, people by HTTP and on the page."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from smoldesk.conversations import AgentSession, Conversation, Message, sessions
from smoldesk.wires import page as page_wire
from tests.support.aio import run_async
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.inside_desk import InsideDesk
from tests.support.page_bundle import page_folder

Json = dict[str, Any]


@contextmanager
def talking_desk(folder: Path, **options: Any) -> Iterator[LiveDesk]:
    """A desk with the page's bundle, whose passkeys are hashed at once: each takes 60 ms of a processor else."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(page_wire, "PAGE", page_folder())
        patch.setattr(sessions, "COST", 2)
        with live_desk(folder, **options) as live:
            yield live


@dataclass(frozen=True)
class Agent:
    """A member with its login."""

    desk: LiveDesk | InsideDesk
    id: str
    passkey: str
    session: AgentSession

    def start(self, other: "Agent", purpose: str | None = None) -> str:
        """The id of the conversation."""
        started: Conversation = run_async(self.desk.desk.conversations.start(self.session, other.id, purpose))
        return started.id

    def hear(self) -> str:
        """What it is given to do next, its messages read; hearing of a conversation takes it up."""
        run_async(self.desk.desk.conversations.pending(self.session))
        return run_async(self.desk.desk.conversations.next_action(self.session)).action

    def say(self, other: "Agent", content: str) -> Message:
        return run_async(self.desk.desk.conversations.send(self.session, other.id, content))

    def end(self, conversation_id: str | None = None) -> None:
        run_async(self.desk.desk.conversations.end(self.session, conversation_id))


class Talks:
    """A project of a desk, made over HTTP as a person would."""

    def __init__(self, desk: LiveDesk | InsideDesk, name: str = "Quarterly report") -> None:
        self.desk = desk
        self.http = desk.client(timeout=90)
        self.http.base_url = f"{desk.url}/api"
        self.id: str = self.post("/projects", {"name": name})["id"]

    def post(self, path: str, body: Json | None = None) -> Json:
        answer = self.http.post(path, json=body)
        assert answer.status_code in (200, 201), answer.text
        return answer.json()

    def get(self, path: str, **query: Any) -> Json:
        answer = self.http.get(path, params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def agent(self, name: str) -> Agent:
        """A new agent of the project, logged in."""
        created = self.post(f"/projects/{self.id}/agents", {"name": name, "kind": "ai"})
        service = self.desk.desk.conversations
        login = run_async(service.authenticate(created["id"], created["passkey"], self.id))
        return Agent(self.desk, created["id"], created["passkey"], run_async(service.session(login.token)))

    def conversation(self, one: Agent, other: Agent, purpose: str | None = None, *words: str) -> str:
        """One that was taken up, with these words said in turn; its id."""
        conversation = one.start(other, purpose)
        while (received := other.hear()) != "conversation_request":  # the end of an earlier one comes first
            assert received == "conversation_ended"
        for at, content in enumerate(words):
            (one, other)[at % 2].say((other, one)[at % 2], content)
        return conversation
