"""How Japanese asks: 可 and なし of a yes and no, not one day, rows called by their money, one thing for another."""

import pytest

from smoldesk.analyst.intents import DataIntent, Filter, Refusal
from tests.analyst.test_unseen_tables import intent

SHOPS = """Shop,Parking Available,City,Walk from Bus Stop (min),Visitors
Ichi,yes,Kobe,4,120
Ni,no,Kobe,12,80
San,yes,Nara,9,95
Yon,no,Nara,15,60
"""
CLUBS = """日付,責任班,参加生徒名,遅刻回数,国語(点),理科(点),活動時間(分)
2024-05-01,赤い班,青木,0,80,71,40
2024-05-02,白い班,石田,2,62,90,55
2024-05-03,赤い班,上野,0,95,66,30
2024-05-04,青い班,江口,1,58,49,45
"""
SALES = """売上日時,品名,会計額(円),支払い方法
2024-05-01 10:12,花束,3200,現金
2024-05-01 15:40,鉢植え,1800,カード
2024-05-02 16:05,花束,4100,カード
2024-05-03 11:30,種,600,現金
"""
PARKING = "Parking Available"


@pytest.mark.parametrize(
    ("table", "asked", "wanted"),
    [
        (SHOPS, "駐車場ありの店は何件?", {"filters": (Filter(PARKING, "==", ("yes",)),)}),
        (SHOPS, "駐車場なしの店は何件?", {"filters": (Filter(PARKING, "==", ("no",)),)}),
        (SHOPS, "駐車場ありとなしで平均Visitorsを比べて", {"groups": (PARKING,), "filters": ()}),
        (CLUBS, "班ごとの活動時間の平均", {"groups": ("責任班",)}),
        (CLUBS, "遅刻が一回もない生徒は何人?", {"filters": (Filter("遅刻回数", "==", (0.0,)),)}),
        (CLUBS, "一度も遅刻していない生徒の数", {"filters": (Filter("遅刻回数", "==", (0.0,)),)}),
        (CLUBS, "国語が最低点だった生徒の名前は?", {"measures": ("国語(点)", "参加生徒名"), "order": "asc"}),
        (CLUBS, "活動時間が最長だったのはいつ?", {"order": "desc", "measures": ("活動時間(分)", "日付")}),
        (CLUBS, "国語、理科の2教科の相関は?", {"operation": "correlation"}),
        (CLUBS, "国語の最高点と最低点の差は?", {"aggregates": ("range",)}),
        (SALES, "売上は全部で何件?", {"measures": (), "aggregates": ("count",), "filters": ()}),
        (SALES, "15時以降の会計は何件ありましたか", {"measures": (), "aggregates": ("count",), "groups": ()}),
        (
            SALES,
            "2000円以上の支払いは何回?",
            {"filters": (Filter("会計額(円)", ">=", (2000.0,)),), "groups": ()},
        ),
        (SALES, "時間帯(時)ごとの件数", {"grain": "hour of day"}),
    ],
)
def test_is_read(table: str, asked: str, wanted: dict[str, object]) -> None:
    read = intent(table, asked)
    assert isinstance(read, DataIntent)
    assert {name: getattr(read, name) for name in wanted} == wanted


@pytest.mark.parametrize(
    ("turns", "wanted"),
    [
        (("班ごとの活動時間の平均は?", "平均じゃなくて中央値でお願いします"), {"aggregates": ("median",)}),
        (("班ごとの国語の平均は?", "国語ではなく理科で"), {"measures": ("理科(点)",), "groups": ("責任班",)}),
        (
            ("赤い班の国語の平均は?", "赤い班じゃなくて白い班で"),
            {"filters": (Filter("責任班", "==", ("白い班",)),)},
        ),
        (("班ごとの国語の平均は?", "白い班は除いて"), {"filters": (Filter("責任班", "!=", ("白い班",)),)}),
    ],
)
def test_a_follow_up_puts_one_thing_in_place_of_another(
    turns: tuple[str, ...], wanted: dict[str, object]
) -> None:
    read = intent(CLUBS, *turns)
    assert isinstance(read, DataIntent)
    assert {name: getattr(read, name) for name in wanted} == wanted


@pytest.mark.parametrize(
    ("table", "asked", "word"),
    [(CLUBS, "黄色い班の国語の平均は?", "班"), (CLUBS, "第7班の活動時間の平均は?", "第7班")],
)
def test_a_cell_that_is_not_there_is_named_whole(table: str, asked: str, word: str) -> None:
    read = intent(table, asked)
    assert isinstance(read, Refusal)
    assert any(one.endswith(word) for one in read.words)


def test_what_no_column_allows_is_declined() -> None:
    pets = "動物種,来院日,体重(kg)\n犬,2024-05-01,8\n猫,2024-05-02,4\n犬,2024-05-03,12\n"
    assert isinstance(intent(pets, "ペット可の体重の平均は?"), Refusal)
