"""What an agent is given to do, and its messages: in order, once, or again when it says so."""

from collections.abc import Iterator

import pytest
from sqlalchemy import Engine, event, select

from smoldesk.conversations import Action, AgentSession, inbox
from smoldesk.store.conversation_tables import AgentEventRow
from smoldesk.store.store import Store
from tests.support.conversing import Room, refused


def test_the_participant_is_asked_and_the_conversation_becomes_active(room: Room) -> None:
    first, second, conversation = room.begun("しりとり")
    action = room.next_action(second)
    assert (action.action, action.conversation_id) == ("conversation_request", conversation.id)
    assert (action.from_agent_id, action.purpose) == (first.member_id, "しりとり")
    assert (action.ended_by, action.reason) == (None, None)
    assert room.conversation(conversation.id).state == "active"
    assert room.next_action(second).action == "wait"


def test_the_other_side_is_told_who_ended_it_and_why(room: Room) -> None:
    first, second = room.agents("one", "two")
    for ender, other, reason in ((first, second, "initiator_ended"), (second, first, "participant_ended")):
        conversation = room.start(first, second.member_id)
        room.next_action(second)
        room.end(ender)
        action = room.next_action(other)
        assert (action.action, action.conversation_id) == ("conversation_ended", conversation.id)
        assert (action.ended_by, action.reason) == (ender.member_id, reason)
        assert action.from_agent_id == ender.member_id
        assert room.conversation(conversation.id).state == "ended"


def test_nobody_is_asked_to_a_conversation_that_is_over(room: Room) -> None:
    first, second, conversation = room.begun()
    room.end(first)
    assert [action.action for action in room.told(second)] == ["conversation_ended"]
    assert room.conversation(conversation.id).state == "ended"


def test_without_after_what_was_given_counts_as_received(room: Room) -> None:
    first, second, _ = room.begun()
    room.send(first, second.member_id, "りんご")
    room.send(first, second.member_id, "らっぱ")
    actions = room.told(second)
    assert [action.action for action in actions] == ["conversation_request", "chat", "chat"]
    assert room.told(second) == []


def test_with_after_what_came_later_is_given_again(room: Room) -> None:
    starter, partner, conversation = room.begun()
    first = room.next_action(partner, after=0)
    assert room.next_action(partner, after=0) == first  # the answer was lost, say
    assert room.conversation(conversation.id).state == "active"
    room.end(starter)
    second = room.next_action(partner, after=first.event_id)
    assert second.action == "conversation_ended"
    assert room.next_action(partner, after=first.event_id) == second
    assert room.next_action(partner, after=second.event_id).action == "wait"
    assert room.told(partner) == []  # what came until `after` counts as received
    assert room.next_action(partner, after=first.event_id) == second  # also then


def test_an_end_is_given_again_after_the_conversation_is_over(room: Room) -> None:
    starter, second, conversation = room.begun()
    room.end(starter)
    first = room.next_action(second, after=0)
    assert room.conversation(conversation.id).state == "ended"
    assert room.next_action(second, after=0) == first


def test_an_absurd_place_is_taken_for_the_last_or_the_first(room: Room) -> None:
    first, second, _ = room.begun()
    assert room.next_action(second, after=-(10**30)).action == "conversation_request"
    assert room.next_action(second, after=10**30).action == "wait"
    room.send(first, second.member_id, "still heard")
    assert room.next_action(second).action == "chat"


def test_chat_is_said_of_messages_that_were_not_fetched(room: Room) -> None:
    first, second, conversation = room.begun()
    room.next_action(second)
    message = room.send(first, second.member_id, "りんご")
    action = room.next_action(second)
    assert (action.action, action.event_id) == ("chat", message.seq)
    assert (action.conversation_id, action.from_agent_id) == (conversation.id, first.member_id)
    room.send(first, second.member_id, "らっぱ")
    room.pending(second)
    assert room.next_action(second).action == "wait"  # nothing is left to fetch
    assert room.next_action(second, after=0).action == "conversation_request"


def test_each_message_is_given_once_in_the_order_of_their_places(room: Room) -> None:
    first, second = room.agents("one", "two")
    for number in range(5):
        room.send(first, second.member_id, str(number))
        room.clock.now -= 10  # the clock goes back; the order does not
    messages = room.pending(second)
    assert [message.content for message in messages] == list("01234")
    assert [message.seq for message in messages] == sorted(message.seq for message in messages)
    assert room.pending(second) == []
    assert room.pending(first) == []


def test_many_messages_come_in_several_goes(room: Room) -> None:
    first, second = room.agents("one", "two")
    for number in range(inbox.MAX_AT_ONCE + 3):
        room.send(first, second.member_id, str(number))
    assert [len(room.pending(second)) for _ in range(3)] == [inbox.MAX_AT_ONCE, 3, 0]


def test_long_messages_come_in_several_goes(room: Room) -> None:
    first, second = room.agents("one", "two")
    fit = inbox.BYTES_AT_ONCE // 64_000
    for _ in range(fit + 2):
        room.send(first, second.member_id, "x" * 64_000)
    assert [len(room.pending(second)) for _ in range(3)] == [fit, 2, 0]


def test_events_and_messages_of_a_project_share_one_order(room: Room, store: Store) -> None:
    first, second, conversation = room.begun()
    message = room.send(first, second.member_id, "りんご")
    room.end(first)
    seqs = store.read(lambda c: list(c.execute(select(AgentEventRow.seq)).scalars()))
    assert sorted([*seqs, conversation.seq, message.seq]) == [1, 2, 3, 4]


def test_five_rounds_of_shiritori(room: Room) -> None:
    first, second, conversation = room.begun("しりとり")
    assert room.next_action(second).action == "conversation_request"
    for text, answered in ROUNDS:
        room.send(first, second.member_id, text)
        assert [message.content for message in room.pending(second)] == [text]
        room.send(second, first.member_id, answered)
    room.end(first)
    assert room.next_action(second).action == "conversation_ended"
    messages = room.transcript(conversation.id)
    assert [message.content for message in messages] == [word for pair in ROUNDS for word in pair]
    assert len({message.id for message in messages}) == 10
    assert {message.conversation_id for message in messages} == {conversation.id}
    assert room.conversation(conversation.id).state == "ended"


ROUNDS = (
    ("りす", "すいか"),
    ("かめ", "めだか"),
    ("からす", "すずめ"),
    ("めろん畑", "たいこ"),
    ("こま", "まつり"),
)


def test_a_removed_member_is_given_nothing_more(room: Room) -> None:
    first, second = room.agents("one", "two")
    room.send(first, second.member_id, "late")
    room.remove_member(second.project_id, second.member_id)
    for call in (room.next_action, room.pending, room.end):
        with refused("invalid_session"):
            call(second)


@pytest.fixture
def built() -> Iterator[list[str]]:
    """Statements about conversations that SQLAlchemy builds and executes itself."""
    queries: list[str] = []

    def note(_connection: object, statement: object, *_: object) -> None:
        if any(
            name in str(statement) for name in ("conversation", "membership", "agent_event", "agent_session")
        ):
            queries.append(str(statement))

    event.listen(Engine, "before_execute", note)
    yield queries
    event.remove(Engine, "before_execute", note)


def test_a_word_said_noticed_and_fetched_builds_no_statement(room: Room, built: list[str]) -> None:
    first, second = room.agents("one", "two")
    login = room.authenticate(*_right_key(room, first))
    conversation = room.start(first, second.member_id)
    assert room.next_action(second).action == "conversation_request"
    assert built, "what is rare may be built each time, and is noticed by this test"
    built.clear()

    assert room.session(login.token).project_id == first.project_id
    room.send(first, second.member_id, "りんご")
    action: Action = room.next_action(second)
    assert (action.action, action.conversation_id) == ("chat", conversation.id)
    assert [message.content for message in room.pending(second)] == ["りんご"]
    assert room.next_action(second).action == "wait"
    assert built == []


def _right_key(room: Room, session: AgentSession) -> tuple[str, str, str]:
    member, passkey = room.add_member(session.project_id, "three", "ai")
    return member.id, passkey, session.project_id
