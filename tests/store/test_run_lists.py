"""Runs of all chats, newest first: in pages that join without a gap, and read off an index, on each kind of database."""

from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from sqlalchemy import Connection, event, insert, select, text

from smoldesk.errors import Conflict
from smoldesk.store import chats
from smoldesk.store.event_log import read_events
from smoldesk.store.run_lists import (
    Change,
    RunFilter,
    count_runs,
    last_changed_runs,
    newest_runs,
    run_record,
    run_sent_as,
)
from smoldesk.store.run_options import IdempotencyKey, RunOptions
from smoldesk.store.run_queue import request_cancel, start_once
from smoldesk.store.store import Store
from smoldesk.store.tables import RunRow
from smoldesk.store.transaction import Tx

RUNS = 60


@pytest.fixture
def filled(store: Store) -> Store:
    """Sixty runs of one chat, three in each moment; every other one has failed."""
    chat_id = store.submit(chats.new_chat).result(30).id
    rows = [
        {
            "id": f"r_{number:02}",
            "chat_id": chat_id,
            "position": number,
            "state": "failed" if number % 2 else "finished",
            "message": "",
            "created_at": float(number // 3),
            "changed_at": float((RUNS - number) // 3),
        }
        for number in range(RUNS)
    ]
    store.submit(lambda tx: tx.connection.execute(insert(RunRow), rows)).result(30)
    return store


def test_pages_join_also_within_a_moment(filled: Store) -> None:
    lines: list[str] = []
    last: str | None = None
    while page := filled.read(partial(newest_runs, limit=7, before=last)):
        lines += [run.id for run in page]
        last = lines[-1]
    assert lines == [f"r_{number:02}" for number in reversed(range(RUNS))]
    failed = filled.read(lambda c: newest_runs(c, 3, before="r_31", state="failed"))
    assert [run.id for run in failed] == ["r_29", "r_27", "r_25"]


@pytest.mark.parametrize(
    ("choice", "index"),
    [
        ({}, "ix_run_created_at_id"),
        ({"before": "r_30"}, "ix_run_created_at_id"),
        ({"state": "failed"}, "ix_run_state_created_at_id"),
        ({"before": "r_30", "state": "failed"}, "ix_run_state_created_at_id"),
    ],
)
def test_a_page_is_read_off_an_index_and_sorts_nothing(
    filled: Store, choice: dict[str, Any], index: str
) -> None:
    filled.submit(many_finished).result(30)
    plan = filled.read(lambda connection: plan_of(connection, choice)).lower()
    assert index in plan
    assert "b-tree" not in plan  # SQLite's sorting
    assert "sort" not in plan  # PostgreSQL's


def many_finished(tx: Tx) -> None:
    """Few of many have failed, and the database knows that: else it may take either index, as its own timer has it."""
    chat_id = tx.connection.execute(select(RunRow.chat_id).limit(1)).scalar_one()
    rows = [
        {
            "id": f"s_{number}",
            "chat_id": chat_id,
            "position": RUNS + number,
            "state": "finished",
            "message": "",
            "created_at": float(number),
            "changed_at": float(number),
        }
        for number in range(2000)
    ]
    tx.connection.execute(insert(RunRow), rows)
    tx.connection.execute(text("ANALYZE"))


def plan_of(connection: Connection, choice: dict[str, Any]) -> str:
    """How the database would read the page; a small table tempts PostgreSQL to read it whole, so that is not offered."""
    requests: list[tuple[str, Any]] = []
    event.listen(connection, "before_cursor_execute", lambda *inputs: requests.append((inputs[2], inputs[3])))
    newest_runs(connection, 5, **choice)
    statement, values = requests[-1]
    explain = "EXPLAIN QUERY PLAN " if connection.dialect.name == "sqlite" else "EXPLAIN "
    if connection.dialect.name == "postgresql":
        for direction in ("seqscan", "sort", "bitmapscan"):
            connection.execute(text(f"SET LOCAL enable_{direction} = off"))
    return "\n".join(str(row) for row in connection.exec_driver_sql(explain + statement, values))


def test_pages_by_change_join_also_within_a_moment(filled: Store) -> None:
    lines: list[str] = []
    last: Change | None = None
    run_filter = RunFilter()
    while page := filled.read(partial(last_changed_runs, limit=7, filters=run_filter, before=last)):
        lines += [run.id for run in page]
        last = (page[-1].changed_at, page[-1].id)
    assert len(lines) == len(set(lines)) == RUNS == filled.read(partial(count_runs, filters=run_filter))
    assert lines[0] == "r_00", "the one whose state changed last comes first, however old it is"
    failed = RunFilter(state="failed", since=10.0)
    some = filled.read(partial(last_changed_runs, limit=RUNS, filters=failed))
    assert {run.state for run in some} == {"failed"}
    assert min(run.changed_at for run in some) == 10.0
    assert filled.read(partial(count_runs, filters=failed)) == len(some)


def test_a_message_that_comes_again_is_the_run_it_began(store: Store) -> None:
    chat = store.submit(chats.new_chat).result(30)
    key = IdempotencyKey.of("test", chat.id, "m-1")

    def send(text: str = "go", key: IdempotencyKey = key) -> tuple[str, bool]:
        queued = store.submit(lambda tx: start_once(tx, chat.id, text, 50, RunOptions(), key)).result(30)
        return queued.run_id, queued.existed

    run_id, again = send()
    assert not again
    assert send() == (run_id, True)
    with pytest.raises(Conflict) as refused:
        send("something else")
    assert refused.value.code == "id_taken"
    since = store.read(partial(run_record, run_id=run_id)).created_at
    assert store.read(partial(run_sent_as, key=replace(key, since=since))) is not None
    anew, again = send(key=replace(key, since=since + 1))  # too long ago: the id is the new run's
    assert (anew != run_id, again) == (True, False)
    assert send() == (anew, True)


def test_with_while_open_a_message_asks_anew_once_its_run_is_closed(store: Store) -> None:
    chat = store.submit(chats.new_chat).result(30)
    key = IdempotencyKey.of("test", chat.id, "m-1", while_open=True)

    def send() -> tuple[str, bool]:
        queued = store.submit(lambda tx: start_once(tx, chat.id, "go", 50, RunOptions(), key)).result(30)
        return queued.run_id, queued.existed

    run_id, _ = send()
    assert send() == (run_id, True)
    store.submit(lambda tx: request_cancel(tx, run_id, "no")).result(30)
    assert send()[1] is False


def test_of_many_at_once_one_begins(store: Store) -> None:
    chat_ids = [store.submit(chats.new_chat).result(30).id for _ in range(8)]
    key = IdempotencyKey.of("test", "m-1")
    requests = [
        store.submit(lambda tx, chat_id=chat_id: start_once(tx, chat_id, "go", 50, RunOptions(), key))
        for chat_id in chat_ids
    ]
    answers = [future.result(30) for future in requests]
    assert len({queued.run_id for queued in answers}) == 1
    assert [queued.existed for queued in answers].count(False) == 1


def test_only_what_the_desk_began_for_conversations_is_a_turn_of_one(store: Store) -> None:
    options = RunOptions(metadata={"conversation": {"id": "conv_1"}})
    chat_ids: list[str] = []
    for wire in ("conversations", "a2a"):
        chat = store.submit(chats.new_chat).result(30)
        key = IdempotencyKey.of(wire, "x")
        store.submit(lambda tx, c=chat.id, k=key: start_once(tx, c, "go", 50, options, k)).result(30)
        chat_ids.append(chat.id)
    queued = [store.read(lambda connection, c=c: read_events(connection, c)) for c in chat_ids]
    assert ['"conversation":"conv_1"' in rows[0][3] for rows in queued] == [True, False]
