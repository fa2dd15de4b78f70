"""Many at once: the first wins, the others are told so; also among servers that share a database."""

import asyncio
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from smoldesk.conversations import AgentFault, AgentSession, Conversations
from smoldesk.store.data_dir import DataDir
from smoldesk.store.store import Store
from tests.support.aio import run_async
from tests.support.conversing import Room


async def outcomes(*calls: Any) -> list[str]:
    """What each call came to: "done", or the name of its refusal."""

    async def outcome_of(call: Any) -> str:
        try:
            await call
        except AgentFault as fault:
            return fault.code
        return "done"

    return await asyncio.gather(*map(outcome_of, calls))


def test_of_four_starts_at_once_one_wins(room: Room) -> None:
    first, second = room.agents("one", "two")
    service = room.service

    async def four() -> list[str]:
        return await outcomes(
            service.start(first, second.member_id),
            service.start(second, first.member_id),
            service.start(first, second.member_id),
            service.start(second, first.member_id),
        )

    assert sorted(run_async(four())) == ["conversation_already_active"] * 3 + ["done"]
    assert len(room.conversations(first.project_id)) == 1


def test_of_two_ends_at_once_one_wins(room: Room) -> None:
    first, second, conversation = room.begun()

    async def both() -> list[str]:
        return await outcomes(room.service.end(first), room.service.end(second))

    assert sorted(run_async(both())) == ["done", "no_active_conversation"]
    (notices,) = [*room.told(first), *room.told(second)][-1:]
    assert notices.ended_by == room.conversation(conversation.id).ended_by


def test_of_two_pollers_one_is_given_the_request_and_the_message(room: Room) -> None:
    first, second, _ = room.begun()

    async def actions() -> list[str]:
        actions = await asyncio.gather(*(room.service.next_action(second) for _ in range(4)))
        return sorted(action.action for action in actions)

    assert run_async(actions()) == ["conversation_request", "wait", "wait", "wait"]
    room.send(first, second.member_id, "once")

    async def messages() -> int:
        messages = await asyncio.gather(*(room.service.pending(second) for _ in range(4)))
        return sum(map(len, messages))

    assert run_async(messages()) == 1


def test_messages_sent_at_once_have_places_of_their_own(room: Room) -> None:
    first, second, third = room.agents("one", "two", "three")

    async def many() -> None:
        await asyncio.gather(
            *(room.service.send(first, second.member_id, str(number)) for number in range(30)),
            *(room.service.send(third, second.member_id, str(number)) for number in range(30)),
        )

    run_async(many())
    seqs = [message.seq for message in room.pending(second)]
    assert len(seqs) == len(set(seqs)) == 60 and seqs == sorted(seqs)


# --- two servers on one PostgreSQL ---


@pytest.fixture
def two_desks(tmp_path: Path, postgres_url: str) -> Iterator[tuple[Room, Room]]:
    stores = [Store.open(DataDir(tmp_path / name), postgres_url) for name in ("one", "other")]
    rooms = (Room(stores[0]), Room(stores[1]))
    yield rooms
    for room, store in zip(rooms, stores, strict=True):
        room.close()
        store.close()


def at_once(*calls: Any) -> list[str]:
    """Each on a thread and a loop of its own, all let go together."""
    together, errors = threading.Barrier(len(calls)), list[str]()

    def run(call: Any) -> None:
        together.wait(10)
        errors.extend(asyncio.run(outcomes(call())))

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return sorted(errors)


def start_by(service: Conversations, session: AgentSession, other: AgentSession) -> Any:
    return lambda: service.start(session, other.member_id)


def test_of_four_starts_on_two_servers_one_wins(two_desks: tuple[Room, Room]) -> None:
    here, other_desk = two_desks
    first, second = here.agents("one", "two")
    calls = [
        start_by(desk.service, *pair)
        for desk in (here, other_desk)
        for pair in ((first, second), (second, first))
    ]
    assert at_once(*calls) == ["conversation_already_active"] * 3 + ["done"]


def test_who_waits_on_one_server_hears_of_what_happens_on_the_other(two_desks: tuple[Room, Room]) -> None:
    here, other_desk = two_desks
    first, second = here.agents("one", "two")
    ids: list[str] = []

    def wait() -> None:
        ids.append(asyncio.run(other_desk.service.next_action(second, 60)).action)

    thread = threading.Thread(target=wait)
    thread.start()
    while not other_desk.service.waiting_for(second.project_id, second.member_id):
        assert thread.is_alive()
    here.start(first, second.member_id)
    thread.join(30)
    assert ids == ["conversation_request"]


def test_both_sweepers_end_a_conversation_once(two_desks: tuple[Room, Room]) -> None:
    here, other_desk = two_desks
    first, second = here.agents("one", "two")
    here.start(first, second.member_id)
    for desk in two_desks:
        desk.clock.now += 10_000
    threads = [threading.Thread(target=desk.service.sweep) for desk in (here, other_desk)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert [action.reason for action in here.told(first)] == ["expired"]
