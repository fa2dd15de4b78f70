"""Pages of lists and transcripts, on each kind of database, and what wakes those who follow a project."""

import asyncio

from backend.conversations.rules import LIVE_STATES
from backend.conversations.watching import members_by_id, newest_in, said
from backend.store.store import Store
from tests.support.aio import run_async
from tests.support.conversing import Room


def test_a_transcript_is_read_from_either_end(room: Room, store: Store) -> None:
    one, two = room.agents("one", "two")
    conversation = room.start(one, two.member_id).id
    seqs = [room.send(one, two.member_id, str(at)).seq for at in range(6)]
    room.send(two, one.member_id, "6")

    def words(**places: int) -> list[str]:
        found = store.read(lambda connection: said(connection, conversation, 3, **places))
        return [message.content for message in found]

    assert words() == ["4", "5", "6"]
    assert words(before=seqs[4]) == ["1", "2", "3"]
    assert words(after=0) == ["0", "1", "2"]
    assert words(after=seqs[4]) == ["5", "6"]
    assert words(after=seqs[1], before=seqs[4]) == ["2", "3"]
    assert store.read(lambda connection: said(connection, "conv_x", 3)) == []


def test_a_list_has_those_of_some_states_newest_first(room: Room, store: Store) -> None:
    one, two, three = room.agents("one", "two", "three")
    first = room.start(one, two.member_id)
    second = room.start(one, three.member_id)
    room.end_by_person(first.id)
    third = room.start(two, three.member_id)

    def ids(states: tuple[str, ...], before: str | None = None, limit: int = 9) -> list[str]:
        found = store.read(
            lambda connection: newest_in(connection, one.project_id, states, before, limit)  # pyright: ignore
        )
        return [conversation.id for conversation in found]

    assert ids(()) == [third.id, second.id, first.id]
    assert ids(LIVE_STATES) == [third.id, second.id]
    assert ids(LIVE_STATES, limit=1) == [third.id]
    assert ids(LIVE_STATES, third.id) == [second.id]
    assert ids(("ended",)) == [first.id]


def test_who_was_removed_still_has_a_name(room: Room, store: Store) -> None:
    one, two = room.agents("one", "two")
    room.remove_member(one.project_id, two.member_id)
    members = store.read(lambda connection: members_by_id(connection, one.project_id))
    assert {member.name: member.removed_at is not None for member in members.values()} == {
        "one": False,
        "two": True,
    }


def test_a_follower_of_a_project_hears_of_it_and_of_no_other(room: Room) -> None:
    one, two = room.agents("one", "two")
    (stranger, other) = room.agents("stranger", "other")

    async def scenario() -> list[tuple[int, int]]:
        seen: list[tuple[int, int]] = []
        followed = room.service.follow_project(one.project_id)
        seen.append(counts(await anext(followed)))
        coming = asyncio.ensure_future(anext(followed))
        await room.service.start(stranger, other.member_id)
        done, _ = await asyncio.wait({coming}, timeout=0.5)
        assert not done
        await room.service.start(one, two.member_id)
        seen.append(counts(await coming))
        await room.service.remove_project(one.project_id)
        seen.extend([counts(project) async for project in followed])
        return seen

    def counts(project: object) -> tuple[int, int]:
        return project.live, project.conversations  # pyright: ignore

    assert run_async(scenario()) == [(0, 0), (1, 1)]
    assert room.followers(one.project_id) == 0
