"""A table that is called as its rows are: `members` are rows, whom an age, a rank and an order are about."""

import pytest

from tests.analyst.small_tables import SmallDesk

SWIMMERS = "Swimmer,Club,Age (yrs),Lessons/month\n" + "\n".join(
    f"{name},{club},{age},{lessons}"
    for name, club, age, lessons in (
        ("Ada", "Otters", 44, 3),
        ("Bo", "Seals", 19, 8),
        ("Cy", "Otters", 31, 5),
        ("Di", "Seals", 52, 2),
    )
)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> SmallDesk:
    return SmallDesk(tmp_path_factory.mktemp("swimmers"), swimmers=SWIMMERS)


@pytest.mark.parametrize("question", ["which swimmers are over 40?", "list the swimmers over 40"])
def test_a_bare_number_of_people_is_their_age(desk: SmallDesk, question: str) -> None:
    (table,) = desk.ask(question).tables
    assert list(table["Swimmer"]) == ["Ada", "Di"]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("top 3 by lessons", ["Bo", "Cy", "Ada"]),
        ("bottom 2 by lessons", ["Di", "Ada"]),
        ("rank the swimmers by lessons", ["Bo", "Cy", "Ada", "Di"]),
        ("swimmers by age, oldest first", ["Di", "Ada", "Cy", "Bo"]),
    ],
)
def test_rows_are_ranked_by_a_figure_that_few_share(desk: SmallDesk, question: str, names: list[str]) -> None:
    (table,) = desk.ask(question).tables
    assert list(table["Swimmer"]) == names


def test_a_total_number_is_a_total(desk: SmallDesk) -> None:
    assert desk.ask("what is the total number of lessons?").first == "Total Lessons/month: 18."
