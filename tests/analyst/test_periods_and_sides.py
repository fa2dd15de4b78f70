"""Two sides and two periods set against each other, weeks by a day, days written in several ways, and lists cut short."""

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
from smoldesk.analyst.reading.weeks_of import stretch_name
from smoldesk.analyst.tables.catalogue import MIXED, MIXED_ERAS, Catalogue
from smoldesk.analyst.tables.lexicon import Lexicon
from tests.analyst.small_tables import SmallDesk, described

TICKETS = (
    "Ticket,Opened,Team,Priority,Hours to close,Score,# replies,Reopened,Amount\n"
    "T1,2023-10-02 09:30,Network,High,4.5,3,2,yes,100\n"
    "T2,2023-10-03 14:00,Accounts,Low,12.0,,5,no,40\n"
    "T3,2023-10-09 14:30,Network,Low,30.5,4,1,no,60\n"
    "T4,2024-10-15 18:00,Hardware,High,1.5,5,7,yes,80\n"
    "T5,2024-10-16 20:15,Hardware,Medium,8.0,,3,no,120\n"
)
GIFTS = (
    "Donor ID,Gift Date,Amount\n"
    'D1,07 November 2022,$20\nD2,2022-11-21,$30\nD1,"Feb 3, 2023",$400\nD2,2023/03/09,$150\nD1,12 March 2023,$50\n'
)


def read(*questions: str) -> Intent:
    catalogue = Catalogue([described("data", pd.read_csv(StringIO(TICKETS)))], {}, {}, [], "1F")
    return read_talk(list(questions), Lexicon(catalogue)).intent


def understood(*questions: str) -> DataIntent:
    found = read(*questions)
    assert isinstance(found, DataIntent), found
    return found


@pytest.mark.parametrize(
    ("question", "first", "after"),
    [
        ("how many tickets in the week of 3 october 2023", "2023-10-02", "2023-10-09"),
        ("number of tickets in the week starting 3 october 2023", "2023-10-03", "2023-10-10"),
        ("tickets opened in the week beginning 2023-10-09, how many", "2023-10-09", "2023-10-16"),
    ],
)
def test_a_week_by_one_of_its_days(question: str, first: str, after: str) -> None:
    assert [one.values for one in understood(question).filters] == [((first),), ((after),)]


def test_two_weeks_set_against_each_other_are_groups() -> None:
    found = understood("how many tickets in the week of 2 oct 2023 vs the week of 9 oct 2023")
    assert (found.grain, found.aggregates) == ("week", ("count",))


@pytest.mark.parametrize(
    ("question", "comparison", "hour"),
    [
        ("how many tickets were opened at 18:00 or later", ">=", 18.0),
        ("how many tickets were opened at 14:00 or earlier", "<=", 14.0),
    ],
)
def test_hours_or_later(question: str, comparison: str, hour: float) -> None:
    assert understood(question).filters == (Filter("Opened", comparison, (hour,), "hour"),)  # type: ignore[arg-type]


def test_the_hour_itself_is_not_after_it(tmp_path: Path) -> None:
    said = SmallDesk(tmp_path, data=TICKETS).ask("how many tickets were opened at 14:00 or earlier")
    assert said.first.startswith("2 "), said.text


@pytest.mark.parametrize(
    "question",
    [
        "difference in average amount between 2024 and 2023",
        "how much did the average amount rise from 2023 to 2024",
        "how much did the average amount change from 2023 to 2024?",
    ],
)
def test_two_years_are_two_sides(question: str) -> None:
    found = understood(question)
    assert (found.operation, found.aggregates, found.change) == ("difference", ("mean",), "")
    assert [one.options[0].values for one in found.sides] == [("2024-01-01",), ("2023-01-01",)]


def test_a_difference_in_percent_is_of_the_second_side(tmp_path: Path) -> None:
    desk = SmallDesk(tmp_path, data=TICKETS)
    said = desk.ask("by how many percent did the average amount go up from 2023 to 2024?")
    assert "+50.00 %" in said.first, said.text  # 66.67 to 100
    said = desk.ask("difference in average amount between Hardware and Network in percent")
    assert "+25.00 %" in said.first, said.text


def test_a_share_of_blanks() -> None:
    found = understood("what percent of the scores are missing")
    assert (found.aggregates, found.target) == (("share",), Filter("Score", "==", (), "blank"))


@pytest.mark.parametrize(
    ("question", "order", "limit"),
    [
        ("slowest ticket to close, which one", "desc", 1),
        ("quickest ticket to close", "asc", 1),
        ("list the tickets by amount, dearest first, just 2 of them", "desc", 2),
        ("list the tickets by amount, smallest first, only 3", "asc", 3),
    ],
)
def test_one_end_of_a_list(question: str, order: str, limit: int) -> None:
    found = understood(question)
    assert (found.operation, found.order, found.limit) == ("top", order, limit)


@pytest.mark.parametrize(
    "question",
    [
        "do reopened tickets have more replies on average? by how much do they differ from the others",
        "do reopened tickets get more replies? whats the difference in the average",
    ],
)
def test_those_that_are_and_the_others(question: str) -> None:
    found = understood(question)
    assert (found.operation, found.measures, found.aggregates) == ("difference", ("# replies",), ("mean",))
    assert {one.column for one in found.sides} == {"Reopened"}


def test_the_gap_between_the_ends_is_a_range() -> None:
    assert understood("whats the gap between the slowest and the fastest hours to close?").aggregates == (
        "range",
    )


def test_the_number_of_what_a_column_counts() -> None:
    found = understood("avg number of replies per team")
    assert (found.measures, found.aggregates, found.groups) == (("# replies",), ("mean",), ("Team",))


def test_a_heatmap_of_two_columns() -> None:
    found = understood("heatmap of ticket counts, priority by team")
    assert (found.plot, found.aggregates, found.groups) == ("heatmap", ("count",), ("Priority", "Team"))


def test_what_is_left_out_follows_the_question_before() -> None:
    found = understood("total amount by team", "leave out the reopened tickets")
    assert (found.measures, found.groups) == (("Amount",), ("Team",))
    assert found.filters == (Filter("Reopened", "==", ("no",)),)


def test_a_plot_of_what_was_refused_is_refused() -> None:
    assert isinstance(read("correlation between pages and weight", "show it as a heatmap"), Refusal)
    found = read("total amount by team", "and by flurb", "plot it as a pie")
    assert isinstance(found, Refusal)
    assert understood("total amount by team", "plot it as a pie").plot == "pie"


def test_days_written_in_several_ways(tmp_path: Path) -> None:
    table = described("gifts", pd.read_csv(StringIO(GIFTS)))
    dated = next(one for one in table.columns if one.name == "Gift Date")
    assert (dated.kind, dated.form, dated.span) == ("date", MIXED, ("2022-11-07", "2023-03-12"))
    desk = SmallDesk(tmp_path, gifts=GIFTS)
    assert "600" in desk.ask("total amount by year").text
    assert "550" in desk.ask("how much more was raised in 2023 than in 2022").first


def test_days_of_eras_among_others(tmp_path: Path) -> None:
    text = "店名,開店日,席数\nあ,2015/3/10,10\nい,2018年5月3日,20\nう,令和3年4月15日,30\nえ,,15\nお,令和元年7月1日,12\n"
    dated = described("shops", pd.read_csv(StringIO(text))).columns[1]
    assert (dated.kind, dated.form, dated.span) == ("date", MIXED_ERAS, ("2015-03-10", "2021-04-15"))
    desk = SmallDesk(tmp_path, shops=text)
    assert "42" in desk.ask("2019年以降に開店した店の席数の合計").first
    assert "2021-04-15" in desk.ask("開店日が一番新しい店").first
    other = described("shops", pd.read_csv(StringIO(text.replace("2015/3/10", "3/10/2015")))).columns[1]
    assert other.kind == "text"


def test_days_that_can_be_read_in_two_ways_are_no_dates() -> None:
    table = described("gifts", pd.read_csv(StringIO(GIFTS.replace("2023/03/09", "03/09/2023"))))
    assert next(one for one in table.columns if one.name == "Gift Date").kind == "text"


def test_what_a_stretch_is_called() -> None:
    assert stretch_name("2023-01-01", "2024-01-01") == "2023"
    assert stretch_name("2023-12-01", "2024-01-01") == "2023-12"
    assert stretch_name("2023-12-02", "2024-01-01") == ""
