"""Any one of what a column holds, and whether it holds anything: neither is a group."""

from io import StringIO

import pandas as pd
import pytest

from smoldesk.analyst.intents import DataIntent, Intent, Refusal
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.tables.catalogue import Catalogue
from smoldesk.analyst.tables.lexicon import Lexicon
from tests.analyst.small_tables import described

PUMPS = "Site,Fault,Hours to mend,Urgent\nA,leak,2,yes\nA,noise,3,no\nB,leak,5,yes\nB,leak,1,no\n"
SHOWS = (
    "Show,Host,Sponsor,Listeners\nS1,Ann,Brill,10\nS2,Bo,,20\nS3,Ann,Brill,30\nS4,Bo,Tandem,25\nS5,Ann,,15\n"
)


def read(table: str, question: str) -> Intent:
    catalogue = Catalogue([described("data", pd.read_csv(StringIO(table)))], {}, {}, [], "1F")
    return read_talk([question], Lexicon(catalogue)).intent


def data(table: str, question: str) -> DataIntent:
    found = read(table, question)
    assert isinstance(found, DataIntent), (question, found)
    return found


@pytest.mark.parametrize(
    "said", ["average time to mend a fault", "what's the average time to mend a fault, in hours?"]
)
def test_any_one_cuts_nothing(said: str) -> None:
    found = data(PUMPS, said)
    assert (found.groups, found.measures, found.aggregates) == ((), ("Hours to mend",), ("mean",))


def test_any_one_beside_a_group_leaves_the_group() -> None:
    assert data(PUMPS, "average time to mend a fault by site").groups == ("Site",)
    assert data(PUMPS, "average time to mend by fault").groups == ("Fault",)


def test_how_often_it_happened_to_any_is_one_count() -> None:
    assert data(SHOWS, "how often did a host get 20 listeners or more").groups == ()
    assert data(SHOWS, "how often did each host get 20 listeners or more").groups == ("Host",)


def test_what_is_held_at_all_is_no_group_in_a_share() -> None:
    found = data(SHOWS, "what percentage of shows had a sponsor?")
    assert found.target is not None and (found.target.column, found.target.part) == ("Sponsor", "blank")
    assert found.target.comparison == "!=" and found.groups == ()


@pytest.mark.parametrize("said", ["with and without", "both with and without"])
def test_with_and_without_are_the_two_groups_of_a_flag(said: str) -> None:
    table = PUMPS.replace("Urgent", "Permit")
    assert data(table, f"average hours to mend {said} a permit").groups == ("Permit",)


def test_unknown_things_stay_declined() -> None:
    assert isinstance(read(PUMPS, "average time to mend a bicycle"), Refusal)
    assert isinstance(read(SHOWS, "what percentage of shows had a guest?"), Refusal)
    assert isinstance(read(PUMPS, "average hours to mend with and without a helper"), Refusal)


def test_everyday_sayings_of_sums_and_steps() -> None:
    summed = data(PUMPS, "what do the hours to mend add up to?")
    assert (summed.measures, summed.aggregates) == (("Hours to mend",), ("sum",))
    dated = "Day,Site,Litres\n2024-01-03,A,4\n2024-02-04,A,5\n2024-03-05,B,9\n"
    assert data(dated, "difference in total litres from one month to the next").change == "diff"
    assert data(dated, "on which date were the most litres used").date == "Day"


def test_with_and_without_names_is_declined() -> None:
    assert isinstance(read(SHOWS, "average listeners with and without a sponsor"), Refusal)


def test_what_was_reported_is_counted_by_rows() -> None:
    table = "Site,Fault,Reported On\nA,leak,2024-01-03\nA,noise,2024-01-09\nB,leak,2024-02-04\nB,leak,2024-02-06\n"
    assert data(table, "count of faults reported each month").aggregates == ("count",)
    assert data(table, "how many different faults were reported in february").operation == "distinct"
