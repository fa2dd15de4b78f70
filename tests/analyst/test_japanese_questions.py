"""Japanese questions about tables the analyst has never seen: word classes, verbs, adjectives, counters, negation, dates."""

import pytest

from smoldesk.analyst.intents import DataIntent, Refusal
from tests.analyst.test_unseen_tables import filters, intent

FLATS = """物件ID,登録日,最寄り駅,間取り,家賃(円),専有面積(㎡),築年数,駅徒歩(分),ペット可,構造,状況
B1,2024年4月2日,中野,1K,"81,000",21.5,3,4,可,木造,募集中
B2,2024年6月9日,三鷹,2LDK,"182,000",55.0,22,11,不可,鉄骨,成約済
B3,2024年7月1日,荻窪,1LDK,"120,500",38.2,15,7,可,鉄筋コンクリート,募集中
B4,2025年7月1日,中野,1K,"79,000",20.1,31,16,不可,木造,申込あり
"""
CHECKS = """受診番号,受診日,性別,年齢,体重(kg),空腹時血糖(mg/dL),喫煙,判定,事業所,再検査要否
1,2023-04-02,男,44,71.5,101,はい,A,本社,不要
2,2023-05-12,女,31,52.0,,いいえ,B,大宮工場,要
3,2023-06-20,女,58,60.2,92,いいえ,D,横浜営業所,要
"""
BUSES = """運行ID,運行日,路線,乗車人数,遅れ(分),走行距離km,運転手,天気,苦情
1,2024-04-01,空港線,21,0,14.2,石川,雨,なし
2,2024-04-06,駅前線,44,12,8.1,村上,晴れ,あり
3,2024-05-07,空港線,18,3,14.0,石川,雨,なし
"""
TOWNS = """市町村名,年度,人口(人),出生数,死亡数
青葉市,2022,181000,1210,1500
青葉市,2023,180200,1180,1533
緑町,2022,9100,41,160
緑町,2023,8950,38,171
"""


@pytest.mark.parametrize(
    ("table", "question", "wanted"),
    [
        (FLATS, "ペット可の物件は何件", [("ペット可", "==", "可")]),
        (FLATS, "ペット不可の物件は何件", [("ペット可", "==", "不可")]),
        (FLATS, "築10年以内の物件は何件", [("築年数", "<=", 10.0)]),
        (FLATS, "駅から徒歩10分以内の1LDKは何件", [("駅徒歩(分)", "<=", 10.0), ("間取り", "==", "1LDK")]),
        (FLATS, "家賃が10万円を超えている物件は何件", [("家賃(円)", ">", 100000.0)]),
        (FLATS, "木造と鉄骨を除いた平均家賃", [("構造", "!=", "木造")]),
        (
            FLATS,
            "2024年4月から2024年6月までに登録された物件数",
            [("登録日", ">=", "2024-04-01"), ("登録日", "<", "2024-07-01")],
        ),
        (CHECKS, "再検査が必要な人は何人", [("再検査要否", "==", "要")]),
        (CHECKS, "判定がA以外の人は何人", [("判定", "!=", "A")]),
        (CHECKS, "40歳以上で喫煙していない人は何人", [("年齢", ">=", 40.0), ("喫煙", "==", "いいえ")]),
        (BUSES, "遅れが10分を上回った便は何本", [("遅れ(分)", ">", 10.0)]),
        (BUSES, "石川さんが運転した便は何本", [("運転手", "==", "石川")]),
        (BUSES, "苦情があった運行は何件", [("苦情", "==", "あり")]),
        (
            TOWNS,
            "青葉市の2022年から2023年までの出生数の合計",
            [("年度", ">=", 2022.0), ("年度", "<=", 2023.0)],
        ),
    ],
)
def test_conditions_are_read_from_japanese(
    table: str, question: str, wanted: list[tuple[str, str, object]]
) -> None:
    assert set(wanted) <= set(filters(table, question))


@pytest.mark.parametrize(
    ("table", "question", "groups", "aggregates", "measures"),
    [
        (FLATS, "駅ごとの物件数", ("最寄り駅",), ("count",), ()),
        (FLATS, "間取りごとに家賃をならすといくら", ("間取り",), ("mean",), ("家賃(円)",)),
        (FLATS, "平均家賃が最も安い駅", ("最寄り駅",), ("mean",), ("家賃(円)",)),
        (CHECKS, "体重のばらつきを男女で比べて", ("性別",), ("std",), ("体重(kg)",)),
        (CHECKS, "喫煙率を事業所別に", ("事業所",), ("share",), ()),
        (BUSES, "路線別の人数をトータルで", ("路線",), ("sum",), ("乗車人数",)),
        (BUSES, "お客さんが一番多い路線", ("路線",), ("sum",), ("乗車人数",)),
        (TOWNS, "死亡数の推移", ("年度",), ("sum",), ("死亡数",)),
    ],
)
def test_groups_and_figures_are_read_from_japanese(
    table: str, question: str, groups: tuple[str, ...], aggregates: tuple[str, ...], measures: tuple[str, ...]
) -> None:
    read = intent(table, question)
    assert isinstance(read, DataIntent), read
    assert (read.groups, read.aggregates, read.measures) == (groups, aggregates, measures)


def test_an_order_of_adjectives_ranks_rows() -> None:
    read = intent(FLATS, "専有面積が広い順に3件")
    assert isinstance(read, DataIntent)
    assert (read.operation, read.measures, read.order, read.limit) == ("top", ("専有面積(㎡)",), "desc", 3)


def test_a_longer_span_is_counted_in_the_unit_of_the_column() -> None:
    loans = "貸出番号,貸出期間(日)\n1,9\n2,16\n"
    assert filters(loans, "貸出期間が2週間を超える貸出は何件") == [("貸出期間(日)", ">", 14.0)]


@pytest.mark.parametrize(
    ("table", "question", "word"),
    [
        (FLATS, "オートロック付きの物件は何件", "オートロック"),
        (CHECKS, "コレステロールの平均", "コレステロール"),
        (TOWNS, "人口密度が高い町", "密"),
        (TOWNS, "出生率の平均", "率"),
    ],
)
def test_what_a_japanese_question_cannot_have_is_named(table: str, question: str, word: str) -> None:
    read = intent(table, question)
    assert isinstance(read, Refusal)
    assert any(word in one for one in read.words), read
