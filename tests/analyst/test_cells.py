"""Cells asked for in the other language: by their translation, as a deed, put together from parts, among many."""

import re

import pytest

from smoldesk.analyst.intents import DataIntent, Refusal
from smoldesk.analyst.words.cells import CELLS, put_together, said_of
from smoldesk.analyst.words.japanese import words_of
from tests.analyst.test_unseen_tables import intent

ORDERS = "Order,Status,Office,Item,Amount\n" + "".join(
    f"A{n},{status},{office},{item},{100 + n}\n"
    for n, (status, office, item) in enumerate(
        [
            ("Delivered", "Sapporo Branch", "Red Wine"),
            ("In Progress", "Fukuoka Branch", "Carrot"),
            ("Cancelled", "Sapporo Branch", "Cold Brew"),
            ("Unpaid", "Fukuoka Branch", "Red Wine"),
        ]
        * 3
    )
)
TICKETS = "番号,状態,時間\n" + "".join(
    f"T{n},{state},{n}\n" for n, state in enumerate(["対応中", "完了", "保留"] * 4)
)
SHIFTS = "Day,Visitors\n" + "".join(
    f"{day},{n}\n" for n, day in enumerate(["Monday", "Tuesday", "Saturday"] * 4)
)
DATED = "Date,Day,Visitors\n" + "".join(
    f"2024-06-{n + 1:02},{day},{n}\n" for n, day in enumerate(["Saturday", "Sunday", "Monday"] * 4)
)
NATIONS = """Norway, Sweden, Finland, Denmark, Italy, Spain, France, Germany, Japan, Brazil, Chile, Peru, Kenya, Egypt, Morocco,
India, Nepal, China, Taiwan, Canada, Mexico, Cuba, Poland, Greece, Turkey, Iran, Iraq, Israel"""
HARMLESS = {
    "多い",
    "少ない",
    "全部",
    "結果",
    "時",
    "数",
    "件",
    "最高",
    "最低",
    "平均",
    "高い",
    "低い",
    "前",
    "後",
    "年",
    "月",
    "円",
}


def kept(table: str, question: str) -> list[tuple[str, tuple[object, ...]]]:
    read = intent(table, question)
    assert isinstance(read, DataIntent), read
    return [(one.column, one.values) for one in read.filters]


@pytest.mark.parametrize(
    ("table", "question", "column", "cell"),
    [
        (ORDERS, "配達済みの注文は何件？", "Status", "Delivered"),
        (ORDERS, "届いた注文の金額の合計", "Status", "Delivered"),
        (ORDERS, "対応中の注文は何件", "Status", "In Progress"),
        (ORDERS, "キャンセルされた注文の件数", "Status", "Cancelled"),
        (ORDERS, "未払いの金額の合計", "Status", "Unpaid"),
        (ORDERS, "赤ワインの金額の平均", "Item", "Red Wine"),
        (ORDERS, "人参の件数", "Item", "Carrot"),
        (ORDERS, "札幌支店の金額の合計", "Office", "Sapporo Branch"),
        (TICKETS, "how many are completed?", "状態", "完了"),
        (TICKETS, "how many are on hold?", "状態", "保留"),
        (SHIFTS, "土曜日のVisitorsの平均", "Day", "Saturday"),
        (SHIFTS, "average visitors on Saturday", "Day", "Saturday"),
    ],
)
def test_a_cell_is_found_by_its_words_of_the_other_language(
    table: str, question: str, column: str, cell: str
) -> None:
    assert kept(table, question) == [(column, (cell,))]


def test_a_column_of_days_is_the_day_of_the_week() -> None:
    read = intent(SHIFTS, "曜日ごとのVisitorsの平均")
    assert isinstance(read, DataIntent) and read.groups == ("Day",)


def test_beside_dates_a_day_of_the_week_is_still_one_of_the_dates() -> None:
    assert ("Day", ("Saturday",)) not in kept(DATED, "土曜日のVisitorsの平均")


def test_one_of_many_cells_is_found_too() -> None:
    table = "Country,Population\n" + "".join(f"{name},{n}\n" for n, name in enumerate(words_of(NATIONS)))
    assert kept(table, "ノルウェーのPopulationは？") == [("Country", ("Norway",))]


def test_a_word_that_is_a_cell_itself_stands_for_that_one_alone() -> None:
    assert "保留中" in said_of("pending")
    table = "Status,Amount\n" + "".join(f"{word},{n}\n" for n, word in enumerate(["Pending", "保留中"] * 4))
    assert kept(table, "保留中の件数") == [("Status", ("保留中",))]


def test_a_cell_of_another_field_is_declined() -> None:
    assert isinstance(intent(ORDERS, "整形外科の件数"), Refusal)


def test_parts_are_put_together_in_their_order_and_only_when_both_are_known() -> None:
    assert "札幌支店" in put_together("sapporo branch")
    assert "支店札幌" not in put_together("sapporo branch")
    assert put_together("sapporo qwerty") == ()
    assert put_together("cold brew") == ()


def test_no_cell_is_called_by_a_word_of_harmless_speech() -> None:
    words = {word for words in CELLS for word in words[1:]}
    assert not words & HARMLESS
    assert not {word for word in words if re.fullmatch(r"[\u30a0-\u30ff]", word)}
