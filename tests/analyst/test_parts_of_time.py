"""Quarters, halves, hours and parts of a month, on a table with days and times of day in columns of their own."""

from pathlib import Path

import pytest

from smoldesk.analyst.intents import DataIntent, Refusal
from tests.analyst.small_tables import SmallDesk
from tests.analyst.test_unseen_tables import filters, intent

VISITS = """visit_date,Arrived,doctor,fee
2024-02-01,08:50,Hall,80
2024-02-10,13:15,Ito,120
2024-03-04,11:05,Moss,150
2024-03-30,16:40,Hall,60
2024-05-17,09:30,Ito,300
2024-06-03,18:20,Moss,280
2024-07-28,12:00,Hall,75
"""
DAYS = "受診日,科,料金\n2024-04-02,皮膚科,900\n2024-04-25,眼科,1200\n2024-05-11,皮膚科,600\n"


DAYS_LEFT, IN_MARCH = ("visit_date", "==", 7.0, "days left"), ("visit_date", "==", 3.0, "month")
SINCE, UNTIL = ("visit_date", ">=", "2024-07-15", ""), ("visit_date", "<", "2024-07-29", "")


@pytest.mark.parametrize(
    ("said", "wanted"),
    [
        ("how many visits in the morning", [("Arrived", "<", 12.0, "hour")]),
        ("how many visits before noon", [("Arrived", "<", 12.0, "hour")]),
        ("how many visits after 9:30", [("Arrived", ">=", 9.5, "hour")]),
        ("how many visits between 9 and noon", [("Arrived", ">=", 9.0, "hour"), ("Arrived", "<", 12.0, "hour")]),
        ("how many visits in the afternoon",
         [("Arrived", ">=", 12.0, "hour"), ("Arrived", "<", 18.0, "hour")]),
        ("how many visits in early june",
         [("visit_date", "<", 11.0, "day"), ("visit_date", "==", 6.0, "month")]),
        ("how many visits in the last week of march", [DAYS_LEFT, IN_MARCH]),
        ("how many visits in the last two weeks of the data", [SINCE, UNTIL]),
    ],
)  # fmt: skip
def test_hours_are_those_of_the_clock_and_days_those_of_the_date(
    said: str, wanted: list[tuple[object, ...]]
) -> None:
    read = intent(VISITS, said)
    assert isinstance(read, DataIntent), read
    assert [(one.column, one.comparison, one.values[0], one.part) for one in read.filters] == wanted


@pytest.mark.parametrize(
    ("said", "grain", "figures"),
    [
        ("total fee per quarter", "quarter", {"2024Q1": 410, "2024Q2": 580, "2024Q3": 75}),
        ("total fee by half-year", "half year", {"2024 H1": 990, "2024 H2": 75}),
        ("compare total fee in Q1 and Q2", "quarter", {"2024Q1": 410, "2024Q2": 580}),
        ("total fee on weekdays vs weekends", "part of week", {"weekday": 810, "weekend": 255}),
        ("total fee of mornings vs afternoons", "half of day", {"morning": 530, "afternoon": 535}),
        (
            "total fee by hour of day",
            "hour of day",
            {8: 80, 9: 300, 11: 150, 12: 75, 13: 120, 16: 60, 18: 280},
        ),
    ],
)
def test_rows_are_grouped_by_stretches_of_time(
    said: str, grain: str, figures: dict[object, float], tmp_path: Path
) -> None:
    read = intent(VISITS, said)
    assert isinstance(read, DataIntent) and read.grain == grain
    (table,) = SmallDesk(tmp_path, visits=VISITS).ask(said).tables
    assert dict(table.iloc[:, :2].itertuples(index=False, name=None)) == figures


def test_either_of_two_months_is_one_condition_and_one_figure() -> None:
    read = intent(VISITS, "total fee in february and march")
    assert isinstance(read, DataIntent) and not read.groups and not read.date
    assert [(one.part, one.values) for one in read.filters] == [("month", (2.0, 3.0))]


@pytest.mark.parametrize("said", ["午前中は何件？", "時間帯別の件数", "17時以降は何件？"])
def test_hours_of_days_without_a_clock_are_declined(said: str) -> None:
    assert isinstance(intent(DAYS, said), Refusal)


def test_ten_days_of_a_month() -> None:
    assert ("受診日", ">=", 21.0) in filters(DAYS, "4月下旬は何件？")
