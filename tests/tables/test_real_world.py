"""Files as people have them are read right, or asked about so that one answer makes them right; code reads them the same."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from smoldesk.tables.inside.reading import read_file
from tests.tables.real_world import FILES, judged, made

ASKED = {"hidden_rows.xlsx", "ambiguous_days.csv", "prices_mixed.csv", "comments.csv", "計測.csv"}
"""What nobody can know who has only the file."""


@pytest.mark.parametrize("file", FILES, ids=lambda file: file["name"])
def test_it_is_read_right_or_asked_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, file: dict[str, Any]
) -> None:
    path = made(tmp_path, file)
    verdict, fault = judged(path, file)
    assert verdict == ("asked" if file["name"] in ASKED else "right"), fault
    monkeypatch.chdir(tmp_path)
    for table in read_file(path).tables:
        names = {"pd": pd, "json": json, "sqlite3": sqlite3}
        pd.testing.assert_frame_equal(eval(table.load, names), table.frame)


@pytest.mark.long
def test_what_repeats_without_end_stays_within_what_is_believed(tmp_path: Path) -> None:
    """Each would make an expression longer than a profile may have, or take minutes, if it was followed."""
    (tmp_path / "names.csv").write_text("a,b\n" + "a,b\n1,x\n" * 2_000)
    (tmp_path / "totals.csv").write_text("a,b\n" + "x,1\ntotal,1\n" * 20_000)
    (tmp_path / "beside.csv").write_text(",,".join("ab" * 500) + "\n" + (",,".join("12" * 500) + "\n") * 4)
    (tmp_path / "digits.csv").write_text("a,b\n" + ("1" * 40_000 + "''',1\n") * 5)
    for name, rows in (("names", 4_000), ("totals", 40_000), ("beside", 4), ("digits", 5)):
        [table] = read_file(tmp_path / f"{name}.csv").tables
        assert (name, len(table.frame)) == (name, rows)
        assert len(table.load) < 20_000
