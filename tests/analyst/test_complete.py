"""What is completed is read as what it says: sentences built by choosing what is offered, for tables of many kinds."""

from dataclasses import replace

import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smoldesk.analyst.catalogue import Catalogue
from smoldesk.analyst.chat_schemas import build_schemas
from smoldesk.analyst.complete import Completed, complete
from smoldesk.analyst.language import Language
from smoldesk.analyst.query import Query
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.sentence import sentence_of
from smoldesk.analyst.talk import UserTurn
from tests.analyst.desk import Desk, bundled, table_info
from tests.exams.case import TABLES

HOSTILE = pd.DataFrame(
    {
        "by": ["where", "and", "over", "where"] * 10,
        "average": range(40),
        "total (€)": range(40),
        "最大 値": ["平均", "合計", "の", "平均"] * 10,
        "is": ["is", "not", "blank", "is"] * 10,
        "<b>x</b>": range(40),
        "2024": range(40),
    }
)
FRAMES = {
    "titanic": bundled()["titanic"][0],
    "measurement": bundled()["measurement"][0],
    "hostile": HOSTILE,
    **{
        name: pd.read_csv(TABLES / f"{name}.csv")
        for name in ("flats", "kenshin", "bakery", "ferry_log", "wide_ja_03", "wide_en_05")
    },
}
SCHEMAS = {
    name: Catalogue([table_info(name, frame, "load")], {}, {}, [], "") for name, frame in FRAMES.items()
}


def offered(name: str, text: str, language: Language) -> list[Completed]:
    return complete(text, build_schemas(SCHEMAS[name], ()).tables, language)


PICKS = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 50)), min_size=1, max_size=6)
"""Which of what is offered is chosen, and the number that is typed behind a comparison."""


@settings(max_examples=150, deadline=None)
@given(PICKS, st.sampled_from(sorted(FRAMES)), st.sampled_from(["en", "ja"]))
def test_every_sentence_that_is_completed_is_read_as_what_it_says(
    picks: list[tuple[int, int]], name: str, language: Language
) -> None:
    text, entire = "", None
    for pick, number in picks:
        choices = offered(name, text, language)
        if not choices:
            break
        chosen = choices[pick % len(choices)]
        text, entire = chosen.text, chosen
        if chosen.query is None and text.endswith((" ", "が")):
            text += str(number)
    if entire is None or entire.query is None or entire.text != text:
        return
    intent = read_talk([UserTurn(text)], SCHEMAS[name]).intent
    assert isinstance(intent, Query), (text, intent)
    report = replace(intent, where=tuple(sorted(intent.where, key=str)))
    assert report == replace(entire.query, where=tuple(sorted(entire.query.where, key=str))), text


@pytest.mark.parametrize(
    ("text", "language", "message"),
    [
        ("av", "en", "average fare"),
        ("average fare b", "en", "average fare by sex"),
        ("average fare by sex wh", "en", "average fare by sex where fare over "),
        ("average fare where deck is", "en", "average fare where deck is B"),
        ("number of rows by sex, as b", "en", "number of rows by sex, as bar chart"),
        ("fare", "ja", "fareの平均"),
        ("sex別", "ja", "sex別の"),
        ("sexが", "ja", "sexがfemaleの行で、"),
        ("ageが30以", "ja", "ageが30以上の行で、"),
        ("ageが30よ", "ja", "ageが30より大きい行で、"),
    ],
)
def test_what_is_offered_next(text: str, language: Language, message: str) -> None:
    assert message in [item.text for item in offered("titanic", text, language)]


def test_of_several_tables_the_one_is_meant_that_has_the_column() -> None:
    both = build_schemas(Desk().catalogue, ()).tables
    item = complete("average bright", both, "en")[0]
    assert item.text == "average Brightness"
    assert read_talk([UserTurn(item.text)], Desk().catalogue).intent == item.query


@pytest.mark.parametrize(
    "text", ["what is the airspeed of a swallow", "average fare by nothing", "x" * 10_000, "\0"]
)
def test_what_begins_no_sentence_is_left_alone(text: str) -> None:
    assert offered("titanic", text, "en") == []


def test_a_completed_sentence_is_that_of_its_query() -> None:
    for item in offered("titanic", "average fare by", "en"):
        assert item.query is not None
        assert item.text.replace("`", "") == sentence_of(item.query, "en")
