"""Days, weeks and months that are ranked or counted in English, and tables that have a row for each of them."""

import pytest

from tests.analyst.small_tables import SmallDesk

WASTE = "Month,Glass (t),Visitors,Metal (t)\n" + "\n".join(
    f"2023-{month:02d},{20 + month},{3000 - month * 10},{month if month != 4 else ''}"
    for month in range(1, 13)
)
BAKERY = "Date,Loaves sold,takings £,Baker\n" + "\n".join(
    f"2024-09-{day:02d},{70 + day},{'' if day == 9 else 400 + day},{'Petra' if day % 2 else 'Ivo'}"
    for day in range(2, 20)
)
ORDERS = "order id,Date,amount\n" + "\n".join(f"{n},2024-09-{1 + n % 5:02d},{n}" for n in range(1, 21))


@pytest.fixture(scope="module")
def waste(tmp_path_factory: pytest.TempPathFactory) -> SmallDesk:
    return SmallDesk(tmp_path_factory.mktemp("waste"), data=WASTE)


@pytest.fixture(scope="module")
def bakery(tmp_path_factory: pytest.TempPathFactory) -> SmallDesk:
    return SmallDesk(tmp_path_factory.mktemp("bakery"), data=BAKERY)


@pytest.fixture(scope="module")
def orders(tmp_path_factory: pytest.TempPathFactory) -> SmallDesk:
    return SmallDesk(tmp_path_factory.mktemp("orders"), data=ORDERS)


def test_a_column_of_months_is_cut_by_the_month(waste: SmallDesk) -> None:
    said = waste.ask("glass per month").text
    assert "by month" in said and "2023-12" in said and "2023-12-01" not in said.split("\n")[0]


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("top 3 months by glass", ("32", "2023-12", "30", "2023-10")),
        ("which month had the most visitors?", ("2,990", "2023-01")),
        ("which 2 months had the fewest visitors", ("2,880", "2023-12", "2,890", "2023-11")),
        ("in how many months was glass between 25 and 30 tonnes?", ("6 rows",)),
        ("how many months had more than 30 t of glass", ("2 rows",)),
    ],
)
def test_months_are_ranked_and_counted(waste: SmallDesk, asked: str, told: tuple[str, ...]) -> None:
    said = waste.ask(asked).text
    assert all(one in said for one in told), said


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("the two worst days by takings", ("402", "403")),
        ("which day had the lowest takings", ("402", "2024-09-02")),
        ("best 3 days by loaves sold", ("89", "87")),
    ],
)
def test_a_day_of_blanks_is_not_the_lowest(bakery: SmallDesk, asked: str, told: tuple[str, ...]) -> None:
    said = bakery.ask(asked).text
    assert all(one in said for one in told) and "lowest 0" not in said, said


def test_days_that_are_rows_are_listed(bakery: SmallDesk) -> None:
    said = bakery.ask("list the days with more than 85 loaves sold").text
    assert "4 rows" in said, said


def test_where_a_day_has_several_rows_they_are_not_its_days(orders: SmallDesk) -> None:
    assert "days" in orders.ask("list the days with more than 15 amount").text.split("\n")[0]
