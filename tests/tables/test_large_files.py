"""Large tables are profiled by their first rows, and counted in whole."""

from pathlib import Path

import pandas as pd
import pytest

from smoldesk.tables.inside import large_files
from smoldesk.tables.inside.large_files import read_large


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """What counts as large here."""
    for name, value in {"LARGE": 20_000, "HEAD": 5_000, "FIRST_ROWS": 100}.items():
        monkeypatch.setattr(large_files, name, value)


def shape(path: Path) -> tuple[int, int, str]:
    """(rows that were read, rows there are, expression that loads them)."""
    large = read_large(path, lambda _share: None)
    assert large is not None
    (table,) = large[0].tables
    return len(table.frame), large[1], table.load


def test_a_text_table_is_read_by_its_first_lines(tmp_path: Path) -> None:
    path = tmp_path / "部屋.csv"
    path.write_bytes("部屋;度\n".encode("cp932") + "台所;21,5\n".encode("cp932") * 4_000)
    read, rows, load = shape(path)
    assert (rows, load) == (4_000, 'pd.read_csv("部屋.csv", encoding="cp932", sep=";", decimal=",")')
    assert 0 < read < 600
    path.write_bytes(path.read_bytes()[:-1])
    assert shape(path)[1] == 4_000, "a last line without an end counts"


def test_lines_within_cells_are_no_rows(tmp_path: Path) -> None:
    path = tmp_path / "notes.csv"
    path.write_text("a,b\n" + '1,"one\ntwo\nthree"\n' * 2_000)
    assert abs(shape(path)[1] - 2_000) < 40


def test_a_parquet_file_says_itself_how_long_it_is(tmp_path: Path) -> None:
    path = tmp_path / "steps.parquet"
    pd.DataFrame({"n": range(5_000)}).to_parquet(path)
    assert shape(path) == (100, 5_000, 'pd.read_parquet("steps.parquet")')
    path.write_bytes(path.read_bytes()[:-500])
    large = read_large(path, lambda _share: None)
    assert large is not None
    assert "damaged" in large[0].problems[0].message


def test_other_files_are_read_whole(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("[" + "1," * 20_000 + "1]")
    (tmp_path / "b.csv").write_text("a\n1\n")
    assert read_large(tmp_path / "a.json", lambda _share: None) is None
    assert read_large(tmp_path / "b.csv", lambda _share: None) is None
