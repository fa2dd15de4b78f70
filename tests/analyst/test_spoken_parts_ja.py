"""Blanks left out, parts of a whole and people by what they did, in spoken Japanese."""

import pytest

from smoldesk.analyst.intents import DataIntent, Filter, Refusal
from tests.analyst.everyday_tables_ja import (
    CALLS,
    FISH,
    RUN,
    SPENT,
)
from tests.analyst.test_unseen_tables import intent

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
        (RUN, "タイムの入力漏れは何件?", {"operation": "aggregate", "aggregates": ("count",)}),
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
