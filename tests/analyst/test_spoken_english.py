"""English that speaks of what columns hold without naming them, and what must still be declined beside it."""

from io import StringIO

import pandas as pd
import pytest

from smoldesk.analyst.english.plain_english import plain_english, without_tags
from smoldesk.analyst.intents import DataIntent, Intent, Refusal
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.tables.catalogue import Catalogue
from smoldesk.analyst.tables.lexicon import Lexicon
from tests.analyst.small_tables import described

ROOMS = "room,window,CO2 [ppm]\nA,open,500\nA,closed,700\nB,open,450\nB,closed,640\n"
STALL = (
    "date,pitch,weather,takings,food cost\n"
    "2024-06-03,Market,sun,1012.5,310\n2024-06-04,Park,rain,640,221\n2024-06-05,Park,sun,1188,342\n"
)
RUNNERS = "Bib,First timer,Training km/week,Finish (min)\n1,yes,30,61\n2,no,44,48\n3,yes,38,55\n4,no,52,44\n"
LOTS = "Lot,Category,Year made,Bids\nL1,Lamp,1971,7\nL2,Chair,1896,2\nL3,Chair,1930,4\n"
FLATS = (
    "Listing,Rent pcm,Deposit,furnished,Walk to uni (min)\n"
    "F1,650,750,yes,12\nF2,980,1130,no,15\nF3,590,680,part,25\nF4,620,700,no,9\n"
)
FILMS = "Film,Screen,Tickets sold\nThe Salt Road,1,120\nIron Comet,2,80\nThe Salt Road,2,95\n"
LOST = "Ref,Item,Claimed,Days held\nP1,scarf,yes,6\nP2,phone,no,90\nP3,keys,yes,2\n"
DISHES = "Dish,Prep time (mins),Cook time (mins)\nStew,20,120\nSalad,25,0\nPie,40,55\n"


def read(table: str, *questions: str) -> Intent:
    catalogue = Catalogue([described("data", pd.read_csv(StringIO(table)))], {}, {}, [], "1F")
    return read_talk(list(questions), Lexicon(catalogue)).intent


def data(table: str, *questions: str) -> DataIntent:
    found = read(table, *questions)
    assert isinstance(found, DataIntent), (questions, found)
    return found


@pytest.mark.parametrize("said", ["window state", "window status", "window condition"])
def test_the_state_of_a_column_is_what_it_holds(said: str) -> None:
    assert data(ROOMS, f"average co2 by room and {said}").groups == ("room", "window")


def test_the_state_of_what_is_no_column_is_declined() -> None:
    assert isinstance(read(ROOMS, "average co2 by door state"), Refusal)
    assert isinstance(read(ROOMS, "average co2 by CO2 state"), Refusal)


@pytest.mark.parametrize(
    "said", ["do first timers train less", "do first timers train less per week on average?"]
)
def test_two_groups_by_a_verb_are_a_difference(said: str) -> None:
    found = data(RUNNERS, said)
    assert (found.operation, found.measures) == ("difference", ("Training km/week",))


def test_a_verb_of_no_column_makes_no_difference() -> None:
    assert isinstance(read(RUNNERS, "do first timers sleep less"), Refusal)


@pytest.mark.parametrize(
    ("table", "said", "column", "sign"),
    [
        (RUNNERS, "how many runners had a higher than average finish", "Finish (min)", ">"),
        (LOTS, "how many lots have below average bids", "Bids", "<"),
        (LOTS, "how many lots had bids above the average", "Bids", ">"),
        (STALL, "how many days with above average takings", "takings", ">"),
    ],
)
def test_rows_are_compared_with_their_columns_own_average(
    table: str, said: str, column: str, sign: str
) -> None:
    (one,) = data(table, said).filters
    assert (one.column, one.comparison, one.values, one.part) == (column, sign, ("mean",), "average")


def test_what_may_be_an_average_of_groups_is_declined() -> None:
    assert isinstance(read(FILMS, "which films have above average tickets sold"), Refusal)
    assert isinstance(read(LOTS, "how many lots have above average weight"), Refusal)


def test_the_oldest_has_the_lowest_year() -> None:
    found = data(LOTS, "the oldest piece, which year was it made")
    assert (found.operation, found.measures, found.order) == ("top", ("Year made",), "asc")
    assert isinstance(read(LOTS, "the oldest guitar, which year was it made"), Refusal)


def test_a_bound_by_the_month_is_about_the_column_by_the_month() -> None:
    filters = data(FLATS, "which flats are under 700 a month and furnished").filters
    assert {(one.column, one.comparison, one.values) for one in filters} == {
        ("Rent pcm", "<", (700.0,)),
        ("furnished", "==", ("yes",)),
    }
    assert isinstance(read(LOTS, "which lots are under 700 a month"), Refusal)


def test_a_third_answer_still_groups() -> None:
    assert data(FLATS, "average deposit by furnished").groups == ("furnished",)


def test_a_walk_is_no_further_than_the_column_says() -> None:
    (one,) = data(FLATS, "how many flats are within a 12 min walk of uni").filters
    assert (one.column, one.comparison, one.values) == ("Walk to uni (min)", "<=", (12.0,))
    assert isinstance(read(FLATS, "how many flats are within a 12 min walk of the station"), Refusal)


def test_what_came_in_is_the_column_of_takings() -> None:
    assert data(STALL, "how much did we take in total").measures == ("takings",)
    (one,) = data(STALL, "days where we made less than 700 bucks, how many").filters
    assert (one.column, one.values) == ("takings", (700.0,))
    assert isinstance(read(STALL, "how many days did we lose less than 700"), Refusal)


def test_weather_in_other_words() -> None:
    (one,) = data(STALL, "average takings when it rained").filters
    assert one.values == ("rain",)
    assert isinstance(read(STALL, "average takings when it snowed"), Refusal)


def test_days_that_we_hold() -> None:
    found = data(LOST, "how many days do we hold the claimed ones on average")
    assert (found.measures, found.aggregates) == (("Days held",), ("mean",))
    assert [one.column for one in found.filters] == ["Claimed"]


def test_longest_to_do_is_the_time_of_that_name() -> None:
    assert data(DISHES, "top 2 dishes that take longest to cook").measures == ("Cook time (mins)",)
    assert data(DISHES, "top 2 dishes that take longest to prep").measures == ("Prep time (mins)",)


@pytest.mark.parametrize("verb", ["directed", "wrote", "made", "produced"])
def test_who_made_it_is_declined_where_no_column_tells(verb: str) -> None:
    assert isinstance(read(FILMS, f"who {verb} The Salt Road?"), Refusal)


@pytest.mark.parametrize("said", ["how can i save electricity?", "how do we increase takings"])
def test_advice_is_declined(said: str) -> None:
    assert isinstance(read(STALL, said), Refusal)


def test_how_much_something_grew_is_no_total() -> None:
    assert isinstance(read(STALL, "how much did the list grow between 3 June and 5 June 2024?"), Refusal)


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("total per week day, mon to sun", "total per weekday"),
        ("how many people broke 45 mins", "how many people finished under 45 mins"),
        ("which rooms have not stated a price?", "which rooms has no price?"),
        ("crosstab of pitch and weather, number of days", "crosstab of pitch and weather"),
        ("did we forget to enter the price anywhere?", "which rows have no price?"),
        ("avg delay when i got a seat vs when i didnt", "avg delay by seat"),
        ("how many loans with a fee above zero", "how many loans with a fee above 0"),
    ],
)
def test_short_ways_of_speaking_are_written_out(said: str, plain: str) -> None:
    assert without_tags(said) == plain


def test_a_verb_that_is_asked_about_stays() -> None:
    assert plain_english("who wrote The Salt Road", lambda word: False) == "who wrote The Salt Road"
    assert plain_english("how much did it grow", lambda word: False) == "how much did it grow"


def test_two_kinds_of_weather_are_two_sides() -> None:
    found = data(STALL, "how many more takings do we get on average when its sunny than when it rains")
    assert (found.operation, found.measures) == ("difference", ("takings",))
    assert [one.values for one in found.sides] == [("sun",), ("rain",)]
