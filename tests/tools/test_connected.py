"""The operator's databases: their names, their addresses, and SQLite files among them."""

import sqlite3
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy
from pydantic import SecretStr
from sqlalchemy import make_url
from sqlalchemy.exc import OperationalError

from smoldesk.errors import BadInput
from smoldesk.settings import Settings
from smoldesk.tools.databases import ConnectedDatabases, Page
from smoldesk.tools.databases.connected import Unavailable
from smoldesk.tools.databases.other import GenericDatabase
from smoldesk.tools.databases.sqlite import Sqlite
from smoldesk.tools.databases.values import QueryFailed, Unreachable


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "stock.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE parts (name TEXT, count INTEGER)")
        connection.execute("INSERT INTO parts VALUES ('bolt', 7), ('nut', NULL)")
    connection.close()
    return path


def connected(address: str, *accounts: str, seconds: float = 5) -> ConnectedDatabases:
    return ConnectedDatabases({"stock": SecretStr(address)}, accounts, seconds)


def test_a_driver_that_fails_with_its_whole_address_is_told_by_its_kind_alone(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = f"sqlite:///{file}?password=hunter2-of-the-shop"
    databases = connected(address)
    monkeypatch.setattr(Sqlite, "query", lambda *_: (_ for _ in ()).throw(RuntimeError(address)))
    with pytest.raises(BadInput, match=r"its driver failed \(RuntimeError\)") as fault:
        databases.query("stock", "SELECT 1")
    assert "hunter2" not in str(fault.value)


def test_a_sqlite_file_is_read_where_it_lies(file: Path) -> None:
    databases = connected(f"sqlite:///{file}")
    assert databases.query("stock", "SELECT name, count FROM parts").rows == [["bolt", 7], ["nut", None]]
    assert databases.outline() == "stock (sqlite): parts(name, count)"


@pytest.mark.parametrize(
    "attack",
    [
        "DELETE FROM parts",
        "INSERT INTO parts VALUES ('x', 1)",
        "DROP TABLE parts",
        "SELECT 1; DELETE FROM parts",
        "WITH x AS (SELECT 1) DELETE FROM parts",
        "ATTACH 'other.db' AS other",
        "PRAGMA writable_schema = ON",
        "PRAGMA query_only = OFF",
        "PRAGMA journal_mode = DELETE",
        "BEGIN IMMEDIATE",
        "VACUUM",
    ],
)
def test_a_sqlite_file_cannot_be_written(file: Path, attack: str) -> None:
    before = file.read_bytes()
    with pytest.raises(
        BadInput, match=r"The query failed: .+ Tables: stock \(sqlite\): parts\(name, count\)"
    ):
        connected(f"sqlite:///{file}").query("stock", attack)
    assert file.read_bytes() == before
    assert [path.name for path in file.parent.iterdir()] == ["stock.db"]


def test_a_query_without_end_is_stopped(file: Path) -> None:
    endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT COUNT(*) FROM c"
    with pytest.raises(BadInput, match=r"it took more than 0\.2 seconds"):
        connected(f"sqlite:///{file}", seconds=0.2).query("stock", endless)


def test_a_file_that_is_gone_is_unavailable_and_is_not_made(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="The database 'stock' cannot be reached now"):
        connected(f"sqlite:///{tmp_path}/gone.db").query("stock", "SELECT 1")
    assert list(tmp_path.iterdir()) == []


def test_another_kind_needs_an_account_that_cannot_write() -> None:
    with pytest.raises(BadInput, match=r"cannot keep mysql from writing.+SMOLDESK_SQL_READ_ONLY_ACCOUNTS"):
        connected("mysql://reader:secret@127.0.0.1/stock")
    assert connected("mysql://reader:secret@127.0.0.1/stock", "stock").names() == ["stock"]


def test_what_sqlalchemy_speaks_to_is_read_and_rolled_back(file: Path) -> None:
    """SQLite stands for the others: it is the one that needs no server."""
    other = GenericDatabase(make_url(f"sqlite:///{file}"))
    assert other.query("SELECT name, count AS name FROM parts") == (
        ["name", "name_2"],
        [["bolt", 7], ["nut", None]],
        False,
    )
    assert other.tables() == [("parts", ["name", "count"])]
    before = file.read_bytes()
    for query, report in [
        ("DELETE FROM parts", "only SELECT"),
        ("SELECT nope", "no such column"),
        ("SELECT 1; SELECT 2", "one statement"),
    ]:
        with pytest.raises(QueryFailed, match=report):
            other.query(query)
    assert file.read_bytes() == before


def test_what_sqlalchemy_speaks_to_is_cut_off_in_time(file: Path) -> None:
    endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT COUNT(*) FROM c"
    with pytest.raises(QueryFailed, match=r"it took more than 0\.2 seconds"):
        GenericDatabase(make_url(f"sqlite:///{file}"), seconds=0.2).query(endless)
    with pytest.raises(Unreachable):
        GenericDatabase(make_url("sqlite:////no/such/folder/file.db")).query("SELECT 1")


def test_what_a_file_holds_is_looked_at_and_paged_by_either_way(file: Path) -> None:
    """The operator's SQLite file, and SQLAlchemy's way, which every other kind goes."""
    page = Page("", "parts", [("name", True)], offset=0, limit=1)
    for database, kinds in (
        (Sqlite(str(file)), ["text", "text"]),
        (GenericDatabase(make_url(f"sqlite:///{file}")), ["text", "number"]),
    ):
        schema = database.schemas()[0]
        assert database.tables_in(schema) == ["parts"]
        columns = database.columns(schema, "parts")
        assert [(column.name, column.kind) for column in columns] == list(
            zip(["name", "count"], kinds, strict=True)
        )
        with pytest.raises(QueryFailed, match="no such table"):
            database.columns(schema, "nope")
        two = database.page(page)[1]
        assert two == [["nut", None], ["bolt", 7]], "one row more than the page has tells that more follow"
        assert database.page(replace(page, offset=1))[1] == [["bolt", 7]]


@pytest.mark.parametrize("address", ["", "no address at all: hunter2", "sqlite://", "sqlite:///:memory:"])
def test_a_wrong_address_is_named_and_not_repeated(address: str) -> None:
    with pytest.raises(BadInput, match=r"[tT]he database 'stock'") as caught:
        connected(address)
    assert "hunter2" not in str(caught.value)


def test_addresses_are_secret_in_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SMOLDESK_SQL_URLS", '{"shop": "postgresql://reader:hunter2@db/shop"}')
    settings = Settings(_env_file=None)  # pyright: ignore[reportCallIssue]
    assert settings.sql_urls["shop"].get_secret_value().endswith("/shop")
    assert "hunter2" not in f"{settings!r} {settings} {settings.model_dump()}"


def test_a_database_that_hangs_holds_nobody_up(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from smoldesk.tools.databases import connected as room

    released = threading.Event()
    monkeypatch.setattr(room, "OUTLINE_SECONDS", 0.05)

    def hang(_: Sqlite) -> list[tuple[str, list[str]]]:
        released.wait(30)
        raise QueryFailed("too late")

    monkeypatch.setattr(Sqlite, "tables", hang)
    databases = connected(f"sqlite:///{file}")
    assert databases.outline() == "stock: (its tables are not known yet)"
    released.set()


def test_queries_that_hang_hold_up_the_next_one_only_for_a_while(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from smoldesk.tools.databases import connected as room

    monkeypatch.setattr(room, "AT_ONCE", 1)
    monkeypatch.setattr(room, "WAIT_SECONDS", 0.05)
    databases = connected(f"sqlite:///{file}")
    started, released = threading.Event(), threading.Event()
    read = Sqlite.query

    def hang(database: Sqlite, query: str, stop: object = None) -> Any:
        started.set()
        released.wait(30)
        return read(database, query, None)

    monkeypatch.setattr(Sqlite, "query", hang)
    hanging = threading.Thread(target=databases.query, args=("stock", "SELECT 1"))
    hanging.start()
    assert started.wait(30)
    with pytest.raises(Unavailable, match="too many queries"):
        databases.query("stock", "SELECT 1")
    released.set()
    hanging.join(30)
    assert databases.query("stock", "SELECT count FROM parts").rows == [[7], [None]]


def test_a_driver_that_says_nothing_is_still_named(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from smoldesk.tools.databases import other

    def mute(*_: object) -> None:
        raise OperationalError("SELECT 1", None, Exception(""))

    monkeypatch.setattr(other, "bounded_result", mute)
    with pytest.raises(QueryFailed, match="Exception"):
        GenericDatabase(make_url(f"sqlite:///{file}")).query("SELECT 1")


def test_a_driver_that_repeats_the_address_does_not_tell_the_password(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from smoldesk.tools.databases import other

    def talkative(*_: object) -> None:
        raise OperationalError(
            "SELECT 1", None, Exception("GET /?user=u&password=hun%40ter2 (hun@ter2) refused")
        )

    monkeypatch.setattr(other, "bounded_result", talkative)
    engine = sqlalchemy.create_engine
    monkeypatch.setattr(sqlalchemy, "create_engine", lambda _, **more: engine(f"sqlite:///{file}", **more))
    database = GenericDatabase(make_url("clickhouse://u:hun%40ter2@127.0.0.1/shop"))
    with pytest.raises(QueryFailed, match=r"GET /\?user=u&password=\*\*\* \(\*\*\*\) refused"):
        database.query("SELECT 1")
