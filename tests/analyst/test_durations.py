"""How long things took, in tables that say when they began and ended, and nothing else of it."""

from pathlib import Path

import pytest

from smoldesk.analyst.intents import DataIntent, Refusal
from tests.analyst.small_tables import SmallDesk
from tests.analyst.test_unseen_tables import intent, run

REPAIRS = """Ticket,Device,Received on,Finished on,Cost (EUR)
R1,phone,2024-01-05,2024-01-07,120
R2,laptop,2024-01-18,2024-01-28,260
R3,phone,2024-02-02,2024-02-06,80
R4,laptop,2024-02-14,,150
"""


@pytest.mark.parametrize(
    ("said", "figure"),
    [
        ("how long did repairs take on average", "5.33"),
        ("average turnaround time for phones", "3"),
        ("how many repairs took more than 3 days", "2 "),
    ],
)
def test_the_days_between_two_dates_are_a_figure(said: str, figure: str, tmp_path: Path) -> None:
    assert figure in SmallDesk(tmp_path, repairs=REPAIRS).ask(said).first


def test_they_are_grouped_and_ranked_like_any_other(tmp_path: Path) -> None:
    (table,) = SmallDesk(tmp_path, repairs=REPAIRS).ask("average repair time by device").tables
    assert dict(table.iloc[:, :2].itertuples(index=False, name=None)) == {"laptop": 10, "phone": 3}
    assert "R2" in SmallDesk(tmp_path, repairs=REPAIRS).ask("which repair took the longest").first


def test_they_are_no_column_of_the_table() -> None:
    assert "5 columns" in run(REPAIRS, "how many columns are there")
    read = intent(REPAIRS, "average cost by device")
    assert isinstance(read, DataIntent) and read.measures == ("Cost (EUR)",)


def test_a_date_of_birth_or_a_deadline_ends_nothing() -> None:
    births = "name,birth date,joined on\nAnn,1990-01-02,2020-03-04\nBob,1985-05-06,2019-07-08\n"
    assert isinstance(intent(births, "average duration"), Refusal)
