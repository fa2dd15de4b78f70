"""Beside a person's own table the bundled ones keep out of the way until they are named."""

from dataclasses import replace

import pytest

from smoldesk.analyst.intents import DataIntent, Refusal
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.tables.lexicon import Lexicon
from tests.analyst.desk import Desk
from tests.analyst.test_unseen_tables import described

CATCHES = "Fish ID,Species,Weight (g),Caught On\n1,Trout,410,2024-03-02\n2,Salmon,3900,2024-03-05\n"


@pytest.fixture(scope="module")
def lexicon() -> Lexicon:
    given = Desk().catalogue
    return Lexicon(replace(given, tables=[*described(CATCHES).tables, *given.tables]))


@pytest.mark.parametrize(
    ("asked", "word"),
    [
        ("average age", "age"),
        ("histogram of age", "age"),
        ("average fare by class", "fare"),
        ("how many survived", "survived"),
        ("平均年齢は？", "年齢"),
        ("乗客数", "乗客数"),
        ("年代別の件数は？", "年代"),
    ],
)
def test_a_column_that_only_a_bundled_table_has_is_absent(lexicon: Lexicon, asked: str, word: str) -> None:
    found = read_talk([asked], lexicon).intent
    assert isinstance(found, Refusal) and word in found.words


def test_a_bundled_table_answers_when_it_is_named_and_is_talked_about_then(lexicon: Lexicon) -> None:
    for talk in (["average fare in titanic"], ["average weight", "average fare in titanic", "and by class?"]):
        found = read_talk(talk, lexicon).intent
        assert isinstance(found, DataIntent) and (found.table, found.measures) == ("titanic", ("fare",))
