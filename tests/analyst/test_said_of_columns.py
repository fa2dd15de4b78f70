"""English that says of a column what its name says: its deed, its own no, its people; and bounds that follow an `and`."""

import pytest

from tests.analyst.small_tables import SmallDesk

EXAM = (
    "Student ID,First language,hours_studied,Listening /100,Reading /100,Speaking /100,Result\n"
    + "\n".join(
        f"S-{n:02d},{('Polish', 'Spanish', 'Arabic')[n % 3]},{20 + n},{40 + n},{50 + n * 2 % 7},{30 + n * 3 % 29},"
        f"{'fail' if n % 4 == 0 else 'pass'}"
        for n in range(1, 13)
    )
)
JOBS = "Job No.,Customer,Copies,Ordered,Status\n" + "\n".join(
    f"{5000 + n},{'Vega Gym' if n % 2 else 'City Choir'},{n * 10},2025-0{1 + n % 3}-{n + 10},"
    f"{'waiting' if n > 8 else 'delivered'}"
    for n in range(1, 11)
)
BAKERY = "Date,Loaves baked,Loaves sold,Cream seen,honey_taken_kg,nights,adults\n" + "\n".join(
    f"2024-09-{n:02d},{80 + n},{70 + n},{'no' if n < 4 else 'yes'},{n},{n},{1 + n % 3}" for n in range(1, 11)
)
WASTE = "Month,Paper (t),Metal (t),Visitors\n" + "\n".join(
    f"2023-{month:02d},{20 + month},{month if month != 4 else ''},{3000 - month * 10}"
    for month in range(1, 13)
)
LOST = "Ref,Item,Found at\nL1,camera,Platform 1\nL2,scarf,Platform 2\nL3,keys,Platform 1\nL4,scarf,Hall\n"
TABLES = {"exam": EXAM, "jobs": JOBS, "bakery": BAKERY, "waste": WASTE, "lost": LOST}


@pytest.fixture(scope="module")
def desks(tmp_path_factory: pytest.TempPathFactory) -> dict[str, SmallDesk]:
    return {name: SmallDesk(tmp_path_factory.mktemp(name), data=text) for name, text in TABLES.items()}


@pytest.mark.parametrize(
    ("table", "asked", "told"),
    [
        ("exam", "what % of the Spanish speakers failed?", ("25.0 %", "1 of 4 rows")),
        ("exam", "who had the best listening mark?", ("S-12", "52")),
        ("jobs", "how many copies were ordered in all?", ("550",)),
        ("jobs", "which job numbers are still waiting?", ("5009", "5010")),
        ("bakery", "how many loaves were baked but not sold over the whole period?", ("100",)),
        ("bakery", "how many loaves were sold in total?", ("755",)),
        ("bakery", "on how many days was the cream not seen?", ("3",)),
        ("bakery", "how many rows where cream seen is no", ("3 rows",)),
        ("bakery", "honey taken per month, in kg", ("Total honey_taken_kg",)),
        ("bakery", "how many rows with more than 5 nights and more than 2 adults", ("1 rows", "adults > 2")),
        ("bakery", "how many rows with over 5 nights and over 2 adults", ("1 rows", "adults > 2")),
        ("bakery", "average loaves sold in Septemeber", ("75.5",)),
        ("waste", "how many tonnes of paper were collected in 2023?", ("318",)),
        ("waste", "how many people came in total?", ("35,220",)),
        (
            "waste",
            "in which month did the fewest people visit, and how many were there?",
            ("2,880", "2023-12"),
        ),
        ("waste", "is any month missing its metal figure? which one", ("1 rows",)),
        ("waste", "by how many tonnes did paper change from month to month?", ("Change in total Paper (t)",)),
    ],
)
def test_what_is_said_of_a_column_is_read(
    desks: dict[str, SmallDesk], table: str, asked: str, told: tuple[str, ...]
) -> None:
    said = desks[table].ask(asked).first
    assert all(one in said for one in told), said


@pytest.mark.parametrize("kind", ["heatmap of the correlations between", "pair plot of"])
def test_every_column_of_a_list_is_drawn(desks: dict[str, SmallDesk], kind: str) -> None:
    code = desks["exam"].ask(f"{kind} listening, reading and speaking").code
    assert all(name in code for name in ("Listening /100", "Reading /100", "Speaking /100"))


@pytest.mark.parametrize(
    ("table", "asked", "named"),
    [
        ("exam", "how many Klingon speakers failed?", "Klingon"),
        ("exam", "how many loud speakers failed?", "speakers"),
        ("lost", "who lost the camera?", "lost"),
        ("bakery", "how many cakes were sold in total?", "cakes"),
        ("bakery", "on how many days was the king not seen?", "king"),
        ("bakery", "average loaves sold in Foobuary", "Foobuary"),
        ("waste", "how many tonnes of plastic were collected?", "plastic"),
        ("waste", "which month is missing its plastic figure", "plastic"),
    ],
)
def test_a_word_that_the_table_does_not_know_is_declined(
    desks: dict[str, SmallDesk], table: str, asked: str, named: str
) -> None:
    said = desks[table].ask(asked)
    assert named in said.first and not said.tables, said.text
