"""The page of faults names tests that exist."""

import re
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
ROW = re.compile(r"^\| (\d+) \| .+ \| `([\w/]+\.py)::(test_\w+)` \|$", re.M)


def test_every_fault_has_a_test_that_exists() -> None:
    page = (TESTS.parent / "spec" / "terminal_faults.md").read_text(encoding="utf-8")
    rows = ROW.findall(page)
    assert len(rows) == len(re.findall(r"^\| \d", page, re.M)), "a row is not of the form of the others"
    assert len({number for number, _, _ in rows}) == len(rows)
    missing = [
        f"{file}::{test}"
        for _, file, test in rows
        if not re.search(rf"^(async )?def {test}\b", (TESTS / file).read_text(encoding="utf-8"), re.M)
    ]
    assert missing == []
