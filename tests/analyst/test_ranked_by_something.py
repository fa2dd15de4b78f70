"""What is ranked has something to be ranked by; yes and no are both of them; nobody here has an opinion."""

from io import StringIO
from pathlib import Path

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
from tests.analyst.small_tables import SmallDesk, described

TRIPS = (
    "Trip ID,Departed,Boat Name,Skipper ID,Guests (pax),No. of Sightings,Duration (min),Downloads,"
    "Ticket revenue (EUR),Finished,"
    "Days on shelf\n"
    "W01,2024-05-18,Sea Wolf,K1,22,3,90,120,1210,yes,12\n"
    "W02,2024-05-19,Narwhal II,K2,34,5,120,80,1870,no,4\n"
    "W03,2024-05-25,Sea Wolf,K1,18,0,60,300,990,yes,\n"
    "W04,2024-06-01,Narwhal II,K3,29,7,150,45,1595,yes,9\n"
    "W05,2024-06-02,Sea Wolf,K2,25,4,75,60,1375,no,31\n"
)


def read(*questions: str) -> Intent:
    catalogue = Catalogue([described("data", pd.read_csv(StringIO(TRIPS)))], {}, {}, [], "1F")
    return read_talk(list(questions), Lexicon(catalogue)).intent


def understood(*questions: str) -> DataIntent:
    found = read(*questions)
    assert isinstance(found, DataIntent), found
    return found


@pytest.mark.parametrize(
    ("question", "column", "order", "limit"),
    [
        ("which 3 trips had the most sightings", "No. of Sightings", "desc", 3),
        ("the 2 least downloaded trips", "Downloads", "asc", 2),
        ("top 2 most downloaded trips", "Downloads", "desc", 2),
        ("the 2 longest trips and their guests", "Duration (min)", "desc", 2),
        ("which trip had the fewest guests", "Guests (pax)", "asc", 1),
        ("which trip has been on the shelf the longest", "Days on shelf", "desc", 1),
    ],
)
def test_what_ranks_the_rows_is_the_column_of_the_word(
    question: str, column: str, order: str, limit: int
) -> None:
    found = understood(question)
    assert (found.operation, found.measures[0], found.order, found.limit) == ("top", column, order, limit)


@pytest.mark.parametrize(
    "question",
    ["the 3 least loved trips", "show the 2 most trips", "the 3 most beautiful trips", "the 2 worst trips"],
)
def test_a_rank_by_nothing_is_declined(question: str) -> None:
    assert isinstance(read(question), Refusal)


def test_the_smallest_and_the_largest_are_two_figures() -> None:
    assert set(understood("smallest and largest ticket revenue?").aggregates) == {"min", "max"}


@pytest.mark.parametrize(
    ("question", "measure", "group"),
    [
        ("average guests per boat", "Guests (pax)", "Boat Name"),
        ("bar chart of ticket revenue per boat", "Ticket revenue (EUR)", "Boat Name"),
        ("median guests by boat", "Guests (pax)", "Boat Name"),
    ],
)
def test_a_boat_with_several_trips_is_a_group(question: str, measure: str, group: str) -> None:
    found = understood(question)
    assert (found.measures, found.groups) == ((measure,), (group,))


def test_yes_and_no_are_both_of_a_column() -> None:
    assert set(understood("stacked bar chart of finished yes/no per boat").groups) == {
        "Boat Name",
        "Finished",
    }
    assert set(understood("number of trips by boat and finished (y/n)").groups) == {"Boat Name", "Finished"}
    for question in ("how many trips, finished yes/no", "stacked bar chart of trips"):
        assert isinstance(read(question), Refusal)


def test_a_share_follows_a_count_of_groups() -> None:
    found = understood("how many trips for each boat?", "and what share are Sea Wolf")
    assert found.target == Filter("Boat Name", "==", ("Sea Wolf",)) and not found.groups
    found = understood("number of trips per skipper id", "only Sea Wolf", "and as percent of all Sea Wolf?")
    assert (found.aggregates, found.groups) == (("share",), ("Skipper ID",))
    assert found.filters == (Filter("Boat Name", "==", ("Sea Wolf",)),)


@pytest.mark.parametrize(
    "question",
    [
        "is the sea wolf a good boat?",
        "was the sea wolf worth the money?",
        "why do so many trips have no sightings?",
        "why is the revenue of the narwhal ii higher?",
        "which boat would you recommend",
    ],
)
def test_opinions_and_reasons_are_declined(question: str) -> None:
    assert isinstance(read(question), Refusal)


@pytest.mark.parametrize(
    ("question", "order"),
    [("which boat is downloaded the least", "asc"), ("which boat was downloaded the most", "desc")],
)
def test_groups_are_ranked_by_what_is_done_to_them(question: str, order: str) -> None:
    found = understood(question)
    assert (found.groups, found.measures, found.aggregates, found.order) == (
        ("Boat Name",), ("Downloads",), ("sum",), order,
    )  # fmt: skip


def test_both_ends_of_groups_are_all_of_them_in_order() -> None:
    found = understood("which boat has the most trips and which the fewest")
    assert (found.groups, found.aggregates, found.order, found.limit) == (
        ("Boat Name",),
        ("count",),
        "desc",
        0,
    )


def test_one_column_correlates_with_figures_written_as_text(tmp_path: Path) -> None:
    desk = SmallDesk(tmp_path, data="Nights,Rate\n1,$10\n2,$20\n3,$31\n4,$39\n")
    assert "Rate" in desk.ask("what correlates with nights").first
