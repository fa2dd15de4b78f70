"""What people do: end a conversation, take a member out, close a project. It ends, it does not vanish."""

import pytest

from smoldesk.errors import Conflict, NotFound
from tests.support.conversing import Room, refused


def test_a_person_ends_a_conversation_and_both_are_told(room: Room) -> None:
    one, two, made = room.begun()
    room.next_action(two)
    over = room.end_by_person(made.id)
    assert (over.state, over.reason, over.ended_by) == ("ended", "person_ended", None)
    for session in (one, two):
        (action,) = room.told(session)
        assert (action.action, action.reason) == ("conversation_ended", "person_ended")


def test_a_person_cannot_end_what_is_over_or_what_is_not_there(room: Room) -> None:
    _, _, created = room.begun()
    room.end_by_person(created.id)
    with pytest.raises(Conflict):
        room.end_by_person(created.id)
    with pytest.raises(NotFound):
        room.end_by_person("conv_nothing")


def test_a_member_removed_in_the_middle_ends_its_conversations_and_keeps_its_words(room: Room) -> None:
    one, two, three = room.agents("one", "two", "three")
    with_two, with_three = room.start(one, two.member_id), room.start(three, one.member_id)
    room.next_action(two)
    message = room.send(two, one.member_id, "りんご")
    room.remove_member(one.project_id, one.member_id)
    for session, created in ((two, with_two), (three, with_three)):
        action = room.told(session)[-1]
        assert (action.action, action.conversation_id) == ("conversation_ended", created.id)
        assert (action.reason, action.ended_by) == ("agent_removed", one.member_id)
        over = room.conversation(created.id)
        assert (over.state, over.reason) == ("ended", "agent_removed")
    assert room.transcript(with_two.id) == [message]
    names = {member.id: (member.name, member.removed_at is None) for member in room.members(one.project_id)}
    assert names[one.member_id] == ("one", False)
    with refused("target_agent_not_in_project"):
        room.send(two, one.member_id, "hello?")


def test_a_member_removed_from_one_project_talks_on_in_another(room: Room) -> None:
    here, existing = room.create_project("here").id, room.create_project("there").id
    member, passkey = room.add_member(here, "one", "ai")
    room.join_member(existing, member.id)
    other = room.agent(existing, "other")
    session = room.session(room.authenticate(member.id, passkey, existing).token)
    created = room.start(session, other.member_id)
    room.remove_member(here, member.id)
    assert room.send(session, other.member_id, "still here").conversation_id == created.id


def test_a_removed_project_ends_what_was_live_in_it(room: Room) -> None:
    one, two, made = room.begun()
    room.send(one, two.member_id, "りんご")
    room.remove_project(one.project_id)
    over = room.conversation(made.id)
    assert (over.state, over.reason) == ("ended", "agent_removed")
    assert [message.content for message in room.transcript(made.id)] == ["りんご"]
    with refused("invalid_session"):
        room.send(one, two.member_id, "hello?")
    assert room.sweep() == 0


def test_lists_are_paged_newest_first_and_by_state(room: Room) -> None:
    one, *other_items = room.agents("one", *"abcde")
    created = [room.start(one, other.member_id) for other in other_items]
    room.end_by_person(created[2].id)
    project = one.project_id
    ids = [conversation.id for conversation in created][::-1]
    first = room.conversations(project, limit=2)
    assert [results.id for results in first] == ids[:2]
    remaining = room.conversations(project, before=first[-1].id)
    assert [results.id for results in remaining] == ids[2:]
    assert [results.id for results in room.conversations(project, state="ended")] == [created[2].id]
    with pytest.raises(NotFound):
        room.conversations(project, before="conv_nothing")
    with pytest.raises(NotFound):
        room.conversations("p_nothing")
    assert (room.project(project).live, room.project(project).conversations) == (4, 5)
