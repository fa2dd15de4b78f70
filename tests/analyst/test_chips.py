"""A reading is shown in chips, and each correction is a query that is answered; what is no query of the table is declined."""

import ast
import json
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smoldesk.analyst.chat_schemas import build_schemas
from smoldesk.analyst.chips import reading_of
from smoldesk.analyst.code import write
from smoldesk.analyst.query_json import BadQuery, from_json, to_json
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.refusal import Refusal
from smoldesk.analyst.talk import UserTurn
from smoldesk.events import with_reading
from smoldesk.messages import ReadingContent
from tests.analyst.desk import Desk

DESK = Desk()
TABLES = build_schemas(DESK.catalogue, ()).tables
QUESTIONS = [
    "average fare by class for women in titanic",
    "how many passengers survived in titanic",
    "top 5 embark towns by average fare in titanic",
    "the 3 oldest passengers in titanic",
    "bar chart of the median age by class in titanic",
    "survival rate by class in titanic",
    "summary of titanic",
    "histogram of fare in titanic",
    "correlation of age and fare in titanic",
    "titanicでclassごとの平均運賃の棒グラフ",
    "titanicで年齢が30以上の人は何人？",
    "monthly average temperature in measurement",
    "average Temperature by roomname in measurement, highest first",
]


def read(question: str, reading: object = None) -> Any:
    return read_talk([UserTurn(question, reading=reading)], DESK.catalogue)


def corrected(content: dict[str, Any], choice: dict[str, Any]) -> dict[str, Any]:
    """As the page makes it."""
    created = {**content["query"], **choice["change"]}
    return {name: value for name, value in created.items() if name not in choice["without"]}


@pytest.mark.parametrize("question", QUESTIONS)
def test_every_correction_is_a_query_that_is_answered_as_it_says(question: str) -> None:
    outcome = read(question)
    content: Any = reading_of(outcome)
    assert content is not None, outcome.intent
    ReadingContent.model_validate(content, strict=True)
    assert from_json(json.loads(json.dumps(content["query"])), TABLES)[0] == outcome.intent
    for chip in content["chips"]:
        for choice in chip["choices"]:
            query = corrected(content, choice)
            again = read(choice["sentence"], query)
            assert to_json(again.intent) == query, (chip["text"], choice)
            assert query != content["query"]
            ast.parse(write(again, DESK.catalogue))


def test_chips_say_the_parts_of_a_reading_and_offer_what_fits() -> None:
    content: Any = reading_of(read("average fare by class for women in titanic"))
    chips = {chip["part"]: chip for chip in content["chips"]}
    assert [chip["text"] for chip in content["chips"]] == [
        "titanic",
        "average",
        "fare",
        "by class",
        "who is woman",
        "+",
    ]
    assert "median" in [item["text"] for item in chips["figure"]["choices"]]
    assert "age" in [item["text"] for item in chips["column"]["choices"]]
    assert chips["condition"]["choices"][-1]["text"] == "Remove"
    assert chips["condition"]["choices"][-1]["without"] == ["where"]


def test_a_corrected_reading_is_answered_whatever_the_words_say() -> None:
    query: dict[str, Any] = {"table": "titanic", "measures": [{"fn": "median", "column": "age"}]}
    answer = DESK.ask(with_reading("what is the airspeed of a swallow", query))
    assert "Median age" in answer.answer, answer.answer
    follow = DESK.ask(with_reading("what is the airspeed of a swallow", query), "and by class?")
    assert "First" in follow.answer, "a follow-up goes on from the corrected reading"


def test_a_note_that_is_no_json_is_declined() -> None:
    answer = DESK.ask("average fare in titanic\n\n(Note: the reading of this request is {nonsense})")
    assert "does not fit the tables" in answer.answer


HOSTILE: list[Any] = [
    [],
    "text",
    {},
    {"table": "nowhere"},
    {"table": "titanic", "measures": [{"fn": "mean", "column": "no such column"}]},
    {"table": "titanic", "measures": [{"fn": "__import__('os').system", "column": "fare"}]},
    {"table": "titanic", "measures": [{"fn": "mean", "column": "fare", "sign": "); import os", "other": "age"}]},
    {"table": "titanic", "measures": [{"fn": "mean", "column": "class"}]},
    {"table": "titanic", "measures": [{}], "file": "../../etc/passwd.csv"},
    {"table": "titanic", "measures": [{}], "file": 'a.csv"); import os; ("'},
    {"table": "titanic", "measures": [{}], "groups": [{"column": "class"}], "kind": "groups", "plot": "bar(); import os"},
    {"table": "titanic", "measures": [{}], "groups": [{"column": "class", "grain": "1); import os"}], "kind": "groups"},
    {"table": "titanic", "measures": [{}], "change": "import os"},
    {"table": "titanic", "measures": [{}], "where": [[{"column": "sex", "op": "== 1 or __import__('os')", "values": ["x"]}]]},
    {"table": "titanic", "measures": [{}], "where": [[{"column": "fare", "op": ">", "values": ["0); import os"]}]]},
    {"table": "titanic", "measures": [{}], "where": [[{"column": "sex", "op": "when", "values": [{"month": 3}]}]]},
    {"table": "titanic", "measures": [{}], "where": [[{"column": "fare", "op": ">", "values": [{"column": "gone"}]}]]},
    {"table": "titanic", "measures": [{}], "where": [[{"column": "sex", "op": "==", "values": []}]]},
    {"table": "titanic", "measures": [{}], "where": [[]]},
    {"table": "titanic", "kind": "refusal"},
    {"table": "titanic", "kind": "groups", "measures": [{}]},
    {"table": "titanic", "measures": [{}], "top": -1},
    {"table": "titanic", "measures": [{}], "unused_terms": ["x"]},
    {"table": "titanic", "measures": [{}], "features": [["exact", 1.0]]},
    {"table": "titanic", "measures": [{}], "surprise": 1},
    {"table": "titanic", "measures": [{}] * 200},
]  # fmt: skip


def test_the_json_of_a_query_leaves_out_how_it_was_scored() -> None:
    query = read("average fare by class in titanic").intent
    scored = replace(query, unused_terms=("shoe",), features=(("exact", 1.0),))
    assert to_json(scored).keys().isdisjoint({"unused_terms", "features"})


@pytest.mark.parametrize("reading", HOSTILE, ids=str)
def test_what_is_no_query_of_the_table_is_declined_saying_what_does_not_fit(reading: object) -> None:
    with pytest.raises(BadQuery):
        from_json(reading, TABLES)
    outcome = read("average fare in titanic", reading)
    assert isinstance(outcome.intent, Refusal) and outcome.intent.reason == "bad_reading"
    assert outcome.intent.terms[0]


MESSAGES = [
    (["titanic"], "a query is a JSON object with a table, not list"),
    ({"features": [["exact", 1.0]]}, "unknown field 'features'"),
    ({"table": "nowhere"}, "there is no table 'nowhere'"),
    ({"where": [[]]}, "a condition is empty: expected one or more alternatives"),
    ({"measures": [{}] * 26}, "the query has 52 parts, at most 50 are allowed"),
    ({"columns": ["shoe"]}, "there is no column 'shoe'"),
    ({"measures": [{"fn": "mean"}]}, "a figure needs a known function and a column, not 'mean' of None"),
    ({"measures": [{"fn": "mean", "column": "sex"}]}, "'mean' needs a number column, not 'sex'"),
    ({"measures": [{"fn": "sum", "column": "fare", "sign": "%", "other": "age"}]}, "two columns need one of the signs * / + -"),
    ({"measures": [{"fn": "quantile", "column": "fare", "q": 2.0}]}, "a quantile must be between 0 and 1, not 2.0"),
    ({"measures": []}, "a query of kind 'figure' needs a measure"),
    ({"kind": "groups"}, "a query of kind 'groups' needs a group"),
    ({"plot": "sculpture"}, "unknown plot 'sculpture', or no columns to plot"),
    ({"change": "leap"}, "unknown change 'leap'"),
    ({"file": "figures.exe"}, "a file name must end in .csv, .xlsx or .json and have no other dots"),
    ({"top": -1}, "top, window and last must be between 0 and 1,000,000"),
    ({"where": [[{"column": "fare", "op": "~", "values": [1]}]]}, "unknown condition '~' with 1 values"),
    ({"where": [[{"column": "sex", "op": "between", "values": [1, 2]}]]}, "'between' needs a number column, not 'sex'"),
    ({"where": [[{"column": "sex", "op": "when", "values": [{"month": 3}]}]]},
     "'when' does not fit column 'sex' and its values"),
    ({"where": [[{"column": "fare", "op": ">", "values": ["much"]}]]}, "'fare' is compared with numbers only"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "message"), MESSAGES, ids=[message for _, message in MESSAGES])
def test_a_wrong_query_is_refused_with_the_part_that_is_wrong(change: Any, message: str) -> None:
    query = {"table": "titanic", "measures": [{}], **change} if isinstance(change, dict) else change
    with pytest.raises(BadQuery) as refusal:
        from_json(query, TABLES)
    assert str(refusal.value) == message


WORDS = st.sampled_from(["fare", "mean", "titanic", "==", "sex"])
KEYS = st.sampled_from(["column", "op", "values", "fn", "grain", "month"])
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=6) | WORDS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KEYS, inner, max_size=3),
    max_leaves=8,
)
FIELDS = st.sampled_from(
    ["kind", "measures", "groups", "where", "part", "top", "columns", "plot", "change", "file", "map"]
)


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(FIELDS, JSON, max_size=3))
def test_any_json_is_a_query_or_refused_and_its_code_parses(fields: dict[str, Any]) -> None:
    reading = {"table": "titanic", "measures": [{}], **fields}
    outcome = read("x", reading)
    if not isinstance(outcome.intent, Refusal):
        ast.parse(write(outcome, DESK.catalogue))
