"""Headers that shorten or join their words, and words that they share with plots, in English questions."""

import pytest

from tests.analyst.small_tables import SmallDesk

KILNS = "Month,Kiln line,Clay,diss_salts (g/l),chip_pcs,glazeWt (kg),HACCP,Cost (EUR)\n" + "\n".join(
    f"2024-{month:02d},{line},{clay},{salts},{chips},{glaze},{grade},{cost}"
    for month, (line, clay, salts, chips, glaze, grade, cost) in enumerate(
        (
            ("K1", "red", 2.5, 14, 30, "A", 900),
            ("K2", "white", 3.5, 40, 32, "B", 1100),
            ("K1", "white", 1.5, 22, 28, "A", 1000),
            ("K2", "red", 4.5, 36, 35, "A", 1400),
        ),
        start=1,
    )
)


@pytest.fixture(scope="module")
def kilns(tmp_path_factory: pytest.TempPathFactory) -> SmallDesk:
    return SmallDesk(tmp_path_factory.mktemp("kilns"), kilns=KILNS)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("average dissolved salts", "Average diss_salts (g/l): 3."),
        ("how many chip pieces in total", "Total chip_pcs: 112."),
        ("total chip pieces per line", "Highest total chip_pcs: K2 (76)."),
        ("which line has the highest total cost", "Highest total Cost (EUR): K2 (2,500)."),
        ("average glaze weight", "Average glazeWt (kg): 31.25."),
        ("what is the most common HACCP rating", "Most rows: A (3)."),
        ("what was the average monthly cost", "Average Cost (EUR): 1,100."),
        ("average monthly cost for K1", "Average Cost (EUR) (Kiln line = K1): 950."),
    ],
)
def test_headers_are_said_in_full(kilns: SmallDesk, question: str, said: str) -> None:
    assert kilns.ask(question).first.startswith(said)


def test_a_series_and_a_drawing_stay_what_they_are(kilns: SmallDesk) -> None:
    assert "by month" in kilns.ask("monthly average cost").first
    assert kilns.ask("plot the chip pieces per month as a line").axes


@pytest.mark.parametrize(
    "question",
    ["show how the cost changed from each month to the next", "cost changes from one month to the next"],
)
def test_from_each_month_to_the_next(kilns: SmallDesk, question: str) -> None:
    assert kilns.ask(question).first.startswith("Change in total Cost (EUR) by month: highest 400 (2024-04)")


def test_names_said_in_two_words(tmp_path_factory: pytest.TempPathFactory) -> None:
    desk = SmallDesk(
        tmp_path_factory.mktemp("meals"),
        meals="Meal,glutenfree_pct,Ecoli_cfu\nsoup,80,12\nstew,40,30\nsalad,90,3\n",
    )
    assert desk.ask("average e. coli").first == "Average Ecoli_cfu: 15."
    assert desk.ask("highest E coli count").first.startswith("Maximum Ecoli_cfu: 30")


def test_a_grade_or_better(tmp_path_factory: pytest.TempPathFactory) -> None:
    desk = SmallDesk(
        tmp_path_factory.mktemp("inns"), inns="Inn,Stars,review score\nOak,3,8.1\nElm,4,6.5\nAsh,5,9.0\n"
    )
    assert desk.ask("how many inns scored 8 or better").first.startswith("2 rows in inns (review score ≥ 8)")
