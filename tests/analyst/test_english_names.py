"""What English calls columns, their cells and rows: other wordings of a header, things counted, names that are not there."""

from pathlib import Path

import pytest

from smoldesk.analyst.tables.english_names import english_names, english_references
from tests.analyst.small_tables import Said, SmallDesk

METERS = """Reading no,Month,Power_kWh,Water (L),Level_dB,Plan,Crew
R-1,2024-01,410,900,41,O-,day crew
R-2,2024-02,380,870,43,O+,day crew
R-3,2024-03,300,,39,AB-,night crew
R-4,2024-04,260,820,38,O-,night crew
"""
CABINS = """Stay ref,Guest,Heated,Dogs allowed,Rate / night,Nights,Group,First visit?,Hours to clean,Kind of view
S1,Ana,yes,yes,$80,3,U12,yes,1.5,lake
S2,Bo,yes,no,$120,2,U14,no,2.0,wood
S3,Cy,no,yes,$95,5,U12,no,2.5,lake
S4,Di,yes,yes,$70,1,U16,yes,1.0,wood
"""
BAKERY = """Day,Loaf,Sold,Wasted
2024-05-01,Rye,40,3
2024-05-01,Oat,25,
2024-05-02,Rye,44,6
2024-05-02,Oat,21,2
"""
SALES = """Sale no,Sold on,Thing,Price (€)
1,2024-01-02,lamp,40
2,2024-01-09,table,110
3,2024-02-01,lamp,50
"""


def is_declined(said: Said) -> bool:
    """Whether nothing was computed: the code only says why."""
    return said.code.startswith("final_answer(")


@pytest.fixture
def meters(tmp_path: Path) -> SmallDesk:
    return SmallDesk(tmp_path, meters=METERS)


@pytest.fixture
def cabins(tmp_path: Path) -> SmallDesk:
    return SmallDesk(tmp_path, cabins=CABINS)


TRIPS = """Flight,Paid by,Riders,Miles,Fare ($),Left behind
X1,cash,3,4.5,12,glove
X2,card,1,10.0,30,scarf
X1,cash,4,2.5,9,glove
X1,cash,1,3.0,10,hat
"""


@pytest.fixture
def trips(tmp_path: Path) -> SmallDesk:
    return SmallDesk(tmp_path, trips=TRIPS)


@pytest.mark.parametrize(
    ("said", "figure"),
    [
        ("how many trips paid in cash with 3 or more riders", "2"),
        ("how many gloves or scarves", "3"),
        ("miles driven by flight", "10"),
        ("is there a fare that looks way off compared to the rest?", "outliers"),
    ],
)
def test_what_stands_beside_a_number_or_a_verb_is_meant(trips: SmallDesk, said: str, figure: str) -> None:
    assert figure in trips.ask(said).first


@pytest.fixture
def bakery(tmp_path: Path) -> SmallDesk:
    return SmallDesk(tmp_path, bakery=BAKERY)


@pytest.mark.parametrize(
    ("said", "figure"),
    [
        ("total power", "1,350"),
        ("average level", "40.25"),
        ("how many readings have more than 350 kWh of power", "2"),
        ("average power of the O- and AB- readings", "O-: 335"),
        ("number of O- readings", "2"),
    ],
)
def test_a_unit_stays_one_word_and_a_sign_stays_with_its_letter(
    meters: SmallDesk, said: str, figure: str
) -> None:
    assert figure in meters.ask(said).text


@pytest.mark.parametrize(
    ("said", "figure"),
    [
        ("average nightly rate", "91.25"),
        ("highest nightly price", "120"),
        ("average rate per night", "91.25"),
        ("average time to clean", "1.75"),
        ("mean cleaning time", "1.75"),
        ("how long does it take to clean on average", "1.75"),
        ("how many U12s", "2"),
        ("average nights of returning guests", "3.5"),
        ("on average, how long do they stay, in nights", "2.75"),
    ],
)
def test_other_wordings_of_a_header_are_its_column(cabins: SmallDesk, said: str, figure: str) -> None:
    assert figure in cabins.ask(said).text


def test_several_conditions_of_yes_keep_their_rows_and_are_no_share(cabins: SmallDesk) -> None:
    said = cabins.ask("list the refs that are heated, allow dogs and cost less than 100 per night")
    assert "share" not in said.first.lower()
    said = cabins.ask("list the stays that are heated and dogs allowed")
    assert "2 rows" in said.first and "Heated = yes" in said.first


def test_the_numbers_of_rows_may_stand_beside_a_rank(cabins: SmallDesk) -> None:
    said = cabins.ask("the two longest stays by nights with their refs")
    assert said.first.index("S3") < said.first.index("S1")


@pytest.mark.parametrize(
    ("said", "figure"),
    [
        ("how many portions of rye were sold", "84"),
        ("units sold by loaf", "84"),
        ("average pieces wasted, ignore blanks", "3.67"),
        ("what share of sold items were rye", "64.6"),
    ],
)
def test_things_of_any_kind_are_what_a_participle_counts(bakery: SmallDesk, said: str, figure: str) -> None:
    assert figure in bakery.ask(said).text


@pytest.mark.parametrize(
    "said", ["how many forks were sold", "how many portions were frozen", "portions of cheese sold"]
)
def test_other_things_and_other_deeds_are_declined(bakery: SmallDesk, said: str) -> None:
    assert is_declined(bakery.ask(said))


@pytest.mark.parametrize(
    ("said", "figure"),
    [("sales value per month", "150"), ("what percent of the total sales value came from lamps", "45")],
)
def test_the_price_of_a_sale_is_what_it_brought(tmp_path: Path, said: str, figure: str) -> None:
    assert figure in SmallDesk(tmp_path, sales=SALES).ask(said).text


def test_a_price_that_is_asked_for_what_is_in_stock_brings_nothing(tmp_path: Path) -> None:
    stock = SALES.replace("Sale no,Sold on", "No,Seen on")
    assert is_declined(SmallDesk(tmp_path, stock=stock).ask("total revenue"))


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ("total minibar spend by group", "minibar spend"),
        ("average shoe size of the guests", "shoe size"),
        ("what was the parking income per group", "parking income"),
        ("average rate by car make", "car make"),
    ],
)
def test_a_figure_that_is_not_there_is_named_whole(cabins: SmallDesk, said: str, name: str) -> None:
    said_so = cabins.ask(said)
    assert is_declined(said_so) and f"'{name}'" in said_so.text


def test_names_are_other_wordings_of_the_whole_header() -> None:
    assert "nightly rate" in dict(english_names(["rate", "per", "night"]))
    assert "resolution time" in dict(english_names(["mins", "to", "resolve"]))
    assert not dict(english_names(["rate", "of", "return"]))
    assert "tracking number" in set(english_references(["tracking", "no"]))
    assert not set(english_references(["tracking", "date"]))
