"""A distributed engine as a source: a real Spark with two executors behind its Thrift server, for a person and an agent."""

import threading
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from pydantic import SecretStr

from smoldesk.errors import BadInput
from smoldesk.stopping import StopFlag
from smoldesk.tools.databases import ConnectedDatabases, hive
from tests.support.desk_server import LiveDesk, live_desk
from tests.support.postgres import CannotHave
from tests.support.scripted_model import ScriptedModel, code
from tests.support.spark import PASSWORD, TestSpark
from tests.support.waiting import come_true
from tests.support.ws_client import WsClient

pytestmark = pytest.mark.slow  # a Java, and a minute until it serves

ROWS = 100_000_000
GROUPS = (
    "SELECT kind, count(*) AS n, max(id) AS last FROM huge WHERE id % 100 = 7 GROUP BY kind ORDER BY kind"
)
ENDLESS = "SELECT count(*) FROM range(0, 1000000000000, 1, 1) WHERE hash(id) = 7"
CODE = f"""
groups = sql_engine({GROUPS!r}, database="lake")
print(groups)
final_answer(int(groups["n"].sum()))
"""
ATTACKS = (
    "INSERT INTO sales.kept VALUES (1)",
    "WITH x AS (SELECT 1 AS id) INSERT INTO sales.kept SELECT * FROM x",
    "FROM sales.orders INSERT INTO sales.kept SELECT id",
    "CREATE TABLE evil AS SELECT 1 AS a",
    "SELECT 1; DROP TABLE sales.kept",
    "SELECT 1) AS q LIMIT 1; DROP TABLE sales.kept --",
    "/* SELECT */ DROP TABLE sales.kept",
    "SET spark.sql.shuffle.partitions = 1",
    "TRUNCATE TABLE sales.kept",
    "BEGIN DROP TABLE sales.kept; END",
    "SELECT reflect('java.lang.System', 'exit', 1)",
    "SELECT `REFLECT`('java.lang.System', 'exit', 1)",
    "SELECT IDENTIFIER('ref' || 'lect')('java.lang.System', 'exit', 1)",
    "SELECT TRANSFORM(id) USING 'touch evil' AS a FROM sales.orders",
    "SELECT TRANSFORM(id) U\u017fING 'touch evil' AS a FROM sales.orders",
    "SELECT TRANSFORM(id) US\u0131NG 'touch evil' AS a FROM sales.orders",
)


@pytest.fixture(scope="module")
def spark() -> Iterator[TestSpark]:
    try:
        server = TestSpark()
    except CannotHave as reason:
        pytest.skip(str(reason))
    server.execute(
        f"CREATE VIEW huge AS SELECT id, id % 3 AS kind, CAST(id AS STRING) AS name FROM range({ROWS})",
        "CREATE DATABASE sales",
        "CREATE TABLE sales.kept (id INT) USING parquet",
        "CREATE VIEW sales.orders AS SELECT CAST(id AS INT) AS id, CAST(id / 4 AS DECIMAL(8, 2)) AS price,"
        " DATE'2024-01-01' + CAST(id % 40 AS INT) AS placed, id % 2 = 0 AS paid,"
        r" concat('it\'s 100% \\ ', id) AS `e-mail` FROM range(1, 251, 1, 1)",
    )
    yield server
    server.remove()


@pytest.fixture(scope="module")
def desk(spark: TestSpark, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveDesk]:
    """A desk to which Spark was added."""
    with live_desk(tmp_path_factory.mktemp("spark"), lambda: ScriptedModel([code(CODE)])) as live:
        assert add(live, spark.url("")).json()["error"]["code"] == "account_may_write"
        added = add(live, spark.url(""), password=PASSWORD, readOnlyAccount=True)
        assert added.status_code == 201, added.text
        yield live


def add(desk: LiveDesk, url: str, name: str = "lake", **more: Any) -> httpx.Response:
    return httpx.post(f"{desk.url}/api/sources", json={"name": name, "url": url, **more}, timeout=60)


def get(desk: LiveDesk, direction: str, **query: Any) -> Any:
    return httpx.get(f"{desk.url}/api/sources/lake/{direction}", params=query, timeout=60).json()


def rows(desk: LiveDesk, **expected: Any) -> Any:
    expected = {"schema": "sales", "table": "orders", **expected}
    return httpx.post(f"{desk.url}/api/sources/lake/rows", json=expected, timeout=120).json()


def test_it_is_added_by_its_password_and_looked_into(
    desk: LiveDesk, spark: TestSpark, free_port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    report = {"readOnlyAccount": True}
    for url, text in (
        (spark.url("hunter2"), "wrong user or password"),
        (spark.url(database="nope"), "there is no such database"),
        (f"hive://reader@127.0.0.1:{free_port}/default", "nothing listens there"),
        ("hive://reader@no-such-host.invalid/default", "there is no such host"),
        ("hive://reader@127.0.0.1/default?auth=KERBEROS", "cannot be chosen"),
    ):
        answer = add(desk, url, "other", **report)
        assert answer.status_code == 400 and text in answer.text and "hunter2" not in answer.text, answer.text
    monkeypatch.setattr(
        hive, "SESSION", {"hive.conf.restricted.list": "x"}
    )  # what a server does not let be set
    assert get(desk, "schemas") == {"names": ["default", "sales"], "count": 2}
    assert get(desk, "tables", schema="default")["names"] == ["huge"]
    columns = get(desk, "columns", schema="sales", table="orders")["columns"]
    assert [(column["name"], column["kind"], column["type"]) for column in columns] == [
        ("id", "number", "int"),
        ("price", "number", "decimal(8,2)"),
        ("placed", "date", "date"),
        ("paid", "bool", "boolean"),
        ("e-mail", "text", "string"),
    ]
    missing = get(desk, "columns", schema="sales", table="o`; DROP TABLE orders")
    assert "no such table" in missing["error"]["message"]


def test_pages_are_sorted_filtered_and_searched_by_spark(desk: LiveDesk) -> None:
    page = rows(desk, sort=[{"column": "id", "descending": True}], offset=100, limit=2)
    assert page["rows"] == [
        [150, 37.5, "2024-01-31", True, r"it's 100% \ 150"],
        [149, 37.25, "2024-01-30", False, r"it's 100% \ 149"],
    ]
    assert page["more"]

    def results(search: str = "", **filters: tuple[str, Any]) -> list[int]:
        expected = [
            {"column": key.replace("_", "-"), "op": op, "value": value}
            for key, (op, value) in filters.items()
        ]
        return [
            row[0] for row in rows(desk, sort=[{"column": "id"}], search=search, filters=expected)["rows"]
        ]

    assert results(placed=("gt", "2024-02-07"), price=("lt", 30.5), paid=("eq", "false")) == [39, 79, 119]
    assert results(r"100% \ IT'S 239", e_mail=("eq", r"it's 100% \ 239")) == [239]
    assert results(r"\' OR 1=1 --") == results("_") == []


def test_an_agent_groups_what_is_larger_than_could_come_here(desk: LiveDesk, spark: TestSpark) -> None:
    with WsClient(desk.ws_url) as client:
        client.hello()
        messages = client.ask("How many of each kind?")
    assert messages[-1]["content"]["text"] == str(ROWS // 100), messages[-1]
    ran = next(
        item for item in reversed(spark.told("sql?details=true&length=100")) if GROUPS in item["description"]
    )
    plan = ran["planDescription"]
    assert ran["status"] == "COMPLETED" and "HashAggregate" in plan and f"Range (0, {ROWS}, step=1)" in plan
    counted = {
        (node["nodeName"], metric["name"]): metric["value"]
        for node in ran["nodes"]
        for metric in node["metrics"]
    }
    assert counted["Range", "number of output rows"] == f"{ROWS:,}"
    stages = [item for item in spark.told("stages") if item["stageId"] in _stages(spark, ran)]
    assert (
        len({item["executorLogs"]["stdout"] for item in spark.told("executors") if item["totalTasks"]}) == 2
    )
    assert sum(stage["resultSize"] for stage in stages) < 20_000, "a few rows left the executors"


def _stages(spark: TestSpark, ran: Any) -> set[int]:
    jobs = [item for item in spark.told("jobs") if item["jobId"] in ran["successJobIds"]]
    return {stage for job in jobs for stage in job["stageIds"]}


def test_what_is_too_much_is_cut_by_spark(spark: TestSpark) -> None:
    databases = ConnectedDatabases({"lake": SecretStr(spark.url())}, ["lake"])
    result = databases.query("lake", "SELECT id, repeat('x', 5) FROM huge -- all of them")
    assert len(result.rows) == 10_000 and result.truncated
    wide = databases.query("lake", "SELECT id, repeat('x', 200000) FROM huge WHERE id < 200")
    assert wide.truncated and 10 < len(wide.rows) < 100


def test_a_query_that_is_stopped_or_takes_too_long_ends_at_spark(spark: TestSpark) -> None:
    def running() -> Any:
        return spark.told("jobs?status=running")

    databases = ConnectedDatabases({"lake": SecretStr(spark.url())}, ["lake"], seconds=1 / 12)
    with pytest.raises(BadInput, match="it took more than 1 seconds"):
        databases.query("lake", ENDLESS)
    come_true(lambda: not running())
    patient = ConnectedDatabases({"lake": SecretStr(spark.url())}, ["lake"])
    stop, report = StopFlag(), []

    def ask() -> None:
        try:
            patient.query("lake", ENDLESS, stop)
        except BadInput as fault:
            report.append(fault.message)

    asking = threading.Thread(target=ask)
    asking.start()
    come_true(running)
    stop.set("enough")
    asking.join(30)
    assert report and "it was stopped" in report[0]
    come_true(lambda: not running())
    killed = [item for item in spark.told("sql") if "1000000000000" in item["description"]]
    assert len(killed) == 2 and {item["status"] for item in killed} == {"FAILED"}


def test_nothing_is_written_and_no_code_run(desk: LiveDesk, spark: TestSpark) -> None:
    databases = ConnectedDatabases({"lake": SecretStr(spark.url())}, ["lake"])
    for attack in ATTACKS:
        with pytest.raises(BadInput, match="The query failed"):
            databases.query("lake", attack)
    runs_code = "orders` AS o CROSS JOIN (SELECT reflect('java.lang.Math', 'abs', 1)) AS `x"
    for evil in ("orders`; DROP TABLE sales.kept; --", "orders` SELECT 1", runs_code):
        assert rows(desk, table=evil)["error"]["code"] == "query_failed"
    assert rows(desk, sort=[{"column": "id`; DROP TABLE sales.kept"}])["error"]["code"] == "query_failed"
    assert databases.query("lake", "SELECT count(*) FROM sales.kept").rows == [[0]]
    assert get(desk, "tables", schema="sales")["names"] == ["kept", "orders"]
    assert get(desk, "tables", schema="default")["names"] == ["huge"]
    assert not list(spark.folder.rglob("evil*"))
