"""sql_engine over a real PostgreSQL, as a superuser: the worst account an operator could configure."""

import logging
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import SecretStr
from sqlalchemy import make_url

from smoldesk.errors import BadInput, NotFound
from smoldesk.tools.databases import ConnectedDatabases
from smoldesk.tools.databases.connected import Unavailable
from smoldesk.tools.datasets import Datasets
from smoldesk.tools.sql_engine import SqlEngine
from tests.support.postgres import TestPostgres


@pytest.fixture(scope="module")
def filled(postgres: TestPostgres) -> Iterator[str]:
    """A database with two tables; its URL."""
    filling = (
        "CREATE TABLE orders (id serial PRIMARY KEY, customer text, price numeric, placed date, more jsonb);"
        "INSERT INTO orders (customer, price, placed, more) VALUES"
        " ('Ada', 12.50, '2024-05-01', '{\"a\": [1, null]}'), ('北', NULL, '2024-05-02', NULL);"
        "CREATE TABLE customers (name text)"
    )
    with postgres.database(filling) as url:
        yield url


@pytest.fixture
def shop(filled: str) -> str:
    """The URL of the filled database, of which nothing may change."""
    return filled


def connected(url: str, seconds: float = 5) -> ConnectedDatabases:
    return ConnectedDatabases({"shop": SecretStr(url)}, seconds=seconds)


def test_a_query_reads_through_the_plain_tool(shop: str) -> None:
    engine = SqlEngine(Datasets.bundled(), None, connected(shop))
    rows = engine("SELECT customer, price, placed, more FROM orders ORDER BY id", database="shop")
    assert rows.columns == ["customer", "price", "placed", "more"]
    assert rows.rows == [["Ada", 12.5, "2024-05-01", {"a": [1, None]}], ["北", None, "2024-05-02", None]]
    assert engine("SELECT COUNT(*) FROM titanic").rows == [[891]]


def test_a_number_beyond_those_of_json_is_text(shop: str) -> None:
    query = "SELECT 10::numeric ^ 5000 AS large, -(10::numeric ^ 400) AS small, 10::numeric ^ 20 AS usual"
    [[large, small, usual]] = connected(shop).query("shop", query).rows
    assert usual == 10**20
    assert (large, small) == (f"1{'0' * 5000}", f"-1{'0' * 400}")


def test_the_description_tells_the_tables_and_never_the_address(shop: str) -> None:
    described = SqlEngine(Datasets.bundled(), None, connected(shop)).description
    assert "shop (postgresql): customers(name); orders(id, customer, price, placed, more)" in described
    assert "postgresql://" not in described and "host" not in described


def test_an_unknown_database_is_refused_naming_the_others(shop: str) -> None:
    with pytest.raises(NotFound, match=r"There is no database 'store'\. Databases: shop"):
        connected(shop).query("store", "SELECT 1")
    with pytest.raises(NotFound, match="None is connected"):
        SqlEngine(Datasets.bundled())("SELECT 1", database="store")


def test_a_wrong_query_is_told_the_tables(shop: str) -> None:
    with pytest.raises(BadInput, match=r'column "nope" does not exist.+orders\(id, customer'):
        connected(shop).query("shop", "SELECT nope FROM orders")


ATTACKS = [
    "INSERT INTO orders (customer) VALUES ('x')",
    "UPDATE orders SET price = 0",
    "DELETE FROM orders",
    "DROP TABLE orders",
    "TRUNCATE orders",
    "CREATE TABLE x (a int)",
    "CREATE TEMP TABLE x (a int)",
    "ALTER TABLE orders ADD COLUMN x int",
    "WITH gone AS (DELETE FROM orders RETURNING *) SELECT * FROM gone",
    "SELECT 1; DELETE FROM orders",
    "SELECT 1; COMMIT; BEGIN; DELETE FROM orders; COMMIT",
    "COMMIT",
    "ROLLBACK; BEGIN READ WRITE; DELETE FROM orders; COMMIT",
    "SET TRANSACTION READ WRITE",
    "SET SESSION CHARACTERISTICS AS TRANSACTION READ WRITE",
    "BEGIN READ WRITE",
    "SELECT set_config('transaction_read_only', 'off', false)",
    "SELECT set_config('transaction_read_only', 'off', false) FROM orders, (SELECT nextval('orders_id_seq')) s",
    "SELECT nextval('orders_id_seq')",
    "SELECT lo_create(0)",
    "SELECT * INTO x FROM orders",
    "SELECT * FROM orders FOR UPDATE",
    "COPY orders TO PROGRAM 'cat'",
    "COPY (SELECT 1) TO '/tmp/stolen'",
    "DO $$ BEGIN DELETE FROM orders; END $$",
    "CALL pg_catalog.pg_sleep(1)",
    "EXPLAIN ANALYZE DELETE FROM orders",
    "PREPARE p AS DELETE FROM orders",
    "DECLARE c CURSOR FOR SELECT 1",
    "VACUUM",
    "LOCK TABLE orders",
    "SELECT 1) ; DELETE FROM orders; --",
    "",
    "SELECT '\x00'",
    "SELECT '\ud800'",
]


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_can_be_written_even_by_a_superuser(shop: str, postgres: TestPostgres, attack: str) -> None:
    databases = connected(shop)
    with pytest.raises(BadInput, match="The query failed: "):
        databases.query("shop", attack)
    name = str(make_url(shop).database)
    with postgres.admin(name) as connection:
        assert connection.execute("SELECT count(*), sum(price), max(id) FROM orders").fetchone() == (
            2,
            12.5,
            2,
        )
        tables = connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone()
        assert tables == (2,)
        assert connection.execute("SELECT last_value FROM orders_id_seq").fetchone() == (2,)


def test_what_a_query_sets_in_its_session_ends_with_it(shop: str) -> None:
    databases = connected(shop)
    databases.query("shop", "SELECT set_config('default_transaction_read_only', 'off', false)")
    databases.query("shop", "SELECT set_config('statement_timeout', '0', false)")
    text = "SELECT current_setting('default_transaction_read_only'), current_setting('statement_timeout')"
    assert databases.query("shop", text).rows == [["on", "5s"]]


@pytest.mark.parametrize(
    "query",
    [
        "SELECT pg_sleep(600)",
        "SELECT pg_sleep(600) FROM (SELECT set_config('statement_timeout', '0', false)) s",
        "SELECT count(*) FROM generate_series(1, 1000000) a, generate_series(1, 1000000) b",
    ],
)
def test_a_query_without_end_is_cancelled_at_the_server(
    shop: str, postgres: TestPostgres, query: str
) -> None:
    with pytest.raises(BadInput, match=r"it took (more than 0\.5 seconds|too long)"):
        connected(shop, seconds=0.5).query("shop", query)
    name = str(make_url(shop).database)
    waiting = threading.Event()
    for _ in range(200):  # the server ends the backend a moment after the connection closed
        with postgres.admin() as connection:
            counted = connection.execute(
                "SELECT count(*) FROM pg_stat_activity WHERE datname = %s AND application_name = 'smoldesk'",
                [name],
            ).fetchone()
        if counted == (0,):
            break
        waiting.wait(0.05)
    assert counted == (0,)  # pyright: ignore[reportPossiblyUnboundVariable]


def test_a_long_result_is_streamed_and_cut(shop: str) -> None:
    rows = connected(shop).query(
        "shop", "SELECT n, n AS n FROM generate_series(1, 5000) n, generate_series(1, 5000) m"
    )
    assert (rows.columns, len(rows.rows), rows.truncated) == (["n", "n_2"], 10_000, True)


def test_of_large_rows_few_are_fetched(shop: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import psycopg

    fetched: list[int] = []
    fetch = psycopg.ServerCursor.fetchmany

    def counted(cursor: Any, size: int = 0) -> Any:
        rows = fetch(cursor, size)
        fetched.append(len(rows))
        return rows

    monkeypatch.setattr(psycopg.ServerCursor, "fetchmany", counted)
    wide = "SELECT repeat('x', 100000), repeat('y', 100000) FROM generate_series(1, 2000)"
    rows = connected(shop).query("shop", wide)
    assert rows.truncated and 30 <= len(rows.rows) <= 40
    assert sum(fetched) <= 111, "the server's memory holds what is fetched, not what is kept"


def test_a_database_that_is_gone_is_said_without_its_address(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    secret = "hunter2hunter2"
    databases = connected(f"postgresql+psycopg://reader:{secret}@127.0.0.1:1/shop")
    assert databases.outline().startswith("shop: (cannot be reached now")
    with pytest.raises(Unavailable) as caught:
        databases.query("shop", "SELECT 1")
    text = f"{caught.value} {caught.value.__cause__} {databases.outline()} {caplog.text} {databases!r}"
    assert "cannot be reached now" in text
    assert secret not in text and "reader" not in text and "127.0.0.1" not in text
