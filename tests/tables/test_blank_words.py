"""Words for a missing value: blank among numbers and dates, values among texts, in every kind of file and in SQL."""

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from smoldesk.tables.folder_tables import ChatTables
from smoldesk.tables.inside import large_files
from smoldesk.tables.inside.large_files import read_large
from smoldesk.tables.inside.reading import read_file

HEADS = ["masonry", "area", "kind", "day"]
ROWS = [
    ["Brick", "12", "NA", "2024-01-02"],
    ["None", "NA", "x", "NA"],
    ["", "15", "nan", "2024-03-04"],
    ["-", "", "#N/A", "2024-03-05"],
]
MASONRY, KIND = ["Brick", "None", None, "-"], ["NA", "x", "nan", None]


def loaded(path: Path, monkeypatch: pytest.MonkeyPatch) -> pd.DataFrame:
    """The table as the chat's own code gets it, by the expression for code."""
    monkeypatch.chdir(path.parent)
    (table,) = read_file(Path(path.name)).tables
    frame: pd.DataFrame = eval(table.load, {"pd": pd, "json": json, "open": open})
    assert frame.equals(table.frame)
    return frame


def cells(column: Any) -> list[Any]:
    return [None if pd.isna(value) else value for value in column]


@pytest.mark.parametrize("ending", ["csv", "xlsx"])
def test_a_word_is_a_value_in_a_column_of_text_alone(
    ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / f"houses.{ending}"
    if ending == "csv":
        path.write_text("\n".join(",".join(row) for row in [HEADS, *ROWS]))
    else:
        pd.DataFrame(ROWS, columns=HEADS).to_excel(path, index=False)
    frame = loaded(path, monkeypatch)
    assert cells(frame["masonry"]) == MASONRY
    assert cells(frame["kind"]) == KIND, "Excel's own mark of a fault stays blank"
    assert cells(frame["area"]) == [12, None, 15, None]
    assert cells(frame["day"]) == ["2024-01-02", None, "2024-03-04", "2024-03-05"]


def test_a_file_without_such_words_is_loaded_as_before(tmp_path: Path) -> None:
    path = tmp_path / "plain.csv"
    path.write_text("name,area\nBrick,1\n,NA\nStone,4\n")
    assert read_file(path).tables[0].load == 'pd.read_csv("plain.csv")'


def test_json_keeps_words_and_blanks_them_among_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "houses.json"
    rows = [{"kind": "None", "area": 12}, {"kind": "NA", "area": "NA"}, {"kind": "-", "area": 3.5}]
    path.write_text(json.dumps(rows))
    frame = loaded(path, monkeypatch)
    assert cells(frame["kind"]) == ["None", "NA", "-"]
    assert cells(frame["area"]) == [12, None, 3.5]
    path.write_text(json.dumps([{"area": 12}, {"area": "unknown place"}]))
    assert cells(loaded(path, monkeypatch)["area"]) == [12, "unknown place"], "it is no word for a blank"


def test_a_type_that_a_person_chose_decides(tmp_path: Path) -> None:
    from smoldesk.tables.inside.read_options import ReadOptions

    path = tmp_path / "codes.csv"
    path.write_text("code,n\n12,1\nNA,2\n14,3\n15,\n")
    as_text = read_file(path, options=ReadOptions(types={"code": "text"})).tables[0].frame
    assert cells(as_text["code"])[1] == "NA"
    assert cells(read_file(path).tables[0].frame["code"])[1] is None


def test_sql_finds_the_same_values(tmp_path: Path) -> None:
    (tmp_path / "chat").mkdir()
    path = tmp_path / "chat" / "houses.csv"
    path.write_text("\n".join(",".join(row) for row in [HEADS, *ROWS]))
    query = "SELECT masonry, kind, area FROM houses ORDER BY coalesce(area, 99), masonry"
    small = ChatTables(path.parent, tmp_path).query(query).rows
    assert [row[:2] for row in small] == [["Brick", "NA"], [None, "nan"], ["-", None], ["None", "x"]]
    assert [row[2] for row in small] == [12, 15, None, None]


def test_of_a_large_file_all_words_are_blank(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_files, "LARGE", 100)
    monkeypatch.setattr(large_files, "HEAD", 50)
    path = tmp_path / "long.csv"
    path.write_text("kind,n\n" + "None,1\nx,2\n" * 50 + "x,NA\n")
    large = read_large(path, lambda _share: None)
    assert large is not None and large[0].tables[0].load == 'pd.read_csv("long.csv")'
