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
    one, two, made = room.begun("しりとり")
    assert (made.state, made.purpose) == ("pending", "しりとり")
    assert (made.initiator_id, made.participant_id) == (one.member_id, two.member_id)
    assert room.conversation(made.id) == made
    assert room.conversations(one.project_id, state="pending") == [made]


def test_a_start_creates_a_pending_purpose_for_the_participant(room: Room) -> None:
    one, two, made = room.begun()
    (expected,) = room.pending_purposes(one.project_id, two.member_id)
    assert (expected.purpose, expected.conversation_id, expected.project_id) == (
        "chat",
        made.id,
        one.project_id,
    )
    room.next_action(two)
    assert room.pending_purposes(one.project_id) == []


def test_a_start_with_oneself_is_refused(room: Room) -> None:
    (item,) = room.agents("one")
    with refused("cannot_conversation_with_self"):
        room.start(item, item.member_id)


def test_a_start_with_a_human_is_refused(room: Room) -> None:
    (item,) = room.agents("one")
    human = room.agent(item.project_id, "Mika", "human")
    with refused("cannot_start_conversation_with_human"):
        room.start(item, human.member_id)


def test_strangers_are_refused_alike_whether_they_exist_or_not(room: Room) -> None:
    item, _ = room.agents("one", "two")
    (elsewhere,) = room.agents("elsewhere")
    human_elsewhere = room.agent(elsewhere.project_id, "Mika", "human")
    for stranger in (elsewhere.member_id, human_elsewhere.member_id, "a_nobody", "", "x" * 100_000):
        with refused("target_agent_not_in_project"):
            room.start(item, stranger)
        with refused("target_agent_not_in_project"):
            room.send(item, stranger, "hello")


def test_a_second_start_is_refused_in_either_direction_until_the_first_is_over(room: Room) -> None:
    one, two = room.agents("one", "two")
    first = room.start(one, two.member_id)
    for state in ("pending", "active", "terminating"):
        for session, target in ((one, two), (two, one)):
            with refused("conversation_already_active"):
                room.start(session, target.member_id)
        assert room.conversation(first.id).state == state
        if state == "pending":
            room.next_action(two)
        else:
            room.end(one) if state == "active" else room.next_action(two)
    assert room.conversation(first.id).state == "ended"
    assert room.start(two, one.member_id).state == "pending"


def test_the_database_itself_holds_a_pair_to_one_live_conversation(room: Room, store: Store) -> None:
    one, two, made = room.begun()
    pair = rules.pair_of(one.member_id, two.member_id)
    row = made.model_dump() | {"id": "conv_forged", "pair": pair}
    with pytest.raises(IntegrityError):
        store.submit(lambda tx: tx.execute(insert(ConversationRow), row)).result()
    over = row | {"state": "ended"}
    store.submit(lambda tx: tx.execute(insert(ConversationRow), over) and None).result()


def test_a_pair_may_talk_in_each_of_its_projects(room: Room) -> None:
    here, existing = room.create_project("here").id, room.create_project("there").id
    created = [room.add_member(here, name, "ai") for name in ("one", "two")]
    for member, _ in created:
        room.join_member(existing, member.id)
    logins = [
        [room.session(room.authenticate(member.id, key, project).token) for member, key in created]
        for project in (here, existing)
    ]
    started = [room.start(login, two.member_id) for login, two in logins]
    room.send(logins[1][0], created[1][0].id, "only there")
    assert [room.conversation(conversation.id).messages for conversation in started] == [0, 1]
    assert room.pending(logins[0][1]) == []
    with refused("not_a_participant"):
        room.end(logins[0][0], started[1].id)


def test_an_end_is_terminating_until_the_other_side_knows(room: Room) -> None:
    one, two, made = room.begun()
    room.next_action(two)
    assert room.end(one, made.id).state == "terminating"
    assert room.told(one) == []  # who ends it knows
    assert room.conversation(made.id).state == "terminating"
    room.next_action(two)
    over = room.conversation(made.id)
    assert (over.state, over.ended_at) == ("ended", room.clock.now)


def test_an_end_without_an_id_takes_the_only_one(room: Room) -> None:
    _, two, made = room.begun()
    assert room.end(two).id == made.id


def test_an_end_without_an_id_among_several_names_them(room: Room) -> None:
    one, two, three = room.agents("one", "two", "three")
    ids = [room.start(one, other.member_id).id for other in (two, three)]
    with refused("several_conversations", hint=", ".join(ids)):
        room.end(one)
    assert room.end(one, ids[1]).id == ids[1]
    assert room.end(one).id == ids[0]  # a terminating one is no choice any more


def test_there_is_nothing_to_end(room: Room) -> None:
    (item,) = room.agents("one")
    with refused("no_active_conversation"):
        room.end(item)


def test_ending_twice_is_refused_the_second_time(room: Room) -> None:
    one, two, made = room.begun()
    room.end(one)
    for session in (one, two):
        for conversation_id in (None, made.id):
            with refused("no_active_conversation"):
                room.end(session, conversation_id)
    assert room.conversation(made.id).ended_by == one.member_id


def test_who_has_no_part_in_a_conversation_cannot_end_it_nor_learn_that_it_exists(room: Room) -> None:
    one, two, third = room.agents("one", "two", "third")
    (elsewhere,) = room.agents("elsewhere")
    created = room.start(one, two.member_id)
    for session in (third, elsewhere):
        for conversation_id in (created.id, "conv_nothing", ""):
            with refused("not_a_participant"):
                room.end(session, conversation_id)
    assert room.conversation(created.id).state == "pending"


def test_what_is_said_carries_the_conversation_it_is_said_in(room: Room) -> None:
    one, two, made = room.begun()
    first = room.send(one, two.member_id, "りんご")  # while it is pending
    room.next_action(two)
    second = room.send(two, one.member_id, "ごりら")
    assert (first.conversation_id, second.conversation_id) == (made.id, made.id)
    assert room.transcript(made.id) == [first, second]
    assert room.transcript(made.id, after=first.seq) == [second]
    assert room.conversation(made.id).messages == 2


def test_what_is_said_outside_a_conversation_carries_none(room: Room) -> None:
    one, two = room.agents("one", "two")
    assert room.send(one, two.member_id, "hello").conversation_id is None


def test_what_is_said_after_the_end_belongs_to_no_conversation(room: Room) -> None:
    one, two, made = room.begun()
    room.end(one)
    assert room.send(two, one.member_id, "wait").conversation_id is None
    room.told(two)
    assert room.send(one, two.member_id, "bye").conversation_id is None
    assert room.transcript(made.id) == []


def test_an_answer_takes_up_a_conversation_that_was_not_asked_for_yet(room: Room) -> None:
    one, two, made = room.begun()
    room.send(one, two.member_id, "りんご")
    assert room.conversation(made.id).state == "pending"
    room.send(two, one.member_id, "ごりら")
    assert room.conversation(made.id).state == "active"
    assert [action.action for action in room.told(two)] == ["conversation_request", "chat"]


def test_words_to_oneself_are_refused(room: Room) -> None:
    (item,) = room.agents("one")
    with refused("cannot_conversation_with_self"):
        room.send(item, item.member_id, "hm")


def test_people_may_be_written_to_and_write(room: Room) -> None:
    (item,) = room.agents("one")
    human = room.agent(item.project_id, "Mika", "human")
    room.send(item, human.member_id, "done")
    assert [message.content for message in room.pending(human)] == ["done"]
    assert room.send(human, item.member_id, "thanks").conversation_id is None


@pytest.mark.parametrize("content", ["", "  \n", "\t"])
def test_an_empty_message_is_refused(room: Room, content: str) -> None:
    one, two = room.agents("one", "two")
    with refused("empty", hint=f"1 to {CONTENT_LIMIT} bytes"):
        room.send(one, two.member_id, content)


@pytest.mark.parametrize(
    "content", ["x" * 1_000_000, "x" * (CONTENT_LIMIT + 1), "語" * (CONTENT_LIMIT // 3 + 1)]
)
def test_a_message_is_limited_in_bytes(room: Room, content: str) -> None:
    one, two = room.agents("one", "two")
    with refused("too_long", hint=f"at most {CONTENT_LIMIT} bytes, got {len(content.encode())}"):
        room.send(one, two.member_id, content)
    assert room.pending(two) == []


def test_a_message_of_the_limit_arrives_whole(room: Room) -> None:
    one, two = room.agents("one", "two")
    content = "語" * (CONTENT_LIMIT // 3)
    room.send(one, two.member_id, content)
    assert [message.content for message in room.pending(two)] == [content]


def test_text_that_no_database_holds_is_mended(room: Room) -> None:
    one, two = room.agents("one", "two")
    room.send(one, two.member_id, "a\0b\ud800c")
    assert [message.content for message in room.pending(two)] == ["a\ufffdb?c"]


def test_a_purpose_is_limited_too(room: Room) -> None:
    one, two = room.agents("one", "two")
    with refused("too_long", hint=str(PURPOSE_LIMIT)):
        room.start(one, two.member_id, "x" * (PURPOSE_LIMIT + 1))
    assert room.start(one, two.member_id, "").purpose is None
