"""Plans of PySpark sessions: what only reads reaches the server as it was checked; everything else is refused."""

from collections.abc import Callable, Iterator
from typing import Any

import pandas as pd
import pyspark.sql.connect.proto as proto
import pytest
from pydantic import SecretStr

from smoldesk.errors import BadInput
from smoldesk.stopping import StopFlag
from smoldesk.tables.results import to_frame
from smoldesk.tools.databases import ConnectedDatabases, QueryFailed
from smoldesk.tools.databases.spark.inside import cell_session
from smoldesk.tools.databases.spark.message_rules import MESSAGES
from smoldesk.tools.databases.spark.plan_check import MAX_REQUEST, checked_request
from smoldesk.tools.databases.spark.sql_text import check_query
from smoldesk.tools.databases.spark.wire import field, first, text
from smoldesk.tools.spark_requests import SparkRequest
from tests.support.spark_connect import ConnectServer, batch, connect_server, progress

# PySpark's client 4.2 over pandas 3
pytestmark = pytest.mark.filterwarnings("ignore:The copy keyword is deprecated")


class Context:
    """The context of a call in a chat."""

    def __init__(self, chat_id: str = "c_1") -> None:
        self.chat_id, self.call_id, self.stop = chat_id, "r_1.1", StopFlag()
        self.shares: list[float | None] = []

    def report_progress(self, agent: str, state: str, share: float | None = None) -> None:
        self.shares.append(share)


class Cells:
    """A cell's line to the tool, without a child."""

    def __init__(self, tool: SparkRequest, context: Context) -> None:
        self.tool, self.context = tool, context

    def call(self, _tool: str, arguments: dict[str, Any]) -> Any:
        return to_frame(self.tool.run_in_context(self.context, arguments))["value"]  # pyright: ignore[reportArgumentType]


def session_of(server: Any, context: Context | None = None) -> Any:
    databases = ConnectedDatabases({"lake": SecretStr(server.url)}, ["lake"])
    cells: Any = Cells(SparkRequest(databases), context or Context())
    return cell_session._Sessions(cells).open()  # noqa: SLF001


@pytest.fixture(scope="module")
def server() -> Iterator[ConnectServer]:
    with connect_server(lambda _: iter([progress(1, 4), batch([{"id": 1}, {"id": 2}])])) as running:
        yield running


def udf_of(kind: str) -> Any:
    from pyspark.sql import functions

    spark: Any = functions
    return (
        spark.pandas_udf(lambda part: part, "long")
        if kind == "pandas"
        else spark.udf(lambda part: part, "long")
    )


def register_java(spark: Any) -> None:
    spark.udf.registerJavaFunction("evil", "java.lang.Runtime", "long")


def table_function() -> Any:
    from pyspark.sql.functions import udtf

    class Rows:
        def eval(self, number: int) -> Any:
            yield (number,)

    return udtf(Rows, returnType="n: int")  # pyright: ignore[reportCallIssue]


def call_table_function(_: Any) -> None:
    from pyspark.sql.functions import lit

    table_function()(lit(1)).collect()


def data_source(spark: Any) -> None:
    from pyspark.sql.datasource import DataSource

    spark.dataSource.register(DataSource)


def call_reflect(spark: Any) -> None:
    from pyspark.sql import functions as F

    spark.range(3).select(F.reflect(F.lit("java.lang.System"), F.lit("exit"), F.lit("1"))).collect()


def schema_with_class(spark: Any) -> None:
    column = '{"name": "a", "type": {"type": "udt", "class": "evil.Class"}, "nullable": true, "metadata": {}}'
    schema = f'{{"type": "struct", "fields": [{column}]}}'
    spark.read.schema(schema).parquet("/data").collect()


def struct_as_parameter(spark: Any) -> None:
    from pyspark.sql import functions as F

    name = "a', reflect('java.lang.System', 'getProperty', 'user.dir'), 'b"
    spark.sql("SELECT :it", args={"it": F.named_struct(F.lit(name), F.lit(1))}).collect()


def frame(spark: Any) -> Any:
    return spark.range(3)


HOSTILE: dict[str, Callable[[Any], Any]] = {
    "write": lambda spark: frame(spark).write.parquet("/tmp/evil"),
    "write into a table": lambda spark: frame(spark).write.saveAsTable("evil"),
    "insert": lambda spark: frame(spark).write.insertInto("evil"),
    "write by catalog": lambda spark: frame(spark).writeTo("evil").create(),
    "merge": lambda spark: (
        frame(spark).mergeInto("evil", frame(spark).id == 1).whenMatched().delete().merge()
    ),
    "view": lambda spark: frame(spark).createOrReplaceTempView("evil"),
    "global view": lambda spark: frame(spark).createGlobalTempView("evil"),
    "checkpoint": lambda spark: frame(spark).checkpoint(),
    "stream": lambda spark: spark.readStream.format("rate").load().writeStream.format("noop").start(),
    "python udf": lambda spark: frame(spark).select(udf_of("row")("id")).collect(),
    "pandas udf": lambda spark: frame(spark).select(udf_of("pandas")("id")).collect(),
    "registered udf": lambda spark: spark.udf.register("evil", lambda part: part),
    "java udf": register_java,
    "udtf": call_table_function,
    "registered udtf": lambda spark: spark.udtf.register("evil", table_function()),
    "map in pandas": lambda spark: frame(spark).mapInPandas(lambda parts: parts, "id long").collect(),
    "map in arrow": lambda spark: frame(spark).mapInArrow(lambda parts: parts, "id long").collect(),
    "groups": lambda spark: frame(spark).groupBy("id").applyInPandas(lambda part: part, "id long").collect(),
    "cogroups": lambda spark: (
        frame(spark)
        .groupBy("id")
        .cogroup(frame(spark).groupBy("id"))
        .applyInPandas(lambda one, two: one, "id long")
        .collect()
    ),
    "data source": data_source,
    "jdbc": lambda spark: spark.read.format("jdbc").option("url", "jdbc:evil").load().collect(),
    "class as format": lambda spark: spark.read.format("org.evil.Source").load().collect(),
    "hadoop option": lambda spark: (
        spark.read.option("parquet.crypto.factory.class", "evil").parquet("/x").collect()
    ),
    "artifact": lambda spark: spark.addArtifacts(__file__, pyfile=True),
    "drop in sql": lambda spark: spark.sql("DROP TABLE kept").collect(),
    "drop after a query": lambda spark: spark.sql("/* SELECT */ INSERT INTO kept SELECT 1").collect(),
    "set in sql": lambda spark: spark.sql("SET spark.sql.shuffle.partitions = 1").collect(),
    "environment in sql": lambda spark: spark.sql("SELECT '${env:AWS_SECRET_ACCESS_KEY}'").collect(),
    "environment in an expression": lambda spark: frame(spark).selectExpr("'${system:user.home}'").collect(),
    "reflect": call_reflect,
    "reflect in an expression": lambda spark: frame(spark).selectExpr("reflect('a', 'b')").collect(),
    "java_method by name": lambda spark: (
        frame(spark)
        .select(__import__("pyspark.sql.functions", fromlist=["x"]).call_function("JAVA_METHOD", "id"))
        .collect()
    ),
    "struct as parameter": struct_as_parameter,
    "class in a schema": schema_with_class,
    "cache": lambda spark: frame(spark).cache(),
    "drop by catalog": lambda spark: spark.catalog.dropTempView("evil"),
    "create by catalog": lambda spark: spark.catalog.createTable("evil", "/data"),
    "secret setting": lambda spark: spark.conf.get("spark.connect.authenticate.token"),
    "secret of a catalog": lambda spark: spark.conf.get("spark.sql.catalog.lake.credential"),
    "all settings": lambda spark: spark.conf.getAll,
    "setting": lambda spark: spark.conf.set("spark.sql.warehouse.dir", "/tmp/evil"),
    "interrupt all": lambda spark: spark.interruptAll(),
    "kept session": lambda spark: spark.client.release_session(),
    "large local table": lambda spark: spark.createDataFrame(
        pd.DataFrame({"a": ["x" * 5_000_000]})
    ).collect(),
}


def test_hostile_plans_of_a_real_client_never_reach_the_server(server: ConnectServer) -> None:
    spark = session_of(server)
    passed: list[str] = []
    for name, attack in HOSTILE.items():
        before = len(server.plans())
        try:
            attack(spark)
        except (BadInput, RuntimeError) as fault:
            if "not allowed" in str(fault) or "Spark was not asked" in str(fault):
                continue
            passed.append(f"{name}: {fault!r}")
        except Exception as fault:  # PySpark's own class, for a refused part of a longer work
            if len(server.plans()) > before or "Spark was not asked" not in repr(fault):
                passed.append(f"{name}: {fault!r}")
        else:
            passed.append(name)
    assert not passed, "\n".join(passed)


def test_reading_plans_reach_the_server_with_the_session_of_their_chat(server: ConnectServer) -> None:
    from pyspark.sql import functions as F

    context = Context()
    spark = session_of(server, context)
    table = (
        spark.range(5).withColumn("kind", F.col("id") % 2).filter("id > 1").groupBy("kind").agg(F.sum("id"))
    )
    assert [row.id for row in table.collect()] == [1, 2]
    assert context.shares == [0.25]
    sql = spark.sql("SELECT * FROM {numbers} WHERE id < :top", args={"top": 3}, numbers=spark.range(9))
    assert list(sql.toPandas()["id"]) == [1, 2]
    spark.sql("SELECT :days[0], :one", args={"days": F.array(F.lit(1), F.lit("b")), "one": None}).collect()
    sent = proto.ExecutePlanRequest.FromString(server.plans()[-1])
    assert sent.session_id != spark.session_id and sent.operation_id
    other = session_of(server, Context("c_2"))
    other.client._session_id = spark.client._session_id  # noqa: SLF001  (another chat that knows the id)
    other.range(1).collect()
    assert proto.ExecutePlanRequest.FromString(server.plans()[-1]).session_id != sent.session_id


def test_an_answer_comes_in_pieces_and_ends_at_its_limits() -> None:
    rows = pd.DataFrame({"text": ["x" * 1_000] * 3_000})
    import pyarrow

    part = batch(pyarrow.Table.from_pandas(rows))
    with connect_server(lambda _: iter([part] * 4)) as server:
        assert len(session_of(server).range(1).toPandas()) == 12_000
    too_many = batch([{"id": 1}], count=1_000_001)
    metrics = field(4, bytes(9_000_000))  # no rows, but bytes
    for answer in ([too_many], [metrics] * 8):
        with connect_server(lambda _, answer=answer: iter(answer)) as server:
            with pytest.raises(
                BadInput, match=r"more than 1,000,000 rows or 64 MB: group, filter or limit it in Spark"
            ):
                session_of(server).range(1).collect()
            assert len(server.interrupted) == 1


@pytest.mark.parametrize(
    ("request_bytes", "reason"),
    [
        (field(3, field(1, field(999, b""))), "field 999 of Relation"),
        (field(3, field(3, b"\x0a\x00")), "field 3 of Plan"),  # compressed
        (field(3, b"\x0a\x05"), "longer than its message"),
        (field(3, field(1, 5)), "is a number"),
        (b"\x1b\x1c", "wire type 3"),
        (b"\x9a\x80\x80\x80\x80\x00\x00", "a number is too long"),  # Java reads this tag as another one
        (b"\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", "a number is too large"),
        (field(3, field(1, field(10, field(1, b"\xff\xfe")))), "not UTF-8"),
        (bytes(MAX_REQUEST + 1), "at most 4,000,000"),
        (bytes(10_000_000), "10,000,000 bytes"),
        (field(3, field(1, field(11, b"\x0a\x00" * 60_000))), "more than 100,000 parts"),
        (field(3, field(1, field(15, b"\x08\x01" * 60_000))), "more than 100,000 parts"),
    ],
)
def test_a_request_that_is_no_plan_is_refused_in_words(request_bytes: bytes, reason: str) -> None:
    if reason.startswith("more than"):
        request_bytes *= 2
    with pytest.raises(QueryFailed, match=reason):
        checked_request("ExecutePlan", request_bytes)


def test_a_deep_plan_is_refused() -> None:
    relation = field(15, field(2, 9))
    for _ in range(500):
        relation = field(8, field(1, relation) + field(2, 1))
    with pytest.raises(QueryFailed, match="deeper than 400"):
        checked_request("ExecutePlan", field(3, field(1, relation)))


@pytest.mark.parametrize(
    "query",
    [
        "SELECT 1",
        "WITH a AS (SELECT 1) SELECT * FROM a -- all",
        "SELECT * FROM a JOIN b USING (id)",
        "SELECT * FROM notes WHERE text LIKE '%using%' OR text = 'with (x)' OR text = 'identifier'",
        "TABLE sales.orders;",
        "FROM a SELECT b",
    ],
)
def test_queries_pass_in_parentheses(query: str) -> None:
    assert check_query(query) == f"SELECT * FROM (\n{query.rstrip(';')}\n)"


@pytest.mark.parametrize(
    "listing", ["SHOW TABLES", "show tables in `a b`.c", "DESCRIBE TABLE x", "SHOW SCHEMAS"]
)
def test_listings_pass_as_they_are(listing: str) -> None:
    assert check_query(listing) == listing


@pytest.mark.parametrize(
    "query",
    [
        "INSERT INTO kept VALUES (1)",
        "SHOW CREATE TABLE kept; DROP TABLE kept",
        "DESCRIBE QUERY SELECT reflect('a', 'b')",
        "BEGIN DROP TABLE kept; END",
        "SELECT IDENTIFIER('ref' || 'lect')('java.lang.System', 'exit', 1)",
        "SELECT `REFLECT`('java.lang.System', 'exit', 1)",
        "SELECT TRANSFORM(id) U\u017fING 'touch evil' AS a FROM t",
        "SELECT /* ' */ reflect('a') /* ' */",
        'SELECT "\'", reflect("a"), "\'"',
        "SELECT -- '\n reflect('a') -- '",
        "SELECT -- '\r reflect('a') -- '\n 1",  # to Spark, a line ends there, too
        "SELECT `'` , reflect(`a`), `'`",
        "SELECT '\\'', reflect('a'), '\\''",
        "SELECT * FROM t WITH (`parquet.crypto.factory.class` = 'evil')",
        "SELECT * FROM t WITH/**/('a' = 'evil')",
    ],
)
def test_sql_that_may_run_code_is_refused(query: str) -> None:
    with pytest.raises(QueryFailed):
        check_query(query)


PARAMETERS = {
    "Parameter": "Expression.Literal",
    "ParameterType": "DataType",
    "ParameterExpression": "Expression",
    "ParameterCollection": "Expression.UnresolvedFunction",
}


def test_the_allow_list_has_the_names_and_numbers_of_the_client() -> None:
    names = {"Setting": "KeyValue", "Default": "KeyValue", **PARAMETERS}
    for message, rules in MESSAGES.items():
        type_: Any = proto
        for part in names.get(message, message).split("."):
            type_ = getattr(type_, part)
        by_number = {item.number: item for item in type_.DESCRIPTOR.fields}
        for number, (name, kind) in rules.items():
            known = by_number[number]
            assert (message, known.name) == (message, name)
            inner = known.message_type
            if kind in MESSAGES:
                full = names.get(kind, kind)
                assert inner is not None and inner.full_name == f"spark.connect.{full}", (message, name)
            elif kind.startswith("flat"):
                assert inner is not None and [item.number for item in inner.fields] == [
                    *range(1, int(kind[4:]) + 1)
                ]
                assert all(item.message_type is None for item in inner.fields), (message, name)
            elif kind != "drop":
                assert inner is None, (message, name)


def test_parameters_of_a_query_are_values_and_lists_since_spark_writes_them_into_its_text() -> None:
    kind = proto.DataType(
        struct=proto.DataType.Struct(fields=[proto.DataType.StructField(name="a', reflect('b'), 'c")])
    )
    one = proto.Expression.Literal(integer=1)
    evil = [
        proto.Expression.Literal(struct=proto.Expression.Literal.Struct(struct_type=kind, elements=[one])),
        proto.Expression.Literal(null=kind),
        proto.Expression.Literal(array=proto.Expression.Literal.Array(element_type=kind)),
    ]
    for literal in evil:
        for sql in (
            proto.SQL(query="SELECT :p", args={"p": literal}),
            proto.SQL(query="SELECT ?", pos_args=[literal]),
            proto.SQL(query="SELECT :p", named_arguments={"p": proto.Expression(literal=literal)}),
            proto.SQL(query="SELECT ?", pos_arguments=[proto.Expression(literal=literal)]),
        ):
            request = proto.ExecutePlanRequest(plan=proto.Plan(root=proto.Relation(sql=sql)))
            with pytest.raises(QueryFailed, match="a single value here"):
                checked_request("ExecutePlan", request.SerializeToString())


def test_what_passes_is_what_the_client_meant() -> None:
    plan = proto.Plan(root=proto.Relation(sql=proto.SQL(query="SELECT 1")))
    request = proto.ExecutePlanRequest(session_id="s", plan=plan, tags=["t"], client_type="x")
    checked = proto.ExecutePlanRequest.FromString(checked_request("ExecutePlan", request.SerializeToString()))
    plan.root.sql.query = "SELECT * FROM (\nSELECT 1\n)"
    assert checked == proto.ExecutePlanRequest(plan=plan)
    assert text(first(request.SerializeToString(), 1)) == "s"
