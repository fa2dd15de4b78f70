"""Lists in an order and the top of them, ages by tens, fines that are counted, lines over time, and nothing to narrow."""

import pytest

from smoldesk.analyst.intents import DataIntent, Refusal
from tests.analyst.test_unseen_tables import intent

FEES = """名前,年齢（歳）,種別,診察料(円)
青木,34,犬,5500
石川,28,猫,4300
上田,51,犬,21500
遠藤,43,猫,900
"""
FINES = """No,Street,Issued,Fine £,Paid,Claimed?
1,Castle Street,2025-01-13,35,yes,Y
2,Quay Road,2025-02-03,70,no,N
3,Quay Road,2025-02-09,70,yes,Y
"""


def read(table: str, *talk: str) -> DataIntent:
    found = intent(table, *talk)
    assert isinstance(found, DataIntent), found
    return found


@pytest.mark.parametrize(
    "asked",
    [
        "診察料が高い順に見せて",
        "診察料の高い順に表示して",
        "診察料が高い順に一覧で",
        "診察料が高い順に出してください",
    ],
)
def test_in_order_is_a_list(asked: str) -> None:
    found = read(FEES, asked)
    assert (found.operation, found.measures, found.order, found.limit) == ("top", ("診察料(円)",), "desc", 4)


@pytest.mark.parametrize("then", ["上から3つだけでいいです", "上位3つだけ", "上から3件だけ"])
def test_the_top_of_a_list_is_of_that_list(then: str) -> None:
    found = read(FEES, "診察料が高い順に見せて", then)
    assert (found.operation, found.measures, found.limit) == ("top", ("診察料(円)",), 3)


@pytest.mark.parametrize(
    ("asked", "bounds"),
    [
        ("20代と30代の人数", [(">=", 20.0), ("<", 40.0)]),
        ("20代から40代の人数", [(">=", 20.0), ("<", 50.0)]),
        ("30代の人数", [(">=", 30.0), ("<", 40.0)]),
    ],
)
def test_tens_of_years_are_put_together(asked: str, bounds: list[tuple[str, float]]) -> None:
    assert [(one.comparison, one.values[0]) for one in read(FEES, asked).filters] == bounds


@pytest.mark.parametrize(
    "asked", ["number of fines issued in February 2025", "how many fines on Quay Road were over 50 pounds"]
)
def test_fines_are_counted_not_added_up(asked: str) -> None:
    found = read(FINES, asked)
    assert (found.aggregates, found.measures) == (("count",), ())


def test_the_money_of_fines_is_still_added_up() -> None:
    assert (read(FINES, "total fines").aggregates, read(FINES, "total fines").measures) == (
        ("sum",),
        ("Fine £",),
    )


def test_as_lines_is_a_line_chart() -> None:
    assert read(FINES, "plot fine over time as lines").plot == "line"


def test_only_some_rows_of_nothing_is_refused() -> None:
    assert isinstance(intent(FINES, "total shoe size by street", "only the claimed ones"), Refusal)
