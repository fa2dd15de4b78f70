"""Databases that people add, at a real desk over a real PostgreSQL: tested, kept sealed, looked into, queried, removed."""

import io
import logging
import socket
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

import httpx
import openpyxl
import pandas
import pytest
from pydantic import SecretStr
from sqlalchemy import make_url

from smoldesk.chats import source_files
from smoldesk.desk import is_private
from smoldesk.settings import Settings
from smoldesk.tools.databases import AnswerBounds
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.postgres import TestPostgres
from tests.support.scripted_model import ScriptedModel, code
from tests.support.ws_client import WsClient

PASSWORD = "hunter2-%of the@shop"
CODE = """
orders = sql_engine("SELECT count(*) AS n FROM sales.orders", database="shop")
try:
    sql_engine("WITH d AS (DELETE FROM sales.orders RETURNING 1) SELECT 1", database="shop")
except Exception as fault:
    print(fault)
try:
    sql_engine("SELECT sales.boast()", database="shop")
except Exception as fault:
    print(fault)
final_answer(int(orders["n"][0]))
"""


@pytest.fixture(scope="module")
def shop(postgres: TestPostgres) -> Iterator[str]:
    """The address of a database with a table of 250 rows in a schema of its own, and one of a name that needs quotes."""
    filling = (
        "CREATE SCHEMA sales; CREATE TABLE sales.orders (id int, price numeric(8, 2), placed date, paid bool);"
        "INSERT INTO sales.orders SELECT n, n / 4.0, '2024-01-01', n % 2 = 0 FROM generate_series(1, 250) n;"
        'CREATE TABLE "Käufer; DROP" ("e-mail" text, code int8);'
        "CREATE VIEW paid AS SELECT * FROM sales.orders WHERE paid;"
        "CREATE FUNCTION sales.boast() RETURNS int LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'I am %', "
        f"'postgresql://postgres:{PASSWORD}@shop?{quote(PASSWORD)}'; END $$;"
        """INSERT INTO "Käufer; DROP" VALUES ('a@b', 9007199254740993)"""
    )
    with postgres.database(filling) as url:
        yield url


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("sources")


@pytest.fixture(scope="module")
def desk(folder: Path) -> Iterator[LiveDesk]:
    with live_desk(folder, lambda: ScriptedModel([code(CODE)])) as live:
        yield live


def add(desk: LiveDesk, url: str, name: str = "shop", **more: Any) -> httpx.Response:
    return httpx.post(f"{desk.url}/api/sources", json={"name": name, "url": url, **more}, timeout=30)


def get(desk: LiveDesk, direction: str, **query: Any) -> Any:
    answer = httpx.get(f"{desk.url}/api/sources{direction}", params=query, timeout=30)
    assert answer.status_code == 200, answer.text
    return answer.json()


def refused(answer: httpx.Response) -> tuple[int, str]:
    """Status and code; the password is in no refusal."""
    assert "hunter2" not in answer.text
    return answer.status_code, answer.json()["error"]["code"]


@pytest.fixture
def added(desk: LiveDesk, shop: str) -> Iterator[LiveDesk]:
    """The desk, with the shop among its databases."""
    answer = add(desk, shop, password=PASSWORD)
    assert answer.status_code == 201, answer.text
    yield desk
    httpx.delete(f"{desk.url}/api/sources/shop")


def test_a_database_is_added_looked_into_and_removed(added: LiveDesk) -> None:
    (source,) = get(added, "")["sources"]
    assert (source["name"], source["kind"], source["removable"]) == ("shop", "postgresql", True)
    assert source["address"].startswith("postgresql+psycopg://postgres@/test_")
    assert get(added, "/shop/schemas") == {"names": ["public", "sales"], "count": 2}
    assert get(added, "/shop/tables", schema="public")["names"] == ["Käufer; DROP", "paid"]
    assert get(added, "/shop/tables", schema="sales")["names"] == ["orders"]
    columns = get(added, "/shop/columns", schema="sales", table="orders")["columns"]
    assert [(column["name"], column["kind"], column["type"]) for column in columns] == [
        ("id", "number", "INTEGER"),
        ("price", "number", "NUMERIC(8, 2)"),
        ("placed", "date", "DATE"),
        ("paid", "bool", "BOOLEAN"),
    ]
    assert httpx.post(f"{added.url}/api/sources/shop/test").status_code == 204
    assert httpx.delete(f"{added.url}/api/sources/shop").status_code == 204
    assert get(added, "")["sources"] == []
    assert httpx.get(f"{added.url}/api/sources/shop/schemas").status_code == 404


def test_pages_are_sorted_and_cut_by_the_database(added: LiveDesk) -> None:
    def rows(**expected: Any) -> httpx.Response:
        return httpx.post(f"{added.url}/api/sources/shop/rows", json=expected, timeout=30)

    sort = [{"column": "id", "descending": True}]
    page = rows(schema="sales", table="orders", sort=sort, offset=100, limit=100).json()
    assert (page["columns"], page["more"]) == (["id", "price", "placed", "paid"], True)
    assert page["rows"][0] == [150, 37.5, "2024-01-01", True] and len(page["rows"]) == 100
    last = rows(schema="sales", table="orders", sort=sort, offset=200).json()
    assert len(last["rows"]) == 50 and not last["more"]
    assert rows(table="Käufer; DROP").json()["rows"] == [["a@b", "9007199254740993"]], (
        "digits a page would round"
    )
    evil = [{"column": 'id"; DELETE FROM sales.orders; --'}]
    assert refused(rows(schema="sales", table="orders", sort=evil)) == (400, "query_failed")
    assert refused(rows(table="nope")) == (400, "query_failed")
    assert rows(schema="sales", table="orders", limit=1).json()["more"]


def test_rows_are_filtered_and_searched_by_the_database_whatever_stands_in_the_words(added: LiveDesk) -> None:
    def results(search: str = "", *filters: tuple[str, str, Any]) -> Any:
        expected = [{"column": column, "op": op, "value": value} for column, op, value in filters]
        body = {
            "schema": "sales",
            "table": "orders",
            "sort": [{"column": "id"}],
            "filters": expected,
            "search": search,
        }
        answer = httpx.post(f"{added.url}/api/sources/shop/rows", json=body, timeout=30)
        return [row[0] for row in answer.json()["rows"]] if answer.status_code == 200 else refused(answer)

    assert results("", ("id", "le", "3"), ("paid", "eq", "true")) == [2]
    assert results("", ("id", "in", [7, "9", None])) == [7, 9]
    assert results("", ("price", "gt", 62), ("placed", "eq", "2024-01-01"), ("paid", "ne", True)) == [249]
    assert results("", ("placed", "ne", "2024-01-01")) == results("", ("price", "empty", None)) == []
    assert results("62. 2024") == [248, 249, 250]
    evil = "1' OR '1'='1", "%", "\\' OR 1=1 --", "'; DROP TABLE sales.orders; --", "\0%s%(a)s"
    for text in evil:
        assert results(text) == [], text
        assert results("", ("price", "contains", text)) == [], text
        assert results("", ("id", "eq", text)) == (400, "bad_filter")
    assert results("", ("placed", "lt", "soon")) == results("", ("paid", "eq", "1")) == (400, "bad_filter")
    assert results("", ("id", "in", [])) == results("", ("placed", "gt", "9999-12-31")) == (400, "bad_filter")
    assert results("", ('id"; DROP TABLE sales.orders; --', "eq", 1)) == (400, "unknown_column")
    assert len(results()) == 100


def test_a_view_is_downloaded_and_one_that_is_cut_says_so(
    added: LiveDesk, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    def file(form: str, **view: Any) -> httpx.Response:
        body = {"schema": "sales", "table": "orders", "sort": [{"column": "id", "descending": True}], **view}
        return httpx.post(f"{added.url}/api/sources/shop/{form}", json=body, timeout=60)

    some = [{"column": "id", "op": "gt", "value": 248}]
    text = file("csv", filters=some)
    assert text.text.splitlines() == [
        "id,price,placed,paid",
        "250,62.5,2024-01-01,True",
        "249,62.25,2024-01-01,False",
    ]
    assert text.headers["smoldesk-rows"] == "2" and "smoldesk-cut" not in text.headers
    assert 'filename="orders.csv"' in text.headers["content-disposition"]
    parquet = pandas.read_parquet(io.BytesIO(file("parquet").content))
    assert len(parquet) == 250 and [str(dtype) for dtype in parquet.dtypes][:2] == ["int64", "float64"]
    sheet: Any = openpyxl.load_workbook(io.BytesIO(file("xlsx", search="62.25").content)).active
    assert [[cell.value for cell in row][:2] for row in sheet.iter_rows()] == [["id", "price"], [249, 62.25]]
    monkeypatch.setattr(source_files, "BOUNDS", AnswerBounds(rows=100))
    cut = file("csv")
    assert (cut.headers["smoldesk-rows"], cut.headers["smoldesk-cut"]) == ("100", "true")
    assert "orders (first 100 rows).csv" in unquote(cut.headers["content-disposition"])
    assert len(cut.text.splitlines()) == 101
    assert refused(file("csv", filters=[{"column": "nope", "op": "eq", "value": 1}])) == (
        400,
        "unknown_column",
    )
    assert not list((folder / "cache").glob("source-*"))


def test_a_run_reads_it_and_the_password_is_nowhere(
    added: LiveDesk, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with WsClient(added.ws_url) as client:
        chat = client.hello()
        messages = client.ask("How many orders?")
    assert messages[-1]["content"]["text"] == "250" and "only reading is allowed" in str(messages)
    assert "I am postgresql://postgres:***@shop?***" in str(messages), (
        "its server knows the password, and says it"
    )
    prompt = str(added.desk.agents.tool_descriptions()["sql_engine"])
    assert "sales.orders(id, price, placed, paid)" in prompt
    events = httpx.get(f"{added.url}/api/chats/{chat}/events").text
    reports = [str(messages), prompt, events, str(get(added, "")), caplog.text]
    assert not [text for text in reports if "hunter2" in text or "%25of" in text]
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert folder / "sources.key" in files
    assert not [path.name for path in files if b"hunter2" in path.read_bytes()]
    assert stat.S_IMODE((folder / "sources.key").stat().st_mode) == 0o600


def test_a_start_finds_what_was_added_and_another_key_reads_no_password(shop: str, tmp_path: Path) -> None:
    with live_desk(tmp_path) as first:
        assert add(first, shop, password=PASSWORD).status_code == 201
    with live_desk(tmp_path) as again:
        assert get(again, "/shop/schemas")["names"] == ["public", "sales"]
    (tmp_path / "sources.key").unlink()
    with live_desk(tmp_path, sources="settings") as other:
        listing = get(other, "")
        assert not listing["mayAdd"] and "another key" in listing["sources"][0]["problem"]
        assert httpx.get(f"{other.url}/api/sources/shop/schemas").status_code == 404
        assert refused(add(other, shop, "more")) == (403, "refused")
        assert refused(httpx.delete(f"{other.url}/api/sources/shop")) == (403, "refused")


ADDRESSES = [
    ("no address: hunter2", "bad_address"),
    ("sqlite:////etc/passwd", "bad_address"),
    ("duckdb:////tmp/x.db", "bad_address"),
    ("bigquery://project", "bad_address"),
    ("postgresql://reader:hunter2@/shop", "bad_address"),
    ("postgresql://u:hunter2@127.0.0.1/shop?passfile=/etc/passwd", "bad_address"),
    ("postgresql://u:hunter2@127.0.0.1/shop?sslkey=/etc/passwd", "bad_address"),
    ("mysql://u:hunter2@127.0.0.1/shop?plugin=evil", "bad_address"),
    ("mysql://u:hunter2@127.0.0.1/shop?read_default_file=/etc/passwd", "bad_address"),
    ("clickhouse://u:hunter2@127.0.0.1/shop", "driver_missing"),
    ("mysql+nodriver://u:hunter2@127.0.0.1/shop", "driver_missing"),
]


@pytest.mark.parametrize(("url", "code"), ADDRESSES)
def test_an_address_that_a_person_may_not_give_is_refused(desk: LiveDesk, url: str, code: str) -> None:
    assert refused(add(desk, url, readOnlyAccount=True)) == (400, code)
    assert get(desk, "")["sources"] == []


def test_what_fails_at_once_is_said_and_nothing_is_kept(
    desk: LiveDesk, shop: str, postgres: TestPostgres, postgres_of_a_desk: str, free_port: int
) -> None:
    with postgres.asking_for_passwords():
        answer = add(desk, shop, password="hunter2")
    assert refused(answer) == (400, "source_unreachable") and "wrong user or password" in answer.text
    missing = make_url(shop).set(database="nope").render_as_string(hide_password=False)
    assert "there is no such database" in add(desk, missing).json()["error"]["message"]
    closed = add(desk, f"postgresql://u:hunter2@127.0.0.1:{free_port}/shop")
    assert refused(closed) == (400, "source_unreachable") and "nothing listens there" in closed.text
    assert refused(add(desk, postgres_of_a_desk)) == (409, "own_database")
    for name in ("1st", "a b", "x" * 40 + "'", 'q"'):
        assert refused(add(desk, shop, name))[0] in (400, 422)
    assert get(desk, "")["sources"] == []


def test_a_name_is_given_once_whatever_its_case(added: LiveDesk, shop: str) -> None:
    assert refused(add(added, shop, "SHOP")) == (409, "name_taken")


def test_one_that_hangs_is_given_up_in_time(desk: LiveDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk.desk.sources, "_seconds", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        answer = add(desk, f"postgresql://u:hunter2@127.0.0.1:{deaf.getsockname()[1]}/shop")
    assert refused(answer) == (503, "database_unavailable")
    assert "did not answer within 0.3 seconds" in answer.text


@pytest.mark.parametrize(
    ("host", "token", "private"),
    [
        ("127.0.0.1", "", True),
        ("::1", "", True),
        ("0.0.0.0", "", False),
        ("desk.example.org", "", False),
        ("0.0.0.0", "t", True),
    ],
)
def test_strangers_cannot_add_where_they_can_reach_the_desk(host: str, token: str, private: bool) -> None:
    assert is_private(Settings(host=host, token=SecretStr(token))) is private
