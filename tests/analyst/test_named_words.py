"""Each word that says which figure, rows or order is wanted is honoured, or the question is declined."""

from io import StringIO

import pandas as pd
import pytest

from smoldesk.analyst.intents import DataIntent, Intent, Refusal
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.tables.catalogue import Catalogue
from smoldesk.analyst.tables.lexicon import Lexicon
from tests.analyst.desk import Desk
from tests.analyst.small_tables import described

CELLAR = (
    "Bottle,Region,Vintage,Price,Score,Organic seal,Tasted,Approved by\n"
    "Alba,Rioja,2013,12.5,88,TRUE,yes,Ana\n"
    "Bruma,Rioja,2019,30.0,91,FALSE,no,\n"
    "Cima,Douro,2016,22.0,88,TRUE,yes,Luis\n"
    "Dorna,Douro,2021,9.0,85,FALSE,yes,Ana\n"
    "Eira,Minho,2020,15.5,88,FALSE,,Luis\n"
    "Faro,Minho,2018,11.0,90,TRUE,no,Luis\n"
)
SHIFTS = (
    "Worker,Team,Day,Finish time (min),Miles,Tip,Portions,Night bus,Depth cm\n"
    "Iris,red,2024-03-01,42.5,3.1,2.0,4,yes,12\n"
    "Jon,red,2024-03-02,51.0,6.4,4.5,2,no,9\n"
    "Kim,blue,2024-03-04,39.9,2.2,1.0,7,no,5\n"
    "Iris,blue,2024-04-05,47.3,9.8,7.0,3,yes,6\n"
    "Jon,blue,2024-04-09,44.0,5.0,3.5,1,yes,4\n"
)


def read(csv: str, *questions: str) -> Intent:
    catalogue = Catalogue([described("data", pd.read_csv(StringIO(csv)))], {}, {}, [], "1F")
    return read_talk(list(questions), Lexicon(catalogue)).intent


def data(csv: str, *questions: str) -> DataIntent:
    found = read(csv, *questions)
    assert isinstance(found, DataIntent), found
    return found


@pytest.mark.parametrize(
    ("question", "aggregates"),
    [("what is the oldest vintage", ("min",)), ("what is the highest vintage", ("max",))],
)
def test_the_oldest_year_is_the_smallest(question: str, aggregates: tuple[str, ...]) -> None:
    found = data(CELLAR, question)
    assert (found.measures, found.aggregates) == (("Vintage",), aggregates)


def test_the_top_of_finish_times_is_the_shortest() -> None:
    found = data(SHIFTS, "top 3 workers by finish time")
    assert (found.measures, found.order, found.limit) == (("Finish time (min)",), "asc", 3)
    assert data(SHIFTS, "top 3 workers by tip").order == "desc"


def test_a_total_in_a_follow_up_is_a_total() -> None:
    found = data(CELLAR, "number of bottles by region", "and the total price for each?")
    assert (found.measures, found.aggregates, found.groups) == (("Price",), ("sum",), ("Region",))


def test_the_cheapest_of_a_list_is_one_of_its_rows() -> None:
    found = data(CELLAR, "show me the bottles from Rioja", "cheapest of those?")
    assert (found.operation, found.measures, found.order, found.limit) == ("top", ("Price",), "asc", 1)
    assert [one.values for one in found.filters] == [("Rioja",)]
    assert isinstance(read(CELLAR, "show me the bottles from Rioja", "heaviest of those?"), Refusal)


def test_what_is_given_most_often_is_no_maximum() -> None:
    found = data(CELLAR, "what score was given most often")
    assert (found.groups, found.aggregates, found.order) == (("Score",), ("count",), "desc")
    assert data(CELLAR, "what is the highest score").aggregates == ("max",)


@pytest.mark.parametrize(("reply", "value"), [("yes", "yes"), ("no", "no")])
def test_an_answer_that_was_given_is_a_condition(reply: str, value: str) -> None:
    found = data(CELLAR, f"how many bottles from Douro said {reply}")
    assert {one.values for one in found.filters} == {("Douro",), (value,)}


def test_an_answer_that_no_column_holds_is_declined() -> None:
    assert isinstance(read(CELLAR, "how many bottles from Douro said maybe"), Refusal)


def test_the_opposite_of_a_word_in_a_flag_asks_for_the_other_rows() -> None:
    night = data(SHIFTS, "average tip of night buses")
    assert [one.values for one in night.filters] == [("yes",)]
    chargers = "Stop,Minutes,Fast charger\nA,20,TRUE\nB,150,FALSE\nC,30,TRUE\n"
    slow, fast = (data(chargers, f"average minutes at {word} chargers") for word in ("slow", "fast"))
    assert [one.values for one in slow.filters] == [(False,)]
    assert [one.values for one in fast.filters] == [(True,)]


def test_how_much_deeper_asks_for_a_difference() -> None:
    found = data(SHIFTS, "how much deeper are red ones than blue ones on average, cm?")
    assert (found.operation, found.measures) == ("difference", ("Depth cm",))
    assert isinstance(read(SHIFTS, "how much greener are red ones than blue ones on average"), Refusal)


def test_how_strongly_two_columns_go_together_is_a_correlation() -> None:
    found = data(SHIFTS, "how strongly do miles and tips go together")
    assert (found.operation, found.measures) == ("correlation", ("Miles", "Tip"))


def test_what_is_ranked_by_a_measure_is_added_up() -> None:
    found = data(SHIFTS, "best selling worker by portions")
    assert (found.aggregates, found.groups, found.order) == (("sum",), ("Worker",), "desc")


def test_sorting_lists_the_rows() -> None:
    found = data(CELLAR, "sort the Rioja bottles by price, dearest first")
    assert (found.operation, found.measures, found.order) == ("top", ("Price",), "desc")


@pytest.mark.parametrize("question", ["how much did we pay in all?", "how much did we pay"])
def test_how_much_was_paid_is_a_total(question: str) -> None:
    assert data("Bill,Amount paid\nRent,500\nGas,80\nWater,45\n", question).aggregates[0] == "sum"


def test_only_with_a_flag_narrows_the_question_before() -> None:
    found = data(CELLAR, "average score by region", "Tasted bottles only")
    assert (found.operation, found.groups) == ("aggregate", ("Region",))
    assert [one.column for one in found.filters] == ["Tasted"]


def test_both_of_two_figures_is_declined_where_one_is_left() -> None:
    talk = ("total price by region", "and score?", "show both as grouped bars")
    assert isinstance(read(CELLAR, *talk), Refusal)


def test_which_row_has_a_blank_is_answered_with_the_row() -> None:
    found = data(CELLAR, "which bottle has an empty approved by column")
    assert (found.operation, [one.part for one in found.filters]) == ("head", ["blank"])


def test_who_speaks_of_their_own_rows_is_not_answered_from_a_bundled_table() -> None:
    bundled = Desk().model.catalogue
    own = described("data", pd.read_csv(StringIO(CELLAR)))
    lexicon = Lexicon(Catalogue([own, *bundled.tables], {}, {}, [], "1F"))
    found = read_talk(["how much did I spend on fares"], lexicon).intent
    assert isinstance(found, Refusal) or (isinstance(found, DataIntent) and found.table == "data")


@pytest.mark.parametrize(
    ("said", "figure", "filters"),
    [
        ("how many portions in total if you add up the portions", "sum", 0),
        ("number of portions per team (add up portions)", "sum", 0),
        ("night bus ones with depth over 5 cm, how many?", "count", 2),
    ],
)
def test_what_is_counted_may_stand_at_the_end(said: str, figure: str, filters: int) -> None:
    found = data(SHIFTS, said)
    assert found.aggregates == (figure,)
    assert len(found.filters) == filters


def test_which_of_two_has_the_higher_average() -> None:
    found = data(SHIFTS, "is the average tip higher for red or blue? give both")
    assert (found.measures, found.aggregates, found.groups) == (("Tip",), ("mean",), ("Team",))
