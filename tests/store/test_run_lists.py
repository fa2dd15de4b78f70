"""Runs of all chats, newest first: in pages that join without a gap, and read off an index, on each kind of database."""

from functools import partial
from typing import Any

import pytest
from sqlalchemy import Connection, event, insert, text

from smoldesk.store import chats
from smoldesk.store.run_lists import (
    Change,
    Wanted,
    count_runs,
    last_changed_runs,
    newest_run_with,
    newest_runs,
)
from smoldesk.store.run_options import RunOptions
from smoldesk.store.run_queue import enqueue_run
from smoldesk.store.store import Store
from smoldesk.store.tables import RunRow

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
    seen: list[str] = []
    last: str | None = None
    while page := filled.read(partial(newest_runs, limit=7, before=last)):
        seen += [run.id for run in page]
        last = seen[-1]
    assert seen == [f"r_{number:02}" for number in reversed(range(RUNS))]
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
    plan = filled.read(lambda connection: plan_of(connection, choice)).lower()
    assert index in plan
    assert "b-tree" not in plan  # SQLite's sorting
    assert "sort" not in plan  # PostgreSQL's


def plan_of(connection: Connection, choice: dict[str, Any]) -> str:
    """How the database would read the page; a small table tempts PostgreSQL to read it whole, so that is not offered."""
    asked: list[tuple[str, Any]] = []
    event.listen(connection, "before_cursor_execute", lambda *given: asked.append((given[2], given[3])))
    newest_runs(connection, 5, **choice)
    statement, values = asked[-1]
    explain = "EXPLAIN QUERY PLAN " if connection.dialect.name == "sqlite" else "EXPLAIN "
    if connection.dialect.name == "postgresql":
        for way in ("seqscan", "sort", "bitmapscan"):
            connection.execute(text(f"SET LOCAL enable_{way} = off"))
    return "\n".join(str(row) for row in connection.exec_driver_sql(explain + statement, values))


def test_pages_by_change_join_also_within_a_moment(filled: Store) -> None:
    seen: list[str] = []
    last: Change | None = None
    wanted = Wanted()
    while page := filled.read(partial(last_changed_runs, limit=7, wanted=wanted, before=last)):
        seen += [run.id for run in page]
        last = (page[-1].changed_at, page[-1].id)
    assert len(seen) == len(set(seen)) == RUNS == filled.read(partial(count_runs, wanted=wanted))
    assert seen[0] == "r_00", "the one whose state changed last comes first, however old it is"
    failed = Wanted(state="failed", since=10.0)
    some = filled.read(partial(last_changed_runs, limit=RUNS, wanted=failed))
    assert {run.state for run in some} == {"failed"}
    assert min(run.changed_at for run in some) == 10.0
    assert filled.read(partial(count_runs, wanted=failed)) == len(some)


def test_a_run_is_found_by_what_its_options_hold(store: Store) -> None:
    chat = store.submit(chats.new_chat).result(30)
    options = RunOptions(metadata={"a2a/key": "k%1"})
    run = store.submit(lambda tx: enqueue_run(tx, chat.id, "go", 50, options)).result(30)
    found = store.read(partial(newest_run_with, mark='"a2a/key":"k%1"', since=0.0))
    assert found is not None and found.id == run.id
    assert store.read(partial(newest_run_with, mark='"a2a/key":"kx1"', since=0.0)) is None
    assert store.read(partial(newest_run_with, mark='"a2a/key":"k%1"', since=found.created_at + 1)) is None
