"""sql_engine: right answers, clear errors, and nothing for an attacker."""

import sqlite3
import threading
from pathlib import Path

import pytest

from smoldesk.errors import BadInput
from smoldesk.tables.inside import sqlite_reading
from smoldesk.tools.datasets import Datasets
from smoldesk.tools.sql_engine import SqlEngine, bundled_image, run_query

HINT = (
    "Tables: measurement(Brightness, Humidity, SetpointHistory, Temperature, roomname, date); "
    "titanic(survived, pclass, sex, age, sibsp, parch, fare, embarked, class, who, adult_male, deck, "
    "embark_town, alive, alone)."
)


def test_the_published_count_comes_out(datasets: Datasets) -> None:
    rows = SqlEngine(datasets)("SELECT COUNT(*) AS passengers, SUM(survived) AS survived FROM titanic")
    assert (rows.columns, rows.rows, rows.truncated) == (["passengers", "survived"], [[891, 342]], False)


def test_cells_have_the_type_of_their_column(datasets: Datasets) -> None:
    query = "SELECT pclass, sex, age, adult_male, deck FROM titanic WHERE age = 80"
    assert run_query(datasets, query).rows[0][:4] == [1, "male", 80.0, 1]
    assert run_query(datasets, "SELECT COUNT(*) FROM titanic WHERE deck IS NULL").rows == [[688]]
    kinds = run_query(datasets, "SELECT DISTINCT typeof(Temperature), typeof(date) FROM measurement").rows
    assert kinds == [["real", "text"]]


def test_dates_work_with_the_functions_for_dates(datasets: Datasets) -> None:
    rows = run_query(datasets, "SELECT COUNT(DISTINCT date(date)), MIN(date) FROM measurement").rows
    assert rows == [[28, "2025-10-06 00:00:00"]]


def test_a_trailing_semicolon_and_comments_are_fine(datasets: Datasets) -> None:
    assert run_query(datasets, "-- how many\nSELECT 1 AS one; ").rows == [[1]]


def test_a_model_may_look_at_the_schema(datasets: Datasets) -> None:
    assert run_query(datasets, "SELECT name FROM sqlite_master ORDER BY name").rows == [
        ["measurement"],
        ["titanic"],
    ]
    assert len(run_query(datasets, "PRAGMA table_info(titanic)").rows) == 15


def test_columns_of_one_name_are_told_apart(datasets: Datasets) -> None:
    assert run_query(datasets, "SELECT 1 AS a, 2 AS a, 3 AS a_2, 4 AS a").columns == [
        "a",
        "a_2",
        "a_2_2",
        "a_3",
    ]


def test_what_json_cannot_say_is_said_in_words(datasets: Datasets) -> None:
    rows = run_query(datasets, "SELECT 9e999, -9e999, x'00ff', CAST(x'ff41' AS TEXT), NULL").rows
    assert rows == [["inf", "-inf", "<2 bytes>", "\ufffdA", None]]


def test_a_long_result_is_cut_and_says_so(datasets: Datasets) -> None:
    rows = run_query(datasets, "SELECT a.date FROM measurement a, titanic b")
    assert (len(rows.rows), rows.truncated) == (10_000, True)
    exact = run_query(datasets, "SELECT date FROM measurement LIMIT 10000")
    assert (len(exact.rows), exact.truncated) == (6720, False)


def test_a_wide_result_is_cut_by_its_size(datasets: Datasets) -> None:
    rows = run_query(datasets, "SELECT printf('%90000d', 1) FROM measurement")
    assert rows.truncated
    assert sum(len(str(row[0])) for row in rows.rows) <= sqlite_reading.MOST_BYTES


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("SELECT nope FROM titanic", "no such column: nope"),
        ("SELECT * FROM passengers", "no such table: passengers"),
        ("SELEC 1", "syntax error"),
        ("", "The query is empty."),
        (" \n", "The query is empty."),
    ],
)
def test_a_wrong_query_is_told_which_tables_and_columns_there_are(
    datasets: Datasets, query: str, told: str
) -> None:
    with pytest.raises(BadInput) as caught:
        run_query(datasets, query)
    assert told in str(caught.value)
    assert str(caught.value).endswith(HINT)


WRITES = [
    "INSERT INTO titanic SELECT * FROM titanic",
    "REPLACE INTO titanic DEFAULT VALUES",
    "UPDATE titanic SET survived = 1",
    "DELETE FROM titanic",
    "DROP TABLE titanic",
    "ALTER TABLE titanic ADD COLUMN x",
    "CREATE TABLE x(a)",
    "CREATE TEMP TABLE x(a)",
    "CREATE VIEW x AS SELECT 1",
    "CREATE TRIGGER t AFTER INSERT ON titanic BEGIN SELECT 1; END",
    "CREATE INDEX i ON titanic(age)",
    "CREATE VIRTUAL TABLE x USING fts5(a)",
    "WITH t AS (SELECT 1) DELETE FROM titanic",
    "SELECT 1; DROP TABLE titanic",
    "BEGIN",
    "SAVEPOINT s",
    "ANALYZE",
    "PRAGMA query_only = OFF",
    "PRAGMA writable_schema = ON",
    "PRAGMA journal_mode = WAL",
    "PRAGMA user_version = 7",
    "PRAGMA temp_store_directory = '/tmp'",
    "PRAGMA hard_heap_limit = 1",
]


@pytest.mark.parametrize("query", WRITES)
def test_nothing_can_be_written(datasets: Datasets, query: str) -> None:
    before = bundled_image(datasets)
    with pytest.raises(BadInput, match=r"only reading is allowed|only one statement"):
        run_query(datasets, query)
    assert bundled_image(datasets) is before
    assert run_query(datasets, "SELECT COUNT(*), SUM(survived) FROM titanic").rows == [[891, 342]]


@pytest.mark.parametrize(
    "query",
    [
        "ATTACH '{path}' AS other",
        "ATTACH 'file:{path}?mode=ro' AS other",
        "ATTACH ':memory:' AS other",
        "DETACH main",
        "VACUUM INTO '{path}'",
        "SELECT load_extension('{path}')",
        "SELECT readfile('{path}')",
        "SELECT writefile('{path}', 'x')",
        "SELECT fts3_tokenizer('simple')",
        "SELECT * FROM fsdir('{path}')",
        "SELECT edit('x', 'touch {path}')",
        "PRAGMA database_list",
    ],
)
def test_no_file_can_be_reached(datasets: Datasets, tmp_path: Path, query: str) -> None:
    secret = tmp_path / "secret.db"
    with sqlite3.connect(secret) as connection:
        connection.execute("CREATE TABLE keys(value)")
    connection.close()
    (tmp_path / "free").mkdir()
    for path in (secret, tmp_path / "free" / "new.db"):
        with pytest.raises(BadInput):
            run_query(datasets, query.format(path=path))
    assert list((tmp_path / "free").iterdir()) == []


def test_the_database_itself_refuses_writing_even_without_the_authorizer(datasets: Datasets) -> None:
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.deserialize(bundled_image(datasets))
    sqlite_reading.lock(connection)
    connection.set_authorizer(None)
    with pytest.raises(sqlite3.OperationalError, match="readonly"):
        connection.execute("DELETE FROM titanic")
    connection.close()


@pytest.mark.parametrize(
    "query",
    [
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT COUNT(*) FROM c",
        "SELECT COUNT(*) FROM measurement a, measurement b, measurement c",
        "SELECT a.date FROM measurement a, measurement b ORDER BY a.Humidity * b.Humidity",
    ],
)
def test_a_query_without_end_is_stopped(datasets: Datasets, query: str) -> None:
    with pytest.raises(BadInput, match=r"it took more than 0\.2 seconds"):
        run_query(datasets, query, seconds=0.2)


def test_a_query_that_eats_memory_is_stopped(datasets: Datasets, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = iter([100, 150, 250])
    monkeypatch.setattr(sqlite_reading, "_resident", lambda: next(sizes, 250))
    endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT COUNT(*) FROM c"
    with pytest.raises(BadInput, match="it needed too much memory"):
        run_query(datasets, endless, seconds=60, memory=120)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT zeroblob(1000000000)",
        "SELECT randomblob(1000000000)",
        "SELECT replace(printf('%90000d', 1), ' ', printf('%90000d', 1))",
        "SELECT group_concat(date || date || date) FROM measurement",
        "SELECT 'a' LIKE '" + "%a" * 150 + "'",
        "SELECT " + "(" * 5000 + "1" + ")" * 5000,
        "SELECT " + "+".join("1" * 3000),
        " UNION ".join(["SELECT 1"] * 200),
        "SELECT " + ",".join(["1"] * 500),
        "SELECT '" + "x" * 30_000 + "'",
        "SELECT\0 1",
        "SELECT '\ud800'",
    ],
)
def test_a_monstrous_query_is_refused_at_once(datasets: Datasets, query: str) -> None:
    with pytest.raises(BadInput) as caught:
        run_query(datasets, query)
    assert "seconds" not in str(caught.value)
    assert len(str(caught.value)) < 600


def test_queries_of_many_threads_do_not_meet(datasets: Datasets) -> None:
    answers: list[object] = []

    def ask(number: int) -> None:
        answers.append(run_query(datasets, f"SELECT {number}, COUNT(*) FROM titanic").rows[0])

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert sorted(answers, key=str) == [[number, 891] for number in range(8)]


def test_no_watch_outlives_its_query(datasets: Datasets) -> None:
    run_query(datasets, "SELECT 1")
    with pytest.raises(BadInput):
        run_query(datasets, "SELECT nope")
    assert [thread for thread in threading.enumerate() if thread.name == "sql-watch"] == []
