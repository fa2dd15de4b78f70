"""`campaign with the most clicks`: one row by its extreme, and what else is asked of it."""

from pathlib import Path

import pytest

from tests.analyst.small_tables import SmallDesk

CAMPAIGNS = """Campaign Name,Channel,Launch_Date,Budget (USD),Clicks,Manager
Spring Refresh,Email,2024-01-08,1200,840,Ana
New Year Boost,Search,2024-01-15,6500,5120,Ben
Brand Keywords,Search,2024-03-11,8100,6930,Cleo
Win-back,Email,2024-03-18,1050,720,Ana
Competitor Terms,Search,2024-04-22,9400,6050,Ben
"""


@pytest.mark.parametrize(
    ("request_", "told"),
    [
        ("campaign with most clicks", ["6,930", "Brand Keywords"]),
        ("the campaign with the lowest budget", ["1,050", "Win-back"]),
        ("budget of the campaign with the most clicks", ["8,100", "Brand Keywords"]),
        ("which manager ran the campaign with the most clicks", ["Cleo"]),
        ("what channel brought the campaign with the most clicks", ["6,930", "Search"]),
        ("launch date of the campaign with the highest budget", ["2024-04-22"]),
    ],
)
def test_one_row_is_told_of(tmp_path: Path, request_: str, told: list[str]) -> None:
    first = SmallDesk(tmp_path, campaigns=CAMPAIGNS).ask(request_).first
    assert all(one in first for one in told)


def test_a_figure_of_the_rows_with_most_is_declined(tmp_path: Path) -> None:
    first = (
        SmallDesk(tmp_path, campaigns=CAMPAIGNS)
        .ask("average clicks of the campaigns with the highest budget")
        .first
    )
    assert "'highest'" in first


def test_kinds_of_rows_are_still_ranked_by_their_figures(tmp_path: Path) -> None:
    first = SmallDesk(tmp_path, campaigns=CAMPAIGNS).ask("channel with the most clicks").first
    assert "Search" in first and "18,100" in first


def test_two_questions_at_once_are_declined(tmp_path: Path) -> None:
    first = (
        SmallDesk(tmp_path, campaigns=CAMPAIGNS).ask("total budget of the channel with the most clicks").first
    )
    assert "did not see what to do" in first
