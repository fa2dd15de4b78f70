"""Panels: the last complete time, measures that last from one time to the next, and numbers that stand for things."""

from typing import Any

import pandas as pd
import pytest

from smoldesk.tables.inside.columns import Describer

TOWNS = {"North": 9_000, "South": 4_000, "East": 2_500, "West": 700}
YEARS = range(2001, 2013)
SALES = [at * 37 % 101 for at in range(60)]


def described(frame: pd.DataFrame) -> dict[str, dict[str, Any]]:
    return {column["name"]: column for column in Describer().columns(frame)}


def panel(**measures: Any) -> pd.DataFrame:
    """A row for each town and year; `measures` are functions of size and year."""
    rows = [(town, size, year) for town, size in TOWNS.items() for year in YEARS]
    return pd.DataFrame(
        {
            "town": [town for town, _size, _year in rows],
            "year": [year for _town, _size, year in rows],
            **{name: [value(size, year) for _t, size, year in rows] for name, value in measures.items()},
        }
    )


@pytest.mark.parametrize(
    ("measure", "trait"),
    [
        (lambda size, year: size + (year * 7 % 5) * size // 100, "lasting"),
        (lambda size, year: (year - 2000) ** 2 * size // 10, "lasting"),
        (lambda size, year: year * 37 * size % 101 + 1, None),
    ],
)
def test_measures_that_hardly_change_or_never_fall_are_lasting(measure: Any, trait: str | None) -> None:
    traits = {*described(panel(figure=measure))["figure"].get("traits", ())}
    assert traits & {"lasting", "running"} == ({trait} if trait else set())


def test_counts_so_far_run_over_days_in_three_columns() -> None:
    days = pd.date_range("2020-03-01", periods=120)
    frame = pd.DataFrame(
        {
            "year": [*days.year] * 3,
            "month": [*days.month] * 3,
            "date": [*days.day] * 3,
            "city": [city for city in ("A", "B", "C") for _ in days],
            "deaths": [at * at * place for place in (1, 4, 9) for at in range(120)],
            "new": [at * 37 % 11 for _ in range(3) for at in range(120)],
        }
    )
    columns = described(frame)
    assert "running" in columns["deaths"]["traits"] and "running" not in columns["new"].get("traits", ())
    assert not any("latest" in column for column in columns.values())


def test_the_latest_time_has_as_many_rows_as_usual() -> None:
    frame = panel(people=lambda size, year: size + year)
    started = pd.DataFrame({"town": ["North"], "year": [2013], "people": [9_100]})
    assert described(frame)["year"]["latest"] == "2012"
    assert described(pd.concat([frame, started]))["year"]["latest"] == "2012"


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"year": YEARS, "people": range(100, 112)}),
        # Events of things at times that most others lack.
        pd.DataFrame(
            {
                "ship": [f"ship {at * 7 % 13}" for at in range(60)],
                "day": pd.date_range("2024-01-01", periods=60).astype(str),
                "dues": SALES,
            }
        ),
        panel(people=lambda size, year: size).assign(town="all"),
        panel(people=lambda size, year: size).drop(columns="year"),
    ],
    ids=["one thing", "events", "repeated", "no times"],
)
def test_other_tables_have_no_latest_time(frame: pd.DataFrame) -> None:
    assert not any("latest" in column for column in described(frame).values())


def test_numbers_of_things_with_rising_times_are_ids() -> None:
    frame = pd.DataFrame(
        {
            "weight": [40 + day * (3 + chick % 4) for chick in range(30) for day in range(5)],
            "Time": [*range(5)] * 30,
            "Chick": [chick * 3 + 1 for chick in range(30) for _ in range(5)],
        }
    )
    roles = {name: column["role"] for name, column in described(frame).items()}
    assert roles == {"weight": "measure", "Time": "time", "Chick": "id"}


def test_columns_that_count_the_same_are_all_measures() -> None:
    frame = pd.DataFrame({"city": [f"c{at}" for at in range(60)]})
    for at in range(5):
        frame[f"disease {at} cases"] = [(row * 7 + at) % (3 if at else 90) for row in range(60)]
    roles = {name: column["role"] for name, column in described(frame).items()}
    assert roles == {"city": "name", **{f"disease {at} cases": "measure" for at in range(5)}}
