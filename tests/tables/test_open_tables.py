"""Open tables: what a hostile table or view tries and cannot, cancelling, several at once, and what is left behind."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import duckdb
import pyarrow
import pytest
from pyarrow import parquet

from smoldesk.errors import BadInput, DeskError
from smoldesk.stopping import StopFlag
from smoldesk.tables import open_tables
from smoldesk.tables.open_table import StoredTable, end
from smoldesk.tables.open_tables import OpenTables
from smoldesk.tables.table_answers import TableUnread

arrow: Any = pyarrow
TOKEN = "tok-7d1e90"


class Place:
    """A chat's folder, a store of files, and secrets beside both."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.folder, self.files, self.other = root / "chats" / "one", root / "files", root / "chats" / "two"
        for folder in (self.folder, self.files, self.other, root / "cache"):
            folder.mkdir(parents=True)
        for secret in (root / "secret.csv", self.other / "theirs.csv", self.files / "f_other"):
            secret.write_text(f"key,value\n{TOKEN},1\n")
        self.tables = OpenTables(root / "cache")

    def keep(self, name: str, **columns: list[Any]) -> StoredTable:
        """A stored table of these columns."""
        path = self.files / f"f_{name}"
        parquet.write_table(arrow.table(columns), path)
        return StoredTable(path.name, "c_one", path, self.folder)

    def ask(self, table: StoredTable, **view: Any) -> Any:
        """A page of a view."""
        stop = StopFlag()
        return self.tables.page(table, {"offset": 0, "limit": 100, **view}, stop).result(60)

    def left(self) -> list[str]:
        """What processes have left in the chat's folder."""
        grids = self.folder / ".grids"
        return sorted(item.name for item in grids.iterdir()) if grids.exists() else []


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    created = Place(tmp_path)
    yield created
    created.tables.close()


HOSTILE = [
    "a'; COPY (SELECT 1) TO '@OUT@/made.csv'; --",
    'a"; DROP TABLE grid.loaded; --',
    "(SELECT string_agg(value, ',') FROM read_csv('@OUT@/secret.csv'))",
    "read_text('@OUT@/secret.csv')",
    "getenv('HOME')",
    "' OR 1=1 --",
    "%' UNION SELECT * FROM read_csv('@OUT@/secret.csv') --",
    "\\'; ATTACH '@OUT@/x.db'; --",
    "a\0b",
    "\ud800",
    "$$; INSTALL httpfs; $$",
    "🙂" * 3_000,
]


@pytest.mark.parametrize("text", HOSTILE)
def test_a_text_of_a_view_is_only_ever_a_text(place: Place, text: str) -> None:
    table = place.keep("t", a=["x", "y"], n=[1, 2])
    message = text.replace("@OUT@", str(place.root))
    before = sorted(str(path) for path in place.root.rglob("*") if ".grids" not in path.parts)
    views: list[dict[str, Any]] = [
        {"filters": [{"column": "a", "op": op, "value": message}]} for op in ("eq", "contains", "starts")
    ]
    views += [{"filters": [{"column": "a", "op": "in", "value": [message, None]}]}, {"search": message[:200]}]
    for view in views:
        assert place.ask(table, **view).rows == []
    refused: list[dict[str, Any]] = [
        {"sort": [{"column": message}]},
        {"columns": [message]},
        {"filters": [{"column": message, "op": "empty"}]},
        {"filters": [{"column": "n", "op": "gt", "value": message}]},
        {"filters": [{"column": "a", "op": message, "value": 1}]},
    ]
    for view in refused:
        with pytest.raises(BadInput) as fault:
            place.ask(table, **view)
        assert TOKEN not in str(fault.value)
    assert place.ask(table, sort=[{"column": "n", "descending": True}]).rows == [["y", 2], ["x", 1]]
    assert sorted(str(path) for path in place.root.rglob("*") if ".grids" not in path.parts) == before


def test_names_of_columns_from_the_file_are_only_ever_names(place: Place) -> None:
    names = [
        item.replace("@OUT@", str(place.root))
        for item in HOSTILE
        if "\ud800" not in item and "\0" not in item
    ]
    table = place.keep("t", **{name: [f"{at}", None] for at, name in enumerate(names)})
    for at, name in enumerate(names):
        page = place.ask(table, sort=[{"column": at}], filters=[{"column": name, "op": "filled"}])
        assert page.rows == [[f"{item}" for item in range(len(names))]]
    stop = StopFlag()
    assert [column.missing for column in place.tables.profile(table, stop).result(60).columns] == [1] * len(
        names
    )
    text = b"".join(place.tables.export(table, {"format": "csv"}, stop)).decode()
    assert TOKEN not in text and text.splitlines()[-1] == "," * (len(names) - 1)
    assert not (place.root / "made.csv").exists()


def test_names_that_our_own_queries_use_are_names_like_others(place: Place) -> None:
    for name in ("rowid", "file_row_number", "r", "n", "at", "c1", "whole", "part", "v", "bin", "kept"):
        table = place.keep(name, **{name: [3, 1, 2], "b": ["x", "y", "z"]})
        assert place.ask(table).rows == [[3, "x"], [1, "y"], [2, "z"]]
        view = {"sort": [{"column": name}], "filters": [{"column": name, "op": "ge", "value": 2}]}
        assert place.ask(table, **view).rows == [[2, "z"], [3, "x"]]
        stop = StopFlag()
        assert place.tables.profile(table, stop).result(60).columns[0].most == 3
        read = b"".join(place.tables.export(table, {"format": "parquet", **view}, stop))
        assert parquet.read_table(arrow.BufferReader(read)).column_names == [name, "b"]


@pytest.mark.parametrize("where", ["secret.csv", "chats/two/theirs.csv", "files/f_other"])
def test_a_table_that_is_a_link_or_no_parquet_gives_nothing_away(place: Place, where: str) -> None:
    link = place.files / "f_link"
    link.symlink_to(place.root / where)
    with pytest.raises(DeskError) as fault:
        place.ask(StoredTable("f_link", "c_one", link, place.folder))
    assert TOKEN not in f"{fault.value} {fault.value.hint}"


def test_the_process_reads_its_table_and_its_chat_and_nothing_else(place: Place) -> None:
    """The same jail, asked by a connection that is not locked: what DuckDB would let pass the kernel does not."""
    table = place.keep("t", a=[1])
    process = place.tables.begin(table)
    try:
        received = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        inside = [Path(f"/proc/{pid}/root") for pid in received]
        assert inside, "the jailed process is a child of the one that waits for it"
        for root in inside:
            assert not (root / str(place.other).lstrip("/") / "theirs.csv").exists()
            assert not (root / str(place.files).lstrip("/") / "f_other").exists()
            assert not (root / "etc/shadow").exists()
            assert (root / str(table.path).lstrip("/")).exists()
    finally:
        end(process)


def test_values_of_every_type_of_parquet_come_as_plain_ones(place: Place) -> None:
    path = place.files / "f_types"
    with duckdb.connect() as connection:
        connection.execute(
            f"COPY (SELECT 1::HUGEINT AS h, 1.5::DECIMAL(5, 2) AS d, 'nan'::DOUBLE AS f, [1, 2] AS l, {{'a': 1}} AS s, "
            f"'\\xAA'::BLOB AS b, TIME '12:00:00' AS t, DATE '2024-02-29' AS day, uuid() AS u, INTERVAL 1 DAY AS i, "
            f"TIMESTAMPTZ '2024-01-01 00:00:00+00' AS z, repeat('x', 100000) AS long) TO '{path}' (FORMAT parquet)"
        )
    table = StoredTable("f_types", "c_one", path, place.folder)
    (row,) = place.ask(table).rows
    assert (row[0], row[1], row[2], row[7]) == (1, 1.5, None, "2024-02-29")
    assert row[10].startswith("2024-01-01T00:00:00") and len(row[11]) == 10_001
    for at in range(len(row)):
        place.ask(table, sort=[{"column": at}], filters=[{"column": at, "op": "filled"}], search="1")
    stop = StopFlag()
    assert len(place.tables.profile(table, stop).result(60).columns) == len(row)
    for form in ("csv", "xlsx", "parquet"):
        assert b"".join(place.tables.export(table, {"format": form}, stop))


def test_a_question_nobody_waits_for_is_given_up_and_the_next_one_is_answered(place: Place) -> None:
    table = place.keep(
        "large", n=list(range(600_000)), text=[f"{at % 7919} some words" for at in range(600_000)]
    )
    place.ask(table)
    stop = StopFlag()
    slow = place.tables.page(table, {"offset": 500_000, "limit": 10, "sort": [{"column": "text"}]}, stop)
    stop.set("enough")
    with pytest.raises(DeskError):
        slow.result(60)
    assert place.ask(table, offset=599_999).rows == [[599_999, f"{599_999 % 7919} some words"]]
    again = place.ask(table, sort=[{"column": "n", "descending": True}], offset=500_000, limit=2)
    assert [row[0] for row in again.rows] == [99_999, 99_998]


def test_first_rows_of_a_large_view_and_those_far_down_are_of_one_order(place: Place) -> None:
    count = 400_000
    table = place.keep("large", n=list(range(count)), key=[(at * 7919) % 1000 for at in range(count)])
    expected = sorted(range(count), key=lambda at: ((at * 7919) % 1000, at))
    for offset in (0, 1_500, 1_950, 2_500, 399_990, 100):
        page = place.ask(table, sort=[{"column": "key"}], offset=offset)
        assert [row[0] for row in page.rows] == expected[offset : offset + 100]
    stored = [at for at in expected if (at * 7919) % 1000 >= 10]
    for offset in (0, 1_990, 390_000):
        page = place.ask(
            table,
            sort=[{"column": "key"}],
            filters=[{"column": "key", "op": "ge", "value": 10}],
            offset=offset,
        )
        assert (page.row_count, [row[0] for row in page.rows]) == (len(stored), stored[offset : offset + 100])


def test_tables_beyond_the_most_are_closed_and_opened_again(place: Place) -> None:
    tables = [place.keep(f"t{at}", a=[at]) for at in range(open_tables.MAX_OPEN + 2)]
    for _ in range(2):
        assert [place.ask(table).rows for table in tables] == [[[at]] for at in range(len(tables))]


def test_several_ask_one_table_at_once(place: Place) -> None:
    table = place.keep("t", a=list(range(1000)))
    by_name: dict[int, Any] = {}

    def inspect(at: int) -> None:
        by_name[at] = place.ask(
            table, offset=at, limit=1, sort=[{"column": "a", "descending": at % 2 == 0}]
        ).rows

    threads = [threading.Thread(target=inspect, args=(at,)) for at in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert by_name == {at: [[999 - at if at % 2 == 0 else at]] for at in range(8)}


def test_an_idle_table_is_closed_and_leaves_nothing(tmp_path: Path) -> None:
    place = Place(tmp_path)
    place.tables = OpenTables(tmp_path / "cache", idle_seconds=0.05)
    table = place.keep("t", a=[1])
    for _ in range(2):
        assert place.ask(table, sort=[{"column": "a"}]).rows == [[1]]
        while place.left():
            time.sleep(0.05)
    place.tables.close()


def test_a_killed_process_is_replaced_and_what_it_left_is_removed(place: Place) -> None:
    table = place.keep("t", a=[1, 2])
    process = place.tables.begin(table)
    assert len(place.left()) == 1
    remaining = place.left()
    process.kill()
    assert place.left() == remaining
    # the kernel frees its lock a moment after it has ended
    while len(place.left()) != 1 or place.left() == remaining:
        place.tables.close()
        place.tables = OpenTables(place.root / "cache")
        assert place.ask(table).rows == [[1], [2]]


def test_a_download_that_is_left_ends_its_process(place: Place) -> None:
    table = place.keep("t", a=[f"{at} " * 20 for at in range(300_000)])
    stop = StopFlag()
    pieces = place.tables.export(table, {"format": "csv"}, stop)
    assert next(pieces) == b"a\n"
    pieces.close()
    while place.left():
        time.sleep(0.05)


def test_a_desk_that_closes_answers_nobody_any_more(place: Place) -> None:
    table = place.keep("t", a=[1])
    place.ask(table)
    place.tables.close()
    with pytest.raises(TableUnread):
        place.ask(table)


def test_more_rows_than_a_sheet_holds_are_refused_for_excel(place: Place) -> None:
    table = place.keep("t", a=list(range(1_048_576)))
    stop = StopFlag()
    with pytest.raises(BadInput) as fault:
        next(place.tables.export(table, {"format": "xlsx"}, stop))
    assert fault.value.code == "too_many_rows"
