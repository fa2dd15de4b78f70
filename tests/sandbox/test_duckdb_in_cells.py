"""DuckDB and polars in cells: imported as anywhere, within the child's limits, their tables shown like pandas'."""

from smoldesk.sandbox.cell import CellTable
from smoldesk.sandbox.jail.landlock import limits_of_group

SETTINGS = (
    "SELECT name, value FROM duckdb_settings() WHERE name IN ('threads', 'async_threads', 'memory_limit')"
)


def test_every_connection_stays_within_the_limits_of_the_process_unless_the_cell_says_otherwise(desk):
    result = desk.run(
        "import duckdb\n"
        "def told(c):\n"
        f"    return [value for _, value in sorted(c.sql({SETTINGS!r}).fetchall())]\n"
        "own = duckdb.connect('own.db', config={'max_memory': '100MB'})\n"
        "own.execute('CREATE TABLE t AS SELECT range AS a FROM range(1000)')\n"
        "again = duckdb.connect('own.db', config={'max_memory': '100MB'}).sql('SELECT count(*) FROM t').fetchall()\n"
        "told(duckdb), told(duckdb.connect()), told(own), again[0], duckdb.connect(':default:') is duckdb.default_connection()"
    )
    ours = ["2", "2.0 GiB", "2"]
    assert result.value == [ours, ours, ["2", "95.3 MiB", "2"], [1000], True], result.error
    assert result.output_items[0].path == "own.db" and not [
        item for item in result.output_items if "spill" in item.path
    ]


def test_what_does_not_fit_into_memory_is_spilled_into_a_hidden_folder_that_a_new_process_clears(desk):
    (desk.folder / ".spill-9").mkdir()
    (desk.folder / ".spill-9" / "left_by_a_killed_process.tmp").write_text("x")
    result = desk.run(
        "import duckdb\n"
        "from pathlib import Path\n"
        "small = duckdb.connect(config={'memory_limit': '20MB'})\n"
        "small.execute('CREATE TABLE t AS SELECT hash(range) AS h FROM range(3000000)')\n"
        "spilled = sum(file.stat().st_size for file in Path().glob('.spill-*/*.tmp'))\n"
        "small.close()\n"
        "spilled > 1_000_000, [path.name for path in Path().iterdir()]"
    )
    assert result.value == [True, []], result.error
    assert result.printed == "" and result.output_items == []


def test_tables_of_duckdb_and_polars_are_shown_named_and_passed_like_those_of_pandas(science_desk):
    science_desk.tool("keep", lambda request: request.kwargs["table"], table="any")
    result = science_desk.run(
        "import duckdb, polars\n"
        "frame = polars.DataFrame({'room': ['Kitchen', None], 'n': [1, 2]})\n"
        "display(frame)\n"
        "display(frame['n'])\n"
        "print(keep(frame))\n"
        "duckdb.sql('SELECT sum(n) AS total, NULL::HUGEINT AS none FROM frame')"
    )
    assert result.error is None, result.error
    first, second, last = [item for item in result.output_items if isinstance(item, CellTable)]
    assert (first.name, first.rows, first.row_count) == ("frame", [["Kitchen", 1], [None, 2]], 2)
    assert [column["name"] for column in second.columns] == ["n"]
    assert (last.rows, last.columns[0]["type"]) == ([[3, None]], "int64")
    assert result.printed == "{'room': ['Kitchen', None], 'n': [1, 2]}\n"
    assert "total" in result.output and "│" not in result.output


def test_polars_that_is_not_there_says_how_the_desk_gets_it(desk):
    result = desk.run("import sys\nsys.modules['polars'] = None\nimport polars")
    assert (
        "It comes with an extra of the desk, smoldesk[polars]; pandas and duckdb are there"
        in result.error.message
    )


def test_of_control_groups_only_the_limits_of_ones_own_are_opened():
    assert limits_of_group("0::/") == ["/sys/fs/cgroup/cpu.max", "/sys/fs/cgroup/memory.max"]
    assert limits_of_group("5:cpuset:/a\n4:memory:/b\n2:cpu,cpuacct:/\n1:name=systemd:/c\n0::/d:e/\n") == [
        "/sys/fs/cgroup/memory/b/memory.limit_in_bytes",
        "/sys/fs/cgroup/cpu/cpu.cfs_quota_us",
        "/sys/fs/cgroup/cpu/cpu.cfs_period_us",
        "/sys/fs/cgroup/d:e/cpu.max",
        "/sys/fs/cgroup/d:e/memory.max",
    ]
