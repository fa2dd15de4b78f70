"""Ways of asking that hold for any table: one row by name, figures that add up, lost follow-ups, small slips of the pen."""

from io import StringIO
from typing import Any

import pandas as pd
import pytest

from smoldesk.analyst.intents import DataIntent, Refusal
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.tables.catalogue import Catalogue
from smoldesk.analyst.tables.lexicon import Lexicon
from tests.analyst.small_tables import described

TRIPS = """Trip,Boat,Skipper,species,weight_kg,Errors,Units Moved,time (s),landed on,remark
T-01,Gull,Ann,cod,4.5,1,10,61,2024-05-01,
T-02,Gull,Bob,bass,6.5,0,12,59,2024-05-02,late
T-03,Tern,Ann,cod,2.5,2,11,70,2024-05-02,
T-04,Tern,Cy,bass,3.5,1,14,66,2024-05-03,late
"""


def intent(*talk: str) -> Any:
    catalogue = Catalogue([described("data", pd.read_csv(StringIO(TRIPS)))], {}, {}, [], "1F")
    return read_talk(list(talk), Lexicon(catalogue)).intent


@pytest.mark.parametrize(
    ("question", "measure", "order"),
    [
        ("heaviest trip", "weight_kg", "desc"),
        ("lightest trip - which boat was it?", "weight_kg", "asc"),
        ("fastest trip", "time (s)", "asc"),
    ],
)
def test_one_row_is_asked_for_by_name(question: str, measure: str, order: str) -> None:
    read = intent(question)
    assert isinstance(read, DataIntent) and read.operation == "top", read
    assert (read.measures[0], read.order, read.limit) == (measure, order, 1)


@pytest.mark.parametrize(
    "question", ["errors by boat", "errors per species", "units per skipper", "kg per boat"]
)
def test_things_that_are_counted_are_added_up(question: str) -> None:
    read = intent(question)
    assert isinstance(read, DataIntent) and read.aggregates == ("sum",) and len(read.groups) == 1, read


def test_times_are_averaged() -> None:
    assert intent("time by boat").aggregates == ("mean",)


def test_a_plural_of_the_column_that_names_rows_is_the_rows() -> None:
    read = intent("how many trips did Ann make")
    assert isinstance(read, DataIntent) and read.aggregates == ("count",) and not read.groups, read
    assert read.filters[0].column == "Skipper"


def test_blank_texts_and_dates_are_found() -> None:
    (condition,) = intent("how many trips have no remark").filters
    assert (condition.column, condition.comparison, condition.part) == ("remark", "==", "blank")


def test_a_follow_up_does_not_step_over_one_that_was_refused() -> None:
    read = intent("average weight by boat", "only the purple ones", "as a pie")
    assert isinstance(read, Refusal) and "purple" in read.words
    assert isinstance(intent("average weight by boat", "only cod", "as a pie"), DataIntent)


@pytest.mark.parametrize("slip", ["avarage weight by boat", "average wieght by boat"])
def test_swapped_letters_and_vowels_are_mended(slip: str) -> None:
    assert intent(slip) == intent("average weight by boat")


def test_another_word_of_the_same_length_is_not_mended() -> None:
    assert isinstance(intent("average height by boat"), Refusal)


def test_a_word_that_pads_a_column_is_refused_alone() -> None:
    assert intent("average amount by boat").words == ("amount",)


def test_a_difference_of_totals_is_one_of_sums() -> None:
    assert intent("difference in errors between cod and bass").aggregates == ("sum",)
