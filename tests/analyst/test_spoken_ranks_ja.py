"""Follow-ups, differences, ranks, blanks, plots and growth asked in spoken Japanese."""

import pytest

from smoldesk.analyst.intents import DataIntent, Refusal
from tests.analyst.test_unseen_tables import intent, run
from tests.analyst.test_ways_of_asking_ja import said

PETS = """診察No,来院日,動物種,名前,年齢(歳),体重kg,診察料,担当医,保険,備考
1,2025-01-06,犬,ポチ,5,8.2,"3,500円",森,あり,
2,2025-01-12,猫,ミケ,3,4.1,"2,800円",森,なし,再診
3,2025-02-01,犬,レオ,9,24.5,"12,400円",林,あり,
4,2025-02-08,猫,トラ,12,5.0,"9,000円",林,なし,再診
5,2025-02-11,うさぎ,ハナ,2,1.8,"1,500円",森,なし,再診
6,2025-02-15,犬,リク,4,19.4,"7,200円",林,あり,再診
"""
CARS = """管理No,車種,年式,走行距離(km),価格(万円),色
U1,プリウス,2018,45200,158,白
U2,フィット,2016,62800,79.8,青
U3,プリウス,2021,15700,205,黒
U4,アクア,2013,105500,56,
"""
CLUB = """年月,会員数,退会者数,部門
2023-04,1204,41,A
2023-05,1238,38,A
2023-06,1290,74,B
2024-04,1548,66,B
"""
RACE = """番号,氏名,性別,種目,タイム(分)
1,青木,男,フル,212.5
2,石田,女,フル,248
3,上野,男,ハーフ,95.4
4,江口,女,ハーフ,110.2
5,大西,女,フル,226.3
"""


@pytest.mark.parametrize(
    ("table", "turns", "wanted"),
    [
        # a follow-up never drops what it did not speak of
        (PETS, ("動物種別の件数", "診察料の合計もお願い"), {"measures": ("診察料",), "groups": ("動物種",)}),
        (PETS, ("動物種別の平均体重は", "平均年齢も"), {"measures": ("年齢(歳)",), "groups": ("動物種",)}),
        (RACE, ("種目ごとの平均タイム", "男女別にも分けて"), {"measures": ("タイム(分)",), "groups": ("種目", "性別")}),
        (RACE, ("種目ごとの平均タイム", "性別でも分けて"), {"groups": ("種目", "性別")}),
        (RACE, ("種目ごとの平均タイム", "性別ごとだと?"), {"measures": ("タイム(分)",), "groups": ("性別",)}),
        # differences
        (PETS, ("1月と2月で診察料の平均はいくら違う?",), {"operation": "difference", "measures": ("診察料",)}),
        (PETS, ("保険の有り無しで平均体重はどれくらい違う?",), {"operation": "difference", "measures": ("体重kg",)}),
        (RACE, ("男女で平均タイムは何分違う?",), {"operation": "difference", "measures": ("タイム(分)",)}),
        (PETS, ("土日と平日で診察料の平均はどのくらい違うか",), {"operation": "difference", "measures": ("診察料",)}),
        (CLUB, ("2023年4月と2023年5月で会員数の合計はいくら違う?",), {"operation": "difference", "figures": ("sum",)}),
        # ranks
        (PETS, ("一番重い動物の名前と体重は?",), {"operation": "top", "measures": ("体重kg", "名前")}),
        (PETS, ("一番重い犬の診察料は?",), {"operation": "top", "measures": ("体重kg", "診察料")}),
        (PETS, ("診察料が高い順に3件、来院日と名前",), {"operation": "top", "measures": ("診察料", "来院日", "名前")}),
        (PETS, ("重い順に2件、名前と診察料",), {"operation": "top", "measures": ("体重kg", "名前", "診察料")}),
        (PETS, ("診察料が一番高かったのはいつ?いくら?",), {"operation": "top", "measures": ("診察料", "来院日")}),
        (RACE, ("フルで速かった上位3人は誰?タイムも",), {"operation": "top", "measures": ("タイム(分)",), "order": "asc"}),
        (RACE, ("一番速い人は誰?",), {"operation": "top", "order": "asc"}),
        (CARS, ("一番古い車の価格は?",), {"operation": "top", "measures": ("年式", "価格(万円)"), "order": "asc"}),
        (CARS, ("一番高い車の走行距離は?",), {"operation": "top", "measures": ("価格(万円)", "走行距離(km)")}),
        (CLUB, ("会員数が少なかった月を2つ",), {"measures": ("会員数",), "order": "asc"}),
        (CLUB, ("退会者数が60人以上の月は何か月ありますか",), {"measures": ("年月",), "figures": ("nunique",)}),
        # kinds, blanks, years
        (CARS, ("色が抜けてる管理Noは?",), {"operation": "head", "rows": [("色", "==")]}),
        (PETS, ("備考が未記入の担当医は?",), {"operation": "distinct", "measures": ("担当医",), "rows": [("備考", "==")]}),
        (PETS, ("空欄のある列とその個数を教えて",), {"operation": "missing", "measures": ()}),
        (CARS, ("2018年式以降の車は何台?",), {"figures": ("count",), "rows": [("年式", ">=", 2018.0)]}),
        # plots and parts
        (RACE, ("種目別の人数を性別で色分けした積み上げ棒グラフに",), {"groups": ("種目", "性別"), "figures": ("count",)}),
        (RACE, ("タイムの分布をヒストグラフにして",), {"operation": "hist"}),
        (PETS, ("動物種の件数の割合を円グラフで",), {"groups": ("動物種",), "figures": ("share",)}),
        (PETS, ("犬は診察料全体の何%?",), {"measures": ("診察料",), "figures": ("share",)}),
    ],
)  # fmt: skip
def test_it_comes_to_this(table: str, turns: tuple[str, ...], wanted: dict[str, object]) -> None:
    read = intent(table, *turns)
    assert isinstance(read, DataIntent), read
    found = said(read)
    assert {name: found[name] for name in wanted} == wanted


@pytest.mark.parametrize(
    ("table", "turns"),
    [
        (
            PETS,
            ("利益の合計は?", "動物種ごとだと?"),
        ),  # the group of a question that had no answer counts nothing
        (PETS, ("動物種別の件数", "利益も")),
        (PETS, ("犬と猫で身長はいくら違う?",)),
        (CARS, ("どの車が一番かっこいい?",)),
        (CARS, ("一番かわいい車は?",)),
        (CARS, ("一番うるさい車は?",)),
        (CARS, ("何メーカーの車がある?",)),
        (CLUB, ("2023年4月から2023年5月で利益は何%増えた?",)),
        (RACE, ("種目別の人数を天気で色分けした積み上げ棒グラフに",)),
    ],
)
def test_what_the_table_does_not_know_is_declined(table: str, turns: tuple[str, ...]) -> None:
    assert isinstance(intent(table, *turns), Refusal)


def test_growth_is_told_in_percent_of_the_first_month() -> None:
    answer = run(CLUB, "2023年4月から2024年4月で会員数は何%増えた?")
    assert "+28.57 %（1,548 対 1,204）" in answer


def test_the_sides_of_a_difference_have_japanese_names() -> None:
    assert "1月 − 2月" in run(PETS, "1月と2月で診察料の平均はいくら違う?")
    assert "土日 − 平日" in run(PETS, "土日と平日で診察料の平均はどのくらい違うか")
    assert "2023-04 − 2023-05" in run(CLUB, "2023年4月と2023年5月の会員数の合計の差")


def test_a_ranked_row_tells_what_was_asked_for() -> None:
    assert "158" not in run(CARS, "一番高い車の走行距離は?")
    assert "205 (走行距離(km) 15,700)" in run(CARS, "一番高い車の走行距離は?")
    assert "プリウス" in run(CARS, "一番高い車はどれ?")
    assert "12,400 (2025-02-01, レオ)" in run(PETS, "診察料が高い順に3件、来院日と名前")


def test_the_day_of_a_rank_is_one_day_or_month() -> None:
    assert "最も高いのは2024-04の1,548です" in run(CLUB, "会員数が一番多かったのはいつ?何人?")


def test_a_total_called_by_an_english_name_is_told_in_japanese() -> None:
    table = "Order,Date,Total\nA1,2024-11-03,500\nA2,2024-12-04,700\n"
    assert "Totalの合計" in run(table, "12月の合計はいくら?")
