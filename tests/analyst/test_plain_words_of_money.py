"""Totals, counts and lists asked for in plain words over a table of spending, and days with a year of two digits."""

from pathlib import Path

import pytest

from tests.analyst.small_tables import SmallDesk

SPENDING = """Paid on,Payee,Method,Amount ($),Wait times (min),Refunded
2-Oct-23,Bakery,card,10.50,4,no
9-Nov-23,Garage,cash,200.00,30,yes
15-Jan-24,Bakery,card,9.50,6,no
16-Jan-24,Grocer,card,80.00,5,yes
"""
SHISAN = """番号,種類,価格,電池
A1,PC,"1,200",70
A2,机,900,
A3,PC,"2,500",40
"""


@pytest.fixture
def spending(tmp_path: Path) -> SmallDesk:
    return SmallDesk(tmp_path, payments=SPENDING)


def test_a_total_by_what_is_called_so_with_another_word_is_a_total(spending: SmallDesk) -> None:
    said = spending.ask("total amount by payment method")
    assert "Highest total" in said.first and "200" in said.first
    assert ".mean()" not in said.code


def test_years_of_two_digits_are_read_as_days(spending: SmallDesk) -> None:
    assert "2024Q1" in spending.ask("total amount per quarter").text


def test_what_is_said_of_rows_right_before_them_is_a_condition(spending: SmallDesk) -> None:
    said = spending.ask("refunded payments per method")
    assert ".mean()" not in said.code and "Refunded" in said.code
    assert "share" not in said.first.lower()


def test_the_rate_of_it_stays_a_share(spending: SmallDesk) -> None:
    assert "%" in spending.ask("refunded rate per method").first


@pytest.mark.parametrize("said", ["describe the amount column", "histogram of the amounts"])
def test_a_column_may_be_called_one(spending: SmallDesk, said: str) -> None:
    assert "Amount ($)" in spending.ask(said).code


def test_rows_in_order_are_all_of_them(tmp_path: Path) -> None:
    first = SmallDesk(tmp_path, assets=SHISAN).ask("価格の高い順に並べて").first
    assert first.index("2,500") < first.index("1,200") < first.index("900")


def test_a_distribution_as_a_violin_is_a_violin(tmp_path: Path) -> None:
    assert "violin" in SmallDesk(tmp_path, assets=SHISAN).ask("価格の分布を種類別にバイオリンプロットで").code


def test_the_other_end_of_each_group_may_be_asked_for_next(spending: SmallDesk) -> None:
    said = spending.ask("lowest amount per payee", "and the highest?").text
    assert "Bakery: 10.50" in said and "9.50" not in said
