"""What people do: end a conversation, take a member out, close a project. It ends, it does not vanish."""

import pytest

from smoldesk.errors import Conflict, NotFound
from tests.support.conversing import Room, refused


def test_a_person_ends_a_conversation_and_both_are_told(room: Room) -> None:
    first, second, conversation = room.begun()
    room.next_action(second)
    over = room.end_by_person(conversation.id)
    assert (over.state, over.reason, over.ended_by) == ("ended", "person_ended", None)
    for session in (first, second):
        (action,) = room.told(session)
        assert (action.action, action.reason) == ("conversation_ended", "person_ended")


def test_a_person_cannot_end_what_is_over_or_what_is_not_there(room: Room) -> None:
    _, _, conversation = room.begun()
    room.end_by_person(conversation.id)
    with pytest.raises(Conflict):
        room.end_by_person(conversation.id)
    with pytest.raises(NotFound):
        room.end_by_person("conv_nothing")


def test_a_member_removed_in_the_middle_ends_its_conversations_and_keeps_its_words(room: Room) -> None:
    first, second, third = room.agents("one", "two", "three")
    with_two, with_three = room.start(first, second.member_id), room.start(third, first.member_id)
    room.next_action(second)
    message = room.send(second, first.member_id, "りんご")
    room.remove_member(first.project_id, first.member_id)
    for session, conversation in ((second, with_two), (third, with_three)):
        action = room.told(session)[-1]
        assert (action.action, action.conversation_id) == ("conversation_ended", conversation.id)
        assert (action.reason, action.ended_by) == ("agent_removed", first.member_id)
        over = room.conversation(conversation.id)
        assert (over.state, over.reason) == ("ended", "agent_removed")
    assert room.transcript(with_two.id) == [message]
    names = {member.id: (member.name, member.removed_at is None) for member in room.members(first.project_id)}
    assert names[first.member_id] == ("one", False)
    with refused("target_agent_not_in_project"):
        room.send(second, first.member_id, "hello?")


def test_a_member_removed_from_one_project_talks_on_in_another(room: Room) -> None:
    here, other_project = room.create_project("here").id, room.create_project("there").id
    member, passkey = room.add_member(here, "one", "ai")
    room.join_member(other_project, member.id)
    other = room.agent(other_project, "other")
    session = room.session(room.authenticate(member.id, passkey, other_project).token)
    conversation = room.start(session, other.member_id)
    room.remove_member(here, member.id)
    assert room.send(session, other.member_id, "still here").conversation_id == conversation.id


def test_a_removed_project_ends_what_was_live_in_it(room: Room) -> None:
    first, second, conversation = room.begun()
    room.send(first, second.member_id, "りんご")
    room.remove_project(first.project_id)
    over = room.conversation(conversation.id)
    assert (over.state, over.reason) == ("ended", "agent_removed")
    assert [message.content for message in room.transcript(conversation.id)] == ["りんご"]
    with refused("invalid_session"):
        room.send(first, second.member_id, "hello?")
    assert room.sweep() == 0


def test_lists_are_paged_newest_first_and_by_state(room: Room) -> None:
    starter, *partners = room.agents("one", *"abcde")
    conversations = [room.start(starter, other.member_id) for other in partners]
    room.end_by_person(conversations[2].id)
    project = starter.project_id
    ids = [conversation.id for conversation in conversations][::-1]
    first = room.conversations(project, limit=2)
    assert [conversation.id for conversation in first] == ids[:2]
    next_page = room.conversations(project, before=first[-1].id)
    assert [conversation.id for conversation in next_page] == ids[2:]
    assert [conversation.id for conversation in room.conversations(project, state="ended")] == [
        conversations[2].id
    ]
    with pytest.raises(NotFound):
        room.conversations(project, before="conv_nothing")
    with pytest.raises(NotFound):
        room.conversations("p_nothing")
    assert (room.project(project).live, room.project(project).conversations) == (4, 5)
