"""Runs of all chats, newest first: in pages that join without a gap, and read off an index, on each kind of database."""

from functools import partial
from typing import Any

import pytest
from sqlalchemy import Connection, event, insert, text

from backend.store import chats
from backend.store.run_lists import newest_runs
from backend.store.store import Store
from backend.store.tables import RunRow

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
