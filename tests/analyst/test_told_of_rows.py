"""Of which rows a share is taken, and what is counted among them, by where it stands in an English question."""

import pytest

from tests.analyst.small_tables import SmallDesk

HIVES = "Hive No,Site,Breed,Age (yrs),yield_kg,Treated,Outcome\n" + "\n".join(
    f"H{number},{site},{breed},{age},{crop},{treated},{outcome}"
    for number, (site, breed, age, crop, treated, outcome) in enumerate(
        (
            ("meadow", "buckfast", 1, 12.5, "yes", "survived"),
            ("meadow", "carnica", 4, 8.0, "no", "lost"),
            ("orchard", "buckfast", 3, 15.5, "yes", "survived"),
            ("orchard", "buckfast", 6, 4.0, "no", "lost"),
            ("heath", "carnica", 2, 9.5, "yes", "survived"),
            ("heath", "ligustica", 5, 3.5, "no", "sold"),
            ("meadow", "ligustica", 2, 11.0, "no", "survived"),
            ("heath", "buckfast", 7, 2.5, "yes", "lost"),
        ),
        start=10,
    )
)


@pytest.fixture(scope="module")
def hives(tmp_path_factory: pytest.TempPathFactory) -> SmallDesk:
    return SmallDesk(tmp_path_factory.mktemp("hives"), data=HIVES)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (
            "what percent of the heath hives survived?",
            "Outcome = survived (Site = heath): 33.3 % (1 of 3 rows).",
        ),
        ("what % of hives at meadow survived", "Outcome = survived (Site = meadow): 66.7 % (2 of 3 rows)."),
        ("what % of the heath hives are not treated", "Treated = no (Site = heath): 33.3 % (1 of 3 rows)."),
        (
            "what % of the treated hives are in the heath",
            "Site = heath (Treated = yes): 50.0 % (2 of 4 rows).",
        ),
        (
            "what share of buckfast hives yield over 10 kg",
            "yield_kg > 10 (Breed = buckfast): 50.0 % (2 of 4 rows).",
        ),
        (
            "share of buckfast hives with an age over 5",
            "Age (yrs) > 5 (Breed = buckfast): 50.0 % (2 of 4 rows).",
        ),
        ("survival rate of the heath hives", "Outcome = survived (Site = heath): 33.3 % (1 of 3 rows)."),
        ("percentage of buckfast in the heath", "Breed = buckfast (Site = heath): 33.3 % (1 of 3 rows)."),
    ],
)
def test_what_is_told_of_the_rows(hives: SmallDesk, question: str, said: str) -> None:
    assert hives.ask(question).first == f"Share of rows with {said}"


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("what % of hives are buckfast over 5", ()),
        ("what % of the hives are treated ligusticas", ("0.0 %", "0 of 8 rows")),
        ("what percent of hives are meadow ligusticas", ("12.5 %", "1 of 8 rows")),
    ],
)
def test_two_conditions_behind_the_verb(hives: SmallDesk, question: str, said: tuple[str, ...]) -> None:
    first = hives.ask(question).first
    assert all(one in first for one in said)
    assert "(Age" not in first  # buckfast hives over 5 are no part of those over 5


@pytest.mark.parametrize("question", ["flowering rate by site", "what % of the meadow hives were bred"])
def test_what_no_cell_says_is_declined(hives: SmallDesk, question: str) -> None:
    assert "Share of rows" not in hives.ask(question).text


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("how many hives are not from the meadow or the heath", "2 rows in data (Site ≠ meadow / heath)."),
        ("how many hives are neither buckfast nor carnica", "2 rows in data (Breed ≠ buckfast / carnica)."),
        ("how many buckfast hives are over 2 and have a yield of at least 4", "2 rows in data"),
        ("how many hives over 4 with a yield under 4", "2 rows in data (Age (yrs) > 4, yield_kg < 4)."),
    ],
)
def test_lists_denied_and_comparisons_of_their_own(hives: SmallDesk, question: str, said: str) -> None:
    assert hives.ask(question).first.startswith(said)


@pytest.mark.parametrize(
    "question",
    [
        "list the buckfast hives sorted by yield, lowest first",
        "buckfast hives by yield, lowest first",
        "buckfast hives ordered by yield, smallest first",
    ],
)
def test_rows_in_order_are_all_of_them(hives: SmallDesk, question: str) -> None:
    assert "2.50 (H17), 4 (H13), 12.50 (H10), 15.50 (H12)" in hives.ask(question).first


def test_a_figure_that_rows_have_is_no_age(tmp_path_factory: pytest.TempPathFactory) -> None:
    text = "Visit No,Animal,age (yrs),Bill amount (EUR),Date booked,booked via\n"
    text += "1,Dog,4,80,2024-01-02,phone\n2,Dog,6,30,2024-01-03,app\n3,Cat,9,90,2024-01-04,desk\n4,Dog,2,70,2024-01-05,app\n"
    desk = SmallDesk(tmp_path_factory.mktemp("visits"), data=text)
    first = desk.ask("how many dogs over 3 have a bill over 60").first
    assert first.startswith("1 rows in data (age (yrs) > 3, Bill amount (EUR) > 60")
    first = desk.ask("how many visits were not booked by phone or desk").first
    assert first == "2 rows in data (booked via ≠ phone / desk)."
