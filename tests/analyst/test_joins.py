"""Two tables of a chat, joined on the column that says the same in both."""

from pathlib import Path

import pytest

from tests.analyst.small_tables import SmallDesk

ORDERS = "order_id,customer_id,amount,order_date\n" + "\n".join(
    f"{place},{1 + place % 4},{10 * place},2024-0{1 + place % 3}-05" for place in range(1, 13)
)
CUSTOMERS = "Customer ID,city\n1,Oslo\n2,Rome\n3,Oslo\n9,Bonn\n"
SOLD = "日付,支店コード,売上(円)\n2024-05-01,S1,100\n2024-05-02,S2,200\n2024-05-03,S1,400\n"
BRANCHES = "支店コード,地域\nS1,北\nS2,南\n"


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> SmallDesk:
    return SmallDesk(tmp_path_factory.mktemp("shop"), orders=ORDERS, customers=CUSTOMERS)


@pytest.mark.parametrize("tools", [False, True], ids=["code", "tools"])
@pytest.mark.parametrize(
    "question", ["join orders and customers and show total amount by city", "total amount by city"]
)
def test_figures_over_two_tables_say_the_key(desk: SmallDesk, question: str, tools: bool) -> None:
    said = desk.ask(question, tools=tools)
    assert "- Oslo: 420" in said.text and "- Rome: 150" in said.text and "Bonn" not in said.text
    assert (
        "I joined orders (12 rows) and customers (4 rows) on customer_id = Customer ID: 9 rows." in said.text
    )


def test_japanese_tables_are_joined(tmp_path: Path) -> None:
    desk = SmallDesk(tmp_path, sold=SOLD, branches=BRANCHES)
    said = desk.ask("地域別の売上合計")
    assert "- 北: 500" in said.text and "支店コードで結合し、3行になりました" in said.text
    assert len(desk.ask("soldとbranchesを結合して").tables[0]) == 3


def test_a_joined_question_goes_on(desk: SmallDesk) -> None:
    said = desk.ask("total amount by city", "and by month?")
    assert "I joined" in said.text and said.tables[0].iloc[:, 1].sum() == 570


def test_a_question_of_one_table_is_not_joined(desk: SmallDesk) -> None:
    said = desk.ask("total amount")
    assert said.first == "Total amount: 780." and "joined" not in said.text


def test_without_a_key_the_analyst_asks(tmp_path: Path) -> None:
    desk = SmallDesk(tmp_path, orders=ORDERS, weather="day,rain\nMonday,1\nTuesday,2\n")
    said = desk.ask("join orders and weather")
    assert "no column by which" in said.text and "customer_id" in said.text


def test_a_column_of_one_table_only_is_no_key(desk: SmallDesk) -> None:
    assert "no column by which" in desk.ask("join orders and customers on city").text


def test_keys_without_a_value_in_common_are_no_keys(tmp_path: Path) -> None:
    desk = SmallDesk(tmp_path, one="city,size\nOslo,1\nRome,2\n", other="city,rain\nBonn,1\nParis,2\n")
    assert "no column by which" in desk.ask("join one and other").text
