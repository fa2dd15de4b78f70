"""Japanese of collections, catches and tickets: what is added up, which end is old, what was sold, and the order of days."""

import pytest

from smoldesk.analyst.intents import DataIntent, Filter, Refusal
from tests.analyst.test_unseen_tables import intent

COLLECTION = """作品番号,題名,部門,購入年,受入年,取得方法,保険額(万円)
A-1,朝の港,油彩,1991,1992,購入,120
A-2,石の庭,版画,2003,2003,寄贈,40
A-3,夕立,油彩,1978,1980,寄贈,310
A-4,白い馬,素描,2012,2012,購入,25
"""
FARM = """収穫日,畑,作物,収穫量(kg),糖度
2024-06-01,北,トマト,120,6.1
2024-06-08,南,ナス,80,4.0
2024-07-03,北,トマト,150,6.4
2024-07-10,南,ナス,60,4.2
"""
SHOWS = """Show,Day,Hall,Genre,Tickets Sold,Price ($)
Alpha,2024-01-05,Red,jazz,120,20
Beta,2024-01-12,Blue,rock,340,25
Gamma,2024-01-19,Red,jazz,90,15
Delta,2024-01-26,Blue,folk,210,18
"""
SPENDING = """日付,項目,店名,金額(円)
2024-04-01,食費,青空マート,4200
2024-04-03,外食,麺処まる,1300
2024-04-06,食費,青空マート,900
2024-04-09,交際費,花の木,8800
"""
ADVERTS = """配信日,キャンペーン名,種別,表示回数,クリック数,費用(円),営業
2024-05-01,夏祭り,動画,1200,40,9000,林
2024-05-03,夏祭り,バナー,3000,25,4000,森
2024-05-08,秋支度,動画,2200,61,12000,林
"""
SERVERS = """host,checked_at,cpu_load_%,Depot
a1,2024-01-01 10:00,40,North
a2,2024-01-01 11:00,90,South
"""


@pytest.mark.parametrize(
    ("table", "asked", "wanted"),
    [
        (COLLECTION, "受入年が古い順に3件", {"measures": ("受入年",), "order": "asc", "limit": 3}),
        (COLLECTION, "受入年の新しい順に3件", {"measures": ("受入年",), "order": "desc", "limit": 3}),
        (
            COLLECTION,
            "受入年の古いものから2点を並べて",
            {"measures": ("受入年",), "order": "asc", "limit": 2},
        ),
        (COLLECTION, "部門ごとの点数は?", {"groups": ("部門",), "aggregates": ("count",)}),
        (COLLECTION, "2000年より前に受け入れた作品は何点?", {"filters": (Filter("受入年", "<", (2000.0,)),)}),
        (
            COLLECTION,
            "部門ごとの件数を、取得方法で色分けした積み上げ棒グラフにして",
            {"groups": ("部門", "取得方法"), "plot": "stacked"},
        ),
        (FARM, "月ごとの収穫量", {"aggregates": ("sum",), "grain": "month"}),
        (FARM, "畑ごとの糖度", {"aggregates": ("mean",)}),
        (FARM, "糖度を収穫日順に折れ線グラフで", {"date": "収穫日", "plot": "line"}),
        (FARM, "収穫日順に2回分の収穫量の移動平均を出して", {"window": 2, "date": "収穫日"}),
        (FARM, "収穫日順に表示して", {"operation": "top", "measures": ("収穫日",), "order": "asc"}),
        (
            SHOWS,
            "チケットが一番売れたショー2つは?",
            {"measures": ("Tickets Sold",), "limit": 2, "order": "desc"},
        ),
        (SHOWS, "チケットが一番売れたジャンルは?", {"measures": ("Tickets Sold",), "aggregates": ("sum",)}),
        (
            SHOWS,
            "販売枚数が少ないショーを下から2つ",
            {"measures": ("Tickets Sold",), "order": "asc", "limit": 2},
        ),
        (
            SPENDING,
            "一番高かった支出はどの店?",
            {"operation": "top", "measures": ("金額(円)", "項目", "店名"), "limit": 1},
        ),
        (ADVERTS, "広告費の合計は?", {"measures": ("費用(円)",), "aggregates": ("sum",), "groups": ()}),
        (
            ADVERTS,
            "動画広告は何件?",
            {"filters": (Filter("種別", "==", ("動画",)),), "aggregates": ("count",)},
        ),
        (SERVERS, "CPU負荷の最大値は?", {"measures": ("cpu_load_%",), "aggregates": ("max",)}),
        (SERVERS, "デポ別の平均cpu_load", {"groups": ("Depot",)}),
    ],
)
def test_what_is_meant_is_what_is_computed(table: str, asked: str, wanted: dict[str, object]) -> None:
    found = intent(table, asked)
    assert isinstance(found, DataIntent), found
    assert {name: getattr(found, name) for name in wanted} == wanted


@pytest.mark.parametrize(
    ("table", "asked", "named"),
    [
        (SHOWS, "満足度の平均は何点ですか", "満足度"),  # named whole
        (COLLECTION, "来館者数が一番多い部門は?", "来館者"),  # works are no visitors
        (SPENDING, "最大の支出はどの店?", "どの店"),  # never the figure alone
    ],
)
def test_what_no_column_tells_is_named(table: str, asked: str, named: str) -> None:
    found = intent(table, asked)
    assert isinstance(found, Refusal)
    assert any(named in word for word in found.words)


def test_a_part_that_somebody_did_goes_on_from_before() -> None:
    found = intent(ADVERTS, "種別ごとのクリック数の合計は?", "林さんの担当分だけだと?")
    assert isinstance(found, DataIntent)
    assert found.filters == (Filter("営業", "==", ("林",)),)
