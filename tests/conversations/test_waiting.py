"""Those who wait and follow: woken after the commit, holding no thread, let go when the desk closes; pages of what was said."""

import asyncio
import threading

import pytest

from smoldesk.conversations import Action, Followed, Timeouts, service
from smoldesk.conversations.conversation_rows import newest
from smoldesk.conversations.inbox import read_messages
from smoldesk.conversations.project_rows import members_by_id
from smoldesk.conversations.rules import LIVE_STATES
from smoldesk.store.store import Store
from tests.support.aio import run_async
from tests.support.conversing import Room, refused

MANY = 200


def test_two_hundred_wait_without_a_thread_each(room: Room) -> None:
    first, second = room.agents("one", "two")

    async def scenario() -> tuple[int, list[Action]]:
        service = room.service
        before = threading.active_count()  # other tests of this process may have left some
        waiting = [asyncio.create_task(service.next_action(second, 60)) for _ in range(MANY)]
        while service.waiting_for(second.project_id, second.member_id) < MANY:  # noqa: ASYNC110
            await asyncio.sleep(0)
        threads = threading.active_count() - before
        await service.send(first, second.member_id, "hello")
        done, pending = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        for task in pending:
            task.cancel()
        await asyncio.gather(*pending, return_exceptions=True)
        return threads, [task.result() for task in done]

    threads, actions = run_async(scenario())
    assert threads < 50
    assert [action.action for action in actions] == ["chat"]
    assert room.service.waiting_for(second.project_id, second.member_id) == 0


def test_who_waits_is_told_of_a_time_out(store: Store) -> None:
    room = Room(store, times=Timeouts(pending_seconds=30, active_seconds=100))
    first, *_ = room.begun()

    async def scenario() -> Action:
        waiting = asyncio.create_task(room.service.next_action(first, 60))
        while not room.service.waiting_for(first.project_id, first.member_id):  # noqa: ASYNC110
            await asyncio.sleep(0)
        room.clock.now += 31
        await asyncio.to_thread(room.service.sweep)
        return await waiting

    assert run_async(scenario()).reason == "expired"


def test_who_waits_when_its_member_is_removed_is_told_that_its_session_is_none(room: Room) -> None:
    (first,) = room.agents("one")

    async def scenario() -> None:
        waiting = asyncio.create_task(room.service.next_action(first, 60))
        while not room.service.waiting_for(first.project_id, first.member_id):  # noqa: ASYNC110
            await asyncio.sleep(0)
        await room.service.remove_member(first.project_id, first.member_id)
        await waiting

    with refused("invalid_session"):
        run_async(scenario())


def test_a_closing_desk_lets_everybody_go(room: Room) -> None:
    (first,) = room.agents("one")

    async def scenario() -> Action:
        waiting = asyncio.create_task(room.service.next_action(first, 60))
        while not room.service.waiting_for(first.project_id, first.member_id):  # noqa: ASYNC110
            await asyncio.sleep(0)
        room.close()
        await room.service.until_closed()
        return await waiting

    assert run_async(scenario()).action == "wait"


def test_no_wait_is_longer_than_a_minute_and_nonsense_is_no_wait(room: Room) -> None:
    (first,) = room.agents("one")
    for seconds in (0, -1, float("nan"), float("-inf")):
        assert room.next_action(first, seconds).action == "wait"


def test_who_follows_sees_what_is_said_and_how_it_ends(room: Room) -> None:
    first, second, conversation = room.begun()

    async def scenario() -> list[Followed]:
        updates: list[Followed] = []
        service = room.service
        async for followed in service.follow(conversation.id):
            updates.append(followed)
            if len(updates) == 1:
                await service.send(second, first.member_id, "ごりら")
            elif len(updates) == 2:
                await service.end(first)
            elif len(updates) == 3:
                await service.next_action(second)
                await service.next_action(second)
        return updates

    updates = run_async(scenario())
    assert [followed.conversation.state for followed in updates] == [
        "pending",
        "active",
        "terminating",
        "ended",
    ]
    assert [[message.content for message in followed.messages] for followed in updates] == [
        [],
        ["ごりら"],
        [],
        [],
    ]


@pytest.mark.long
def test_who_follows_from_a_place_gets_what_came_after_it(room: Room) -> None:
    first, second, conversation = room.begun()
    sent = [room.send(first, second.member_id, str(number)) for number in range(450)]
    room.end_by_person(conversation.id)

    async def scenario() -> list[Followed]:
        return [followed async for followed in room.service.follow(conversation.id, after=sent[9].seq)]

    updates = run_async(scenario())
    assert [message.id for followed in updates for message in followed.messages] == [
        message.id for message in sent[10:]
    ]
    assert max(len(followed.messages) for followed in updates) <= 200


def test_a_transcript_is_read_from_either_end(room: Room, store: Store) -> None:
    first, second = room.agents("one", "two")
    conversation = room.start(first, second.member_id).id
    seqs = [room.send(first, second.member_id, str(at)).seq for at in range(6)]
    room.send(second, first.member_id, "6")

    def texts(**places: int) -> list[str]:
        messages = store.read(lambda connection: read_messages(connection, conversation, 3, **places))
        return [message.content for message in messages]

    assert texts() == ["4", "5", "6"]
    assert texts(before=seqs[4]) == ["1", "2", "3"]
    assert texts(after=0) == ["0", "1", "2"]
    assert texts(after=seqs[4]) == ["5", "6"]
    assert texts(after=seqs[1], before=seqs[4]) == ["2", "3"]
    assert store.read(lambda connection: read_messages(connection, "conv_x", 3)) == []


def test_a_list_has_those_of_some_states_newest_first(room: Room, store: Store) -> None:
    starter, partner, stranger = room.agents("one", "two", "three")
    first = room.start(starter, partner.member_id)
    second = room.start(starter, stranger.member_id)
    room.end_by_person(first.id)
    third = room.start(partner, stranger.member_id)

    def ids(states: tuple[str, ...], before: str | None = None, limit: int = 9) -> list[str]:
        messages = store.read(
            lambda connection: newest(connection, starter.project_id, states, before, limit)  # pyright: ignore
        )
        return [conversation.id for conversation in messages]

    assert ids(()) == [third.id, second.id, first.id]
    assert ids(LIVE_STATES) == [third.id, second.id]
    assert ids(LIVE_STATES, limit=1) == [third.id]
    assert ids(LIVE_STATES, third.id) == [second.id]
    assert ids(("ended",)) == [first.id]


def test_who_was_removed_still_has_a_name(room: Room, store: Store) -> None:
    first, second = room.agents("one", "two")
    room.remove_member(first.project_id, second.member_id)
    members = store.read(lambda connection: members_by_id(connection, first.project_id))
    assert {member.name: member.removed_at is not None for member in members.values()} == {
        "one": False,
        "two": True,
    }


@pytest.mark.long
def test_a_follower_of_a_project_hears_of_it_and_of_no_other(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "POLL_SECONDS", 600.0)  # what it hears, it was woken for
    first, second = room.agents("one", "two")
    stranger, other = room.agents("stranger", "other")

    async def scenario() -> list[tuple[int, str]]:
        talks = room.service
        followed = talks.follow_project(first.project_id)
        assert (await anext(followed)).conversations == 0
        coming = asyncio.ensure_future(anext(followed))
        await talks.start(stranger, other.member_id)
        done, _ = await asyncio.wait({coming}, timeout=0.5)
        assert not done
        conversation = await talks.start(first, second.member_id)
        updates: list[tuple[int, str]] = []

        async def follow() -> None:
            await coming
            live = (await talks.project(first.project_id)).live
            updates.append((live, (await talks.conversation(conversation.id)).state))

        await follow()
        for change in (
            lambda: talks.next_action(second),  # takes it up
            lambda: talks.send(first, second.member_id, "hello"),
            lambda: talks.end_by_person(conversation.id),
        ):
            coming = asyncio.ensure_future(anext(followed))
            await asyncio.sleep(0)
            await change()
            await follow()
        await talks.remove_project(first.project_id)
        assert [project async for project in followed] == []
        return updates

    assert run_async(scenario()) == [(1, "pending"), (1, "active"), (1, "active"), (0, "ended")]
    assert room.followers(first.project_id) == 0
