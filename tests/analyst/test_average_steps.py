"""The average day or month is the mean of their totals, in both languages; figures are no numbers of rows."""

import pytest

from tests.analyst.test_unseen_tables import run

STALL = """日付,品目,売上[円],気温℃
2024/7/6,かき氷,900,31
2024/7/6,焼きそば,1500,31
2024/7/7,かき氷,600,33
2024/8/3,麦茶,1000,34
"""
STALL_EN = """Sold on,Item,Sales (USD),Seats
2024-07-06,Ice,900,3
2024-07-06,Noodles,1500,4
2024-07-07,Ice,600,2
2024-08-03,Tea,1000,6
"""


@pytest.mark.parametrize(
    ("asked", "figure"),
    [
        ("1日平均の売上", "平均1,333.33"),
        ("一日あたりの平均売上は？", "平均1,333.33"),
        ("1日あたりの売上を教えて", "平均1,333.33"),
        ("1か月あたりの売上", "平均2,000"),
        ("月平均の売上は？", "平均2,000"),
        ("平均月間売上は", "平均2,000"),
        ("1日あたりの平均気温", "32.25"),
    ],
)
def test_an_average_day_is_the_mean_of_the_totals(asked: str, figure: str) -> None:
    assert figure in run(STALL, asked).splitlines()[0]


def test_the_average_temperature_of_months_is_told_month_by_month() -> None:
    told = run(STALL, "月平均気温")
    assert "31.67" in told and "34" in told


def test_without_dates_each_row_is_a_day() -> None:
    assert "150" in run("曜日,客数\n月,100\n火,200\n", "1日あたりの平均客数")


@pytest.mark.parametrize("asked", ["average sales per day", "average sales per month"])
def test_a_column_of_money_is_no_number_of_rows(asked: str) -> None:
    assert "number of rows" not in run(STALL_EN, asked)
