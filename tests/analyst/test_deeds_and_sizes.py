"""Columns called by what was done then or by their size, wins and losses, amounts like years, the day of an extreme."""

from io import StringIO

import pandas as pd
import pytest

from smoldesk.analyst.intents import (
    DataIntent,
    Filter,
    Intent,
    Refusal,
)
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.tables.catalogue import Catalogue
from smoldesk.analyst.tables.lexicon import Lexicon
from tests.analyst.small_tables import described

LOANS = """Loan,Borrower,Lent,Due by,Returned on,Value (GBP),state
L1,Ana,2024-01-05,2024-01-19,2024-01-12,40,returned
L2,Ben,2024-01-20,2024-02-03,,1900,out
L3,Ana,2024-02-11,2024-02-25,2024-03-02,2400,returned
L4,Cai,2024-02-28,2024-03-13,2024-03-20,1200,returned
"""
MATCHES = """Round,Date,Rival,Ground,Result,Pts For,Gate
1,2024-03-02,Otters,north,W,12,310
2,2024-03-09,Foxes,south,L,7,280
3,2024-03-16,Otters,south,W,15,350
4,2024-03-23,Herons,north,L,9,120
"""
CALVES = "Tag,Breed,Ear (mm),Milk (l),keeper\nA1,Jersey,80,4,Ivo\nA2,Angus,95,6,Mara\nA3,Jersey,85,5,Ivo\n"


def read(table: str, question: str) -> Intent:
    catalogue = Catalogue([described("data", pd.read_csv(StringIO(table)))], {}, {}, [], "1F")
    return read_talk([question], Lexicon(catalogue)).intent


def data(table: str, question: str) -> DataIntent:
    found = read(table, question)
    assert isinstance(found, DataIntent), (question, found)
    return found


@pytest.mark.parametrize(
    ("said", "column"),
    [
        ("total value per month by lending date", "Lent"),
        ("total value by due date", "Due by"),
        ("monthly total value by return date", "Returned on"),
        ("total value by date of return", "Returned on"),
    ],
)
def test_a_column_of_days_is_called_by_its_deed(said: str, column: str) -> None:
    assert data(LOANS, said).date == column


def test_a_step_of_months_stays_beside_a_column_of_days() -> None:
    assert data(LOANS, "month over month growth of total value by due date").grain == "month"


@pytest.mark.parametrize(
    "said",
    [
        "average number of days from lent to returned",
        "how many days did it take on average from lending to return",
        "average time between lent and returned",
    ],
)
def test_days_from_one_deed_to_another(said: str) -> None:
    found = data(LOANS, said)
    assert found.aggregates == ("mean",)
    assert found.derived[0].columns == ("Lent", "Returned on")


def test_a_deed_right_before_a_date_is_its_column_though_a_cell_says_it_too() -> None:
    filters = data(LOANS, "how many loans were returned in march 2024").filters
    assert {one.column for one in filters if one.comparison in (">=", "<")} == {"Returned on"}


def test_four_digits_of_a_range_are_an_amount() -> None:
    kept = data(LOANS, "how many loans are worth between 1000 and 2000 pounds").filters
    assert kept == (
        Filter("Value (GBP)", ">=", (1000.0,)),
        Filter("Value (GBP)", "<=", (2000.0,)),
    )
    years = data(LOANS, "how many loans were lent between 2023 and 2024").filters
    assert {one.column for one in years} == {"Lent"}


def test_a_bound_belongs_to_the_column_right_behind_it() -> None:
    found = data(CALVES, "average ear of Jersey with more than 4 milk")
    assert found.measures == ("Ear (mm)",)
    assert Filter("Milk (l)", ">", (4.0,)) in found.filters


def test_a_figure_is_called_by_its_size() -> None:
    assert data(CALVES, "mean ear length by breed").measures == ("Ear (mm)",)
    assert isinstance(read(CALVES, "mean ear weight by breed"), Refusal)


@pytest.mark.parametrize(("said", "cell"), [("how many wins", "W"), ("how many games did we lose", "L")])
def test_how_matches_ended(said: str, cell: str) -> None:
    assert data(MATCHES, said).filters == (Filter("Result", "==", (cell,)),)


def test_all_cells_side_by_side_are_groups() -> None:
    found = data(MATCHES, "wins and losses by ground")
    assert (set(found.groups), found.filters) == ({"Ground", "Result"}, ())
    assert data(MATCHES, "how many wins and losses together").groups == ()


def test_a_streak_is_declined() -> None:
    assert isinstance(read(MATCHES, "how many games did we win in a row"), Refusal)


def test_one_rows_figure_and_whose_it_was() -> None:
    found = data(MATCHES, "which rival drew the highest gate and how many people was it?")
    assert (found.operation, found.measures, found.limit) == ("top", ("Gate", "Rival"), 1)


@pytest.mark.parametrize("said", ["date of the highest gate", "when was the highest gate"])
def test_the_day_of_an_extreme(said: str) -> None:
    found = data(MATCHES, said)
    assert (found.operation, found.measures, found.order) == ("top", ("Gate", "Date"), "desc")


def test_the_first_day_of_some_rows() -> None:
    found = data(MATCHES, "when was the first loss")
    assert (found.operation, found.measures, found.order) == ("top", ("Date",), "asc")


def test_abbreviated_points() -> None:
    assert data(MATCHES, "average points for by ground").measures == ("Pts For",)


@pytest.mark.parametrize(
    "said", ["how many cells are empty in total, and in which columns?", "how many blank values are there"]
)
def test_blank_cells_of_the_whole_table(said: str) -> None:
    found = data(LOANS, said)
    assert (found.operation, found.measures) == ("missing", ())


def test_outside_of_a_cell() -> None:
    assert data(MATCHES, "total gate outside north").filters == (Filter("Ground", "!=", ("north",)),)


def test_how_much_is_never_answered_by_rows() -> None:
    assert isinstance(read(CALVES, "how much do we earn from Angus"), Refusal)
