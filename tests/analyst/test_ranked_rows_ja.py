"""Japanese ranks by age, in races, of light things, and rows that stand out far from the others."""

import pytest

from smoldesk.analyst.intents import DataIntent, Refusal
from tests.analyst.everyday_tables_ja import (
    CALLS,
    FISH,
    RUN,
    SPENT,
)
from tests.analyst.test_unseen_tables import intent


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
