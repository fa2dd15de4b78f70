"""`sql` in cells: real files and a real child, compared with sql_engine where both answer."""

import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import pytest

from smoldesk.errors import BadInput, Stopped
from smoldesk.sandbox.cell import CellFailed, CellResult, CellTable
from smoldesk.sandbox.child import Child
from smoldesk.sandbox.children import Children
from smoldesk.sandbox.executor import SandboxExecutor
from smoldesk.sandbox.frames import Work
from smoldesk.sandbox.tool_host import ToolRequest
from smoldesk.stopping import StopFlag
from smoldesk.tables import CELL_SQL, CHILD_PACKAGES
from smoldesk.tables.folder_tables import ChatTables
from smoldesk.tables.inside.read_options import options_path
from smoldesk.tools.bundled_tables import bundled_tables
from smoldesk.tools.datasets import Datasets

DATASETS = Datasets.bundled()


@pytest.fixture(scope="module")
def chat(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Child, Path]]:
    """A chat's child and its folder, which the tests of this file share."""
    folder = tmp_path_factory.mktemp("cell_sql") / "chat"
    folder.mkdir()
    (folder / "sales 2024.csv").write_text(
        "shop,day,sold\nNorth,2024-01-01,3\nSouth,2024-01-02,\n北,2024-01-03,4.5\n"
    )
    (folder / "told.csv").write_text("Report of May\nx;y\n1;2\n")
    (folder / options_path("told.csv")).write_text('{"separator": "semicolon", "header": 2}')
    (folder / "my titanic.csv").write_bytes(DATASETS.path("titanic").read_bytes())
    report = {"bundled": [asdict(table) for table in bundled_tables(DATASETS)], "room": 1 << 30}
    with closing(
        Children(
            packages=CHILD_PACKAGES,
            modules={CELL_SQL: report},
            datasets=DATASETS.folder,
            preload=(),
            max_children=1,
            cell_seconds=60,
        )
    ) as children:
        yield children.child("chat", folder), folder


def run(chat: tuple[Child, Path], code: str, stop: StopFlag | None = None) -> CellResult:
    """What became of a cell, whether or not it failed."""
    executor = SandboxExecutor(chat[0], stop=stop)
    try:
        executor(code)
    except (CellFailed, Stopped):
        pass
    finally:
        executor.cleanup()
    assert executor.last is not None
    return executor.last


@dataclass
class Listener:
    """A tool host without tools, that hears of long work and stops the cell then."""

    stop: StopFlag
    works: list[Work] = field(default_factory=list)

    def call(self, request: ToolRequest) -> dict[str, Any]:
        raise NameError(request.tool)

    def printed(self, text: str) -> None:
        return

    def worked(self, work: Work) -> None:
        self.works.append(work)
        if "2000000000" in work.query:
            self.stop.set("enough was seen")


def rows(chat: tuple[Child, Path], query: str, before: str = "") -> list[Any]:
    """What a cell shows that ends with the query."""
    return shown(run(chat, f"{before}\nsql({query!r})"))


def shown(result: CellResult) -> list[Any]:
    assert result.error is None, result.error
    (table,) = [item for item in result.output_items if isinstance(item, CellTable)]
    return table.rows


@pytest.mark.parametrize(
    "query",
    [
        "SHOW TABLES",
        "SELECT shop, sold, typeof(day) FROM sales_2024 ORDER BY day",
        "FROM told",
        "SELECT class, count(*) n, sum(survived) s FROM titanic GROUP BY ALL ORDER BY ALL",
        'SELECT t.x, s.shop FROM told t, "SALES_2024" s WHERE s.sold > t.x ORDER BY s.sold',
    ],
)
def test_the_same_names_give_the_same_rows_as_sql_engine(chat, query) -> None:
    copied = [DATASETS.path(name) for name in DATASETS.names()]
    existing = ChatTables(chat[1], chat[1].parent, copied).query(query, bundled_tables(DATASETS))
    assert existing.rows and rows(chat, query) == existing.rows


def test_tables_in_variables_come_first_also_those_of_a_function_of_polars_and_of_duckdb(chat) -> None:
    text = (
        "import duckdb, pandas as pd, polars as pl\n"
        "told = pd.DataFrame({'x': [10, 20, 20]})\n"
        "counted = told.groupby('x').size().to_frame('n')\n"
        "more = pl.DataFrame({'x': [20], 'word': ['twenty']})\n"
        "single = duckdb.sql('SELECT 20 AS x')\n"
    )
    query = "SELECT x, n, word FROM counted JOIN more USING (x) JOIN single USING (x) JOIN told USING (x)"
    assert rows(chat, query, text) == [[20, 2, "twenty"], [20, 2, "twenty"]]
    local = "def f(few):\n    return sql('SELECT sum(x) AS s FROM few')\nf(told.head(2))"
    assert shown(run(chat, local)) == [[30]]
    assert rows(chat, "FROM told", "del told") == [[1, 2]]


def test_files_are_seen_as_they_are_now_wherever_the_code_has_gone(chat) -> None:
    before = "import os, pathlib\npathlib.Path('new.csv').write_text('a,b\\n1,2\\n')\nos.makedirs('sub', exist_ok=True)\n"
    assert rows(chat, "FROM new", f"{before}os.chdir('sub')") == [[1, 2]]
    grown = "pathlib.Path('new.csv').write_text('a,b\\n' + '1,2\\n' * 30_000 + 'word,3\\n')"
    assert rows(chat, "SELECT count(*), max(a) FROM new", grown) == [[30_001, "word"]]
    gone = run(chat, "os.unlink('new.csv')\nsql('FROM new')")
    assert gone.error is not None and "new does not exist" in gone.error.message


def test_files_that_are_read_whole_are_read_when_a_query_names_them(chat) -> None:
    text = "pathlib.Path('late.csv').write_bytes('店,n\\n北,1\\n'.encode('cp932'))\nlen(sql('FROM told'))"
    run(chat, "sql('FROM told')")
    stored = len(list(chat[1].glob(".tables/*/tables.json")))
    assert run(chat, f"import pathlib\n{text}").value == 1
    assert len(list(chat[1].glob(".tables/*/tables.json"))) == stored
    assert rows(chat, "FROM late") == [["北", 1]]
    assert rows(chat, "SELECT l.n, x FROM late l, told") == [[1, 1]]


def test_what_is_wrong_is_told_with_the_tables_and_without_a_path_of_the_machine(chat) -> None:
    for query, text in {
        "SELECT nope FROM told": 'column "nope" not found',
        "COPY told TO 'x.csv'": "only reading is allowed (this is COPY, not SELECT)",
        "SELECT 1; SELECT 2": "only one statement",
        "SELECT range FROM range(100000000000)": "too much memory",
        "FROM read_csv('/etc/hosts')": "No files found",
    }.items():
        error = run(chat, f"told = None\nsql({query!r})").error
        assert error is not None and error.name == "SqlFailed"
        assert text in error.message and "told(x, y)" in error.message
        assert "smoldesk/" not in error.traceback
    assert rows(chat, "SELECT count(*) FROM frame", "frame = sql('FROM titanic')") == [[891]]


ENDLESS = {
    "a sum": "SELECT sum(a.range * b.range) FROM range(10000000) a, range(10000000) b",
    "pg_sleep": "SELECT pg_sleep(600)",
    "sleep_ms of each row": "SELECT count(*) FROM range(1000) WHERE sleep_ms(600000) IS NULL",
}
"""A query that counts for years, and DuckDB's functions that sleep."""


@pytest.mark.parametrize("name", ENDLESS)
def test_the_clock_ends_a_query_that_sleeps_or_counts_for_ever(chat, monkeypatch, name: str) -> None:
    run(chat, "kept = 41")
    with monkeypatch.context() as short:
        short.setattr(chat[0], "cell_seconds", 0.5)
        result = run(chat, f"sql({ENDLESS[name]!r})")
    assert result.error is not None and "ran longer than 0.5 s" in result.error.message
    assert result.variables_intact and run(chat, "kept").value == 41
    with pytest.raises(BadInput, match=r"it took more than 0\.5 seconds"):
        ChatTables(chat[1], chat[1].parent).query(ENDLESS[name], seconds=0.5)


@pytest.mark.parametrize("name", ENDLESS)
def test_stop_ends_a_query_and_keeps_the_variables(chat, name: str) -> None:
    stop = StopFlag()
    pressed = threading.Timer(0.5, stop.set, ["the person pressed Stop"])
    pressed.start()
    result = run(chat, f"kept = 42\nsql({ENDLESS[name]!r})", stop)
    assert (result.stopped, result.variables_intact) == (True, True)
    assert rows(chat, "SELECT 1 AS n, * FROM f", "import pandas as pd\nf = pd.DataFrame({'k': [kept]})") == [
        [1, 42]
    ]
    stop.close()


def test_a_query_that_takes_long_tells_how_far_it_is_and_how_it_ended(chat) -> None:
    stop = StopFlag()
    host = Listener(stop)
    executor = SandboxExecutor(chat[0], host, stop)
    run(chat, "import smoldesk.tables.inside.query_progress as q\nq.TELL_SECONDS = 0.1")
    code = "one = sql('SELECT 1')\nsql('SELECT sum(hash(range)) FROM range({})')"
    try:
        executor(code.format(300_000_000))
        assert executor.last is not None and executor.last.error is None
        *running, end = host.works
        assert (end.state, end.words, end.percent, end.line, end.name) == (
            "finished",
            "1 rows",
            100,
            2,
            "sql",
        )
        assert running and all(item.state == "running" and item.id == end.id for item in running)
        assert [item.percent for item in running] == sorted({item.percent for item in running})
        host.works.clear()
        with pytest.raises(Stopped):
            executor(code.format(2_000_000_000))
        assert [work.state for work in host.works] == ["running", "failed"]
    finally:
        executor.cleanup()
        stop.close()
