"""Beginning, ending and saying something, as members may: every refusal by its name, on both kinds of database."""

import pytest
from sqlalchemy import insert
from sqlalchemy.exc import IntegrityError

from smoldesk.conversations import rules
from smoldesk.conversations.messages import CONTENT_LIMIT, PURPOSE_LIMIT
from smoldesk.store.conversation_tables import ConversationRow
from smoldesk.store.store import Store
from tests.support.conversing import Room, refused


def test_a_start_is_kept_and_pending(room: Room) -> None:
    first, second, conversation = room.begun("しりとり")
    assert (conversation.state, conversation.purpose) == ("pending", "しりとり")
    assert (conversation.initiator_id, conversation.participant_id) == (first.member_id, second.member_id)
    assert room.conversation(conversation.id) == conversation
    assert room.conversations(first.project_id, state="pending") == [conversation]


def test_a_start_creates_a_pending_purpose_for_the_participant(room: Room) -> None:
    first, second, conversation = room.begun()
    (purpose,) = room.pending_purposes(first.project_id, second.member_id)
    assert (purpose.purpose, purpose.conversation_id, purpose.project_id) == (
        "chat",
        conversation.id,
        first.project_id,
    )
    room.next_action(second)
    assert room.pending_purposes(first.project_id) == []


def test_a_start_with_oneself_is_refused(room: Room) -> None:
    (first,) = room.agents("one")
    with refused("cannot_conversation_with_self"):
        room.start(first, first.member_id)


def test_a_start_with_a_human_is_refused(room: Room) -> None:
    (first,) = room.agents("one")
    human = room.agent(first.project_id, "Mika", "human")
    with refused("cannot_start_conversation_with_human"):
        room.start(first, human.member_id)


def test_strangers_are_refused_alike_whether_they_exist_or_not(room: Room) -> None:
    first, _ = room.agents("one", "two")
    (elsewhere,) = room.agents("elsewhere")
    human_elsewhere = room.agent(elsewhere.project_id, "Mika", "human")
    for stranger in (elsewhere.member_id, human_elsewhere.member_id, "a_nobody", "", "x" * 100_000):
        with refused("target_agent_not_in_project"):
            room.start(first, stranger)
        with refused("target_agent_not_in_project"):
            room.send(first, stranger, "hello")


def test_a_second_start_is_refused_in_either_direction_until_the_first_is_over(room: Room) -> None:
    starter, second = room.agents("one", "two")
    first = room.start(starter, second.member_id)
    for state in ("pending", "active", "terminating"):
        for session, target in ((starter, second), (second, starter)):
            with refused("conversation_already_active"):
                room.start(session, target.member_id)
        assert room.conversation(first.id).state == state
        if state == "pending":
            room.next_action(second)
        else:
            room.end(starter) if state == "active" else room.next_action(second)
    assert room.conversation(first.id).state == "ended"
    assert room.start(second, starter.member_id).state == "pending"


def test_the_database_itself_holds_a_pair_to_one_live_conversation(room: Room, store: Store) -> None:
    first, second, conversation = room.begun()
    pair = rules.pair_of(first.member_id, second.member_id)
    row = conversation.model_dump() | {"id": "conv_forged", "pair": pair}
    with pytest.raises(IntegrityError):
        store.submit(lambda tx: tx.execute(insert(ConversationRow), row)).result()
    over = row | {"state": "ended"}
    store.submit(lambda tx: tx.execute(insert(ConversationRow), over) and None).result()


def test_a_pair_may_talk_in_each_of_its_projects(room: Room) -> None:
    here, other_project = room.create_project("here").id, room.create_project("there").id
    members = [room.add_member(here, name, "ai") for name in ("one", "two")]
    for member, _ in members:
        room.join_member(other_project, member.id)
    logins = [
        [room.session(room.authenticate(member.id, key, project).token) for member, key in members]
        for project in (here, other_project)
    ]
    started = [room.start(first, second.member_id) for first, second in logins]
    room.send(logins[1][0], members[1][0].id, "only there")
    assert [room.conversation(conversation.id).messages for conversation in started] == [0, 1]
    assert room.pending(logins[0][1]) == []
    with refused("not_a_participant"):
        room.end(logins[0][0], started[1].id)


def test_an_end_is_terminating_until_the_other_side_knows(room: Room) -> None:
    first, second, conversation = room.begun()
    room.next_action(second)
    assert room.end(first, conversation.id).state == "terminating"
    assert room.told(first) == []  # who ends it knows
    assert room.conversation(conversation.id).state == "terminating"
    room.next_action(second)
    over = room.conversation(conversation.id)
    assert (over.state, over.ended_at) == ("ended", room.clock.now)


def test_an_end_without_an_id_takes_the_only_one(room: Room) -> None:
    _, second, conversation = room.begun()
    assert room.end(second).id == conversation.id


def test_an_end_without_an_id_among_several_names_them(room: Room) -> None:
    first, second, third = room.agents("one", "two", "three")
    conversation_ids = [room.start(first, other.member_id).id for other in (second, third)]
    with refused("several_conversations", hint=", ".join(conversation_ids)):
        room.end(first)
    assert room.end(first, conversation_ids[1]).id == conversation_ids[1]
    assert room.end(first).id == conversation_ids[0]  # a terminating one is no choice any more


def test_there_is_nothing_to_end(room: Room) -> None:
    (first,) = room.agents("one")
    with refused("no_active_conversation"):
        room.end(first)


def test_ending_twice_is_refused_the_second_time(room: Room) -> None:
    first, second, conversation = room.begun()
    room.end(first)
    for session in (first, second):
        for conversation_id in (None, conversation.id):
            with refused("no_active_conversation"):
                room.end(session, conversation_id)
    assert room.conversation(conversation.id).ended_by == first.member_id


def test_who_has_no_part_in_a_conversation_cannot_end_it_nor_learn_that_it_exists(room: Room) -> None:
    first, second, third = room.agents("one", "two", "third")
    (elsewhere,) = room.agents("elsewhere")
    conversation = room.start(first, second.member_id)
    for session in (third, elsewhere):
        for conversation_id in (conversation.id, "conv_nothing", ""):
            with refused("not_a_participant"):
                room.end(session, conversation_id)
    assert room.conversation(conversation.id).state == "pending"


def test_what_is_said_carries_the_conversation_it_is_said_in(room: Room) -> None:
    starter, partner, conversation = room.begun()
    first = room.send(starter, partner.member_id, "りんご")  # while it is pending
    room.next_action(partner)
    second = room.send(partner, starter.member_id, "ごりら")
    assert (first.conversation_id, second.conversation_id) == (conversation.id, conversation.id)
    assert room.transcript(conversation.id) == [first, second]
    assert room.transcript(conversation.id, after=first.seq) == [second]
    assert room.conversation(conversation.id).messages == 2


def test_what_is_said_outside_a_conversation_carries_none(room: Room) -> None:
    first, second = room.agents("one", "two")
    assert room.send(first, second.member_id, "hello").conversation_id is None


def test_what_is_said_after_the_end_belongs_to_no_conversation(room: Room) -> None:
    first, second, conversation = room.begun()
    room.end(first)
    assert room.send(second, first.member_id, "wait").conversation_id is None
    room.told(second)
    assert room.send(first, second.member_id, "bye").conversation_id is None
    assert room.transcript(conversation.id) == []


def test_an_answer_takes_up_a_conversation_that_was_not_asked_for_yet(room: Room) -> None:
    first, second, conversation = room.begun()
    room.send(first, second.member_id, "りんご")
    assert room.conversation(conversation.id).state == "pending"
    room.send(second, first.member_id, "ごりら")
    assert room.conversation(conversation.id).state == "active"
    assert [action.action for action in room.told(second)] == ["conversation_request", "chat"]


def test_words_to_oneself_are_refused(room: Room) -> None:
    (first,) = room.agents("one")
    with refused("cannot_conversation_with_self"):
        room.send(first, first.member_id, "hm")


def test_people_may_be_written_to_and_write(room: Room) -> None:
    (first,) = room.agents("one")
    human = room.agent(first.project_id, "Mika", "human")
    room.send(first, human.member_id, "done")
    assert [message.content for message in room.pending(human)] == ["done"]
    assert room.send(human, first.member_id, "thanks").conversation_id is None


@pytest.mark.parametrize("content", ["", "  \n", "\t"])
def test_an_empty_message_is_refused(room: Room, content: str) -> None:
    first, second = room.agents("one", "two")
    with refused("empty", hint=f"1 to {CONTENT_LIMIT} bytes"):
        room.send(first, second.member_id, content)


@pytest.mark.parametrize(
    "content", ["x" * 1_000_000, "x" * (CONTENT_LIMIT + 1), "語" * (CONTENT_LIMIT // 3 + 1)]
)
def test_a_message_is_limited_in_bytes(room: Room, content: str) -> None:
    first, second = room.agents("one", "two")
    with refused("too_long", hint=f"at most {CONTENT_LIMIT} bytes, got {len(content.encode())}"):
        room.send(first, second.member_id, content)
    assert room.pending(second) == []


def test_a_message_of_the_limit_arrives_whole(room: Room) -> None:
    first, second = room.agents("one", "two")
    content = "語" * (CONTENT_LIMIT // 3)
    room.send(first, second.member_id, content)
    assert [message.content for message in room.pending(second)] == [content]


def test_text_that_no_database_holds_is_mended(room: Room) -> None:
    first, second = room.agents("one", "two")
    room.send(first, second.member_id, "a\0b\ud800c")
    assert [message.content for message in room.pending(second)] == ["a\ufffdb?c"]


def test_a_purpose_is_limited_too(room: Room) -> None:
    first, second = room.agents("one", "two")
    with refused("too_long", hint=str(PURPOSE_LIMIT)):
        room.start(first, second.member_id, "x" * (PURPOSE_LIMIT + 1))
    assert room.start(first, second.member_id, "").purpose is None
