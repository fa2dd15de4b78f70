"""The lock and the watch of an SQLite connection: it reads, and nothing else; what takes too much memory is ended."""

import sqlite3
from collections.abc import Iterator

import pytest

from smoldesk.tables.inside import sqlite_reading
from smoldesk.tables.inside.sqlite_reading import FAULTS, Watch, fetch, lock, plain


@pytest.fixture
def connection() -> Iterator[sqlite3.Connection]:
    created = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    created.execute("CREATE TABLE t(a)")
    created.execute("INSERT INTO t VALUES (1), (2)")
    lock(created)
    yield created
    created.close()


@pytest.mark.parametrize(
    "query",
    [
        "INSERT INTO t VALUES (3)",
        "REPLACE INTO t DEFAULT VALUES",
        "UPDATE t SET a = 1",
        "DELETE FROM t",
        "DROP TABLE t",
        "ALTER TABLE t ADD COLUMN x",
        "CREATE TEMP TABLE x(a)",
        "CREATE TRIGGER x AFTER INSERT ON t BEGIN SELECT 1; END",
        "CREATE VIRTUAL TABLE x USING fts5(a)",
        "WITH x AS (SELECT 1) DELETE FROM t",
        "SELECT 1; DROP TABLE t",
        "BEGIN",
        "PRAGMA query_only = OFF",
        "PRAGMA writable_schema = ON",
        "PRAGMA temp_store_directory = '/tmp'",
    ],
)
def test_nothing_can_be_written(connection: sqlite3.Connection, query: str) -> None:
    with pytest.raises(FAULTS) as caught:
        fetch(connection, query)
    assert "allowed" in plain(caught.value, "")
    assert fetch(connection, "SELECT SUM(a) FROM t")[1] == [[3]]


@pytest.mark.parametrize(
    "query",
    [
        "ATTACH ':memory:' AS other",
        "VACUUM INTO '/tmp/x.db'",
        "SELECT load_extension('x')",
        "SELECT readfile('/etc/passwd')",
        "SELECT zeroblob(1000000000)",
        "SELECT 'a' LIKE '" + "%a" * 150 + "'",
        "SELECT " + "(" * 5000 + "1" + ")" * 5000,
        " UNION ".join(["SELECT 1"] * 200),
    ],
)
def test_no_file_and_nothing_monstrous(connection: sqlite3.Connection, query: str) -> None:
    with pytest.raises(FAULTS):
        fetch(connection, query)


def test_the_database_itself_refuses_writing_even_without_the_authorizer(
    connection: sqlite3.Connection,
) -> None:
    connection.set_authorizer(None)
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        connection.execute("DELETE FROM t")


def test_a_query_that_eats_memory_is_stopped(
    connection: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = iter([100, 150, 250])
    monkeypatch.setattr(sqlite_reading, "_resident", lambda: next(sizes, 250))
    endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT COUNT(*) FROM c"
    with Watch(connection, seconds=60, memory=120) as watch, pytest.raises(sqlite3.OperationalError):
        fetch(connection, endless)
    assert watch.reason == "it needed too much memory"
