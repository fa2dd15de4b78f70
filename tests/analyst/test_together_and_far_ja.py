"""Figures of both parts together, rows far from the rest, the fastest of a figure before, and words of laboratories."""

import pytest

from smoldesk.analyst.intents import DataIntent, Filter, Refusal
from tests.analyst.test_unseen_tables import intent

PARCELS = """伝票番号,配達日,ドライバー,エリア,品目,重量(kg),送料_円,状態
D001,2025-04-01,山口,北区,冷蔵,3.5,850,完了
D002,2025-04-01,石田,南区,常温,1.2,500,完了
D003,2025-04-03,山口,南区,冷凍,7.8,1400,返送
D004,2025-04-05,原,北区,常温,2.2,620,完了
D005,2025-04-08,石田,東区,冷蔵,5.1,1100,保留
"""
TESTED = """Sample ID,Lab,Tensile Strength (MPa),hardness_HV,RAM_GB,Run Time (s),audio_guide_rentals
S1,Osaka,510,160,8,64.2,12
S2,Sendai,498,158,16,61.8,7
S3,Osaka,620,190,8,59.9,31
S4,Tsukuba,640,201,32,70.4,9
"""
STATIONS = """番号,駅名,品目,売り切れ回数,Price/kg (JPY)
1,中央,傘,4,240
2,中央,財布,0,410
3,港町,傘,2,180
4,大橋,傘,6,280
"""


@pytest.mark.parametrize(
    ("table", "asked", "wanted"),
    [
        # both parts together: one figure
        (
            PARCELS,
            "山口と石田を合わせた送料の合計は?",
            {
                "filters": (Filter("ドライバー", "==", ("山口", "石田")),),
                "groups": (),
                "aggregates": ("sum",),
            },
        ),
        (
            PARCELS,
            "北区と南区を合わせた件数",
            {"filters": (Filter("エリア", "==", ("北区", "南区")),), "groups": (), "aggregates": ("count",)},
        ),
        # far from the rest: the rows, and never the column's figures
        (
            PARCELS,
            "送料のzスコアが2を超える行を出して",
            {"operation": "outliers", "measures": ("送料_円",), "rule": "z", "rule_limit": 2.0},
        ),
        (
            PARCELS,
            "重量のzスコアの絶対値が1.5以上の荷物はどれ?",
            {"operation": "outliers", "measures": ("重量(kg)",), "rule": "z", "rule_limit": 1.5},
        ),
        # denied past the last word of the header that is said with the cell
        (
            STATIONS,
            "中央駅以外で見つかった傘は何本?",
            {"filters": (Filter("駅名", "!=", ("中央",)), Filter("品目", "==", ("傘",)))},
        ),
        # a number of times by its deed alone
        (STATIONS, "売り切れが3回以上だったのは何件?", {"filters": (Filter("売り切れ回数", ">=", (3.0,)),)}),
        # the one price there is, though it is for something
        (STATIONS, "傘の平均価格はいくら?", {"measures": ("Price/kg (JPY)",), "aggregates": ("mean",)}),
        (STATIONS, "1キロあたりの平均価格", {"measures": ("Price/kg (JPY)",), "aggregates": ("mean",)}),
        # one bound of two columns
        (
            PARCELS,
            "重量と送料がどちらも3以上の荷物は何件?",
            {"filters": (Filter("重量(kg)", ">=", (3.0,)), Filter("送料_円", ">=", (3.0,))), "groups": ()},
        ),
        (
            TESTED,
            "引張強度と硬さの両方が160以上のサンプルは何個?",
            {
                "filters": (
                    Filter("Tensile Strength (MPa)", ">=", (160.0,)),
                    Filter("hardness_HV", ">=", (160.0,)),
                ),
                "groups": (),
            },
        ),
        # words of laboratories, machines and visits, of headers in English
        (
            TESTED,
            "ラボごとの平均引張強度を教えて",
            {"measures": ("Tensile Strength (MPa)",), "groups": ("Lab",)},
        ),
        (TESTED, "硬さの平均は?", {"measures": ("hardness_HV",), "aggregates": ("mean",)}),
        (TESTED, "メモリが8GB以下のサンプルは何個?", {"filters": (Filter("RAM_GB", "<=", (8.0,)),)}),
        (TESTED, "音声ガイドの貸出数の合計", {"measures": ("audio_guide_rentals",), "aggregates": ("sum",)}),
    ],
)
def test_what_is_read(table: str, asked: str, wanted: dict[str, object]) -> None:
    found = intent(table, asked)
    assert isinstance(found, DataIntent), found
    assert {name: getattr(found, name) for name in wanted} == wanted


@pytest.mark.parametrize("asked", ["速い順に並べて", "速い順に2つだけ"])
@pytest.mark.parametrize(
    ("before", "figure"), [("ラボごとのベストタイムを一覧で", "min"), ("ラボ別の平均タイム", "mean")]
)
def test_the_fastest_have_the_lowest_times_of_the_figure_before(before: str, figure: str, asked: str) -> None:
    found = intent(TESTED, before, asked)
    assert isinstance(found, DataIntent), found
    assert (found.aggregates, found.order) == ((figure,), "asc")


def test_a_word_of_the_far_rows_that_nothing_matches_is_named() -> None:
    found = intent(PARCELS, "送料のzスコアが2より大きい宇宙人を教えて")
    assert isinstance(found, Refusal), found
    assert "宇宙" in "".join(found.words)
