"""Comparisons asked as `how much more`, a row's own extreme with what it tells, several cells as one figure, blank cells."""

import pytest

from tests.analyst.small_tables import SmallDesk

FARM = (
    "Sampled on,Field,Crop,Output (t),Weeks to ripen,People (m),Brix\n"
    "2024-05-01,North,Barley,4.0,10,,0\n"
    "2024-05-03,North,Wheat,6.0,12,2.5,7\n"
    "2024-06-01,South,Barley,3.0,9,40.0,\n"
    "2024-06-05,South,Barley,1.0,7,50.0,5\n"
    "2024-06-09,West,Wheat,9.0,14,1.0,3\n"
)
CLUB = (
    "date,payee,kind,Amount (EUR),paid_by,through\n"
    "2024-02-01,Bakery,food,10,Mia,phone\n"
    "2024-02-03,Hall,rent,90,Leo,app\n"
    "2024-03-03,Bakery,food,30,Leo,app\n"
    "2024-03-09,Printer,paper,25,Mia,app\n"
    "2024-03-12,Bakery,food,15,Leo,phone\n"
)
LAMPS = "lamp,reported via,days open,zone\na1,app,3,East\na2,phone,8,East\na3,app,5,West\na4,letter,9,West\na5,app,2,West\n"


@pytest.fixture(scope="module")
def farm(tmp_path_factory: pytest.TempPathFactory) -> SmallDesk:
    return SmallDesk(tmp_path_factory.mktemp("farm"), data=FARM)


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> SmallDesk:
    return SmallDesk(tmp_path_factory.mktemp("club"), data=CLUB)


@pytest.fixture(scope="module")
def lamps(tmp_path_factory: pytest.TempPathFactory) -> SmallDesk:
    return SmallDesk(tmp_path_factory.mktemp("lamps"), data=LAMPS)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("how many weeks longer does wheat take to ripen than barley on average", "4.33"),
        ("how many tonnes more was the total output of wheat than of barley", ": 7"),
        ("what was the highest output and in which field was it?", "9 (West)"),
        ("lowest output and its field", "1 (South)"),
        ("what was the highest output, and when did it happen?", "2024-06-09"),
        ("average output of barley and wheat together", "4.60"),
        ("total output of North and South combined", "14"),
        ("how many samples on or after 5 June 2024", "2 rows"),
        ("how many samples on or before 3 May 2024", "2 rows"),
        ("how many samples no earlier than 1 June 2024", "3 rows"),
        ("which fields had more than 30 million people", "South"),
        ("how many samples have no brix value", "1 row"),
        ("how many samples have no brix", "1 row"),
        ("pivot table of output with fields as rows and crops as columns", "North, Barley: 4"),
    ],
)
def test_output_of_fields(farm: SmallDesk, asked: str, told: str) -> None:
    assert told in farm.ask(asked).text


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("how much more did Leo pay than Mia?", ": 100"),
        ("how much less did Mia pay than Leo on food", ": 35"),
        ("how many more payments did Leo make than Mia", ": 1"),
        ("by how many percent more did Leo pay than Mia", "285.71"),
        ("who made the biggest payment", "Leo"),
        ("who got our biggest single payment?", "Hall"),
        ("in which kind was the biggest payment", "rent"),
        ("how many payments were there in March?", "3 rows"),
        ("how much did we spend in March?", "70"),
    ],
)
def test_who_paid_more(club: SmallDesk, asked: str, told: str) -> None:
    assert told in club.ask(asked).text


@pytest.mark.parametrize(
    ("asked", "word"),
    [("what was our income in March?", "income"), ("how much did we earn in February?", "earn")],
)
def test_spending_is_no_income(club: SmallDesk, asked: str, word: str) -> None:
    assert f"There is no '{word}'" in club.ask(asked).text


def test_a_cost_is_no_number_of_days(lamps: SmallDesk) -> None:
    assert "There is no 'cost'" in lamps.ask("average cost per zone").text


def test_a_wrong_unit_is_no_difference(farm: SmallDesk) -> None:
    assert "'hours'" in farm.ask("how many hours longer does wheat take to ripen than barley on average").text


def test_what_came_through_a_channel(lamps: SmallDesk) -> None:
    assert "3 rows" in lamps.ask("how many lamps were reported through the app?").text
