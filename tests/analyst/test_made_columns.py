"""Columns that a question makes of others, row by row."""

from pathlib import Path

import pytest

from tests.analyst.small_tables import SmallDesk

ORDERS = """Order No,City,List Price,Sale Price,Qty,Ordered,Delivered
1,Leeds,200,180,2,2024-01-05,2024-01-09
2,York,50,50,4,2024-01-09,2024-01-10
3,Leeds,80,70,1,2024-02-11,2024-02-17
"""
TICKETS = """Show,Price,Tickets Sold
Hamlet,20,100
Medea,10,50
"""
MARKS = """Student,Class,Maths,English
Amy,A,70,65
Bob,A,45,72
Cat,B,88,91
"""


@pytest.fixture
def desk(tmp_path: Path) -> SmallDesk:
    return SmallDesk(tmp_path, orders=ORDERS)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("total of sale price times qty", "630"),
        ("total revenue: sale price x qty", "630"),
        ("sale price times qty by city", "Leeds (430)"),
        ("average list price divided by qty", "64.17"),
        ("average list price minus sale price", "10"),
        ("biggest gap between list price and sale price", "20"),
        ("average number of days between ordered and delivered", "3.67"),
        ("how many orders with more than 3 days between ordered and delivered", "2 rows"),
    ],
)
def test_a_question_makes_a_column_of_others(desk: SmallDesk, asked: str, told: str) -> None:
    assert told in desk.ask(asked).first


def test_a_made_column_stays_for_a_follow_up(desk: SmallDesk) -> None:
    assert "Leeds: 430" in desk.ask("total of sale price times qty", "and by city?").text


def test_a_ratio_of_totals_stands_beside_the_average_ratio(desk: SmallDesk) -> None:
    said = desk.ask("average list price per qty").first
    assert "64.17" in said and "47.14" in said


def test_revenue_is_the_one_price_times_the_one_quantity(tmp_path: Path, desk: SmallDesk) -> None:
    assert "2,500" in SmallDesk(tmp_path, shows=TICKETS).ask("total revenue").first
    assert "revenue" in desk.ask("total revenue").first  # of two prices: declined


def test_columns_are_added_up_in_each_row(tmp_path: Path) -> None:
    desk = SmallDesk(tmp_path, marks=MARKS)
    assert "Cat" in desk.ask("which student has the highest maths and english combined").first
    assert "Amy: 135" in desk.ask("total of maths and english per student").text
    assert "143.67" in desk.ask("average of maths and english combined").first


def test_times_without_two_columns_is_declined(desk: SmallDesk) -> None:
    assert "'times'" in desk.ask("how many orders times from Leeds").text


def test_how_many_times_counts_rows(desk: SmallDesk) -> None:
    assert desk.ask("how many times did we order from Leeds").first.startswith("2 rows")
