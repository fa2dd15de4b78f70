"""Files of a Spark server's disk: neither `sql_engine`, a page, nor a cell's session reads them."""

from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pydantic import SecretStr

from smoldesk.errors import DeskError
from smoldesk.tools.databases import ConnectedDatabases, Page
from tests.support.postgres import CannotHave
from tests.support.spark import TOKEN, ConnectServer, SailServer, SparkServer
from tests.tools.test_spark_plans import session_of

pytestmark = pytest.mark.starts

SECRET = "hunter2"
CLASS = "`org.apache.spark.sql.execution.datasources.text.TextFileFormat`"
QUERIES = (
    "SELECT * FROM text.`{}`",
    "SELECT * FROM `TEXT` . `{}`",
    "SELECT * FROM csv/* a */.\n-- b\n`{}`",
    'SELECT * FROM text."{}"',
    f"SELECT * FROM {CLASS}.`{{}}`",
    "DESCRIBE text.`{}`",
    "SELECT from_xml('<a/>', 'a int', map('rowValidationXSDPath', '{}'))",
    "WITH t AS (SELECT * FROM json.`{}`) SELECT * FROM t",
)
PLANS: tuple[Callable[[Any, str], Any], ...] = (
    lambda spark, path: spark.read.text(path).collect(),
    lambda spark, path: spark.read.text(f"file://{path}").collect(),
    lambda spark, path: spark.read.csv(["s3a://bucket/a.csv", path]).collect(),
    lambda spark, path: spark.read.format("json").option("path", path).load().collect(),
    lambda spark, path: spark.read.format("avro").option("avroSchemaUrl", path).load("s3a://b/a").collect(),
    lambda spark, path: spark.read.option("rowValidationXSDPath", path).xml("s3a://b/a", "r").collect(),
    lambda spark, path: spark.read.parquet(f"har://file-localhost{path}").collect(),
    lambda spark, path: spark.read.orc(f"local:{path}").collect(),
    lambda spark, path: spark.read.format("binaryFile").load(path).collect(),
    lambda spark, path: spark.table(f"text.`{path}`").collect(),
    lambda spark, path: spark.sql(f"SELECT * FROM text.`{path}`").collect(),
    lambda spark, path: spark.range(1).selectExpr(f"(SELECT first(value) FROM text.`{path}`)").collect(),
    lambda spark, path: spark.catalog.listColumns(f"csv.`{path}`"),
)


@pytest.fixture(params=[SailServer, pytest.param(SparkServer, marks=pytest.mark.slow)])
def server(request: pytest.FixtureRequest) -> Iterator[ConnectServer]:
    try:
        server = request.param()
    except CannotHave as reason:
        pytest.skip(str(reason))
    yield server
    server.remove()


def databases_of(server: ConnectServer, more: str = "") -> ConnectedDatabases:
    address = SecretStr(f"{server.url}/;token={TOKEN}{more}")
    return ConnectedDatabases({"lake": address}, ["lake"], 30)


def test_no_file_of_the_server_is_read_unless_the_operator_allows_it(
    server: ConnectServer, tmp_path: Path
) -> None:
    path = tmp_path / "secret.txt"
    path.write_text(f"{SECRET}\n")
    databases = databases_of(server)
    answers: list[str] = []

    def attempt(name: object, attack: Callable[[], Any]) -> None:
        try:
            answers.append(f"{name}: {attack()}")
        except Exception as fault:  # a desk's refusal, or PySpark's or Spark's own error
            assert SECRET not in str(fault), name

    for query in QUERIES:
        attempt(query, lambda query=query: databases.query("lake", query.format(path)))
    spark = session_of(SimpleNamespace(url=f"{server.url}/;token={TOKEN}"))
    for number, plan in enumerate(PLANS):
        attempt(number, lambda plan=plan: plan(spark, str(path)))
    attempt("page", lambda: databases.inspect("lake", lambda lake: lake.page(Page("text", str(path)))))
    attempt("columns", lambda: databases.inspect("lake", lambda lake: lake.columns("csv", str(path))))
    assert not answers, "\n".join(answers)
    assert databases.query("lake", "SELECT 1 AS a").rows == [[1]] and spark.range(2).count() == 2
    allowed = databases_of(server, ";file_paths=true")
    assert allowed.query("lake", f"SELECT * FROM text.`{path}`").rows == [[SECRET]]
    with pytest.raises(DeskError, match=r"neither true nor false"):
        databases_of(server, ";file_paths=yes")
