"""sql_engine over the bundled datasets: right answers, clear errors, and nothing for an attacker."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

import pytest

from smoldesk.errors import BadInput
from smoldesk.tables.inside import sqlite_reading
from smoldesk.tables.results import Rows
from smoldesk.tools.bundled_tables import bundled_tables
from smoldesk.tools.datasets import Datasets
from smoldesk.tools.sql_engine import SqlEngine, run_query

pytestmark = pytest.mark.starts

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
    assert run_query(datasets, query).rows[0][:4] == [1, "male", 80.0, True]
    assert run_query(datasets, "SELECT COUNT(*) FROM titanic WHERE deck IS NULL").rows == [[688]]
    singles = "SELECT 3.7::FLOAT, 16777217::FLOAT, 'nan'::FLOAT, 1::FLOAT / 3, NULL::FLOAT, 'inf'::FLOAT"
    assert run_query(datasets, singles).rows == [[3.7, 16777216.0, None, 0.33333334, None, "inf"]]
    kinds = run_query(datasets, "SELECT DISTINCT typeof(Temperature), typeof(date) FROM measurement").rows
    assert kinds == [["DOUBLE", "TIMESTAMP"]]


def test_every_column_of_a_dataset_has_the_type_of_its_values(datasets: Datasets) -> None:
    types = {table.name: dict(table.columns) for table in bundled_tables(datasets)}
    titanic = types["titanic"]
    assert (titanic["survived"], titanic["fare"], titanic["alone"], titanic["sex"]) == (
        "BIGINT",
        "DOUBLE",
        "BOOLEAN",
        "VARCHAR",
    )
    assert types["measurement"]["date"] == "TIMESTAMP"


def test_dates_work_with_the_functions_for_dates(datasets: Datasets) -> None:
    query = "SELECT COUNT(DISTINCT date::DATE), MIN(date), strftime(MIN(date), '%Y-%m') FROM measurement"
    assert run_query(datasets, query).rows == [[28, "2025-10-06T00:00:00", "2025-10"]]


def test_a_trailing_semicolon_and_comments_are_fine(datasets: Datasets) -> None:
    assert run_query(datasets, "-- how many\nSELECT 1 AS one; ").rows == [[1]]


def test_a_model_may_look_at_the_schema(datasets: Datasets) -> None:
    assert [row[0] for row in run_query(datasets, "SHOW TABLES").rows] == ["measurement", "titanic"]
    assert len(run_query(datasets, "DESCRIBE titanic").rows) == 15
    assert len(run_query(datasets, "SUMMARIZE titanic").rows) == 15


def test_columns_of_one_name_are_told_apart(datasets: Datasets) -> None:
    assert run_query(datasets, "SELECT 1 AS a, 2 AS a, 3 AS a_2, 4 AS a").columns == [
        "a",
        "a_2",
        "a_2_2",
        "a_3",
    ]


def test_what_json_cannot_say_is_said_in_words(datasets: Datasets) -> None:
    query = r"""SELECT 'inf'::DOUBLE, '-inf'::DOUBLE, 'nan'::DOUBLE, '\x00\xff'::BLOB, NULL, DATE '2024-01-31',
        TIMESTAMP '2024-01-31 10:30', TIME '10:30', 1.50::DECIMAL(9, 2), 2.00::DECIMAL(9, 2), [1, 2], {'a': 'あ'},
        170141183460469231731687303715884105727::HUGEINT, INTERVAL 1 DAY, TIMESTAMPTZ '2024-01-31 10:30+09'"""
    assert run_query(datasets, query).rows == [
        [
            *(
                "inf",
                "-inf",
                None,
                "<2 bytes>",
                None,
                "2024-01-31",
                "2024-01-31T10:30:00",
                "10:30:00",
                1.5,
                2,
            ),
            *("[1, 2]", '{"a": "あ"}', 170141183460469231731687303715884105727, "1 day, 0:00:00"),
            "2024-01-31T01:30:00+00:00",
        ]
    ]


def test_a_long_result_is_cut_and_says_so(datasets: Datasets) -> None:
    rows = run_query(datasets, "SELECT a.date FROM measurement a, titanic b")
    assert (len(rows.rows), rows.truncated) == (10_000, True)
    exact = run_query(datasets, "SELECT date FROM measurement LIMIT 10000")
    assert (len(exact.rows), exact.truncated) == (6720, False)


def test_a_wide_result_is_cut_by_its_size(datasets: Datasets) -> None:
    rows = run_query(datasets, "SELECT repeat('x', 90000) FROM measurement")
    assert rows.truncated
    assert sum(len(str(row[0])) for row in rows.rows) <= sqlite_reading.MAX_BYTES


@pytest.mark.parametrize(
    ("query", "report"),
    [
        ("SELECT nope FROM titanic", 'Referenced column "nope" not found'),
        ("SELECT * FROM passengers", "Table with name passengers does not exist!"),
        ("SELEC 1", "syntax error"),
        ("SELECT strftime('%Y', date) FROM titanic", "not found"),
        ("", "The query is empty."),
        (" \n", "The query is empty."),
        ("-- nothing", "it gives no rows"),
    ],
)
def test_a_wrong_query_is_told_which_tables_and_columns_there_are(
    datasets: Datasets, query: str, report: str
) -> None:
    with pytest.raises(BadInput) as caught:
        SqlEngine(datasets)(query)
    assert report in str(caught.value)
    assert "\n" not in str(caught.value)
    assert str(caught.value).endswith(HINT)


@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    "query",
    [
        "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT COUNT(*) FROM c",
        "SELECT COUNT(*) FROM range(1000000000000) a(x) WHERE hash(x) = 7",
        "SELECT SUM(a.Humidity * b.Humidity + c.Humidity) FROM measurement a, measurement b, measurement c",
        "SELECT pg_sleep(600)",
    ],
)
def test_a_query_without_end_is_stopped(datasets: Datasets, query: str) -> None:
    with pytest.raises(BadInput, match=r"it took more than 0\.2 seconds"):
        run_query(datasets, query, seconds=0.2)


@pytest.mark.parametrize(
    "query",
    [
        "SELECT\0 1",
        "SELECT '\ud800' + 1",
        "SELECT " + "(" * 5000 + "1" + ")" * 5000,
        "SELECT " + "+".join("1" * 3000),
        "SELECT " + ",".join(["1"] * 2001),
        "SELECT '" + "x" * 30_000 + "'",
    ],
)
def test_a_monstrous_query_is_refused_at_once(datasets: Datasets, query: str) -> None:
    with pytest.raises(BadInput) as caught:
        run_query(datasets, query)
    assert "seconds" not in str(caught.value)
    assert len(str(caught.value)) < 900


def test_queries_of_many_threads_do_not_meet(datasets: Datasets) -> None:
    answers: list[object] = []

    def ask(number: int) -> None:
        answers.append(run_query(datasets, f"SELECT {number}, COUNT(*) FROM titanic").rows[0])

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert sorted(answers, key=str) == [[number, 891] for number in range(8)]


def test_the_server_itself_never_loads_the_engine(datasets: Datasets) -> None:
    """In a process of its own: this one may have loaded it for other tests."""
    import subprocess
    import sys

    code = (
        "import sys\n"
        "from smoldesk.tools.datasets import Datasets\n"
        "from smoldesk.tools.sql_engine import SqlEngine\n"
        "assert SqlEngine(Datasets.bundled())('SELECT COUNT(*) FROM titanic').rows == [[891]]\n"
        "print(sorted({'duckdb', '_duckdb', 'pandas', 'pyarrow'} & set(sys.modules)))\n"
    )
    created = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    assert created.stdout == "[]\n"


def test_a_call_of_a_run_says_how_far_its_query_is(datasets: Datasets) -> None:
    class Files:
        """Answers for the chat's tables, halfway first."""

        def files(self) -> list[str]:
            return []

        def shared(self) -> tuple[list[str], list[str]]:
            return [], []

        def query(
            self, query: str, bundled: object, *, stop: object, on_progress: Callable[[float], None]
        ) -> Rows:
            on_progress(0.5)
            return Rows(["query"], [[query]])

    class Context:
        """Keeps what was said."""

        said: ClassVar[list[object]] = []

        def report_progress(self, agent: str, state: str, text: str = "", *, share: float) -> None:
            self.said.append((agent, state, text, share))

    rows = SqlEngine(datasets, Files()).run_in_context(Context(), {"query": "SELECT 1"})  # pyright: ignore[reportArgumentType]
    assert (rows.rows, Context.said) == ([["SELECT 1"]], [("DuckDB", "running", "", 0.5)])
