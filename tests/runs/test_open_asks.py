"""The list of open asks: right after every change, read once for all who look, and never a burden."""

import asyncio
import threading
from collections.abc import AsyncGenerator, Callable, Generator, Iterator
from contextlib import aclosing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal

import pytest
from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError

from smoldesk.events import Ask
from smoldesk.runs.asks import OpenAsks, OpenAskWatch
from smoldesk.runs.asks import open_asks as module
from smoldesk.runs.reaper import RESTART, RESTARTED, close_from_outside
from smoldesk.store import chats, notifications, run_rows
from smoldesk.store.asks import Answer, close_ask, open_asks
from smoldesk.store.data_dir import DataDir
from smoldesk.store.run_queue import enqueue_run
from smoldesk.store.store import Store
from smoldesk.tools.run_context import RunContext
from tests.runs.conftest import Bench, admit, new_chat
from tests.support.aio import run_async


def some_ask(number: int, kind: Literal["approval", "input", "client_tool"] = "approval") -> Ask:
    until = datetime.now(UTC) + timedelta(minutes=5)
    return Ask(id=f"a_{number}", kind=kind, tool="pay", prompt=f"Allow {number}?", expires_at=until)


class Watched:
    """A store and its watch, which reads without a pause; `reads` counts, and `gate` holds back what the next ones found."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.reads = 0
        self.at_gate = threading.Event()
        self.gate = threading.Event()
        self.gate.set()
        self._read = store.read
        store.read = self._counted  # pyright: ignore[reportAttributeAccessIssue]
        self.watch = OpenAskWatch(store, pace_seconds=0)
        self.watch.open()

    def _counted(self, inspect: Callable[[Connection], Any]) -> Any:
        result = self._read(inspect)
        if inspect is module.read_open_asks:
            self.reads += 1
            self.at_gate.set()
            assert self.gate.wait(60)
        return result

    def chat(self, title: str = "Sales") -> str:
        return self.store.submit(lambda tx: chats.new_chat(tx, title)).result().id

    def open(self, chat: str, *asks: Ask) -> None:
        self.store.submit(lambda tx: open_asks(tx, chat, "r_1", asks)).result()

    def close(self, ask: Ask) -> None:
        self.store.submit(lambda tx: close_ask(tx, ask.id, Answer(True))).result()


@pytest.fixture
def watched(tmp_path: Path, database_url: str) -> Iterator[Watched]:
    with watching(Store.open(DataDir(tmp_path / "data"), database_url)) as watched:
        yield watched


@pytest.fixture
def counted(tmp_path: Path) -> Iterator[Watched]:
    """On SQLite, where no other server gives a reason to read."""
    with watching(Store.open(DataDir(tmp_path / "data"))) as watched:
        yield watched


@contextmanager
def watching(store: Store) -> Generator[Watched]:
    watched = Watched(store)
    yield watched
    watched.gate.set()
    watched.watch.close()
    store.close()


async def until(lists: AsyncGenerator[OpenAsks], count: int) -> OpenAsks:
    """The next list with so many asks."""

    async def inspect() -> OpenAsks:
        async for now in lists:
            if now.count == count:
                return now
        raise AssertionError("the watch closed")

    return await asyncio.wait_for(inspect(), 30)


def ids(now: OpenAsks) -> list[str]:
    return [record.ask.id for record in now.asks]


def test_the_list_follows_what_is_opened_closed_and_renamed(watched: Watched) -> None:
    first, second, work = some_ask(1), some_ask(2), some_ask(3, "client_tool")

    async def scenario() -> None:
        sales, other = watched.chat("Sales"), watched.chat("Other")
        async with aclosing(watched.watch.follow()) as lists:
            assert (await until(lists, 0)).asks == ()
            watched.open(sales, first, work)
            now = await until(lists, 1)
            assert [(record.chat_id, record.chat_title) for record in now.asks] == [(sales, "Sales")]
            watched.open(other, second)
            assert ids(await until(lists, 2)) == ["a_1", "a_2"]
            await watched.store.do(lambda tx: chats.rename_chat(tx, other, "Rent"))
            now = await asyncio.wait_for(anext(lists), 30)
            assert [record.chat_title for record in now.asks] == ["Sales", "Rent"]
            watched.close(first)
            assert ids(await until(lists, 1)) == ["a_2"]

    run_async(scenario())


def test_two_hundred_changes_during_one_read_are_one_more_read(counted: Watched) -> None:
    async def scenario() -> None:
        chat = counted.chat()
        async with aclosing(counted.watch.follow()) as lists:
            await until(lists, 0)
            assert counted.reads == 1
            counted.gate.clear()
            counted.at_gate.clear()
            counted.open(chat, some_ask(0))
            await asyncio.to_thread(counted.at_gate.wait, 60)
            for number in range(1, 200):
                counted.open(chat, some_ask(number))
            counted.gate.set()
            assert (await until(lists, 200)).count == 200
            assert counted.reads == 3

    run_async(scenario())


def test_a_hundred_who_look_cost_one_read_and_share_its_list(counted: Watched) -> None:
    async def scenario() -> None:
        chat = counted.chat()
        lookers = [counted.watch.follow() for _ in range(100)]
        await asyncio.gather(*(until(lists, 0) for lists in lookers))
        before = counted.reads
        counted.open(chat, *(some_ask(number) for number in range(200)))
        report = await asyncio.gather(*(until(lists, 200) for lists in lookers))
        assert counted.reads == before + 1
        assert all(now is report[0] for now in report)
        for lists in lookers:
            await lists.aclose()

    run_async(scenario())


def test_while_nobody_looks_nothing_is_read(counted: Watched) -> None:
    async def scenario() -> None:
        chat = counted.chat()
        async with aclosing(counted.watch.follow()) as lists:
            await until(lists, 0)
        before = counted.reads
        for number in range(20):
            counted.open(chat, some_ask(number))
        assert counted.reads == before
        async with aclosing(counted.watch.follow()) as lists:
            # and the list of an earlier looker is not told again
            assert (await asyncio.wait_for(anext(lists), 30)).count == 20

    run_async(scenario())


def test_who_is_slow_gets_the_latest_list_and_holds_nobody_up(watched: Watched) -> None:
    async def scenario() -> None:
        chat = watched.chat()
        slow, quick = watched.watch.follow(), watched.watch.follow()
        await until(slow, 0)
        await until(quick, 0)
        for number in range(30):
            watched.open(chat, some_ask(number))
            last = await until(quick, number + 1)
        assert await asyncio.wait_for(anext(slow), 30) is last  # pyright: ignore[reportPossiblyUnboundVariable]
        for lists in (slow, quick):
            await lists.aclose()

    run_async(scenario())


def test_more_than_are_listed_are_counted(watched: Watched) -> None:
    async def scenario() -> None:
        watched.open(watched.chat(), *(some_ask(number) for number in range(module.MOST + 30)))
        async with aclosing(watched.watch.follow()) as lists:
            now = await until(lists, module.MOST + 30)
            assert len(now.asks) == module.MOST

    run_async(scenario())


def test_a_database_that_fails_once_is_asked_again(watched: Watched, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RETRY_SECONDS", 0)
    read, faults = watched.store.read, [OperationalError("SELECT", {}, Exception("away"))]

    def failing(inspect: Callable[[Connection], Any]) -> Any:
        if inspect is module.read_open_asks and faults:
            raise faults.pop()
        return read(inspect)

    async def scenario() -> None:
        chat = watched.chat()
        monkeypatch.setattr(watched.store, "read", failing)
        watched.open(chat, some_ask(1))
        async with aclosing(watched.watch.follow()) as lists:
            await until(lists, 1)
        assert not faults

    run_async(scenario())


def test_the_end_of_the_watch_ends_every_look(watched: Watched) -> None:
    async def scenario() -> None:
        lists = watched.watch.follow()
        await until(lists, 0)
        task = asyncio.create_task(anext(lists, None))
        await asyncio.sleep(0)
        await asyncio.to_thread(watched.watch.close)
        assert await asyncio.wait_for(task, 30) is None

    run_async(scenario())


def asks_once(message: str, ctx: RunContext) -> str:
    admit(ctx, {"word": "rent"})
    return "done"


@pytest.mark.parametrize("end", ["answer", "stop", "outside"])
def test_an_ask_of_a_run_leaves_the_list_however_it_ends(bench: Bench, end: str) -> None:
    runs = bench.open(asks_once)

    async def scenario() -> None:
        chat_id = await new_chat(runs)
        async with aclosing(runs.open_asks.follow()) as lists:
            await until(lists, 0)
            run_id = await runs.start(chat_id, "x")
            now = await until(lists, 1)
            assert (now.asks[0].chat_id, now.asks[0].ask.tool) == (chat_id, "pay")
            if end == "answer":
                await runs.answer(now.asks[0].ask.id, Answer(True))
            elif end == "stop":
                await runs.cancel(run_id)
            else:
                run = await runs.store.aread(lambda connection: run_rows.get_run(connection, run_id))
                await asyncio.to_thread(close_from_outside, runs.store, run, RESTARTED, RESTART)
            await until(lists, 0)

    run_async(scenario())


def test_what_one_server_asks_is_on_the_list_of_the_other(tmp_path: Path, postgres_url: str) -> None:
    here = Bench(tmp_path / "here", postgres_url)
    existing = Bench(tmp_path / "there", postgres_url)
    asking, looking = here.open(asks_once), existing.open(asks_once)

    async def scenario() -> None:
        chat_id = await new_chat(asking)
        async with aclosing(looking.open_asks.follow()) as lists:
            await until(lists, 0)
            await asking.start(chat_id, "x")
            now = await until(lists, 1)
            assert now.asks[0].chat_id == chat_id
            await asking.answer(now.asks[0].ask.id, Answer(False))
            await until(lists, 0)

    try:
        run_async(scenario())
    finally:
        for bench in (existing, here):
            bench.close()


def test_what_another_server_streams_makes_nobody_read_the_asks_again(
    tmp_path: Path, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(notifications, "POLL_SECONDS", 1_000.0)
    other = Store.open(DataDir(tmp_path / "there"), postgres_url)
    chat = other.submit(lambda tx: chats.new_chat(tx)).result().id

    async def scenario(watched: Watched) -> None:
        async with aclosing(watched.watch.follow()) as lists:
            await until(lists, 0)
            before = watched.reads
            for number in range(20):
                await other.do(lambda tx, number=number: enqueue_run(tx, chat, str(number), 50))
            await other.do(lambda tx: open_asks(tx, chat, "r_1", [some_ask(1)]))
            await until(lists, 1)
            assert watched.reads <= before + 2

    try:
        with watching(Store.open(DataDir(tmp_path / "here"), postgres_url)) as watched:
            run_async(scenario(watched))
    finally:
        other.close()
