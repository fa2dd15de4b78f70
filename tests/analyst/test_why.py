"""Questions why a quantity changed: read as a difference that is explained, or declined as beyond the tables."""

from contextlib import closing
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from smoldesk.analyst.code import write
from smoldesk.analyst.query import Query
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.refusal import Refusal
from smoldesk.analyst.sentence import sentence_of
from smoldesk.analyst.talk import UserTurn
from smoldesk.analyst.why import requested_difference
from smoldesk.charts import CELL_CHARTS
from smoldesk.charts import CHILD_PACKAGES as CHART_PACKAGES
from smoldesk.sandbox.children import Children
from smoldesk.sandbox.executor import SandboxExecutor
from smoldesk.tables import CELL_SQL
from smoldesk.tables import CHILD_PACKAGES as TABLE_PACKAGES
from tests.analyst.desk import Desk

ORDERS = pd.DataFrame({
    "date": [f"{year}-0{month}-10" for year in (2023, 2024) for month in (1, 3, 5, 7, 9)],
    "shop": ["North", "South", "North", "South", "East"] * 2,
    "product": ["tea", "tea", "coffee", "coffee", "tea"] * 2,
    "sales": [100, 200, 80, 120, 60, 130, 90, 110, 60, 95],
    "rating": [4, 3, 5, None, 2, 4, 3, 5, 4, 3],
})  # fmt: skip


@pytest.fixture
def orders(tmp_path: Path) -> Desk:
    return Desk(tmp_path, orders=ORDERS)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        (
            "Why did sales fall from 2023 to 2024?",
            "reasons for the difference in total sales between date is 2023 and date is 2024",
        ),
        (
            "Why are sales in 2024 lower than in 2023 by shop?",
            "reasons for the difference in total sales between date is 2023 and date is 2024 by shop",
        ),
        (
            "What explains the change in average rating from January 2023 to January 2024?",
            "reasons for the difference in average rating between date is January 2023 and date is January 2024",
        ),
        (
            "Why did the number of orders differ between North and South by product?",
            "reasons for the difference in number of rows between shop is North and shop is South by product",
        ),
        (
            "なぜ2023年から2024年にかけて売上が減ったのですか？",
            "dateが2023年とdateが2024年のsalesの合計の差の内訳",
        ),
        ("売上が2023年から2024年に減ったのはなぜ？", "dateが2023年とdateが2024年のsalesの合計の差の内訳"),
        ("2024年の売上は2023年より少ないのはなぜですか", "dateが2023年とdateが2024年のsalesの合計の差の内訳"),
    ],
)
def test_a_question_for_the_reasons_of_a_change_is_read_and_its_sentence_means_the_same(
    orders: Desk, question: str, sentence: str
) -> None:
    outcome = read_talk([UserTurn(question)], orders.catalogue)
    assert isinstance(outcome.intent, Query)
    assert sentence_of(outcome.intent, outcome.language) == sentence
    assert read_talk([UserTurn(sentence)], orders.catalogue).intent == outcome.intent


@pytest.mark.parametrize(
    "question",
    ["Why is the sky blue?", "Why did the shop close?", "なぜ空は青いのですか", "Why do prices rise?"],
)
def test_other_reasons_stay_beyond_the_tables(orders: Desk, question: str) -> None:
    intent = read_talk([UserTurn(question)], orders.catalogue).intent
    assert isinstance(intent, Refusal)
    assert intent.reason == "beyond"


def test_requests_without_a_question_for_reasons_stay_as_they_are() -> None:
    assert requested_difference("total sales by shop") == ""
    assert requested_difference("how much did sales fall from 2023 to 2024") == ""
    assert requested_difference("店別の売上合計") == ""


@pytest.mark.parametrize(
    ("question", "request_"),
    [
        ("売上は2026年3月から5月までになぜ変わった？", "2026年3月と2026年5月の売上の差"),
        ("2026年3月から5月までになぜ売上は変わった？", "2026年3月と2026年5月の売上の差"),
        ("2023年から2024年にかけて売上が減った理由は？", "2023年と2024年の売上の差"),
        ("2023年から2024年の売上の変化の要因は", "2023年と2024年の売上の差"),
    ],
)
def test_japanese_questions_have_both_ends_with_their_year(question: str, request_: str) -> None:
    assert requested_difference(question) == request_


def test_the_answer_has_the_parts_and_its_basis(orders: Desk, tmp_path: Path) -> None:
    outcome = read_talk([UserTurn("Why is average rating in North higher than in South?")], orders.catalogue)
    packages = dict(CHART_PACKAGES) | dict(TABLE_PACKAGES)
    modules: dict[str, dict[str, Any]] = {CELL_CHARTS: {}, CELL_SQL: {"bundled": [], "room": 1 << 30}}
    with closing(Children(packages=packages, modules=modules, max_children=1, cell_seconds=60)) as children:
        child = children.child("chat", tmp_path)
        executor = SandboxExecutor(child)
        executor.send_tools({})
        answer = executor(write(outcome, orders.catalogue))
        turns = [
            UserTurn("Why is average rating in North higher than in South?"),
            UserTurn("only tea in 2023"),
        ]
        one_product = executor(write(read_talk(turns, orders.catalogue), orders.catalogue))
    assert str(answer.output).splitlines() == [
        "mean rating: 3.33 (South) → 4.50 (North) (+1.17).",
        "",
        "Changed rates: +1.0000; changed mix: +0.1667.",
        "",
        "By product: tea +0.6528, coffee +0.5139.",
        "",
        "From 7 of 10 rows; left out: 2 in neither group, 1 without rating.",
    ]
    assert "No column divides these rows into parts." in str(one_product.output)
