"""Servers on one PostgreSQL and the chats they hold: a living server keeps its chats, any other one lets go of them."""

import asyncio
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from smoldesk.events import RunFailed, RunFinished, RunStarted, StoredEvent
from smoldesk.runs import reaper, server_lease
from smoldesk.store import heartbeats, notifications, run_queue
from smoldesk.store.data_dir import DataDir
from smoldesk.store.tables import ChatRow, ServerRow
from smoldesk.tools.run_context import RunContext
from tests.runs.conftest import (
    Answering,
    Bench,
    BenchRuns,
    begins_nothing,
    dies,
    new_chat,
    until_closed,
    until_event,
)
from tests.support.aio import run_async
from tests.support.busy_writer import Busy
from tests.support.postgres import TestPostgres
from tests.support.waiting import come_true

LEASE_SECONDS = 2.0


class Three:
    """Servers a, b and c, which answer with their name; `gates` are waited for before an answer."""

    def __init__(self, folder: Path, database_url: str) -> None:
        self.bench = Bench(folder / "a", database_url)
        self.gate = threading.Event()
        self._folder = folder
        self.a, self.b, self.c = (self._open(name) for name in "abc")

    def _open(self, name: str) -> BenchRuns:
        runs = self.bench.open(self._answering(name), DataDir(self._folder / name))
        runs.agents.has_state = True
        return runs

    def _answering(self, name: str) -> Answering:
        def answer(message: str, ctx: RunContext) -> str:
            if message == "wait":
                self.gate.wait(60)
            return f"{name}: {message}"

        return answer

    async def answered(self, runs: BenchRuns, chat_id: str, message: str, count: int) -> str:
        """Say something at a server; the answer of the chat's run number `count`."""
        await runs.start(chat_id, message)
        event = (await until_closed(runs, chat_id, count))[-1].event
        assert isinstance(event, RunFinished), event
        return event.text

    def is_held(self, chat_id: str) -> bool | None:
        return self.c.store.read(lambda c: c.scalar(select(ChatRow.is_held).where(ChatRow.id == chat_id)))


@pytest.fixture
def three(tmp_path: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[Three]:
    monkeypatch.setattr(notifications, "POLL_SECONDS", 0.2)
    monkeypatch.setattr(server_lease, "LEASE_SECONDS", LEASE_SECONDS)
    servers = Three(tmp_path, postgres_url)
    yield servers
    servers.gate.set()
    servers.bench.close()


def test_a_living_server_answers_in_its_chat_wherever_the_message_arrives(three: Three) -> None:
    async def scenario() -> list[str]:
        chat_id = await new_chat(three.a)
        at = [three.a, three.b, three.c] * 3
        return [
            await three.answered(runs, chat_id, str(number), number + 1) for number, runs in enumerate(at)
        ]

    assert run_async(scenario()) == [f"a: {number}" for number in range(9)]
    assert three.a.agents.dropped == [], "its variables are the chat's"


def test_a_message_that_no_hint_tells_of_is_answered_by_the_chats_server(
    three: Three, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notifications, "hint", lambda payload: ("", {"c_another"}))  # pyright: ignore

    async def scenario() -> str:
        chat_id = await new_chat(three.a)
        await three.answered(three.a, chat_id, "first", 1)
        return await three.answered(three.b, chat_id, "second", 2)

    assert run_async(scenario()) == "a: second"


def test_a_server_that_has_nothing_of_a_chat_any_more_lets_go_of_it(three: Three) -> None:
    async def scenario() -> str:
        chat_id = await new_chat(three.a)
        await three.answered(three.a, chat_id, "first", 1)
        assert three.is_held(chat_id)
        three.a.agents.has_state = False  # evicted, or killed
        await asyncio.to_thread(come_true, lambda: not three.is_held(chat_id))
        return await three.answered(three.b, chat_id, "second", 2)

    assert run_async(scenario()) == "b: second"
    assert three.b.agents.dropped, "what it may have had of the chat is old"


def test_the_chat_of_a_dead_server_is_taken_with_its_next_message(three: Three) -> None:
    async def scenario() -> str:
        chat_id = await new_chat(three.a)
        await three.answered(three.a, chat_id, "first", 1)
        dies(three.a)
        return await three.answered(three.b, chat_id, "second", 2)

    assert run_async(scenario()).endswith(": second")


def test_a_message_to_a_server_that_dies_before_it_begins_is_answered_by_another(three: Three) -> None:
    async def scenario() -> str:
        chat_id = await new_chat(three.a)
        begins_nothing(three.a)
        await three.a.start(chat_id, "lost?")
        dies(three.a)
        event = (await until_closed(three.b, chat_id))[-1].event
        assert isinstance(event, RunFinished)
        return event.text

    assert run_async(scenario()) in ("b: lost?", "c: lost?")


def test_no_server_counts_as_dead_after_the_database_hung(three: Three, postgres: TestPostgres) -> None:
    async def scenario() -> str:
        chat_id = await new_chat(three.a)
        await three.a.start(chat_id, "wait")
        await until_event(three.b, chat_id, RunStarted)
        with postgres.frozen():
            await asyncio.sleep(1.5 * LEASE_SECONDS)
        await asyncio.sleep(LEASE_SECONDS)
        three.gate.set()
        event = (await until_closed(three.b, chat_id))[-1].event
        assert not isinstance(event, RunFailed), event
        return await three.answered(three.c, chat_id, "still?", 2)

    assert run_async(scenario()) == "a: still?"


def test_the_clocks_of_servers_may_differ(three: Three, monkeypatch: pytest.MonkeyPatch) -> None:
    real = time.time
    monkeypatch.setattr(reaper.time, "time", lambda: real() + 3_600)

    async def scenario() -> str:
        chat_id = await new_chat(three.a)
        await three.answered(three.a, chat_id, "first", 1)
        return await three.answered(three.b, chat_id, "second", 2)

    assert run_async(scenario()) == "a: second"


def test_a_server_whose_row_was_deleted_writes_it_again(three: Three) -> None:
    rows = select(ServerRow.id)
    three.b.store.submit(lambda tx: tx.execute(ServerRow.__table__.delete())).result()  # pyright: ignore
    come_true(lambda: len(three.b.store.read(lambda c: c.scalars(rows).all())) == 3)


def test_a_servers_heartbeat_goes_on_while_its_work_on_chats_takes_long(three: Three) -> None:
    blocked, release = threading.Event(), threading.Event()

    def holds(chat_id: str) -> bool:
        blocked.set()
        return release.wait(60)

    async def scenario() -> None:
        await three.answered(three.a, await new_chat(three.a), "first", 1)

    three.a.agents.holds = holds
    run_async(scenario())
    assert blocked.wait(60)
    try:
        for _ in range(3):
            last = _row(three, three.a).seen_at
            come_true(lambda last=last: _row(three, three.a).seen_at > last)
    finally:
        release.set()


def test_no_exception_ends_heartbeat_and_maintenance(three: Three, monkeypatch: pytest.MonkeyPatch) -> None:
    faults: list[str] = []

    def breaks(name: str) -> None:
        """Raise once per name."""
        if name not in faults:
            faults.append(name)
            raise RuntimeError(name)

    def beat(*arguments: Any) -> float | None:
        breaks("beat")
        return real_beat(*arguments)

    def holds(chat_id: str) -> bool:
        breaks("holds")
        return False

    async def scenario() -> None:
        chat_id = await new_chat(three.a)
        await three.answered(three.a, chat_id, "first", 1)
        await asyncio.to_thread(come_true, lambda: not three.is_held(chat_id))

    real_beat = heartbeats.beat
    three.a.agents.holds = holds
    run_async(scenario())
    monkeypatch.setattr(heartbeats, "beat", beat)
    come_true(lambda: "beat" in faults)
    for server in (three.a, three.b, three.c):
        last = _row(three, server).seen_at
        come_true(lambda server=server, last=last: _row(three, server).seen_at > last)
    assert set(faults) == {"holds", "beat"}


def test_a_server_goes_on_holding_a_chat_that_it_could_not_let_go_of(three: Three) -> None:
    async def scenario() -> tuple[set[str], set[str]]:
        busy, idle = await new_chat(three.a), await new_chat(three.a)
        await three.answered(three.a, idle, "first", 1)
        await three.a.start(busy, "wait")
        await until_event(three.a, busy, RunStarted)
        chat_ids = {busy, idle, "c_deleted"}
        released = await three.b.store.do(lambda tx: run_queue.release_chats(tx, three.a.server, chat_ids))
        return released, chat_ids - {busy}

    released, expected = run_async(scenario())
    assert released == expected


def test_a_stop_that_could_not_be_told_once_is_told_again(
    three: Three, monkeypatch: pytest.MonkeyPatch
) -> None:
    real_leave, calls = heartbeats.leave, [0]

    def leave(*arguments: Any) -> float | None:
        calls[0] += 1
        if calls[0] == 1:
            raise OperationalError("UPDATE", {}, Exception("database or disk is full"))
        return real_leave(*arguments)

    monkeypatch.setattr(heartbeats, "leave", leave)
    three.a.drain(60, threading.Event())
    assert _row(three, three.a).is_leaving
    last = _row(three, three.a).seen_at
    come_true(lambda: _row(three, three.a).seen_at > last)
    assert _row(three, three.a).is_leaving, "a later heartbeat repeats it"


def test_a_hurried_drain_does_not_wait_for_the_database(three: Three) -> None:
    busy, hurry = Busy(three.a.store), threading.Event()
    hurry.set()
    three.a.drain(60, hurry)
    assert not _row(three, three.a).is_leaving, "it was to return before this could be written"
    busy.let_go()
    come_true(lambda: _row(three, three.a).is_leaving)


def test_a_heartbeat_behind_the_end_of_its_server_does_not_bring_it_back(three: Three) -> None:
    jobs = three.b.store.writer._jobs  # noqa: SLF001 # pyright: ignore[reportPrivateUsage]
    busy = Busy(three.b.store)
    come_true(lambda: jobs)  # a heartbeat
    waiting = len(jobs)
    closing = threading.Thread(target=three.b.close)
    closing.start()
    come_true(lambda: len(jobs) > waiting)  # the end, which is the next job
    busy.let_go()
    closing.join(60)
    rows = select(ServerRow.id)
    assert set(three.c.store.read(lambda c: c.scalars(rows).all())) == {three.a.server, three.c.server}


def test_a_leaving_server_ends_its_run_and_leaves_everything_else(three: Three) -> None:
    async def scenario() -> list[str]:
        busy, idle = await new_chat(three.a), await new_chat(three.a)
        await three.answered(three.a, idle, "first", 1)
        await three.a.start(busy, "wait")
        await until_event(three.a, busy, RunStarted)
        await three.a.start(busy, "behind")
        leaving = threading.Thread(target=three.a.drain, args=(60, threading.Event()))
        leaving.start()
        taken = [await three.answered(three.b, idle, "second", 2)]
        late = await new_chat(three.a)
        await three.a.start(late, "late")
        taken.append(_answer(await until_closed(three.b, late)))
        three.gate.set()
        await asyncio.to_thread(leaving.join, 60)
        events = await until_closed(three.b, busy, 2)
        ends = [stored.event.text for stored in events if isinstance(stored.event, RunFinished)]
        return [*taken, *ends]

    second, late, waited, behind = run_async(scenario())
    assert second == "b: second", "an idle chat is anybody's at once"
    assert late in ("b: late", "c: late"), "so is a message that the leaving server still gets"
    assert waited == "a: wait", "its run ends where it began"
    assert behind in ("b: behind", "c: behind")
    assert three.a.ended["run_cancelled"] == 0


def test_a_drain_ends_at_once_without_runs_and_early_when_it_is_hurried(three: Three) -> None:
    three.b.drain(60, threading.Event())  # would not end within the test's time
    hurry = threading.Event()

    async def scenario() -> None:
        chat_id = await new_chat(three.a)
        await three.a.start(chat_id, "wait")
        await until_event(three.a, chat_id, RunStarted)
        hurry.set()
        await asyncio.to_thread(three.a.drain, 60, hurry)

    run_async(scenario())
    assert three.a.working() == 1


def _row(three: Three, server: BenchRuns) -> Any:
    """The row of a server, as another one reads it."""
    query = select(ServerRow.seen_at, ServerRow.is_leaving).where(ServerRow.id == server.server)
    return three.c.store.read(lambda c: c.execute(query).one())


def _answer(events: list[StoredEvent]) -> str:
    [text] = [stored.event.text for stored in events if isinstance(stored.event, RunFinished)]
    return text
