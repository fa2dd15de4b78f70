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
    one, two = room.agents("one", "two")

    async def scenario() -> tuple[int, list[Action]]:
        service = room.service
        before = threading.active_count()  # other tests of this process may have left some
        waiting = [asyncio.create_task(service.next_action(two, 60)) for _ in range(MANY)]
        while service.waiting_for(two.project_id, two.member_id) < MANY:  # noqa: ASYNC110
            await asyncio.sleep(0)
        threads = threading.active_count() - before
        await service.send(one, two.member_id, "hello")
        done, pending = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        for task in pending:
            task.cancel()
        await asyncio.gather(*pending, return_exceptions=True)
        return threads, [task.result() for task in done]

    threads, inputs = run_async(scenario())
    assert threads < 50
    assert [action.action for action in inputs] == ["chat"]
    assert room.service.waiting_for(two.project_id, two.member_id) == 0


def test_who_waits_is_told_of_a_time_out(store: Store) -> None:
    room = Room(store, times=Timeouts(pending_seconds=30, active_seconds=100))
    item, *_ = room.begun()

    async def scenario() -> Action:
        waiting = asyncio.create_task(room.service.next_action(item, 60))
        while not room.service.waiting_for(item.project_id, item.member_id):  # noqa: ASYNC110
            await asyncio.sleep(0)
        room.clock.now += 31
        await asyncio.to_thread(room.service.sweep)
        return await waiting

    assert run_async(scenario()).reason == "expired"


def test_who_waits_when_its_member_is_removed_is_told_that_its_session_is_none(room: Room) -> None:
    (item,) = room.agents("one")

    async def scenario() -> None:
        waiting = asyncio.create_task(room.service.next_action(item, 60))
        while not room.service.waiting_for(item.project_id, item.member_id):  # noqa: ASYNC110
            await asyncio.sleep(0)
        await room.service.remove_member(item.project_id, item.member_id)
        await waiting

    with refused("invalid_session"):
        run_async(scenario())


def test_a_closing_desk_lets_everybody_go(room: Room) -> None:
    (item,) = room.agents("one")

    async def scenario() -> Action:
        waiting = asyncio.create_task(room.service.next_action(item, 60))
        while not room.service.waiting_for(item.project_id, item.member_id):  # noqa: ASYNC110
            await asyncio.sleep(0)
        room.close()
        await room.service.until_closed()
        return await waiting

    assert run_async(scenario()).action == "wait"


def test_no_wait_is_longer_than_a_minute_and_nonsense_is_no_wait(room: Room) -> None:
    (item,) = room.agents("one")
    for seconds in (0, -1, float("nan"), float("-inf")):
        assert room.next_action(item, seconds).action == "wait"


def test_who_follows_sees_what_is_said_and_how_it_ends(room: Room) -> None:
    one, two, made = room.begun()

    async def scenario() -> list[Followed]:
        received: list[Followed] = []
        service = room.service
        async for followed in service.follow(made.id):
            received.append(followed)
            if len(received) == 1:
                await service.send(two, one.member_id, "ごりら")
            elif len(received) == 2:
                await service.end(one)
            elif len(received) == 3:
                await service.next_action(two)
                await service.next_action(two)
        return received

    received = run_async(scenario())
    assert [followed.conversation.state for followed in received] == [
        "pending",
        "active",
        "terminating",
        "ended",
    ]
    assert [[message.content for message in followed.messages] for followed in received] == [
        [],
        ["ごりら"],
        [],
        [],
    ]


@pytest.mark.long
def test_who_follows_from_a_place_gets_what_came_after_it(room: Room) -> None:
    one, two, made = room.begun()
    messages = [room.send(one, two.member_id, str(number)) for number in range(450)]
    room.end_by_person(made.id)

    async def scenario() -> list[Followed]:
        return [followed async for followed in room.service.follow(made.id, after=messages[9].seq)]

    received = run_async(scenario())
    assert [message.id for followed in received for message in followed.messages] == [
        message.id for message in messages[10:]
    ]
    assert max(len(followed.messages) for followed in received) <= 200


def test_a_transcript_is_read_from_either_end(room: Room, store: Store) -> None:
    one, two = room.agents("one", "two")
    conversation = room.start(one, two.member_id).id
    seqs = [room.send(one, two.member_id, str(at)).seq for at in range(6)]
    room.send(two, one.member_id, "6")

    def text(**places: int) -> list[str]:
        result = store.read(lambda connection: read_messages(connection, conversation, 3, **places))
        return [message.content for message in result]

    assert text() == ["4", "5", "6"]
    assert text(before=seqs[4]) == ["1", "2", "3"]
    assert text(after=0) == ["0", "1", "2"]
    assert text(after=seqs[4]) == ["5", "6"]
    assert text(after=seqs[1], before=seqs[4]) == ["2", "3"]
    assert store.read(lambda connection: read_messages(connection, "conv_x", 3)) == []


def test_a_list_has_those_of_some_states_newest_first(room: Room, store: Store) -> None:
    one, two, three = room.agents("one", "two", "three")
    first = room.start(one, two.member_id)
    second = room.start(one, three.member_id)
    room.end_by_person(first.id)
    third = room.start(two, three.member_id)

    def ids(states: tuple[str, ...], before: str | None = None, limit: int = 9) -> list[str]:
        result = store.read(
            lambda connection: newest(connection, one.project_id, states, before, limit)  # pyright: ignore
        )
        return [conversation.id for conversation in result]

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


@pytest.mark.long
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
        started = await talks.start(one, two.member_id)
        received: list[tuple[int, str]] = []

        async def inspect() -> None:
            await coming
            live = (await talks.project(one.project_id)).live
            received.append((live, (await talks.conversation(started.id)).state))

        await inspect()
        for change in (
            lambda: talks.next_action(two),  # takes it up
            lambda: talks.send(one, two.member_id, "hello"),
            lambda: talks.end_by_person(started.id),
        ):
            coming = asyncio.ensure_future(anext(followed))
            await asyncio.sleep(0)
            await change()
            await inspect()
        await talks.remove_project(one.project_id)
        assert [project async for project in followed] == []
        return received

    assert run_async(scenario()) == [(1, "pending"), (1, "active"), (1, "active"), (0, "ended")]
    assert room.followers(one.project_id) == 0
