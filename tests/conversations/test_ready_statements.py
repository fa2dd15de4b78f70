"""A word said, noticed and fetched goes by statements that were built once: building them took most of the time."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine, event

from smoldesk.conversations import Action, AgentSession
from tests.support.conversing import Room


@pytest.fixture
def built() -> Iterator[list[str]]:
    """Statements about conversations that SQLAlchemy builds and executes itself."""
    found: list[str] = []

    def note(_connection: object, statement: object, *_: object) -> None:
        if any(
            name in str(statement) for name in ("conversation", "membership", "agent_event", "agent_session")
        ):
            found.append(str(statement))

    event.listen(Engine, "before_execute", note)
    yield found
    event.remove(Engine, "before_execute", note)


def test_a_word_said_noticed_and_fetched_builds_no_statement(room: Room, built: list[str]) -> None:
    one, two = room.agents("one", "two")
    login = room.authenticate(*_right_key(room, one))
    conversation = room.start(one, two.member_id)
    assert room.next_action(two).action == "conversation_request"
    assert built, "what is rare may be built each time, and is noticed by this test"
    built.clear()

    assert room.session(login.token).project_id == one.project_id
    room.send(one, two.member_id, "りんご")
    told: Action = room.next_action(two)
    assert (told.action, told.conversation_id) == ("chat", conversation.id)
    assert [message.content for message in room.pending(two)] == ["りんご"]
    assert room.next_action(two).action == "wait"
    assert built == []


def _right_key(room: Room, beside: AgentSession) -> tuple[str, str, str]:
    member, passkey = room.add_member(beside.project_id, "three", "ai")
    return member.id, passkey, beside.project_id
