"""Attacks on sql_engine through DuckDB: what a query tries, in a real jailed process, and how the host judges that it failed.

Each query runs in a chat's folder beside a file of secrets, another chat and a link out; the host looks for the secrets
in whatever came back, and at every file afterwards.
"""

import os
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb
import pytest

from smoldesk.errors import DeskError
from smoldesk.sandbox.children import Children
from smoldesk.sandbox.executor import SandboxExecutor
from smoldesk.tables import CELL_SQL, CHILD_PACKAGES
from smoldesk.tables.folder_tables import MEMORY, ChatTables
from smoldesk.tables.inside import duck_reading as duck

TOKEN = "tok-51f0c2"


@dataclass(frozen=True)
class World:
    """A chat's folder, and around it what none of its queries may see or change."""

    folder: Path
    outside: Path

    def state(self) -> dict[str, bytes]:
        """Every file inside and outside, but for what the desk itself keeps in the folder."""
        by_name: dict[str, bytes] = {}
        for place, folders, names in os.walk(self.outside):
            folders[:] = [name for name in folders if name != ".tables"]
            for name in names:
                path = Path(place) / name
                by_name[str(path)] = str(path.readlink()).encode() if path.is_symlink() else path.read_bytes()
        return by_name

    def filled(self, query: str) -> str:
        return query.replace("@OUT@", str(self.outside)).replace("@CHAT@", str(self.folder))


def ask(world: World, query: str, seconds: float = 5.0) -> str:
    """What came back, answer or fault, as text."""
    filled = world.filled(query)
    try:
        rows = ChatTables(world.folder, world.outside / "cache").query(filled, seconds=seconds)
    except DeskError as fault:
        return f"!! {fault}"
    return str(rows.rows)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> World:
    return world_in(tmp_path_factory.mktemp("world"))


def world_in(outside: Path) -> World:
    folder, other = outside / "chats" / "one", outside / "chats" / "two"
    for place in (folder, other, outside / "cache"):
        place.mkdir(parents=True)
    (folder / "own.csv").write_text("a,b\n1,2\n3,4\n")
    for secret in (outside / "secret.csv", other / "theirs.csv"):
        secret.write_text(f"key,value\n{TOKEN},1\n")
        secret.chmod(0o644)
    with duckdb.connect(str(other / "theirs.duckdb")) as connection:
        connection.execute(f"CREATE TABLE keys AS SELECT '{TOKEN}' AS key")
    (folder / "link.csv").symlink_to(outside / "secret.csv")
    (folder / "linked").symlink_to(other)
    return World(folder, outside)


READS = [
    "SELECT * FROM read_csv('/etc/passwd')",
    "SELECT * FROM read_csv('/etc/hostname', columns={'a': 'VARCHAR'})",
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM read_text('@OUT@/secret.csv')",
    "SELECT * FROM read_blob('../../secret.csv')",
    "SELECT * FROM read_csv('../two/theirs.csv')",
    "SELECT * FROM '../two/theirs.csv'",
    "SELECT * FROM '@CHAT@/../two/theirs.csv'",
    "SELECT * FROM read_csv('.tables/../../two/theirs.csv')",
    "SELECT * FROM read_json('@OUT@/secret.csv')",
    "SELECT * FROM read_parquet('@OUT@/*')",
    "SELECT * FROM read_duckdb('@OUT@/chats/two/theirs.duckdb')",
    "SELECT * FROM sniff_csv('@OUT@/secret.csv')",
    "SELECT * FROM parquet_metadata('@OUT@/secret.csv')",
    "SELECT * FROM link",
    "SELECT * FROM 'link.csv'",
    "SELECT * FROM read_csv('link.csv')",
    "SELECT * FROM read_csv('linked/theirs.csv')",
    "SELECT * FROM read_csv('file://@OUT@/secret.csv')",
    "SELECT * FROM read_csv('http://127.0.0.1:9/x.csv')",
    "SELECT * FROM read_parquet('s3://bucket/x.parquet')",
    "SELECT * FROM read_text('/proc/self/environ')",
    "SELECT * FROM glob('/*')",
    "SELECT * FROM glob('@OUT@/**')",
    "SELECT * FROM glob('../*')",
    "SELECT * FROM query('SELECT * FROM read_text(''@OUT@/secret.csv'')')",
    "SELECT * FROM json_execute_serialized_sql(json_serialize_sql('SELECT * FROM read_text(''@OUT@/secret.csv'')'))",
    "SELECT getenv('HOME')",
]
STATEMENTS = [
    "COPY (SELECT 1) TO '@OUT@/new.csv'",
    "COPY (SELECT 1) TO 'new.csv'",
    "COPY (SELECT 1 AS a, 2 AS b) TO 'own.csv' (USE_TMP_FILE false)",
    "COPY own FROM '@OUT@/secret.csv'",
    "EXPLAIN ANALYZE COPY (SELECT 1) TO 'own.csv' (USE_TMP_FILE false)",
    "EXPORT DATABASE 'all'",
    "IMPORT DATABASE 'all'",
    "ATTACH '@OUT@/chats/two/theirs.duckdb' AS other (READ_ONLY)",
    "ATTACH 'new.duckdb'",
    "ATTACH ':memory:' AS m",
    "USE memory",
    "INSTALL httpfs",
    "FORCE INSTALL httpfs FROM 'http://127.0.0.1:9'",
    "LOAD httpfs",
    "LOAD '@OUT@/chats/two/x.duckdb_extension'",
    "SET enable_external_access = true",
    "SET lock_configuration = false",
    "RESET lock_configuration",
    "SET GLOBAL memory_limit = '100GB'",
    "SET allowed_directories = ['/']",
    "SET temp_directory = '/tmp'",
    "PRAGMA memory_limit = '100GB'",
    "PRAGMA enable_logging",
    "CALL enable_logging('QueryLog', storage = 'file', storage_path = '@CHAT@')",
    "CREATE TABLE t AS SELECT 1",
    "CREATE TEMP TABLE t (a INTEGER)",
    "CREATE OR REPLACE VIEW own AS SELECT 1",
    "CREATE MACRO f(x) AS x",
    "CREATE SECRET s (TYPE s3)",
    "INSERT INTO own VALUES (5, 6)",
    "UPDATE own SET a = 9",
    "DELETE FROM own",
    "DROP VIEW own",
    "ALTER VIEW own RENAME TO theirs",
    "WITH t AS (SELECT 1) DELETE FROM own",
    "PREPARE p AS SELECT 1",
    "BEGIN",
    "CHECKPOINT",
    "VACUUM",
    "SELECT 1; COPY (SELECT 1) TO 'new.csv'",
    "SELECT 1; DROP VIEW own",
]


@pytest.mark.parametrize("query", READS)
def test_no_query_reads_what_is_outside(world: World, query: str) -> None:
    before = world.state()
    message = ask(world, query)
    assert message.startswith("!! "), message
    assert (
        TOKEN not in message
        and "root:" not in message
        and "theirs" not in message.split("Tables: ")[0].replace(query, "")
    )
    assert world.state() == before


@pytest.mark.parametrize("query", STATEMENTS)
def test_nothing_but_a_select_is_run(world: World, query: str) -> None:
    before = world.state()
    message = ask(world, query)
    assert (
        "only reading is allowed" in message or "only one statement" in message or "syntax error" in message
    ), message
    assert world.state() == before
    assert TOKEN not in message


@pytest.mark.parametrize("query", [*READS, *STATEMENTS])
def test_the_locked_engine_refuses_by_itself(
    world: World, query: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the jail and without the look at the kind of statement: the settings alone."""
    monkeypatch.chdir(world.folder)
    before = world.state()
    connection = duck.opened()
    duck.bound(connection, MEMORY, Path(".tables/spill"), 1_000_000)
    connection.execute("CREATE VIEW own AS SELECT * FROM read_csv('own.csv')")
    duck.lock(connection, ["own.csv"], [".tables"])
    try:
        message = str(connection.execute(world.filled(query)).fetchall())
    except duckdb.Error as fault:
        message = str(fault)
    connection.close()
    assert TOKEN not in message
    after = world.state()
    # a file that may be read may be written: the parser's kind refuses it
    if "own.csv' (USE_TMP_FILE false)" in query:
        (world.folder / "own.csv").write_bytes(before[str(world.folder / "own.csv")])
        after = world.state()
    assert after == before


TRIED = """
import os
def tried(ask, queries):
    said = []
    for query in queries:
        try:
            said.append(str(ask(query))[:2_000])
        except BaseException as fault:
            said.append(f"!! {fault}"[:2_000])
    return said
"""


def test_no_cell_gets_further_by_sql_or_by_duckdb_itself(tmp_path_factory: pytest.TempPathFactory) -> None:
    """The same queries in a chat's own process, where nothing is locked but the jail: `sql()` writes nothing at all,
    `duckdb` nothing outside of the chat's folder, and neither reads what lies there."""
    world = world_in(tmp_path_factory.mktemp("cells"))
    queries = [world.filled(query) for query in (*READS, *STATEMENTS)]
    report = {"bundled": [], "room": 1 << 30}
    with closing(
        Children(packages=CHILD_PACKAGES, modules={CELL_SQL: report}, preload=(), max_children=1)
    ) as children:
        executor = SandboxExecutor(children.child("attacked", world.folder))
        before = world.state()
        by_sql = said_in(executor, f"{TRIED}\ntried(sql, {queries!r})")
        assert world.state() == before
        by_duckdb = said_in(
            executor, f"import duckdb\ntried(lambda query: duckdb.sql(query).fetchall(), {queries!r})"
        )
        executor.cleanup()
    outside = {path: data for path, data in world.state().items() if not path.startswith(f"{world.folder}/")}
    assert outside == {path: data for path, data in before.items() if path in outside}
    assert len(by_sql) == len(by_duckdb) == len(queries)
    assert all(message.startswith("!! ") for message in by_sql[len(READS) :]), by_sql
    for message in (*by_sql, *by_duckdb):
        assert TOKEN not in message and "root:" not in message


def said_in(executor: SandboxExecutor, code: str) -> list[str]:
    executor(code)
    assert executor.last is not None and executor.last.error is None
    value: Any = executor.last.value
    return value


@pytest.mark.timeout(180)
@pytest.mark.parametrize(
    "query",
    [
        "SELECT COUNT(*), SUM(hash(x)) FROM range(1000000000000) t(x)",
        "SELECT list(x) FROM range(1000000000000) t(x)",
        "SELECT x, COUNT(*) FROM range(1000000000000) t(x) GROUP BY x",
        "SELECT length(repeat('x', 8000000000))",
        "SELECT repeat('x', 3000000000)",
        "SELECT list_resize([1], 10000000000)",
        "SELECT string_agg(x::VARCHAR, repeat('y', 100000)) FROM range(10000000) t(x)",
        "SELECT * FROM range(1000000) a, range(1000000) b ORDER BY hash(a.range + b.range)",
        "SELECT pg_sleep(3600)",
    ],
)
def test_what_takes_all_there_is_ends_with_words(world: World, query: str) -> None:
    before = world.state()
    message = ask(world, query, seconds=3.0)
    assert message.startswith("!! "), message[:200]
    assert world.state() == before
    assert ask(world, "SELECT SUM(a) FROM own") == "[[4]]"


def test_what_a_query_spilled_is_gone_after_it(world: World) -> None:
    """Ten million rows sorted within 64 MB: they lie in the folder meanwhile."""
    tables = ChatTables(world.folder, world.outside / "cache")
    query = "SELECT x, hash(x) AS h FROM range(10000000) t(x) ORDER BY h"
    rows = tables.query(query, seconds=120, memory=64 * 1024**2)
    assert (len(rows.rows), rows.truncated) == (10_000, True)
    values = [int(str(row[1])) for row in rows.rows]
    assert values == sorted(values)
    remaining = [path for path in world.folder.rglob("*") if "spill" in path.name]
    assert not remaining


def test_a_link_put_in_place_of_what_is_kept_leads_nowhere(world: World, tmp_path: Path) -> None:
    folder = tmp_path / "chat"
    folder.mkdir()
    (folder / ".tables").symlink_to(world.folder.parent / "two")
    (folder / "t.csv").write_text("a,b\n1,2\n")
    before = world.state()
    try:
        message = str(ChatTables(folder, tmp_path / "cache").query("SELECT * FROM t").rows)
    except DeskError as fault:
        message = str(fault)
    assert TOKEN not in message
    assert world.state() == before
