"""Words that only mean something where a table is about such things: names of columns, rankings, pads."""

from io import StringIO

import pandas as pd
import pytest

from smoldesk.analyst.intents import DataIntent, Intent, Refusal
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.tables.catalogue import Catalogue
from smoldesk.analyst.tables.domain_data import (
    FOLDER,
    LANGUAGES,
    PARTS,
    all_domains,
    rank_of,
)
from smoldesk.analyst.tables.lexicon import Lexicon
from tests.analyst.small_tables import described

RACE = (
    "Bib,Runner,Club,Finish (min)\n1,Ann,Hull Harriers,31.2\n2,Bea,York AC,29.8\n3,Cat,Hull Harriers,35.0\n"
    "4,Dan,York AC,33.3\n"
)
PLAIN = "code,label,kind,size\n1,Ann,x,31.2\n2,Bea,y,29.8\n3,Cat,x,35.0\n4,Dan,y,33.3\n"


def read(text: str, question: str) -> Intent:
    catalogue = Catalogue([described("data", pd.read_csv(StringIO(text)))], {}, {}, [], "1F")
    return read_talk([question], Lexicon(catalogue)).intent


@pytest.mark.parametrize(
    ("question", "order"),
    [
        ("who won the race?", "asc"),
        ("which runner won", "asc"),
        ("who is the winner", "asc"),
        ("優勝した選手は誰", "asc"),
    ],
)
def test_a_word_of_the_domain_ranks_its_rows(question: str, order: str) -> None:
    found = read(RACE, question)
    assert isinstance(found, DataIntent), found
    assert (found.operation, found.measures[0], found.order) == ("top", "Finish (min)", order)
    assert "Runner" in found.measures


def test_a_column_is_called_what_the_domain_calls_it() -> None:
    found = read(RACE, "average race time by club")
    assert isinstance(found, DataIntent)
    assert (found.measures, found.aggregates, found.groups) == (("Finish (min)",), ("mean",), ("Club",))


@pytest.mark.parametrize(
    "question", ["who won the race?", "average race time by kind", "how many runners were there"]
)
def test_in_another_table_such_words_are_unknown(question: str) -> None:
    assert isinstance(read(PLAIN, question), Refusal)


def test_a_pad_alone_is_no_measure() -> None:
    assert isinstance(read(RACE, "average marathon"), Refusal)


def test_a_rank_says_which_end_it_looks_at() -> None:
    with pytest.raises(ValueError, match="low COLUMN: words"):
        rank_of("finish: won")


def test_the_files_say_nothing_but_what_is_read() -> None:
    import tomllib

    for file in FOLDER.glob("*.toml"):
        for name, one in tomllib.loads(file.read_text(encoding="utf-8")).items():
            assert set(one) <= {"label", *LANGUAGES}, (file.name, name)
            for language in LANGUAGES:
                assert set(one.get(language, {})) <= set(PARTS), (file.name, name)


def test_no_two_domains_have_one_name() -> None:
    names = [domain.name for domain in all_domains()]
    assert len(names) == len(set(names))
