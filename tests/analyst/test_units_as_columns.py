"""A unit that begins the name of one column of numbers is that column: `histogram of hours` of Hours to Mend."""

import pytest

from smoldesk.analyst.intents import DataIntent, Refusal
from tests.analyst.test_unseen_tables import intent

JOBS_IN_HOURS = """Job,Fitter,Hours to Mend,Rating
1,Ana,2.5,4
2,Ben,7,3
3,Ana,1,5
4,Cy,30,2
5,Ben,4,4
"""


@pytest.mark.parametrize(
    "asked",
    [
        "histogram of hours",
        "90th percentile of hours",
        "correlation between hours and rating",
        "jobs sorted by hours, longest first",
        "outliers in hours",
        "difference in average hours between Ana and Ben",
    ],
)
def test_a_unit_that_begins_a_column_is_that_column(asked: str) -> None:
    found = intent(JOBS_IN_HOURS, asked)
    assert isinstance(found, DataIntent) and "Hours to Mend" in found.measures


def test_an_amount_or_a_step_is_no_column() -> None:
    found = intent(JOBS_IN_HOURS, "jobs that took more than 3 hours")
    assert isinstance(found, DataIntent) and [one.column for one in found.filters] == ["Hours to Mend"]
    assert isinstance(intent(JOBS_IN_HOURS, "jobs per hour"), Refusal)
