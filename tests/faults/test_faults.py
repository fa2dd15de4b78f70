"""The faults that `make faults` tries, and the page with its table."""

from pathlib import Path

import pytest

from tests.faults.__main__ import FAULTS
from tests.faults.fault import CannotTry
from tests.test_architecture import ROOT

QUICK = ("full disk", "read-only folder of files")


@pytest.mark.starts
@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in FAULTS]
)
def test_a_fault_is_reported_by_its_cause_and_work_continues(name: str, tmp_path: Path) -> None:
    try:
        FAULTS[name](tmp_path)
    except CannotTry as reason:
        pytest.skip(str(reason))


def test_the_page_has_a_row_for_each_fault() -> None:
    page = (ROOT / "spec" / "reference" / "reliability.md").read_text("utf-8")
    rows = [line.split("|")[1].strip() for line in page.split("\n\n")[2].splitlines()[2:]]
    assert rows == list(FAULTS)
