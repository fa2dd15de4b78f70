"""Spark as a source: a real Spark Connect server for a person on the page, for `sql_engine`, and for `spark` in cells."""

import threading
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from pydantic import SecretStr

from smoldesk.errors import BadInput
from smoldesk.stopping import StopFlag
from smoldesk.tools.databases import ConnectedDatabases
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.postgres import CannotHave
from tests.support.scripted_model import ScriptedModel, code
from tests.support.spark import TOKEN, SparkServer
from tests.support.waiting import come_true
from tests.support.ws_client import WsClient

pytestmark = [
    pytest.mark.slow,  # a Java, and half a minute until it serves
    pytest.mark.filterwarnings("ignore:The copy keyword is deprecated"),
]

ROWS = 50_000_000
MEGABYTES = 300
ENDLESS = "SELECT count(*) FROM range(0, 1000000000000, 1, 1) WHERE hash(id) = 7"
BIG_GROUPS = f"""
import resource
from pyspark.sql import functions as F

kinds = spark.range({ROWS}).withColumn("kind", F.col("id") % 1000)
table = kinds.groupBy("kind").agg(F.count("*").alias("n")).toPandas()
megabytes = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
final_answer(" ".join(map(str, (table["n"].sum(), len(table), megabytes))))
"""
STOPPED = f"spark.sql({ENDLESS!r}).collect()"
UDF = """
from pyspark.sql.functions import udf

try:
    spark.range(3).select(udf(lambda part: part, "long")("id")).collect()
except RuntimeError as fault:
    final_answer(str(fault))
"""
ERRORS = """
try:
    spark.sql("SELECT * FROM nope").collect()
except Exception as fault:
    final_answer(f"{type(fault).__name__} {fault.getCondition()}")
"""


@pytest.fixture(scope="module")
def spark() -> Iterator[SparkServer]:
    try:
        server = SparkServer()
    except CannotHave as reason:
        pytest.skip(str(reason))
    session = server.session()
    session.sql("CREATE DATABASE sales").collect()
    session.sql(
        "CREATE TABLE sales.orders USING parquet AS SELECT CAST(id AS INT) AS id, CAST(id / 4 AS DECIMAL(8, 2)) AS price,"
        " DATE'2024-01-01' + CAST(id % 40 AS INT) AS placed, id % 2 = 0 AS paid,"
        r" concat('it\'s 100% \\ ', id) AS `e-mail` FROM range(1, 251, 1, 1)"
    ).collect()
    session.stop()
    # The first listing of a new server takes longer than a source may.
    warm = ConnectedDatabases({"lake": SecretStr(f"{server.url}/;token={TOKEN}")}, ["lake"])
    warm.inspect("lake", lambda source: (source.tables(), source.columns("sales", "orders")))
    yield server
    server.remove()


def desk_with(spark: SparkServer, folder: Any, cell: str) -> Any:
    return live_desk(folder, lambda: ScriptedModel([code(cell)]))


def add(desk: LiveDesk, url: str, name: str = "lake", **more: Any) -> httpx.Response:
    return httpx.post(f"{desk.url}/api/sources", json={"name": name, "url": url, **more}, timeout=60)


def add_lake(desk: LiveDesk, spark: SparkServer) -> None:
    added = add(desk, spark.url, password=TOKEN, readOnlyAccount=True)
    assert added.status_code == 201, added.text


def answer_of(desk: LiveDesk) -> Any:
    with WsClient(desk.ws_url) as client:
        client.hello()
        return client.ask("Go")[-1]["content"]["text"]


@pytest.fixture(scope="module")
def desk(spark: SparkServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    with desk_with(spark, tmp_path_factory.mktemp("spark"), BIG_GROUPS) as live:
        add_lake(live, spark)
        yield live


def test_it_is_added_by_its_token_and_looked_into(desk: LiveDesk, spark: SparkServer, free_port: int) -> None:
    for url, text in (
        (f"{spark.url}/;token=hunter2", "wrong user or password"),
        (f"sc://127.0.0.1:{free_port}", "nothing listens there"),
        ("sc://no-such-host.invalid", "there is no such host"),
        ("hive://reader@127.0.0.1/default", "Spark Connect"),
    ):
        answer = add(desk, url, "other", readOnlyAccount=True)
        assert answer.status_code == 400 and text in answer.text and "hunter2" not in answer.text, answer.text

    def get(path: str, **query: Any) -> Any:
        return httpx.get(f"{desk.url}/api/sources/lake/{path}", params=query, timeout=60).json()

    assert get("schemas") == {"names": ["default", "sales"], "count": 2}
    assert get("tables", schema="sales")["names"] == ["orders"]
    columns = get("columns", schema="sales", table="orders")["columns"]
    assert [(column["name"], column["kind"], column["type"]) for column in columns] == [
        ("id", "number", "int"),
        ("price", "number", "decimal(8,2)"),
        ("placed", "date", "date"),
        ("paid", "bool", "boolean"),
        ("e-mail", "text", "string"),
    ]
    assert (
        "no such table" in get("columns", schema="sales", table="o`; DROP TABLE orders")["error"]["message"]
    )


def test_pages_are_sorted_filtered_and_searched_by_spark(desk: LiveDesk) -> None:
    def rows(**expected: Any) -> Any:
        body = {"schema": "sales", "table": "orders", **expected}
        return httpx.post(f"{desk.url}/api/sources/lake/rows", json=body, timeout=120).json()

    page = rows(sort=[{"column": "id", "descending": True}], offset=100, limit=2)
    assert page.get("rows") == [
        [150, 37.5, "2024-01-31", True, r"it's 100% \ 150"],
        [149, 37.25, "2024-01-30", False, r"it's 100% \ 149"],
    ], page
    filters = [
        {"column": "placed", "op": "gt", "value": "2024-02-07"},
        {"column": "price", "op": "lt", "value": 30.5},
        {"column": "paid", "op": "eq", "value": "false"},
    ]
    assert [row[0] for row in rows(sort=[{"column": "id"}], filters=filters)["rows"]] == [39, 79, 119]
    assert [row[0] for row in rows(search=r"100% \ IT'S 239")["rows"]] == [239]
    assert rows(search=r"\' OR 1=1 --")["rows"] == []


def test_a_cell_groups_fifty_million_rows_in_little_memory(desk: LiveDesk) -> None:
    total, groups, megabytes = map(int, answer_of(desk).split())
    assert (total, groups) == (ROWS, 1_000)
    assert megabytes < MEGABYTES


@pytest.mark.parametrize(
    ("cell", "answer"),
    [
        (UDF, "functions of your own (UDF) are not allowed"),
        (ERRORS, "AnalysisException TABLE_OR_VIEW_NOT_FOUND"),
    ],
)
def test_a_cell_gets_errors_as_pyspark_has_them(
    spark: SparkServer, tmp_path: Any, cell: str, answer: str
) -> None:
    with desk_with(spark, tmp_path, cell) as live:
        add_lake(live, spark)
        assert answer in answer_of(live)


def running(spark: SparkServer) -> Any:
    return spark.report("jobs?status=running")


def test_stop_in_a_chat_ends_the_job_and_not_the_next_one(spark: SparkServer, tmp_path: Any) -> None:
    with desk_with(spark, tmp_path, STOPPED) as live:
        add_lake(live, spark)
        with WsClient(live.ws_url) as client:
            client.hello()
            client.say("Go")
            run_id = client.until("run", state="running")["content"]["runId"]
            come_true(lambda: running(spark), 60)
            client.send(type="cancel", runId=run_id)
            come_true(lambda: not running(spark), 10)
    databases = ConnectedDatabases({"lake": SecretStr(f"{spark.url}/;token={TOKEN}")}, ["lake"])
    assert databases.query("lake", "SELECT 1 AS one").rows == [[1]]


def test_a_query_that_is_stopped_or_takes_too_long_ends_at_spark(spark: SparkServer) -> None:
    address = SecretStr(f"{spark.url}/;token={TOKEN}")
    with pytest.raises(BadInput, match=r"it took more than 2\.4 seconds"):
        ConnectedDatabases({"lake": address}, ["lake"], seconds=0.2).query("lake", ENDLESS)
    come_true(lambda: not running(spark))
    stop, report = StopFlag(), list[str]()

    def ask() -> None:
        try:
            ConnectedDatabases({"lake": address}, ["lake"]).query("lake", ENDLESS, stop)
        except BadInput as fault:
            report.append(fault.message)

    asking = threading.Thread(target=ask)
    asking.start()
    come_true(lambda: running(spark), 60)
    stop.set("enough")
    asking.join(10)
    assert report and "it was stopped" in report[0]
    come_true(lambda: not running(spark))


def test_what_is_too_much_is_cut(spark: SparkServer) -> None:
    databases = ConnectedDatabases({"lake": SecretStr(f"{spark.url}/;token={TOKEN}")}, ["lake"])
    result = databases.query("lake", "SELECT id, repeat('x', 5) AS b FROM range(100000) -- all of them")
    assert len(result.rows) == 10_000 and result.truncated
    wide = databases.query("lake", "SELECT id, repeat('x', 200000) AS b FROM range(200)")
    assert wide.truncated and 10 < len(wide.rows) < 100
    assert databases.query("lake", "SHOW TABLES IN sales").rows[0][1] == "orders"
