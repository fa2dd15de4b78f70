"""The one writer outlives whatever its callers do to it."""

import asyncio
import threading
import time
from collections.abc import Callable

import pytest
from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError

from smoldesk.events import Delta, RunFinished, StoredEvent
from smoldesk.store import chats, run_queue, run_rows
from smoldesk.store import writer as writing
from smoldesk.store.asks import deny_open
from smoldesk.store.chat_lists import list_chats
from smoldesk.store.statements import CompiledStatement
from smoldesk.store.store import Store
from smoldesk.store.tables import ChatRow, RunRow
from smoldesk.store.transaction import Tx
from tests.support.aio import run_async
from tests.support.busy_writer import Busy


def titles(store: Store) -> list[str]:
    return sorted(chat.chat.title for chat in store.read(list_chats).chats)


def test_a_request_that_is_given_up_while_it_waits_does_not_end_the_writer(store: Store) -> None:
    async def scenario() -> None:
        busy = Busy(store)
        given_up = asyncio.create_task(store.do(lambda tx: chats.new_chat(tx, "given up")))
        await asyncio.sleep(0.05)
        given_up.cancel()
        await asyncio.gather(given_up, return_exceptions=True)
        busy.let_go()
        await asyncio.wait_for(store.do(lambda tx: chats.new_chat(tx, "next")), 10)

    run_async(scenario())
    assert titles(store) == ["next"]


def test_a_request_that_is_given_up_in_the_middle_is_finished(store: Store) -> None:
    inside, gate = threading.Event(), threading.Event()

    def job(tx: object) -> None:
        inside.set()
        gate.wait(10)
        chats.new_chat(tx, "begun")  # pyright: ignore[reportArgumentType]

    async def scenario() -> None:
        given_up = asyncio.create_task(store.do(job))
        await asyncio.to_thread(inside.wait, 10)
        given_up.cancel()
        await asyncio.gather(given_up, return_exceptions=True)
        gate.set()
        await asyncio.wait_for(store.do(lambda tx: chats.new_chat(tx, "next")), 10)

    run_async(scenario())
    assert titles(store) == ["begun", "next"]


def test_a_follower_whose_loop_is_gone_does_not_end_the_writer(store: Store) -> None:
    chat = store.submit(lambda tx: chats.new_chat(tx)).result(10)

    async def follow() -> None:
        store.followers.add(chat.id, 0)  # and never removed

    run_async(follow())
    store.submit(lambda tx: run_queue.enqueue_run(tx, chat.id, "hello", 5)).result(10)
    assert store.submit(lambda tx: chats.new_chat(tx, "next")).result(10).title == "next"


def test_a_busy_writer_does_not_keep_small_pieces_back(store: Store) -> None:
    """A neverending queue of others' jobs; the piece is written all the same."""
    chat = store.submit(lambda tx: chats.new_chat(tx)).result(10)
    written = threading.Event()
    rounds = 0

    def busy(tx: object) -> None:
        nonlocal rounds
        rounds += 1
        if not written.is_set() and rounds < 20_000:
            written.wait(0.001)
            store.submit(busy)

    def publish(events: list[StoredEvent]) -> None:
        written.set()

    store.listen_commits(publish)
    store.submit(busy)
    store.writer.append_soon(chat.id, "r_1", 0, [Delta(step=1, kind="text", text="hi")], lambda fault: None)
    assert written.wait(15)


def test_a_full_backlog_holds_threads_back_but_never_the_event_loop(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(writing, "BACKLOG", 3)
    chat = store.submit(lambda tx: chats.new_chat(tx)).result(10)
    busy = Busy(store)
    for _ in range(3):
        store.submit(lambda tx: None)
    entered, done = threading.Event(), threading.Event()

    def fast_model() -> None:
        entered.set()
        delta = Delta(step=1, kind="text", text="x" * 2_000)
        store.writer.append_soon(chat.id, "r_1", 0, [delta], lambda fault: None)
        done.set()

    thread = threading.Thread(target=fast_model)
    thread.start()
    assert entered.wait(10)

    async def scenario() -> None:
        created = asyncio.ensure_future(store.do(lambda tx: chats.new_chat(tx, "from the loop")))
        await asyncio.sleep(0.05)  # the loop still turns
        assert not done.is_set()
        busy.let_go()
        assert (await asyncio.wait_for(created, 10)).title == "from the loop"

    run_async(scenario())
    thread.join(10)
    assert done.is_set()


def test_a_connection_that_broke_is_replaced(store: Store) -> None:
    def break_it(tx: Tx) -> None:
        tx.connection.connection.driver_connection.close()  # pyright: ignore[reportOptionalMemberAccess]
        chats.get_chat(tx.connection, "c")

    with pytest.raises(SQLAlchemyError):
        store.submit(break_it).result(30)
    chat = store.submit(chats.new_chat).result(30)
    assert store.read(lambda connection: chats.get_chat(connection, chat.id)).id == chat.id


def test_values_and_constants_are_told_apart(store: Store) -> None:
    chat = store.submit(chats.new_chat).result()
    rename = CompiledStatement(
        update(ChatRow)
        .where(ChatRow.id == bindparam("chat"))
        .values(title=bindparam("name"), owner="me")
        .returning(ChatRow.owner)
    )
    compiled_statement = CompiledStatement(
        select(ChatRow.title, ChatRow.owner).where(ChatRow.id == bindparam("chat"))
    )

    def job(tx: Tx) -> tuple[object, ...]:
        assert rename.value(tx.connection, {"chat": chat.id, "name": "new"}) == "me"
        assert rename.value(tx.connection, {"chat": "nobody", "name": "new"}) is None
        rename.run(tx.connection, {"chat": chat.id, "name": "newer"})
        return compiled_statement.rows(tx.connection, {"chat": chat.id})[0]

    assert store.submit(job).result() == ("newer", "me")


def test_a_fault_of_the_driver_is_one_of_sqlalchemy(store: Store) -> None:
    add = CompiledStatement(
        insert(RunRow), ("id", "chat_id", "position", "state", "message", "created_at", "changed_at")
    )
    row = {"id": "r", "chat_id": "nobody", "position": 1, "state": "queued", "message": ""}
    row |= {"created_at": 0.0, "changed_at": 0.0}
    with pytest.raises(IntegrityError):
        store.submit(lambda tx: add.run_many(tx.connection, [row])).result()
    assert issubclass(IntegrityError, DBAPIError)
    assert store.read(lambda connection: run_rows.chats_with_queue(connection, "me", time.time())) == []


def steps(store: Store, job: Callable[[Tx], object]) -> int:
    """How many hundreds of SQLite's own steps a job needs."""
    counted = [0]

    def count() -> None:
        counted[0] += 1

    def counting(tx: Tx) -> None:
        driver = tx.connection.connection.driver_connection
        driver.set_progress_handler(count, 100)  # pyright: ignore[reportOptionalMemberAccess]
        try:
            job(tx)
        finally:
            driver.set_progress_handler(None, 0)  # pyright: ignore[reportOptionalMemberAccess]

    store.submit(counting).result()
    return counted[0]


def test_a_run_costs_the_same_however_many_its_chat_has_had(sqlite_store: Store) -> None:
    chat = sqlite_store.submit(chats.new_chat).result()

    def one_run(tx: Tx) -> None:
        run_queue.enqueue_run(tx, chat.id, "hello", 10)
        claim = run_queue.claim_next(tx, chat.id, run_queue.Claimant("me", 60))
        assert claim is not None
        deny_open(tx, claim.run.id, "over")
        run_queue.close_run(tx, claim.run, claim.epoch, [RunFinished(text="done")])

    def many_runs(tx: Tx) -> None:
        for _ in range(1_000):
            one_run(tx)

    sqlite_store.submit(one_run).result()
    early = steps(sqlite_store, one_run)
    sqlite_store.submit(many_runs).result()
    assert steps(sqlite_store, one_run) <= early + 5
