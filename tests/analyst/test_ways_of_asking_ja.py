"""Many ways of asking the same in Japanese, spoken ones too: what each comes to, over tables nobody has seen."""

from typing import Any

import pytest

from smoldesk.analyst.intents import DataIntent, Refusal
from tests.analyst.test_unseen_tables import intent, run

RENTALS = """貸出No,貸出日,客名,スノボ用品,サイズ(cm),レンタル料(円),利用時間(h),状態,保険
R1,2024/1/6,青木,板,150,"4,500",5.5,返却済,あり
R2,2024-01-07,伊東,ブーツ,26,"2,000",3,貸出し中,なし
R3,2024年1月8日,青木,ウェア,160,"3,500",6,返却済,あり
R4,2024/1/13,上田,板,145,"4,500",4,取消し,なし
R5,2024/2/3,江口,板,155,"5,000",8,返却済,あり
R6,2024/2/4,青木,ブーツ,27,"2,200",2.5,返却済,なし
R7,2024/2/10,上田,ウェア,165,"3,800",7,貸出し中,あり
"""
PARCELS = """parcel_id,branch,sender,weight (kg),fare,carrier,insured,tier,monthly_fee,visits_last_month
P1,Kita,Mori,12,900,Swift,Y,Premium,500,3
P2,Minami,Sato,3,400,Falcon,N,Basic,300,1
P3,Kita,Mori,25,1800,Swift,N,Basic,500,6
P4,Higashi,Abe,8,700,Falcon,Y,Premium,800,2
P5,Minami,Sato,15,1200,Swift,Y,Basic,300,9
"""
CLASS = """番号,学年,クラス,国語(点),睡眠(h),部活
1,1年,A,70,7,サッカー
2,2年,A,82,6.5,吹奏楽
3,2年,B,91,8,サッカー
4,3年,B,65,6,美術
5,1年,B,77,7.5,吹奏楽
"""


def said(read: DataIntent) -> dict[str, Any]:
    """What of an intent the tables below may name."""
    return {
        "operation": read.operation,
        "measures": read.measures,
        "figures": read.aggregates,
        "groups": read.groups,
        "order": read.order,
        "rows": [(one.column, one.comparison, *one.values) for one in read.filters],
    }


WAYS: list[tuple[str, tuple[str, ...], dict[str, Any]]] = [
    # clipped and spoken
    (RENTALS, ("レンタル料に外れ値っぽいのある?",), {"operation": "outliers"}),
    (RENTALS, ("利用時間に外れ値っぽいやつある?",), {"operation": "outliers"}),
    (RENTALS, ("取消しになったの何件?",), {"rows": [("状態", "==", "取消し")]}),
    (RENTALS, ("取り消しになったのは何件?",), {"rows": [("状態", "==", "取消し")]}),
    (RENTALS, ("貸し出し中のは何件ある?",), {"rows": [("状態", "==", "貸出し中")]}),
    (RENTALS, ("貸出中のって何件?",), {"rows": [("状態", "==", "貸出し中")]}),
    (CLASS, ("クラス別の国語の平均", "一番高いとこは?"), {"groups": ("クラス",), "order": "desc"}),
    (CLASS, ("部活ごとの国語の平均", "一番低いとこどこ?"), {"groups": ("部活",), "order": "asc"}),
    (CLASS, ("国語と睡眠って相関ある?係数で",), {"operation": "correlation"}),
    (CLASS, ("国語と睡眠は相関してる?相関係数を教えて",), {"operation": "correlation"}),
    (CLASS, ("数値の列同士の相関は?",), {"operation": "correlation"}),
    (CLASS, ("数値の項目どうしの相関をヒートマップで",), {"operation": "correlation"}),
    # units, ranges and heads
    (PARCELS, ("10キロ以上の荷物は何個?",), {"rows": [("weight (kg)", ">=", 10.0)]}),
    (
        PARCELS,
        ("5キロから15キロまでの荷物は何件?",),
        {"rows": [("weight (kg)", ">=", 5.0), ("weight (kg)", "<=", 15.0)]},
    ),
    (
        RENTALS,
        ("レンタル料が3000円から4500円までは何件?",),
        {"rows": [("レンタル料(円)", ">=", 3000.0), ("レンタル料(円)", "<=", 4500.0)]},
    ),
    (
        CLASS,
        ("国語が70点から85点までの人は何人",),
        {"rows": [("国語(点)", ">=", 70.0), ("国語(点)", "<=", 85.0)]},
    ),
    (CLASS, ("クラスごとの国語の平均点",), {"measures": ("国語(点)",), "figures": ("mean",)}),
    (
        CLASS,
        ("学年ごとの睡眠時間の平均",),
        {"measures": ("睡眠(h)",), "figures": ("mean",), "groups": ("学年",)},
    ),
    (CLASS, ("睡眠の平均時間は?",), {"measures": ("睡眠(h)",), "figures": ("mean",)}),
    (CLASS, ("みんな平均何時間寝てる?",), {"measures": ("睡眠(h)",), "figures": ("mean",)}),
    (CLASS, ("2年生は平均何時間寝てますか",), {"figures": ("mean",), "rows": [("学年", "==", "2年")]}),
    (CLASS, ("3年生の国語の平均は?",), {"rows": [("学年", "==", "3年")]}),
    (CLASS, ("サッカーやってる子は何人?",), {"figures": ("count",), "rows": [("部活", "==", "サッカー")]}),
    # people and places in several rows
    (RENTALS, ("客は全部で何人ですか",), {"operation": "distinct", "measures": ("客名",)}),
    (RENTALS, ("お客さんは全部で何人?",), {"operation": "distinct", "measures": ("客名",)}),
    (PARCELS, ("全部で何店舗ある?",), {"operation": "distinct", "measures": ("branch",)}),
    (RENTALS, ("一番お金使ってる人だれ?",), {"figures": ("sum",), "groups": ("客名",), "order": "desc"}),
    (RENTALS, ("一番お金を使ったのは誰?",), {"figures": ("sum",), "groups": ("客名",), "order": "desc"}),
    (RENTALS, ("客ごとの合計金額、多い順で",), {"figures": ("sum",), "groups": ("客名",), "order": "desc"}),
    (
        RENTALS,
        ("客別のレンタル料の合計を高い順に",),
        {"figures": ("sum",), "groups": ("客名",), "order": "desc"},
    ),
    # English names
    (PARCELS, ("キャリアごとの件数",), {"groups": ("carrier",)}),
    (PARCELS, ("プレミアムの荷物は何件?",), {"rows": [("tier", "==", "Premium")]}),
    (PARCELS, ("ベーシックの運賃の平均",), {"rows": [("tier", "==", "Basic")], "measures": ("fare",)}),
    (PARCELS, ("月会費の合計は?",), {"measures": ("monthly_fee",), "figures": ("sum",)}),
    (PARCELS, ("月額会費の平均",), {"measures": ("monthly_fee",), "figures": ("mean",)}),
    (PARCELS, ("先月の来店回数の合計",), {"measures": ("visits_last_month",), "figures": ("sum",)}),
    # days that are written in several ways
    (RENTALS, ("土日に借りたのは何件?",), {"figures": ("count",)}),
    (RENTALS, ("月ごとのレンタル料の合計",), {"measures": ("レンタル料(円)",), "figures": ("sum",)}),
    # going on
    (
        RENTALS,
        ("用品ごとの件数", "レンタル料の合計だとどうなる?"),
        {"figures": ("sum",), "groups": ("スノボ用品",)},
    ),
    (
        RENTALS,
        ("用品ごとの件数", "保険ありだけだと?"),
        {"groups": ("スノボ用品",), "rows": [("保険", "==", "あり")]},
    ),
    (RENTALS, ("用品ごとの件数", "板だけなら?"), {"rows": [("スノボ用品", "==", "板")]}),
    (
        RENTALS,
        ("客ごとのレンタル料の合計を高い順に", "その人の貸出は何件?"),
        {"figures": ("sum", "count"), "groups": ("客名",)},
    ),
]


@pytest.mark.parametrize(("table", "talk", "wanted"), WAYS, ids=[" / ".join(talk) for _, talk, _ in WAYS])
def test_a_way_of_asking_comes_to_what_it_means(
    table: str, talk: tuple[str, ...], wanted: dict[str, Any]
) -> None:
    read = intent(table, *talk)
    assert isinstance(read, DataIntent), read
    assert {name: said(read)[name] for name in wanted} == wanted


@pytest.mark.parametrize(
    ("table", "talk", "word"),
    [
        (CLASS, ("服薬数の平均は?",), "服薬数"),
        (CLASS, ("体脂肪率の平均は?",), "体脂肪率"),
        (RENTALS, ("お客さんの電話番号を一覧にして",), "電話番号"),
        (CLASS, ("していない人は何人?",), "していない"),
        (PARCELS, ("ロッカーごとの件数",), "ロッカー"),
        (RENTALS, ("客ごとのレンタル料の合計を高い順に", "その人の保険は?"), "その人"),
    ],
)
def test_what_no_column_holds_is_named_whole(table: str, talk: tuple[str, ...], word: str) -> None:
    read = intent(table, *talk)
    assert isinstance(read, Refusal) and word in read.words, read


def test_days_written_in_several_ways_are_read_by_the_code() -> None:
    assert run(RENTALS, "土日に借りたのは何件?").startswith("dataの行数: 6")
