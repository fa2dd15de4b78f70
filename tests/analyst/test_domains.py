"""What a table is about tells what its rows are called and what is done with them."""

from io import StringIO

import pandas as pd
import pytest

from smoldesk.analyst.intents import DataIntent, Refusal
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.tables.catalogue import Catalogue
from smoldesk.analyst.tables.domains import all_domains, domains_of
from smoldesk.analyst.tables.lexicon import Lexicon
from tests.analyst.small_tables import described

TABLES = {
    "film": "Name,Director,runtime_mins,studio\nA,X,90,S\nB,Y,100,T\nC,X,110,S\n",
    "fishing": "trip,port,魚種,漁獲量kg\n1,P,アジ,3\n2,Q,サバ,4\n3,P,アジ,5\n",
    "bird": "observer,habitat,bird,count\nK,wood,robin,3\nL,lake,heron,1\nK,wood,robin,2\n",
    "hiring": "candidate,stage,source\nA,call,web\nB,offer,web\nC,call,fair\n",
}


def intent(text: str, question: str) -> object:
    catalogue = Catalogue([described("data", pd.read_csv(StringIO(text)))], {}, {}, [], "1F")
    return read_talk([question], Lexicon(catalogue)).intent


@pytest.mark.parametrize("name", TABLES)
def test_a_table_is_of_the_domain_its_columns_speak_of(name: str) -> None:
    assert domains_of(described("data", pd.read_csv(StringIO(TABLES[name]))))[0].name == name


@pytest.mark.parametrize(
    ("name", "question"),
    [
        ("film", "how many films were released by studio S"),
        ("film", "number of movies with runtime over 95"),
        ("fishing", "アジの水揚げは何件"),
        ("hiring", "how many applicants are there"),
    ],
)
def test_rows_are_counted_by_the_names_people_give_them(name: str, question: str) -> None:
    read = intent(TABLES[name], question)
    assert isinstance(read, DataIntent) and read.aggregates == ("count",), read


@pytest.mark.parametrize(
    ("name", "question", "word"),
    [
        ("film", "how many orders are there", "orders"),
        ("film", "how many films were exported to mars", "mars"),
        ("hiring", "how many films are there", "films"),
        ("bird", "how many birds were vaccinated", "vaccinated"),
    ],
)
def test_what_is_of_another_domain_is_declined(name: str, question: str, word: str) -> None:
    read = intent(TABLES[name], question)
    assert isinstance(read, Refusal) and word in read.words, read


def test_a_table_that_says_nothing_is_of_no_domain() -> None:
    assert domains_of(described("data", pd.read_csv(StringIO("a,b\n1,2\n3,4\n")))) == []


def test_every_domain_says_what_it_must() -> None:
    for domain in all_domains():
        assert domain.sure and domain.rows and domain.deeds, domain.name
