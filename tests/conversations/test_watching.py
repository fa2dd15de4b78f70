"""Pages of lists and transcripts, on each kind of database, and what wakes those who follow a project."""

import asyncio

import pytest

from smoldesk.conversations import service
from smoldesk.conversations.conversation_rows import newest
from smoldesk.conversations.inbox import said
from smoldesk.conversations.project_rows import members_by_id
from smoldesk.conversations.rules import LIVE_STATES
from smoldesk.store.store import Store
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
            lambda connection: newest(connection, one.project_id, states, before, limit)  # pyright: ignore
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


def test_a_follower_of_a_project_hears_of_it_and_of_no_other(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "LOOK_AGAIN", 600.0)  # what it hears, it was woken for
    one, two = room.agents("one", "two")
    stranger, other = room.agents("stranger", "other")

    async def scenario() -> list[tuple[int, str]]:
        talks = room.service
        followed = talks.follow_project(one.project_id)
        assert (await anext(followed)).conversations == 0
        coming = asyncio.ensure_future(anext(followed))
        await talks.start(stranger, other.member_id)
        done, _ = await asyncio.wait({coming}, timeout=0.5)
        assert not done
        begun = await talks.start(one, two.member_id)
        seen: list[tuple[int, str]] = []

        async def look() -> None:
            await coming
            live = (await talks.project(one.project_id)).live
            seen.append((live, (await talks.conversation(begun.id)).state))

        await look()
        for change in (
            lambda: talks.next_action(two),  # takes it up
            lambda: talks.send(one, two.member_id, "hello"),
            lambda: talks.end_by_person(begun.id),
        ):
            coming = asyncio.ensure_future(anext(followed))
            await asyncio.sleep(0)
            await change()
            await look()
        await talks.remove_project(one.project_id)
        assert [project async for project in followed] == []
        return seen

    assert run_async(scenario()) == [(1, "pending"), (1, "active"), (1, "active"), (0, "ended")]
    assert room.followers(one.project_id) == 0
