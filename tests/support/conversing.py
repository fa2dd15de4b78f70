"""The conversations service as tests call it: each call waits for its answer, and the clock stands until it is moved."""

import inspect
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import pytest

from smoldesk.chats import Audit
from smoldesk.conversations import (
    Action,
    AgentFault,
    AgentSession,
    Conversation,
    Conversations,
)
from smoldesk.store.store import Store
from tests.support.aio import run_async

NOON = 1_800_000_000.0
"""When the clock of a test begins."""


class Clock:
    """Seconds since the epoch, as the test says."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> float:
        return self.now


class Room:
    """Every method of Conversations, called and waited for."""

    def __init__(self, store: Store, **options: Any) -> None:
        self.clock = Clock()
        self.service = Conversations(store, Audit(store, days=0), clock=self.clock, **options)

    def __getattr__(self, name: str) -> Any:
        method = getattr(self.service, name)

        def call(*args: Any, **kwargs: Any) -> Any:
            answer = method(*args, **kwargs)
            return run_async(answer) if inspect.iscoroutine(answer) else answer

        return call

    def agents(self, *names: str) -> "tuple[AgentSession, ...]":
        """Agents of one new project, logged in."""
        project = self.create_project("project").id
        return tuple(self.agent(project, name) for name in names)

    def agent(self, project_id: str, name: str, kind: str = "ai") -> AgentSession:
        """A new agent of a project, logged in."""
        member, passkey = self.add_member(project_id, name, kind)
        return self.session(self.authenticate(member.id, passkey, project_id).token)

    def begun(self, purpose: str | None = None) -> tuple[AgentSession, AgentSession, Conversation]:
        """Two agents of a new project, one of whom has begun a conversation with the other."""
        one, two = self.agents("one", "two")
        return one, two, self.start(one, two.member_id, purpose)

    def told(self, session: AgentSession) -> list[Action]:
        """Everything an agent is given to do until there is nothing more."""
        actions: list[Action] = []
        while (action := self.next_action(session)).action != "wait":
            actions.append(action)
        return actions

    def close(self) -> None:
        self.service.close()


@contextmanager
def refused(code: str, hint: str = "") -> Generator[None]:
    """Expects an AgentFault of this name, with this in its hint."""
    with pytest.raises(AgentFault) as caught:
        yield
    assert caught.value.code == code
    assert hint in caught.value.hint
