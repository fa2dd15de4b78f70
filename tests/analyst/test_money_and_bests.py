"""Cells that name money, `by who paid`, the best of a race's times, what sells best: the figure that is meant, or a decline."""

from pathlib import Path

import pytest

from smoldesk.analyst.english.plain_english import plain_english
from tests.analyst.small_tables import SmallDesk

CLUB = "When,Purpose,Kind,Amount (EUR),Paid by,How\n" + "\n".join(
    (
        "2024-03-02,Hall,cost,200,Ines,card",
        "2024-03-09,Fees,revenue,350,Olaf,cash",
        "2024-04-06,Hall,cost,210,Ines,card",
        "2024-04-13,Balls,cost,35,Olaf,cash",
        "2024-04-20,Balls,cost,15,Olaf,card",
    )
)
SHARED = (
    "Day,Amount,Paid by,Method\n"
    "2024-01-01,10,Luisa,card\n2024-01-02,30,Luisa,cash\n2024-01-03,20,Hugo,card\n2024-01-05,20,Hugo,card\n2024-01-08,30,Luisa,cash\n"
)
LAPS = "Driver,Team,Lap time (s),Laps\nMia,Red,71.5,20\nJon,Red,73.2,22\nEva,Blue,70.1,18\nSam,Blue,75.0,25\n"
GAMES = (
    "Game,Maker,Kind,Copies sold,Rating\n"
    "Moss,Arbor,Puzzle,1200,4.9\nDrift,Volt,Racing,5400,4.1\nKeep,Arbor,Puzzle,3100,3.8\n"
)


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> SmallDesk:
    return SmallDesk(tmp_path_factory.mktemp("club"), data=CLUB)


@pytest.fixture(scope="module")
def laps(tmp_path_factory: pytest.TempPathFactory) -> SmallDesk:
    return SmallDesk(tmp_path_factory.mktemp("laps"), data=LAPS)


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> SmallDesk:
    return SmallDesk(tmp_path_factory.mktemp("games"), data=GAMES)


@pytest.mark.parametrize(
    ("turns", "said"),
    [
        (("costs by purpose",), "Highest total Amount (EUR): Hall (410)."),
        (("costs by purpose, largest first",), "Highest total Amount (EUR): Hall (410)."),
        (("costs by purpose", "only march"), "Highest total Amount (EUR): Hall (200)."),
        (("number of costs by paid by",), "Most rows: Ines (2)."),
        (("total amount by who paid and purpose",), "Highest total Amount (EUR): Ines, Hall (410)."),
        (("average by how", "just what Olaf paid"), "Highest average Amount (EUR): cash (192.50)."),
    ],
)
def test_money_of_cells_and_of_those_who_gave_it(club: SmallDesk, turns: tuple[str, ...], said: str) -> None:
    assert club.ask(*turns).first == said


def test_who_paid_is_no_method_of_payment(tmp_path: Path) -> None:
    paid = SmallDesk(tmp_path, data=SHARED)
    assert paid.ask("average amount by payment method").first == "Highest average Amount: cash (30)."
    assert paid.ask("total amount by paid by").first == "Highest total Amount: Luisa (70)."


def test_by_who_did_what_no_column_tells_is_declined(club: SmallDesk) -> None:
    assert "signed" in club.ask("total by who signed and how").first


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("best lap time by team", "Lowest Lap time (s): Blue (70.10)."),
        ("best lap time", "Minimum Lap time (s): 70.10."),
        ("worst lap time by team", "Highest Lap time (s): Blue (75)."),
    ],
)
def test_the_best_time_of_a_race_is_the_lowest(laps: SmallDesk, question: str, said: str) -> None:
    assert laps.ask(question).first == said


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (
            "what's the best selling game and how many copies did it sell",
            "Highest total Copies sold: Drift (5,400).",
        ),
        ("best-selling game", "Highest total Copies sold: Drift (5,400)."),
        ("top selling maker", "Highest total Copies sold: Volt (5,400)."),
    ],
)
def test_what_sells_best_is_named(games: SmallDesk, question: str, said: str) -> None:
    assert games.ask(question).first == said


def test_best_selling_is_not_best_liked(games: SmallDesk) -> None:
    assert "'best'" in games.ask("best selling game by kind").first


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("how many boats left more than 10 minutes late", "how many boats were more than 10 minutes late"),
        (
            "percentage growth in takings from May 2022 to May 2023",
            "by what percentage did takings change from May 2022 to May 2023",
        ),
        (
            "by how much is our total revenue higher than our total cost?",
            "difference in total amount between revenue and cost?",
        ),
    ],
)
def test_growth_lateness_and_distance_are_written_out(said: str, plain: str) -> None:
    assert plain_english(said, lambda word: True) == plain
