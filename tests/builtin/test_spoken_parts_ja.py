"""Blanks left out, parts of a whole and people by what they did, in spoken Japanese."""

import pytest

from backend.builtin.intents import DataIntent, Filter, Refusal
from tests.builtin.test_unseen_tables import intent

RUN = """番号,氏名,年齢,種目,タイム(分),完走
1,青木,34,フル,212.5,○
2,石田,29,フル,248,○
3,上野,52,フル,,×
4,江口,41,ハーフ,110.2,○
5,大西,23,ハーフ,95.4,○
6,加藤,63,ハーフ,,×
"""
SPENT = """日付,内容,店名,支出,支払
2024-09-01,家賃,,82000,振替
2024-09-02,食材,イオン,4350,カード
2024-09-03,電気代,,9460,振替
2024-10-01,家賃,,82000,振替
2024-10-02,食材,西友,3100,現金
2024-10-06,外食,サイゼリヤ,2800,現金
"""
CALLS = """日時,オペレーター,用件,通話時間(秒),満足度,判定
2024-10-01 09:12,佐藤,料金,245,4,合格
2024-10-01 09:48,鈴木,故障,610,2,不合格
2024-10-02 10:05,佐藤,料金,320,,合格
2024-10-03 10:05,田中,故障,90,5,合格
"""
GUESTS = """番号,氏名,どちら側,関係,出欠,同伴人数
1,木村,新郎,友人,出席,0
2,斎藤,新婦,友人,出席,1
3,山口,新郎,上司,欠席,0
4,松田,新婦,親戚,出席,2
"""
PETS = """番号,ペット名,種類,保険加入,次回予約
1,ココ,犬,はい,有
2,ミケ,猫,いいえ,無
3,ココ,犬,,有
"""
FISH = """釣った日,魚種,重さ(g),天気
2024-05-01,アジ,92,晴れ
2024-05-02,サバ,240,雨
2024-05-03,アジ,80,雨
2024-05-04,メバル,,晴れ
"""


@pytest.mark.parametrize(
    ("table", "asked", "wanted"),
    [
        # people of a column
        (CALLS, "オペレーターの人数", {"operation": "distinct", "measures": ("オペレーター",)}),
        (CALLS, "オペレーター別の人数", {"groups": ("オペレーター",), "aggregates": ("count",)}),
        # blanks
        (CALLS, "満足度なしは除いて平均通話時間", {"filters": (Filter("満足度", "!=", (), "blank"),)}),
        (CALLS, "通話時間の平均。満足度が空欄の行は除いて", {"filters": (Filter("満足度", "!=", (), "blank"),)}),
        (FISH, "重さを量り忘れた魚は何匹?", {"operation": "missing", "measures": ("重さ(g)",)}),
        (RUN, "タイムの入力漏れは何件?", {"operation": "missing", "measures": ("タイム(分)",)}),
        (CALLS, "空欄のある列はどれで何個空いてる?", {"operation": "missing", "measures": ()}),
        # parts of a whole
        (CALLS, "判定の内訳を%で出して", {"groups": ("判定",), "aggregates": ("share",)}),
        (FISH, "雨は何回で、全体の何%?", {"target": Filter("天気", "==", ("雨",))}),
        (FISH, "重さが未記入は何匹で、全体の何%", {"target": Filter("重さ(g)", "==", (), "blank")}),
        (FISH, "雨じゃなかった日は何回?", {"filters": (Filter("天気", "!=", ("雨",)),)}),
        (SPENT, "1回で4000円以上使った支出は何件?", {"filters": (Filter("支出", ">=", (4000.0,)),)}),
        # only those of whom it is true
        (GUESTS, "出席者は何人?", {"aggregates": ("count",), "filters": (Filter("出欠", "==", ("出席",)),)}),
        (GUESTS, "新婦側で出席する友人は何人?", {"aggregates": ("count",)}),
        (RUN, "完走者は何人?", {"aggregates": ("count",), "filters": (Filter("完走", "==", ("○",)),)}),
        (PETS, "保険に入っていないのは何匹?", {"filters": (Filter("保険加入", "==", ("いいえ",)),)}),
        (PETS, "保険に入っている子は何匹?", {"filters": (Filter("保険加入", "==", ("はい",)),)}),
        (PETS, "ペットは全部で何人?", {"operation": "distinct", "measures": ("ペット名",)}),
        (RUN, "完走者のみの一覧", {"operation": "head", "filters": (Filter("完走", "==", ("○",)),)}),
    ],
)  # fmt: skip
def test_a_request_is_read_as_it_is_meant(table: str, asked: str, wanted: dict[str, object]) -> None:
    found = intent(table, asked)
    assert isinstance(found, DataIntent), found
    assert {name: getattr(found, name) for name in wanted} == wanted


@pytest.mark.parametrize(
    ("table", "asked"),
    [
        (CALLS, "待ち時間なしは除いて平均通話時間"),
        (GUESTS, "新郎側で二次会に出る人は何人?"),
    ],
)
def test_what_no_column_holds_is_declined(table: str, asked: str) -> None:
    assert isinstance(intent(table, asked), Refusal)
