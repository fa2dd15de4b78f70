"""Follow-ups in both languages: what is kept, what is replaced, what is added, and what stands on its own."""

from typing import Any

import pytest

from smoldesk.analyst.intents import DataIntent, Refusal
from tests.analyst.test_unseen_tables import intent

STAFF = """Emp #,Name,dept,office,sex,age,salary,bonus,hired,status
1,Ann,Sales,Rome,F,44,50000,100,2021-05-02,active
2,Bob,Sales,Oslo,M,31,42000,250,2022-05-20,left
3,Cid,Legal,Rome,M,52,61000,80,2022-06-11,active
4,Dee,Legal,Oslo,F,28,39000,120,2021-07-30,left
"""
STAYS = """予約番号,宿泊日,国籍,部屋,料金(円),泊数,評価
1,2024-04-02,日本,和室,21000,2,4
2,2024-05-20,台湾,洋室,34000,3,5
3,2024-05-21,日本,洋室,18000,1,3
4,2024-07-01,韓国,和室,52000,4,4
"""


def after(table: str, *talk: str) -> DataIntent:
    read = intent(table, *talk)
    assert isinstance(read, DataIntent), read
    return read


def conditions(read: DataIntent) -> list[tuple[str, str, tuple[Any, ...]]]:
    return [(one.column, one.comparison, one.values) for one in read.filters]


@pytest.mark.parametrize(
    ("talk", "wanted"),
    [
        (
            ("how many people are in sales", "of those, how many left?"),
            [("dept", "==", ("Sales",)), ("status", "==", ("left",))],
        ),
        (("average salary by office", "without rome"), [("office", "!=", ("Rome",))]),
        (
            ("average salary by office", "without rome", "without oslo"),
            [("office", "!=", ("Rome", "Oslo"))],
        ),
        (("average salary of women", "what about men?"), [("sex", "==", ("M",))]),
        (
            ("how many people are older than 30", "and younger than 50?"),
            [("age", ">", (30.0,)), ("age", "<", (50.0,))],
        ),
        (("how many people are older than 30", "and older than 50?"), [("age", ">", (50.0,))]),
        (
            ("average salary by dept", "only people hired in may 2022", "and june?"),
            [("hired", ">=", ("2022-06-01",)), ("hired", "<", ("2022-07-01",))],
        ),
    ],
)
def test_conditions_are_added_or_replaced(talk: tuple[str, ...], wanted: list[Any]) -> None:
    assert conditions(after(STAFF, *talk)) == wanted


@pytest.mark.parametrize(
    ("said", "changed"),
    [
        ("and by office?", {"groups": ("office",)}),
        ("also by office", {"groups": ("dept", "office")}),
        ("same for bonus", {"measures": ("bonus",)}),
        ("median instead", {"aggregates": ("median",)}),
        ("as a bar chart", {"plot": "bar"}),
        ("just the five largest", {"order": "desc", "limit": 5}),
        ("sort it", {"order": "desc"}),
        ("highest first", {"order": "desc"}),
    ],
)
def test_one_thing_changes_and_the_rest_is_kept(said: str, changed: dict[str, Any]) -> None:
    first, then = after(STAFF, "average salary by dept"), after(STAFF, "average salary by dept", said)
    kept = {
        name: getattr(first, name)
        for name in ("measures", "aggregates", "groups", "filters", "plot", "order", "limit")
    }
    assert {name: getattr(then, name) for name in kept} == kept | changed


def test_counts_and_totals_become_parts_of_the_whole() -> None:
    assert after(STAFF, "how many people per dept", "now as percent").aggregates == ("share",)
    share = after(STAFF, "how many people are in sales", "as a percentage")
    assert share.target is not None and share.target.column == "dept" and not share.filters
    assert isinstance(intent(STAFF, "average salary by dept", "now as percent"), Refusal)


@pytest.mark.parametrize(
    ("talk", "groups", "measures", "wanted"),
    [
        (("部屋別の平均料金", "日本だけで"), ("部屋",), ("料金(円)",), [("国籍", "==", ("日本",))]),
        (
            ("部屋別の平均料金", "日本だけで", "2泊以上に絞って"), ("部屋",), ("料金(円)",),
            [("国籍", "==", ("日本",)), ("泊数", ">=", (2.0,))],
        ),
        (("部屋別の平均料金", "日本を除いて", "台湾も除いて"), ("部屋",), ("料金(円)",), [("国籍", "!=", ("日本", "台湾"))]),
        (("部屋別の平均料金", "泊数は？"), ("部屋",), ("泊数",), []),
        (("部屋別の平均料金", "国籍別では？"), ("国籍",), ("料金(円)",), []),
        (("部屋別の平均料金", "さらに国籍別に"), ("部屋", "国籍"), ("料金(円)",), []),
        (("日本の予約は何件", "台湾は？"), (), (), [("国籍", "==", ("台湾",))]),
        (("日本の予約は何件", "そのうち和室は？"), (), (), [("国籍", "==", ("日本",)), ("部屋", "==", ("和室",))]),
        (("4月の予約は何件", "5月は？"), (), (), [("宿泊日", "==", (5.0,))]),
    ],
)  # fmt: skip
def test_a_japanese_talk_goes_on(
    talk: tuple[str, ...], groups: tuple[str, ...], measures: tuple[str, ...], wanted: list[Any]
) -> None:
    read = after(STAYS, *talk)
    assert (read.groups, read.measures, conditions(read)) == (groups, measures, wanted)


@pytest.mark.parametrize(
    "question", ["what is the highest salary", "how many people in rome only", "average age by office"]
)
def test_a_whole_question_stands_on_its_own(question: str) -> None:
    assert intent(STAFF, "average bonus by dept of women", question) == intent(STAFF, question)


def test_nothing_is_built_on_a_question_without_an_answer() -> None:
    read = intent(STAFF, "average shoe size by dept", "and only women")
    assert isinstance(read, Refusal) and read.reason == "nothing"


def test_a_word_that_means_nothing_ends_the_talk_in_a_refusal() -> None:
    read = intent(STAYS, "部屋別の平均料金", "宇宙飛行士だけ")
    assert isinstance(read, Refusal) and read.reason == "unknown"
