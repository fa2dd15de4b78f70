"""Tables that nobody keeps on purpose: what stands in headers and cells stays text, and reading ends."""

import ast

import pandas as pd
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from smoldesk.analyst.catalogue import Catalogue
from smoldesk.analyst.code import write
from smoldesk.analyst.language import Language
from smoldesk.analyst.outcome import Outcome
from smoldesk.analyst.query import Group, Measure, Query
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.sentence import sentence_of
from smoldesk.analyst.talk import UserTurn
from tests.analyst.desk import Answered, table_info

NASTY = [
    "<script>alert(1)</script>",
    "</code>",
    '"""); import os; os.system("id") #',
    "__import__('os').system('id')",
    "{open('/etc/passwd').read()}",
    "\\",
    "\u202egnp.exe",
    "مبيعات",
    "x" * 10_000,
    "average by where",
    "の平均",
    "a\nb",
    "%(x)s",
    "$$",
]
TEXTS = st.one_of(st.sampled_from(NASTY), st.text(min_size=1, max_size=20))
REQUESTS = [
    "average {number} by {name}",
    "how many where {name} is {value}",
    "total {number} where {name} is {value}",
    "{number} over 3 by {name} as a bar chart",
    "save average {number} by {name} as csv",
    "top 2 {name} by {number}",
    "histogram of {number}",
    "{name}ごとの{number}の平均",
    "{name}が{value}の行の{number}の合計",
    "{name}別の{number}の棒グラフ",
]


def catalogue_of(frame: pd.DataFrame) -> Catalogue:
    tools = frozenset({"ask_person", "save_data"})
    return Catalogue([table_info("data", frame, 'load_table("data")')], {}, {}, [], "", tools=tools)


def read(text: str, frame: pd.DataFrame) -> tuple[Outcome, str]:
    """How it is read, and the code that answers."""
    catalogue = catalogue_of(frame)
    outcome = read_talk([UserTurn(text)], catalogue)
    return outcome, write(outcome, catalogue)


def names(code: str) -> set[str]:
    """All that the code can call or reach: its names, attributes, imports and keywords."""
    results: set[str] = set()
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name) | ast.arg(arg=name):
                results.add(name)
            case ast.keyword(arg=str() as name):
                results.add(name)
            case _:
                pass
    return results


def frame_of(name: str, number: str, value: str) -> pd.DataFrame:
    return pd.DataFrame({name: [value, "other"] * 6, number: range(12), "plain": ["p", "q", "r"] * 4})


@pytest.fixture(scope="module")
def expected() -> set[str]:
    """What the analyst's code uses for a table whose words are harmless, also where it says them again as a sentence."""
    results = {
        "DataFrame",
        "isinstance",
        "joined",
        "key",
        "tuple",
        "agg",
        "axis",
        "drop_duplicates",
        "fill_value",
        "names",
        "nunique",
        "pd",
        "rows",
        "to_frame",
        "unstack",
        "zip",
    }  # of rarer shapes of the same requests
    results |= {"value1", "value2", "value3", "form1", "form2", "form3"}  # several figures
    for request in REQUESTS:
        frame = frame_of("shop", "price", "north")
        for text in (
            request.format(name="shop", number="price", value="north"),
            request,
            "what is this",
            "rows with the highest price",
            "rows where plain is over 3",
            "different values of shop",
            "share of plain by shop",
            "what percent of rows have price over 3",
            "share of north",
            "missing values",
            "number of rows by shop and day",
            "number of rows by shop and plain",
            "average price by shop and month",
            "share of rows where plain is over 3 by shop",
            "share of rows by shop as a bar chart",
            "plot sine and cosine",
            "north, price, save as csv",
        ):
            results |= names(read(text, frame)[1])
    assert {"groupby", "final_answer", "ask_person", "alternative"} <= results
    return results


@pytest.mark.long
@settings(max_examples=200, deadline=None)
@given(TEXTS, TEXTS, TEXTS, st.sampled_from(REQUESTS))
@example("__import__('os')", '"""', "'); import os; ('", REQUESTS[1])
@example("shop", "price", "❶", "how many where {name} is {value}")
def test_headers_and_cells_never_become_code(
    expected: set[str], name: str, number: str, value: str, request_: str
) -> None:
    if len({name, number, "plain"}) < 3:
        return
    outcome, code = read(
        request_.format(name=name, number=number, value=value), frame_of(name, number, value)
    )
    assert names(code) <= expected, (outcome.intent, names(code) - expected)
    assert "</code>" not in code


@pytest.mark.parametrize("nasty", NASTY)
@pytest.mark.parametrize("language", ["en", "ja"])
def test_a_question_about_such_a_column_touches_that_column_alone(
    expected: set[str], nasty: str, language: Language
) -> None:
    frame = frame_of("shop", nasty, "north")
    query = Query("data", measures=(Measure("mean", nasty),), groups=(Group("shop"),))
    outcome, code = read(sentence_of(query, language), frame)
    assert names(code) <= expected
    if len(outcome.shown) == 1:
        strings = {node.value for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Constant)}
        assert "plain" not in strings


STEM = pd.DataFrame({f"speed_{at:03}": range(5) for at in range(500)})


@pytest.mark.parametrize("text", ["average speed_317", "speed_317の平均"])
def test_of_five_hundred_columns_with_one_stem_the_one_that_is_named_is_meant(text: str) -> None:
    intent = read(text, STEM)[0].intent
    assert isinstance(intent, Query) and intent.first.column == "speed_317"


@pytest.mark.parametrize("text", ["average speed", "speedの平均", "speed " * 60])
def test_of_five_hundred_columns_with_one_stem_none_is_taken_for_granted(text: str) -> None:
    assert not isinstance(read(text, STEM)[0].intent, Query)


@pytest.mark.parametrize("text", ["average price by shop", "how many rows", "shopごとのpriceの平均"])
def test_a_table_without_rows_is_read_and_its_code_runs_as_any(text: str) -> None:
    frame = pd.DataFrame({"shop": pd.Series(dtype=str), "price": pd.Series(dtype=float)})
    outcome, code = read(text, frame)
    messages: list[object] = []

    def final_answer(text: object) -> None:
        messages.append(text)
        raise Answered

    space = {"load_table": lambda _: frame, "final_answer": final_answer, "display": print}
    with pytest.raises(Answered):
        exec(compile(code, "<cell>", "exec"), space)
    assert messages and isinstance(outcome.intent, Query)


def test_a_table_without_columns_is_declined() -> None:
    outcome, code = read("average price", pd.DataFrame())
    assert not isinstance(outcome.intent, Query)
    compile(code, "<cell>", "exec")


def test_a_column_is_grouped_by_once_though_its_values_are_named_too() -> None:
    frame = pd.DataFrame({"店舗": ["札幌", "仙台", "那覇"] * 4, "価格": range(12)})
    readings = read("店舗ごとに、札幌と仙台それぞれの価格の合計", frame)[0].candidates
    assert readings and all(len({*reading.query.groups}) == len(reading.query.groups) for reading in readings)
