"""Statements the driver executes itself: values, constants, faults; and that what they cost does not grow."""

import time
from collections.abc import Callable

import pytest
from sqlalchemy import bindparam, insert, select, update
from sqlalchemy.exc import DBAPIError, IntegrityError

from smoldesk.events import RunFinished
from smoldesk.store import chats, run_queue, run_rows
from smoldesk.store.asks import deny_open
from smoldesk.store.statements import CompiledStatement
from smoldesk.store.store import Store
from smoldesk.store.tables import ChatRow, RunRow
from smoldesk.store.transaction import Tx


def test_values_and_constants_are_told_apart(store: Store) -> None:
    chat = store.submit(chats.new_chat).result()
    rename = CompiledStatement(
        update(ChatRow)
        .where(ChatRow.id == bindparam("chat"))
        .values(title=bindparam("name"), owner="me")
        .returning(ChatRow.owner)
    )
    look = CompiledStatement(select(ChatRow.title, ChatRow.owner).where(ChatRow.id == bindparam("chat")))

    def job(tx: Tx) -> tuple[object, ...]:
        assert rename.value(tx.connection, {"chat": chat.id, "name": "new"}) == "me"
        assert rename.value(tx.connection, {"chat": "nobody", "name": "new"}) is None
        rename.run(tx.connection, {"chat": chat.id, "name": "newer"})
        return look.rows(tx.connection, {"chat": chat.id})[0]

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
        claim = run_queue.claim_next(tx, chat.id, "me", time.time() + 60, None)
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
