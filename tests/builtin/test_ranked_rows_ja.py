"""Japanese ranks by age, in races, of light things, and rows that stand out far from the others."""

import pytest

from backend.builtin.intents import DataIntent, Refusal
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
FISH = """釣った日,魚種,重さ(g),天気
2024-05-01,アジ,92,晴れ
2024-05-02,サバ,240,雨
2024-05-03,アジ,80,雨
2024-05-04,メバル,,晴れ
"""


@pytest.mark.parametrize(
    ("table", "asked", "wanted"),
    [
        # the oldest is a row, not the highest of what is asked for
        (RUN, "一番年上の人のタイム", {"operation": "top", "measures": ("年齢", "タイム(分)"), "order": "desc"}),
        (RUN, "一番年下の選手の氏名とタイム", {"measures": ("年齢", "氏名", "タイム(分)"), "order": "asc"}),
        (RUN, "一番高齢の選手は?", {"operation": "top", "measures": ("年齢",), "order": "desc"}),
        # the first of a race are the quickest, the first of what is light the lightest
        (RUN, "フルのタイム上位2人", {"operation": "top", "order": "asc", "limit": 2}),
        (RUN, "ハーフの上位2名の氏名とタイム", {"measures": ("タイム(分)", "氏名"), "order": "asc"}),
        (RUN, "年齢の上位2人", {"order": "desc"}),
        (FISH, "重さが軽い魚上位2件", {"order": "asc", "limit": 2}),
        (FISH, "重さが重い魚上位2件", {"order": "desc", "limit": 2}),
        # what stands out is told by its words
        (SPENT, "飛び抜けて大きい支出", {"operation": "top", "measures": ("支出", "内容", "店名")}),
        (SPENT, "一つだけ支出が極端に大きいのがあるはず。どれ?", {"operation": "top", "order": "desc"}),
        (SPENT, "家賃を除いて一番大きい支出って何?", {"operation": "top", "measures": ("支出", "内容", "店名")}),
        # who did it
        (CALLS, "通話時間が一番長かったのは誰", {"groups": ("オペレーター",), "order": "desc"}),
    ],
)  # fmt: skip
def test_a_rank_shows_the_rows_that_are_meant(table: str, asked: str, wanted: dict[str, object]) -> None:
    found = intent(table, asked)
    assert isinstance(found, DataIntent), found
    assert {name: getattr(found, name) for name in wanted} == wanted


@pytest.mark.parametrize(
    ("table", "asked"),
    [
        (RUN, "一番年上の人の身長"),
        (SPENT, "飛び抜けて大きい収入"),
        (CALLS, "どのオペレーターが一番やさしい"),
        (CALLS, "待ち時間が一番長かったのは誰"),
    ],
)
def test_a_rank_by_what_no_column_holds_is_declined(table: str, asked: str) -> None:
    assert isinstance(intent(table, asked), Refusal)
