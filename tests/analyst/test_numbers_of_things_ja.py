"""Columns that hold numbers of things, said by what they count, and columns of numbers said around a figure."""

import pytest

from smoldesk.analyst.intents import DataIntent, Filter, Refusal
from tests.analyst.test_unseen_tables import intent

POND = """Date,Pond,Species,Number of fish,Length (cm),recorder
2024-05-01,北池,フナ,12,14.5,西野
2024-05-01,南池,コイ,3,42.0,東
2024-05-08,北池,コイ,5,38.2,西野
2024-06-02,南池,フナ,20,15.0,東
2024-06-09,南池,メダカ,88,2.9,西野
"""
MOTHS = """調査日,場所,種名,個体数,気温
2024-07-01,丘,スズメガ,4,22.5
2024-07-01,沢,ヤママユ,1,21.0
2024-08-03,丘,ヤママユ,6,24.5
"""
PLAIN = "Day,Kind,Count\n2024-05-01,duck,4\n2024-05-02,swan,2\n2024-05-03,duck,9\n"
BOOKS = """書名,分野,評価(5点満点),レビュー数,貸出の料金(円)
青い庭,小説,3.6,412,120
星の本,図鑑,4.1,286,300
海の歌,小説,4.6,158,180
"""
TEAMS = (
    "Name,Pos,Goals,assists,Height (cm)\nSato,FW,12,3,181\nKato,MF,4,9,175\nEndo,FW,7,1,188\nOno,DF,1,2,190\n"
)
FISH = ("Number of fish",)


@pytest.mark.parametrize(
    ("table", "asked", "wanted"),
    [
        (POND, "個体数の合計は?", {"measures": FISH, "aggregates": ("sum",)}),
        (POND, "フナは何匹?", {"measures": FISH, "filters": (Filter("Species", "==", ("フナ",)),)}),
        (POND, "北池では全部で何匹見つかりましたか", {"measures": FISH, "aggregates": ("sum",)}),
        (POND, "平均個体数は?", {"measures": FISH, "aggregates": ("mean",)}),
        (
            POND,
            "種類別の合計個体数を棒グラフにして",
            {"measures": FISH, "groups": ("Species",), "plot": "bar"},
        ),
        (POND, "10匹以上見つかったのは何回?", {"filters": (Filter("Number of fish", ">=", (10.0,)),)}),
        (POND, "Pondと種類ごとの記録件数をクロス集計して", {"aggregates": ("count",), "wide": True}),
        (POND, "個体数の合計が一番多い種類は?", {"measures": FISH, "groups": ("Species",), "order": "desc"}),
        (POND, "6月にフナは何匹釣れましたか?", {"measures": FISH, "aggregates": ("sum",)}),
        (PLAIN, "duckは何羽いましたか", {"measures": ("Count",), "aggregates": ("sum",)}),
        (MOTHS, "8月は何匹?", {"measures": ("個体数",), "aggregates": ("sum",)}),
        (MOTHS, "個体数が一番多い場所は?", {"groups": ("場所",), "aggregates": ("sum",)}),
        (BOOKS, "レビューが多い順に2冊教えて", {"measures": ("レビュー数",), "limit": 2}),
        (BOOKS, "レビューが200件以上の本は何冊?", {"filters": (Filter("レビュー数", ">=", (200.0,)),)}),
        (BOOKS, "貸出の平均料金は?", {"measures": ("貸出の料金(円)",), "aggregates": ("mean",)}),
        (TEAMS, "5ゴール以上の選手は何人?", {"filters": (Filter("Goals", ">=", (5.0,)),)}),
        (TEAMS, "FWのゴールは全ゴール数の何%?", {"measures": ("Goals",), "aggregates": ("share",)}),
        (TEAMS, "身長の高い順に選手を並べ替えて", {"measures": ("Height (cm)",), "limit": 4}),
        (POND, "月別の個体数の合計は前月からいくつ増えましたか", {"change": "diff", "grain": "month"}),
        (POND, "月別の個体数の合計は前月から何%増えましたか", {"change": "pct", "grain": "month"}),
        (POND, "週ごと(月曜始まり)の個体数の合計", {"grain": "week", "aggregates": ("sum",)}),
        (POND, "記録者の名前を教えて", {"operation": "distinct", "measures": ("recorder",)}),
    ],
)
def test_is_read(table: str, asked: str, wanted: dict[str, object]) -> None:
    read = intent(table, asked)
    assert isinstance(read, DataIntent)
    assert {name: getattr(read, name) for name in wanted} == wanted


@pytest.mark.parametrize(
    ("table", "asked", "word"),
    [
        (POND, "月別の個体数の合計は前年から何%増えましたか", "前"),
        (POND, "日曜始まりの週ごとの個体数の合計", "始まり"),
        (TEAMS, "Satoの年俸はいくらですか", "年俸"),
        (TEAMS, "5反則以上の選手は何人?", "則"),
    ],
)
def test_another_span_and_another_thing_are_declined(table: str, asked: str, word: str) -> None:
    read = intent(table, asked)
    assert isinstance(read, Refusal)
    assert any(word in said for said in read.words)
