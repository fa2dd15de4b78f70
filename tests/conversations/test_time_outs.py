"""Time-outs, by a clock that the test moves: seen by whoever asks, and by the sweeper when nobody does."""

from pathlib import Path
from typing import Any

import pytest

from smoldesk.conversations import Timeouts
from smoldesk.settings import Settings
from smoldesk.store.store import Store
from tests.support.conversing import Room, refused


@pytest.fixture
def room(store: Store):
    room = Room(store, times=Timeouts(pending_seconds=30, active_seconds=100), session_seconds=10_000)
    yield room
    room.close()


def test_a_pending_conversation_expires_and_both_are_told(room: Room) -> None:
    first, second, conversation = room.begun()
    room.clock.now += 30
    for session in (first, second):
        (action,) = room.told(session)
        assert (action.action, action.reason, action.ended_by) == ("conversation_ended", "expired", None)
    assert room.conversation(conversation.id).state == "expired"
    assert room.pending_purposes(first.project_id) == []


def test_an_active_conversation_ends_by_time_out_and_both_are_told(room: Room) -> None:
    first, second, conversation = room.begun()
    room.next_action(second)
    room.clock.now += 99
    assert room.told(first) == []
    room.clock.now += 1
    for session in (first, second):
        (action,) = room.told(session)
        assert (action.action, action.conversation_id) == ("conversation_ended", conversation.id)
        assert (action.reason, action.ended_by) == ("timeout", None)
    assert room.conversation(conversation.id).state == "ended"


def test_activity_extends_the_time(room: Room) -> None:
    first, second, conversation = room.begun()
    room.next_action(second)
    for _ in range(3):
        room.clock.now += 99
        room.send(first, second.member_id, "still there?")
        assert room.conversation(conversation.id).state == "active"
    room.clock.now += 100
    room.sweep()
    assert room.conversation(conversation.id).reason == "timeout"


@pytest.mark.parametrize("ask", ["start", "end", "send", "next_action", "sweep"])
def test_whoever_asks_finds_what_ran_out(room: Room, ask: str) -> None:
    first, second, conversation = room.begun()
    room.clock.now += 30
    if ask == "start":
        assert room.start(second, first.member_id).state == "pending"
    elif ask == "end":
        with refused("no_active_conversation"):
            room.end(first)
    elif ask == "send":
        assert room.send(first, second.member_id, "too late").conversation_id is None
    elif ask == "next_action":
        room.next_action(second)
    else:
        assert room.sweep() == 1
    assert room.conversation(conversation.id).state == "expired"


def test_an_end_that_nobody_hears_of_is_an_end_all_the_same(room: Room) -> None:
    first, second, conversation = room.begun()
    room.end(first)
    room.clock.now += 30
    assert room.sweep() == 1
    over = room.conversation(conversation.id)
    assert (over.state, over.reason) == ("ended", "initiator_ended")
    assert room.start(first, second.member_id).state == "pending"
    assert [action.action for action in room.told(second)] == ["conversation_ended", "conversation_request"]


def test_the_sweeper_ends_many_and_then_rests(room: Room) -> None:
    first, *partners = room.agents("one", "two", "three", "four")
    for other in partners:
        room.start(first, other.member_id)
    room.clock.now += 31
    assert [room.sweep(), room.sweep()] == [3, 0]
    assert len(room.told(first)) == 3


def test_a_clock_that_goes_back_lets_nothing_live_for_ever(room: Room) -> None:
    _, second, conversation = room.begun()
    room.next_action(second)
    room.clock.now -= 86_400
    assert room.sweep() == 1
    assert room.conversation(conversation.id).due_at == room.clock.now + 100
    assert room.sweep() == 0
    room.clock.now += 100
    room.sweep()
    assert room.conversation(conversation.id).state == "ended"


def test_a_clock_that_leaps_forward_ends_what_is_due_and_tells_both(room: Room) -> None:
    first, second, _ = room.begun()
    room.next_action(second)
    room.clock.now += 5_000
    assert [[action.reason for action in room.told(session)] for session in (first, second)] == [
        ["timeout"]
    ] * 2


def test_a_session_expires(room: Room) -> None:
    project = room.create_project("one").id
    member, passkey = room.add_member(project, "scout", "ai")
    token = room.authenticate(member.id, passkey, project).token
    session = room.session(token)
    room.clock.now += 10_000
    with refused("invalid_session"):
        room.session(token)
    with refused("invalid_session"):
        room.next_action(session)
    room.sweep()
    room.clock.now -= 20_000  # it was dropped: no clock brings it back
    with refused("invalid_session"):
        room.session(token)


def test_a_session_lasts_no_longer_when_the_clock_goes_back(room: Room) -> None:
    project = room.create_project("one").id
    member, passkey = room.add_member(project, "scout", "ai")
    token = room.authenticate(member.id, passkey, project).token
    room.clock.now -= 86_400
    room.sweep()
    assert room.session(token).expires_at == room.clock.now + 10_000


def settings(**values: Any) -> Settings:
    options: dict[str, Any] = {"_env_file": None} | values
    return Settings(**options)


def test_the_time_outs_are_settings_with_and_without_our_prefix(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("SMOLDESK_CONVERSATION_PENDING_TIMEOUT_SECONDS", "7")
    monkeypatch.setenv("CONVERSATION_ACTIVE_TIMEOUT_SECONDS", "5")
    read = settings()
    assert read.conversation_pending_timeout_seconds == 7
    assert read.conversation_active_timeout_seconds == 5
    monkeypatch.setenv("CONVERSATION_PENDING_TIMEOUT_SECONDS", "99")
    assert settings().conversation_pending_timeout_seconds == 7  # ours wins
    file = tmp_path / "given.env"
    file.write_text("SMOLDESK_CONVERSATION_ACTIVE_TIMEOUT_SECONDS=11\n")
    monkeypatch.delenv("CONVERSATION_ACTIVE_TIMEOUT_SECONDS")
    assert settings(_env_file=file).conversation_active_timeout_seconds == 11
    assert settings(conversation_active_timeout_seconds=3).conversation_active_timeout_seconds == 3
