"""What is offered is read as it is said: sentences of queries, in both languages, read back."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smoldesk.analyst.language import Language
from smoldesk.analyst.query import Condition, Group, Having, Measure, Query
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.sentence import sentence_of
from smoldesk.analyst.talk import UserTurn
from tests.analyst.desk import Desk

DESK = Desk()
MEASURES = st.one_of(
    st.just(Measure()),
    st.builds(
        Measure,
        st.sampled_from(["mean", "median", "sum", "min", "max", "std"]),
        st.sampled_from(["age", "fare", "sibsp"]),
    ),
)
GROUPS = st.lists(st.sampled_from([Group("class"), Group("sex"), Group("embark_town")]), max_size=1).map(
    tuple
)
EQUAL = st.sampled_from([("sex", "female"), ("embark_town", "Cherbourg"), ("class", "First"), ("deck", "B")])
CONDITIONS = st.one_of(
    EQUAL.map(lambda pair: Condition(pair[0], "==", (pair[1],))),
    EQUAL.map(lambda pair: Condition(pair[0], "!=", (pair[1],))),
    st.builds(
        lambda column, op, number: Condition(column, op, (float(number),)),
        st.sampled_from(["age", "fare"]),
        st.sampled_from([">", ">=", "<", "<="]),
        st.integers(2, 70),
    ),
)
QUERIES = st.builds(
    lambda measure, groups, where, having: Query(
        "titanic",
        kind="groups" if groups else "figure",
        measures=(measure,),
        groups=groups,
        where=tuple((item,) for item in where),
        having=having if groups and groups[0].column not in {item.column for item in where} else None,
    ),
    MEASURES,
    GROUPS,
    st.lists(CONDITIONS, max_size=2, unique_by=lambda item: item.column),
    st.one_of(
        st.none(),
        st.builds(
            Having, st.sampled_from([">", ">=", "<", "<="]), st.integers(2, 70).map(lambda n: (float(n),))
        ),
    ),
)


def read_back(sentence: str, language: Language) -> object:
    named = f"{sentence} in titanic" if language == "en" else f"titanicの{sentence}"
    return read_talk([UserTurn(named)], DESK.catalogue).intent


@pytest.mark.long
@settings(max_examples=120, deadline=None)
@given(QUERIES, st.sampled_from(["en", "ja"]))
def test_a_sentence_of_a_query_is_read_as_that_query(query: Query, language: Language) -> None:
    sentence = sentence_of(query, language, quoted=True)
    back = read_back(sentence, language)
    assert isinstance(back, Query), (sentence, back)
    in_order = replace(back, where=tuple(sorted(back.where, key=str)))  # all of them hold, in any order
    assert in_order == replace(query, where=tuple(sorted(query.where, key=str))), sentence


AVERAGE = Query("t", kind="groups", measures=(Measure("mean", "fare"),), groups=(Group("class"),))
COUNT = Query("t", measures=(Measure(),), where=((Condition("sex", "==", ("female",)),),))
OLD = Query("t", measures=(Measure(),), where=((Condition("age", ">", (30.0,)),),))
RANKED = Query("t", kind="rows", measures=(Measure("max", "age"),), descending=True, top=3)


@pytest.mark.parametrize(
    ("query", "english", "japanese"),
    [
        (AVERAGE, "average fare by class", "class別のfareの平均"),
        (COUNT, "number of rows where sex is female", "sexがfemaleの行で、行数"),
        (OLD, "number of rows where age over 30", "ageが30より大きい行で、行数"),
        (RANKED, "3 rows with the highest age", "ageが最も高い3行"),
    ],
)
def test_how_queries_are_said(query: Query, english: str, japanese: str) -> None:
    assert sentence_of(query, "en") == english
    assert sentence_of(query, "ja") == japanese


def test_each_comparison_has_the_column_before_it() -> None:
    """Once without its "and", the first number was given to the column behind it."""
    back = read_back("average `age` by `class` where `age` over 2 and `fare` over 2", "en")
    assert isinstance(back, Query)
    assert {condition.column for either in back.where for condition in either} == {"age", "fare"}
