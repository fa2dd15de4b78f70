"""Conditions beyond a column and a value: parts of texts, one or the other, and two columns of a row."""

from pathlib import Path

import pytest

from tests.analyst.small_tables import SmallDesk

ORDERS = """Order No,Date,Customer,Product,City,List Price,Sale Price,Qty,Status,Age
1,2024-01-05,Anna Berg,Oak Table,Leeds,200,180,2,delivered,34
2,2024-01-09,Ben Cole,Pine Chair,York,50,50,4,cancelled,45
3,2024-02-11,Cara Dunn,Oak Chair,Leeds,80,70,1,delivered,29
4,2024-02-15,Anna Berg,Desk Lamp,Hull,30,27,3,refunded,34
5,2024-03-01,Dev Eames,Oak Shelf,York,120,90,1,delivered,52
6,2024-03-03,Ella Fox,Pine Table,Leeds,150,150,1,delivered,41
7,2024-03-21,Ben Cole,Floor Lamp,Hull,60,45,2,cancelled,45
8,2024-04-02,Gus Hill,Oak Chair,York,80,72,6,delivered,61
"""


@pytest.fixture
def desk(tmp_path: Path) -> SmallDesk:
    return SmallDesk(tmp_path, orders=ORDERS)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("how many orders have 'Oak' in the product name", "4 rows"),
        ("total qty for products containing oak", "10"),
        ("average sale price of products ending with Chair", "64"),
        ("how many orders are from customers whose name starts with B", "2 rows"),
        ("how many orders are for products not containing Oak", "4 rows"),
        ("how many orders do not have Oak in the product", "4 rows"),
        ("share of orders with Oak in the product", "50.0 %"),
        ("「Oak」を含む商品の注文は何件", "4"),
        ("Oakで始まる商品の数量の合計", "10"),
    ],
)
def test_a_part_of_a_text_is_a_condition(desk: SmallDesk, asked: str, told: str) -> None:
    assert told in desk.ask(asked).first


@pytest.mark.parametrize(
    ("asked", "word"),
    [("how many orders contain 'Zebra'", "Zebra"), ("how many orders contain velvet", "velvet")],
)
def test_a_part_that_no_column_holds_is_no_condition(desk: SmallDesk, asked: str, word: str) -> None:
    assert "do not know" in desk.ask(asked).text and word in desk.ask(asked).text


def test_a_word_of_the_grammar_is_no_part_of_a_text(desk: SmallDesk) -> None:
    assert "contains" not in desk.ask("how many orders contain missing values").text


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("how many orders are from Leeds or over 100 list price", "4 rows"),
        ("how many orders were either cancelled or from Hull", "3 rows"),
        ("how many orders with qty under 2 or over 3", "5 rows"),
        ("average list price where age is under 35 or over 60", "97.5"),
        ("how many orders were neither cancelled nor refunded", "5 rows"),
        ("percentage of orders that are cancelled or over 100 list price", "62.5 %"),
        ("how many Leeds orders over 100 list price or York orders under 60 list price", "3 rows"),
        ("how many orders from Leeds or York or with qty over 2", "7 rows"),
        ("how many orders from hull or in march", "4 rows"),
        ("how many orders with age under 30 or over 50", "3 rows"),
        ("LeedsまたはQtyが3を超える注文は何件", "5"),
    ],
)
def test_or_joins_conditions_of_different_columns(desk: SmallDesk, asked: str, told: str) -> None:
    assert told in desk.ask(asked).first


@pytest.mark.parametrize(
    "asked",
    [
        "how many orders from Leeds and over 50 list price or cancelled",
        "how many orders were not from Leeds or over 40 list price",
    ],
)
def test_an_or_that_may_be_read_in_two_ways_is_declined(desk: SmallDesk, asked: str) -> None:
    assert "'or'" in desk.ask(asked).text


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("how many orders where sale price equals list price", "2 rows"),
        ("how many orders where the sale price is below the list price", "6 rows"),
        ("how many orders have a lower sale price than list price", "6 rows"),
        ("share of orders where sale price is below list price", "75.0 %"),
        ("Sale PriceがList Priceを下回る注文は何件", "6"),
    ],
)
def test_two_columns_of_a_row_are_compared(desk: SmallDesk, asked: str, told: str) -> None:
    assert told in desk.ask(asked).first


def test_more_without_two_columns_is_declined(desk: SmallDesk) -> None:
    assert "'more'" in desk.ask("are there more orders from Leeds").text
