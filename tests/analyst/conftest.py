"""Desks shared by the tests of the built-in analyst; a desk holds no state between requests."""

from pathlib import Path

import pandas as pd
import pytest

from tests.analyst.desk import Desk


@pytest.fixture(scope="session")
def desk() -> Desk:
    """A desk with the bundled tables only."""
    return Desk()


@pytest.fixture
def rides(tmp_path: Path) -> Desk:
    """A desk with a CSV of the chat's own: messy English headers, blanks, a yes/no column."""
    frame = pd.DataFrame(
        {
            "station": [
                "Harbour",
                "Harbour",
                "Mill Lane",
                "Mill Lane",
                "Old Bridge",
                "Harbour",
                "Old Bridge",
            ],
            "rider type": ["member", "casual", "member", "member", "casual", "member", "casual"],
            "ride minutes": [11, 33, 8, 16, 45, 12, 21],
            "distance (km)": [2.5, 5.1, 1.7, None, 8.0, 2.2, 4.0],
            "started at": [
                f"2024-0{month} 08:10" for month in ("5-01", "5-02", "5-03", "6-04", "6-05", "6-06", "7-07")
            ],
            "helmet": ["yes", "no", "yes", "no", "no", "yes", "no"],
        }
    )
    return Desk(tmp_path, rides=frame)


@pytest.fixture
def harvest(tmp_path: Path) -> Desk:
    """A desk with a CSV of the chat's own with Japanese headers."""
    frame = pd.DataFrame(
        {
            "収穫日": ["2024-07-02", "2024-07-09", "2024-08-01", "2024-08-20", "2024-09-03"],
            "畑": ["北畑", "南畑", "北畑", "東畑", "南畑"],
            "作物": ["トマト", "ナス", "トマト", "キュウリ", "ナス"],
            "収穫量kg": [101, 82, 143, 95, 60],
            "等級": ["A", "B", "A", None, "B"],
        }
    )
    return Desk(tmp_path, harvest=frame)
