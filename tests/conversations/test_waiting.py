"""Those who wait: woken after the commit, holding no thread, and let go when the desk closes."""

import asyncio
import threading

from smoldesk.conversations import Action, Followed, Timeouts
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

    threads, given = run_async(scenario())
    assert threads < 50
    assert [action.action for action in given] == ["chat"]
    assert room.service.waiting_for(two.project_id, two.member_id) == 0


def test_who_waits_is_told_of_a_time_out(store: Store) -> None:
    room = Room(store, times=Timeouts(pending_seconds=30, active_seconds=100))
    one, two = room.agents("one", "two")
    room.start(one, two.member_id)

    async def scenario() -> Action:
        waiting = asyncio.create_task(room.service.next_action(one, 60))
        while not room.service.waiting_for(one.project_id, one.member_id):  # noqa: ASYNC110
            await asyncio.sleep(0)
        room.clock.now += 31
        await asyncio.to_thread(room.service.sweep)
        return await waiting

    assert run_async(scenario()).reason == "expired"


def test_who_waits_when_its_member_is_removed_is_told_that_its_session_is_none(room: Room) -> None:
    (one,) = room.agents("one")

    async def scenario() -> None:
        waiting = asyncio.create_task(room.service.next_action(one, 60))
        while not room.service.waiting_for(one.project_id, one.member_id):  # noqa: ASYNC110
            await asyncio.sleep(0)
        await room.service.remove_member(one.project_id, one.member_id)
        await waiting

    with refused("invalid_session"):
        run_async(scenario())


def test_a_closing_desk_lets_everybody_go(room: Room) -> None:
    (one,) = room.agents("one")

    async def scenario() -> Action:
        waiting = asyncio.create_task(room.service.next_action(one, 60))
        while not room.service.waiting_for(one.project_id, one.member_id):  # noqa: ASYNC110
            await asyncio.sleep(0)
        room.close()
        await room.service.until_closed()
        return await waiting

    assert run_async(scenario()).action == "wait"


def test_no_wait_is_longer_than_a_minute_and_nonsense_is_no_wait(room: Room) -> None:
    (one,) = room.agents("one")
    for seconds in (0, -1, float("nan"), float("-inf")):
        assert room.next_action(one, seconds).action == "wait"


def test_who_follows_sees_what_is_said_and_how_it_ends(room: Room) -> None:
    one, two = room.agents("one", "two")
    made = room.start(one, two.member_id)

    async def scenario() -> list[Followed]:
        seen: list[Followed] = []
        service = room.service
        async for followed in service.follow(made.id):
            seen.append(followed)
            if len(seen) == 1:
                await service.send(two, one.member_id, "ごりら")
            elif len(seen) == 2:
                await service.end(one)
            elif len(seen) == 3:
                await service.next_action(two)
                await service.next_action(two)
        return seen

    seen = run_async(scenario())
    assert [followed.conversation.state for followed in seen] == ["pending", "active", "terminating", "ended"]
    assert [[message.content for message in followed.messages] for followed in seen] == [
        [],
        ["ごりら"],
        [],
        [],
    ]


def test_who_follows_from_a_place_gets_what_came_after_it(room: Room) -> None:
    one, two = room.agents("one", "two")
    made = room.start(one, two.member_id)
    said = [room.send(one, two.member_id, str(number)) for number in range(450)]
    room.end_by_person(made.id)

    async def scenario() -> list[Followed]:
        return [followed async for followed in room.service.follow(made.id, after=said[9].seq)]

    seen = run_async(scenario())
    assert [message.id for followed in seen for message in followed.messages] == [
        message.id for message in said[10:]
    ]
    assert max(len(followed.messages) for followed in seen) <= 200
