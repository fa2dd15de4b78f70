"""Of a table that is too large to be held whole, code loads the columns it needs."""

import pytest

from smoldesk.analyst.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.clean import load_lines


def table(load: str, rows: int = 40_000_000, *names: str) -> TableInfo:
    columns = [ColumnInfo(name, "number", [], "", ()) for name in names or ("id", "room", "degrees")]
    return TableInfo("up", columns, rows, load)


@pytest.mark.parametrize(
    ("load", "needed", "line"),
    [
        ('pd.read_csv("up.csv")', {"degrees", "room"}, 'pd.read_csv("up.csv", usecols=["room", "degrees"])'),
        (
            'pd.read_parquet("/srv/up.parquet")',
            set[str](),
            'pd.read_parquet("/srv/up.parquet", columns=["id"])',
        ),
        ('pd.read_csv("up.csv", usecols=[1])', {"room"}, 'pd.read_csv("up.csv", usecols=[1])'),
        ('pd.read_json("up.json")', {"room"}, 'pd.read_json("up.json")'),
        ('pd.read_csv("up.csv").assign(room=1)', {"room"}, 'pd.read_csv("up.csv").assign(room=1)'),
    ],
)
def test_the_columns_that_are_needed(load: str, needed: set[str], line: str) -> None:
    assert load_lines(table(load), needed) == [f"data = {line}"]


def test_a_small_table_one_that_is_needed_whole_and_one_whose_columns_share_a_name_are_loaded_whole() -> None:
    load = 'pd.read_csv("up.csv")'
    assert load_lines(table(load, 1_000), {"room"}) == [f"data = {load}"]
    assert load_lines(table(load)) == [f"data = {load}"]
    assert load_lines(table(load, 2_000_000, "a", "a.1"), {"a.1"}) == [f"data = {load}"]
