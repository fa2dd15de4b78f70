"""Rows with blanks are not blanks: they are listed or counted, in both languages; people of a column are counted once."""

import pytest

from smoldesk.analyst.intents import DataIntent
from tests.analyst.test_unseen_tables import intent, run

VISITS = """Visit No,Seen by,Weight (kg),Height cm,Seen on
1,Abe,60.5,170,2024-01-04
2,Mori,,,2024-01-05
3,Abe,71,,2024-01-09
4,Ota,55,160,2024-02-01
5,Mori,,158,2024-02-02
"""
SALES = """日付,店員,品目,売上[円],気温℃
2024/7/6,原,かき氷,9300,31
2024/7/7,林,焼きそば,,33
2024/7/8,原,かき氷,3600,
2024/7/9,森,麦茶,,
"""


@pytest.mark.parametrize(
    ("asked", "count"),
    [
        ("how many rows have missing values", 3),
        ("how many records have any blank cells?", 3),
        ("number of rows with no missing values", 2),
        ("how many rows without blanks", 2),
        ("how many rows are missing weight", 2),
        ("how many rows have a missing height", 2),
    ],
)
def test_rows_with_blanks_are_counted_once_each(asked: str, count: int) -> None:
    assert run(VISITS, asked).startswith(f"{count} rows")


@pytest.mark.parametrize(
    ("asked", "count"),
    [
        ("欠損値がある行の数", 3),
        ("空白を含む行は何件", 3),
        ("欠損がない行は何行", 1),
        ("売上が空欄の行は何件", 2),
    ],
)
def test_rows_with_blanks_are_counted_in_japanese(asked: str, count: int) -> None:
    assert f"行数: {count}" in run(SALES, asked)


@pytest.mark.parametrize(
    ("table", "asked"),
    [
        (VISITS, "show rows with missing values"),
        (VISITS, "which rows have missing weight"),
        (SALES, "欠損値がある行を表示"),
        (SALES, "売上が空欄の行を見せて"),
    ],
)
def test_rows_with_blanks_are_listed(table: str, asked: str) -> None:
    found = intent(table, asked)
    assert isinstance(found, DataIntent) and found.operation == "head" and found.filters


@pytest.mark.parametrize(
    ("table", "asked"),
    [(VISITS, "missing values"), (VISITS, "how many missing values are there"), (SALES, "欠損値の数")],
)
def test_blanks_of_columns_are_still_told(table: str, asked: str) -> None:
    found = intent(table, asked)
    assert isinstance(found, DataIntent) and found.operation == "missing"


@pytest.mark.parametrize("asked", ["店員は何人？", "店員は全部で何人いますか"])
def test_people_of_a_column_are_counted_once(asked: str) -> None:
    assert "3種類" in run(SALES, asked)


@pytest.mark.parametrize("asked", ["気温が高いほど売上は増える？", "気温が高いと売上も多くなりますか"])
def test_whether_one_grows_with_the_other_is_a_correlation(asked: str) -> None:
    found = intent(SALES, asked)
    assert isinstance(found, DataIntent)
    assert (found.operation, found.measures) == ("correlation", ("気温℃", "売上[円]"))
