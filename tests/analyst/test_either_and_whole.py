"""Either of two conditions, the whole a part is of, and follow-ups that take a condition or a group back."""

import pytest

from smoldesk.analyst.intents import DataIntent, Refusal
from tests.analyst.test_unseen_tables import intent, run

REPAIRS = """Ticket,Device,Technician,Received on,Cost (EUR)
R1,phone,Ana,2024-01-05,120
R2,laptop,Ben,2024-01-18,260
R3,phone,Ana,2024-02-02,80
R4,tablet,Cho,2024-03-14,150
R5,laptop,Ben,2024-03-15,310
R6,phone,Cho,2024-03-30,60
"""
SHOP = """日付,店舗,商品,個数,売上(円),会員,支払方法
2024-04-01,駅前店,食パン,3,900,はい,現金
2024-04-06,本店,クリームパン,5,800,いいえ,カード
2024-04-13,駅前店,ケーキ,2,960,はい,カード
2024-05-03,本店,ケーキ,1,450,はい,現金
2024-05-12,港店,食パン,2,600,いいえ,現金
"""


@pytest.mark.parametrize(
    ("text", "said", "count"),
    [
        (REPAIRS, "how many repairs cost under 80 or over 300", "2"),
        (REPAIRS, "how many repairs were by Ana or cost over 300", "3"),
        (SHOP, "食パンまたは会員の件数", "4"),
        (SHOP, "売上が500円未満か900円以上は何件？", "3"),
    ],
)
def test_one_of_two_conditions_is_enough(text: str, said: str, count: str) -> None:
    read = intent(text, said)
    assert isinstance(read, DataIntent) and len(read.filters) == 1 and len(read.filters[0].options) == 2
    assert count in run(text, said).split("\n")[0].replace("（", " ").replace(": ", " ").split(" ")


def test_three_conditions_with_one_or_are_declined() -> None:
    read = intent(REPAIRS, "how many repairs by Ana for a phone or over 100 euro")
    assert isinstance(read, Refusal)


def test_the_whole_stands_before_nouchi() -> None:
    read = intent(SHOP, "会員のうちカード払いの割合")
    assert isinstance(read, DataIntent) and read.target
    assert (read.target.column, [one.column for one in read.filters]) == ("支払方法", ["会員"])


@pytest.mark.parametrize("said", ["一番売れた商品は？", "一番売れている商品はどれ？"])
def test_what_sold_best_adds_up_what_was_sold(said: str) -> None:
    read = intent(SHOP, said)
    assert isinstance(read, DataIntent)
    assert (read.measures, read.aggregates, read.groups) == (("個数",), ("sum",), ("商品",))


@pytest.mark.parametrize(
    ("talk", "columns"),
    [
        (("average cost of phones", "and for all devices?"), []),
        (("average cost of phones in march", "and for all devices?"), ["Received on"]),
    ],
)
def test_all_of_a_column_takes_its_condition_back(talk: tuple[str, ...], columns: list[str]) -> None:
    read = intent(REPAIRS, *talk)
    assert isinstance(read, DataIntent) and not read.groups
    assert [one.column for one in read.filters] == columns


@pytest.mark.parametrize("again", ["by technician", "ok then by technician", "and by technician?"])
def test_another_group_after_one_nobody_knows(again: str) -> None:
    read = intent(REPAIRS, "average cost by shoe size", again)
    assert isinstance(read, DataIntent)
    assert (read.measures, read.aggregates, read.groups) == (("Cost (EUR)",), ("mean",), ("Technician",))


def test_a_group_after_a_lost_measure_counts_nothing() -> None:
    assert isinstance(intent(REPAIRS, "average warranty by device", "by technician"), Refusal)
    assert isinstance(intent(SHOP, "来客数の平均", "店舗別では？"), Refusal)


def test_non_members() -> None:
    read = intent(SHOP, "会員の売上平均", "非会員は？")
    assert isinstance(read, DataIntent)
    assert [(one.column, one.values) for one in read.filters] == [("会員", ("いいえ",))]
