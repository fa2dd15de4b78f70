"""Parts of a total, and quartiles by name."""

from pathlib import Path

import pytest

from tests.analyst.small_tables import SmallDesk

TRIPS = """Trip,Driver,Zone,Month,Parcels,Express
1,Kim,North,2024-01-04,5,yes
2,Lee,South,2024-01-08,7,no
3,Kim,North,2024-02-06,3,no
4,Max,South,2024-02-15,11,yes
5,Lee,East,2024-03-12,6,no
6,Max,East,2024-03-13,8,no
"""


@pytest.fixture
def desk(tmp_path: Path) -> SmallDesk:
    return SmallDesk(tmp_path, trips=TRIPS)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("what share of total parcels comes from the South", "45.0 %"),
        ("South share of total parcels", "45.0 %"),
        ("what % of parcels was express", "40.0 %"),
        ("what share of parcels did Max bring", "47.5 %"),
        ("what share of trips was in the South", "33.3 %"),
        ("what share of parcels from the South by driver", "Max (57.9 %)"),
    ],
)
def test_a_share_of_a_column_is_of_its_total(desk: SmallDesk, asked: str, told: str) -> None:
    assert told in desk.ask(asked).first


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("q1 and q3 of the parcels", ["5.25", "7.75"]),
        ("upper quartile of parcels", ["7.75"]),
        ("interquartile range of parcels", ["2.50"]),
        ("range of parcels", ["8"]),
    ],
)
def test_quartiles_are_known_by_their_names(desk: SmallDesk, asked: str, told: list[str]) -> None:
    said = desk.ask(asked).first
    assert all(one in said for one in told)


def test_a_quarter_of_the_year_stays_one(desk: SmallDesk) -> None:
    assert "2024-04-01" in desk.ask("total parcels in q1").first


def test_a_name_with_a_capital_is_no_word_of_computing(desk: SmallDesk) -> None:
    assert "19" in desk.ask("total parcels of Max").first
    assert "Maximum" in desk.ask("max parcels").first
