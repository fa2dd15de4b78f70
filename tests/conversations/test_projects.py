"""Projects and their members: made, listed, removed but never vanished; a passkey is told once."""

import pytest
from sqlalchemy import select

from smoldesk.conversations.sessions import hashed, matches
from smoldesk.errors import BadInput, Conflict, NotFound
from smoldesk.store.conversation_tables import MemberRow
from smoldesk.store.store import Store
from tests.support.conversing import NOON, Room


def test_a_project_is_made_listed_and_counted(room: Room) -> None:
    project = room.create_project("  Map team ")
    assert (project.name, project.created_at, project.agents) == ("Map team", NOON, 0)
    room.add_member(project.id, "scout", "ai")
    room.add_member(project.id, "Mika", "human")
    assert [(project.id, project.agents, project.live) for project in room.projects()] == [(project.id, 2, 0)]
    assert room.project(project.id).agents == 2


@pytest.mark.parametrize("name", ["", "   ", "x" * 201])
def test_a_name_that_is_none_is_refused(room: Room, name: str) -> None:
    with pytest.raises(BadInput, match="Expected 1 to 200 characters"):
        room.create_project(name)


def test_a_removed_project_is_gone_for_everybody(room: Room) -> None:
    project = room.create_project("one").id
    room.remove_project(project)
    assert room.projects() == []
    for call in (
        lambda: room.project(project),
        lambda: room.members(project),
        lambda: room.remove_project(project),
        lambda: room.add_member(project, "late", "ai"),
    ):
        with pytest.raises(NotFound):
            call()


def test_members_are_listed_in_the_order_in_which_they_joined(room: Room) -> None:
    project = room.create_project("one").id
    first, _ = room.add_member(project, "first", "ai")
    room.clock.now += 1
    second, _ = room.add_member(project, "second", "human")
    assert room.members(project) == [first, second]
    assert (first.kind, second.kind) == ("ai", "human")


def test_a_removed_member_keeps_its_name(room: Room) -> None:
    project = room.create_project("one").id
    member, _ = room.add_member(project, "scout", "ai")
    room.clock.now += 5
    room.remove_member(project, member.id)
    (stored,) = room.members(project)
    assert (stored.name, stored.removed_at) == ("scout", NOON + 5)
    assert room.project(project).agents == 0
    with pytest.raises(NotFound):
        room.remove_member(project, member.id)


def test_a_member_can_be_in_several_projects(room: Room) -> None:
    here, other_project = room.create_project("here").id, room.create_project("there").id
    member, _ = room.add_member(here, "scout", "ai")
    assert room.join_member(other_project, member.id).id == member.id
    with pytest.raises(Conflict):
        room.join_member(other_project, member.id)
    room.remove_member(here, member.id)
    assert [member.removed_at for member in room.members(other_project)] == [None]
    assert room.join_member(here, member.id).removed_at is None  # back again: it was never gone altogether


def test_who_was_removed_from_its_last_project_joins_none(room: Room) -> None:
    here, other_project = room.create_project("here").id, room.create_project("there").id
    member, _ = room.add_member(here, "scout", "ai")
    room.remove_member(here, member.id)
    for stranger in (member.id, "a_nobody"):
        with pytest.raises(NotFound):
            room.join_member(other_project, stranger)


def test_an_unknown_kind_is_refused(room: Room) -> None:
    project = room.create_project("one").id
    with pytest.raises(BadInput, match='Expected "ai" or "human"'):
        room.add_member(project, "x", "robot")


def test_of_a_passkey_only_the_hash_is_kept(room: Room, store: Store) -> None:
    project = room.create_project("one").id
    member, passkey = room.add_member(project, "scout", "ai")
    stored_hash = store.read(
        lambda connection: connection.scalar(select(MemberRow.passkey_hash).where(MemberRow.id == member.id))
    )
    assert stored_hash is not None and passkey not in stored_hash and matches(passkey, stored_hash)
    assert "passkey" not in member.model_dump_json()


def test_the_same_passkey_is_never_hashed_alike() -> None:
    assert hashed("pk_x") != hashed("pk_x")


@pytest.mark.parametrize("wrong", ["", "pk_", "pk_y", "x" * 100_000, "\udce3", "pk_x\0"])
def test_another_passkey_does_not_match(wrong: str) -> None:
    assert matches("pk_x", hashed("pk_x")) and not matches(wrong, hashed("pk_x"))


@pytest.mark.parametrize("guess", ["", "pk_x", "\0" * 8])
def test_nobodys_passkey_is_matched_by_nothing(guess: str) -> None:
    assert not matches(guess, None)
