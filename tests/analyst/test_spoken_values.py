"""Cells, flags and figures said otherwise than they are written, and what stays declined beside them."""

from io import StringIO

import pandas as pd
import pytest

from smoldesk.analyst.intents import DataIntent, Intent, Refusal
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.tables.catalogue import Catalogue
from smoldesk.analyst.tables.lexicon import Lexicon
from tests.analyst.small_tables import described

CHEESE = "Cheese,Origin,Kilos,won medal\nBrie,France,3,yes\nGouda,Netherlands,5,no\nComte,France,8,no\nFeta,Greece,2,yes\n"
LOANS = "Tool,Days out,Fee,late back\nlawnmower,3,10,yes\nladder,5,4,no\nlawnmower,2,10,no\nladder,1,4,\n"


def read(table: str, question: str) -> Intent:
    catalogue = Catalogue([described("data", pd.read_csv(StringIO(table)))], {}, {}, [], "1F")
    return read_talk([question], Lexicon(catalogue)).intent


def data(table: str, question: str) -> DataIntent:
    found = read(table, question)
    assert isinstance(found, DataIntent), (question, found)
    return found


@pytest.mark.parametrize(
    ("said", "country"),
    [("total kilos of French cheeses", "France"), ("total kilos of Dutch cheeses", "Netherlands")],
)
def test_a_people_is_its_country(said: str, country: str) -> None:
    assert data(CHEESE, said).filters[0].values == (country,)


def test_a_name_in_two_words_is_the_cell() -> None:
    assert data(LOANS, "total fee for lawn mowers").filters[0].values == ("lawnmower",)


def test_a_flag_by_its_verb_and_turned_round() -> None:
    assert data(CHEESE, "how many cheeses did win a medal").filters[0].column == "won medal"
    assert data(LOANS, "how many came back late").filters[0].column == "late back"


def test_the_head_of_a_column_is_its_figure() -> None:
    assert data(LOANS, "total days by tool").measures == ("Days out",)


@pytest.mark.parametrize(
    ("table", "said"),
    [
        (CHEESE, "total kilos of Spanish cheeses"),
        (CHEESE, "how many cheeses did win a trophy"),
        (LOANS, "total fee for hedge trimmers"),
        (LOANS, "how many came back damaged"),
        (LOANS, "total days of rain by tool"),
    ],
)
def test_what_no_cell_says_stays_declined(table: str, said: str) -> None:
    assert isinstance(read(table, said), Refusal)
