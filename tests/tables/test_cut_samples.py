"""No row and no column of a table file is lost without a word, whatever its beginning looks like."""

import json
import sqlite3
import warnings
from pathlib import Path
from typing import Any

import openpyxl
import pandas as pd
import pytest

from smoldesk.tables.inside import large_files
from smoldesk.tables.inside.plain_text import plain_separator
from smoldesk.tables.inside.read_options import ReadOptions
from smoldesk.tables.inside.reading import read_file
from smoldesk.tables.inside.report import report
from smoldesk.tables.inside.shapes import FileContents
from smoldesk.tables.inside.text_lines import MAX_COMPLETE_BYTES, SAMPLE
from smoldesk.tables.models import FileProfile, believed


def read(path: Path, text: str, message: ReadOptions | None = None) -> FileContents:
    """What is read of a text file, or of this text, with the same code; its frames are what `load` gives."""
    path.write_text(text, "utf-8")
    reading = read_file(path, options=message)
    for table in reading.tables:
        names: dict[str, Any] = {"pd": pd, "json": json, "sqlite3": sqlite3}
        with warnings.catch_warnings(action="ignore"):
            frame = eval(table.load.replace(path.name, str(path)), names)
        pd.testing.assert_frame_equal(frame, table.frame)
    return reading


def rows_of(reading: FileContents) -> int:
    assert reading.tables, reading.problems
    return sum(len(table.frame) for table in reading.tables)


def asked(reading: FileContents) -> list[str]:
    return [item["about"] for item in reading.read_as.get("questions", ())]


CUT_AT = {"subtotal": "Total,{n},{n}\n", "names": "name,n,m\n", "page": "- 2 -,,\n", "blank": ",,\n"}


@pytest.mark.parametrize("kind", CUT_AT)
def test_a_long_file_is_read_to_its_end_whatever_its_sample_ends_with(tmp_path: Path, kind: str) -> None:
    head, line = "name,n,m\n", "row,1,1\n"
    room = SAMPLE - len(head) - len(CUT_AT[kind].format(n=8_000))
    most, over = divmod(room, len(line))
    text = head + "w" * over + line * most + CUT_AT[kind].format(n=most)
    assert len(text) == SAMPLE
    complete = text + line * (MAX_COMPLETE_BYTES // len(line))
    reading = read(tmp_path / "long.csv", complete)
    assert rows_of(reading) == complete.count("\n") - 1
    assert any("only its beginning was inspected" in problem.message for problem in reading.problems) == (
        kind != "blank"
    )


def test_the_first_rows_of_a_large_file_keep_theirs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large_files, "LARGE", MAX_COMPLETE_BYTES)
    monkeypatch.chdir(tmp_path)
    text = "name,n,m\n" + ("row,1,1\n" * 40 + "小計,40,40\n") * 9_000
    (tmp_path / "large.csv").write_text(text)
    large = large_files.read_large(tmp_path / "large.csv", lambda _share: None)
    assert large is not None
    assert large[1] == text.count("\n") - 1


def test_a_column_that_is_blank_in_the_sample_stays(tmp_path: Path) -> None:
    lines = [f"{at},x," for at in range(300_000)]
    lines[-1] = "1,x,late"
    [table] = read(tmp_path / "late.csv", "a,b,\n" + "\n".join(lines) + "\n").tables
    assert table.frame.iloc[-1].tolist()[-1] == "late"
    [table] = read(tmp_path / "trailing.csv", "a,b\n" + "\n".join(lines) + "\n").tables
    assert table.frame.iloc[-1].tolist()[-1] == "late"


@pytest.mark.parametrize("mark", ["", '5" inch', '"5 inch'])
def test_a_sample_that_ends_within_a_cell_does_not_make_letters_of_quotes(tmp_path: Path, mark: str) -> None:
    """Letters are said; a cell of more than a line is a cell, also with a stray mark that makes the parity odd."""
    letters = mark.startswith('"')
    cell = "one" if letters else '"one\ntwo"'
    lines = [f"{at},x,{cell if at % 12 == 0 else 'one'}\n" for at in range(200_000)]
    text = f"id,k,comment\n0,x,{mark}\n" + "".join(lines)
    short = SAMPLE - text.rindex("\ntwo", 0, SAMPLE) - 3 if not letters else 0  # it ends with "\nt"
    reading = read(tmp_path / "comments.csv", text.replace("0,x,", "0,x," + "." * short, 1))
    assert rows_of(reading) == len(lines) + 1
    assert any("quotation mark" in problem.message for problem in reading.problems) == letters


def test_many_subtotals_are_left_out_and_too_many_are_said(tmp_path: Path) -> None:
    groups = "k,n\n" + "".join(f"a{g},{g}\nb{g},{g + 1}\n小計,{2 * g + 1}\n" for g in range(400))
    [table] = read(tmp_path / "groups.csv", groups).tables
    assert (len(table.frame), int(table.frame["n"].sum())) == (800, sum(2 * g + 1 for g in range(400)))
    many = read(tmp_path / "many.csv", "k,n\n" + "a,1\nb,2\n小計,3\n" * 4_000)
    assert rows_of(many) == 12_000
    assert ["too many to skip" in problem.message for problem in many.problems] == [True]


NAMED_LIKE_TOTALS = {
    "営業,設計": "部署,人数,予算\n営業,1,500\n設計,1,3000\n",
    "時計": "品,数,値段\n時計,1,100\n温度計,1,2500\n湿度計,1,3100\n",
    "会計": "課,人,時\n人事,1,3\n会計,1,3\n統計,1,3\n",
    "one row": "k,n,m\nA,2,5\nSum Total,2,900\n",
    "zeros": "k,n\nA,0\nB,0\nC,0\n,0\n",
    "subtotals with means": "k,n,m\n" + "a,1,5\nb,2,6\nSubtotal,3,99\n" * 5 + "c,3,4\n",
    "half": "k,n,m\nA,1,5\nB,2,6\nTotal,3,900\n",
}


ASKED = ("one row", "subtotals with means", "half")


@pytest.mark.parametrize("kind", NAMED_LIKE_TOTALS)
def test_rows_that_only_look_like_totals_stay(tmp_path: Path, kind: str) -> None:
    text = NAMED_LIKE_TOTALS[kind]
    reading = read(tmp_path / "t.csv", text)
    assert rows_of(reading) == text.count("\n") - 1
    assert asked(reading) == (["total"] if kind in ASKED else [])


def test_totals_beyond_doubt_are_still_left_out(tmp_path: Path) -> None:
    for text, rows in (("k,n\nFee,5\nTotal,5\n", 1), ("k,n,m\nA,1,2\nB,2,3\n東京 小計,3,5\n", 2)):
        reading = read(tmp_path / "t.csv", text)
        assert (rows_of(reading), asked(reading)) == (rows, [])


NOTES = {
    "Source Media GmbH": ["note"],  # may be one: asked
    "*Zed": ["note"],
    "#Foo": ["note"],
    "注文": ["note"],
    "Zed": [],
}


@pytest.mark.parametrize("last", NOTES)
def test_a_last_row_with_its_name_alone_stays(tmp_path: Path, last: str) -> None:
    reading = read(tmp_path / "t.csv", f"name,n\nAda Lovelace,1\nBob the Builder,2\nCy,3\n{last},\n")
    assert (rows_of(reading), asked(reading)) == (4, NOTES[last])
    for item in reading.read_as["questions"]:
        again = [
            read_file(tmp_path / "t.csv", options=ReadOptions(**choice["told"])) for choice in item["choices"]
        ]
        assert [(rows_of(reading), asked(reading)) for reading in again] == [(3, []), (4, [])]


def test_notes_that_say_so_and_stand_apart_are_left_out(tmp_path: Path) -> None:
    for end in ("※速報値,\n", "\n*preliminary,\n#checked,\n", "Source: the office,\n"):
        reading = read(tmp_path / "t.csv", f"name,n\nAda,1\nBob,2\nCy,3\n{end}")
        assert (rows_of(reading), asked(reading)) == (3, [])


def workbook(path: Path, **sheets: list[list[Any]]) -> Path:
    book: Any = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def test_columns_that_are_filled_after_a_blank_row_stay(tmp_path: Path) -> None:
    rows = [["a", "b", "c"], ["x", 1, 2], ["y", 3, 4], [], ["z", 5, 6, 7, 8], ["w", 5, 6, 7, 9]]
    [table] = read_file(workbook(tmp_path / "wide.xlsx", Data=rows)).tables
    assert table.frame.shape == (4, 5)
    assert table.frame.iloc[-1].tolist()[3:] == [7, 9]
    text = "".join(",".join(map(str, row)) + "\n" for row in rows)
    assert asked(read(tmp_path / "wide.csv", text)) == ["ragged"]
    units = read(tmp_path / "units.csv", text.replace("a,b,c", "a,b,c\n,(m),(m)"))
    assert units.tables[0].frame.shape == (4, 5)
    extra = [["a", "b", None, "a", "b"], *([["x", n, None, "y", n] for n in (1, 2)]), ["x", 3], []]
    reading = read_file(workbook(tmp_path / "beside.xlsx", Data=[*extra, ["z", 5, 6, "y", 7, 8]]))
    assert [table.frame.iloc[-1].tolist() for table in reading.tables] == [["z", 5, 6], ["y", 7, 8]]


def test_a_sheet_is_read_beyond_its_sample_and_one_of_sentences_is_not_dropped_unsaid(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("smoldesk.tables.inside.excel_files.MAX_ROWS", 40)
    rows = [["k", "n"], *([f"r{n}", n] for n in range(38)), [], *([f"r{n}", n] for n in range(60))]
    comments = [["Comments"], *([f"This is a long comment of somebody: {n}"] for n in range(50))]
    cover = [["About"], [], ["These are numbers that somebody wrote down"]]
    reading = read_file(workbook(tmp_path / "long.xlsx", About=cover, Data=rows, Comments=comments))
    assert [(table.name, len(table.frame)) for table in reading.tables] == [
        ("long_Data", 99),  # with the blank one, as those beyond the sample
        ("long_Comments", 50),
    ]
    assert [problem.where for problem in reading.problems if "Skipped" in problem.message] == [
        "sheet 'About'"
    ]


def told_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> FileProfile:
    """What the desk believes of a file."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("smoldesk.tables.inside.report.take_limits", lambda _bytes: None)
    (tmp_path / "t.csv").write_text(text, "utf-8")
    return believed(json.loads(json.dumps(report("t.csv"))), "t.csv")


def days(late: str) -> str:
    return "day,n\n" + "03/04/2025,1\n" * 1_200 + f"{late},1\n"


ORDINARY = {
    "a late word among days": (days("TBD"), [1_201], ["day"]),
    "a long text among numbers": ("k,n\n" + "a,1.5\n" * 9 + f"b,{'long ' * 160}\n", [10], ["mixed"]),
    "2,000 columns without names": ((",".join(map(str, range(0, 14_000, 7))) + "\n") * 3, [3], ["header"]),
    "groups below zero": ("a;b\nx;-1,234\ny;-2,345\nz;-1,111\n", [3], ["decimal"]),
    "a table far down": (
        "a,b,c\n" + "x,1,2\n" * 5_000 + "\nk,m,n\ny,3,4\ny,1,2\n,,\ny,3,4\ny,5,5\n",
        [5_000, 4],
        [],
    ),
}


@pytest.mark.parametrize("kind", ORDINARY)
def test_ordinary_files_are_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    text, rows, questions = ORDINARY[kind]
    profile = told_back(tmp_path, monkeypatch, text)
    assert [table.rows for table in profile.tables] == rows, profile.problems
    assert profile.read_as is not None
    assert [question.about for question in profile.read_as.questions] == questions


def test_codes_among_columns_without_names_keep_their_zeros(tmp_path: Path) -> None:
    line = ",".join(["007", *map(str, range(5, 2_005))])
    [table] = read(tmp_path / "t.csv", (line + "\n") * 3).tables
    assert table.frame["column_0"].tolist() == ["007"] * 3
    assert table.codes == {"column_0"}


def test_many_codes_keep_their_zeros_and_too_many_are_said(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def file(columns: int) -> str:
        heads = [f"code {column}" for column in range(columns)]
        return "\n".join([",".join(heads), *[",".join(["0123"] * columns)] * 3]) + "\n"

    [table] = read(tmp_path / "many.csv", file(350)).tables
    assert set(table.frame.iloc[0]) == {"0123"} and len(table.codes) == 350
    reading = read(tmp_path / "more.csv", file(1_500))
    stored = len(reading.tables[0].codes)
    assert 350 < stored < 1_500 and set(reading.tables[0].frame.iloc[0]) == {"0123", 123}
    text = f"{1_500 - stored:,} columns of codes lose the zeros in front of them, since they are too many; the first is"
    assert [problem.message for problem in reading.problems] == [f"{text} 'code {stored}'."]
    assert told_back(tmp_path, monkeypatch, file(1_500)).tables[0].width == 1_500


def test_a_long_text_with_tables_beside_each_other_says_what_is_not_read_of_it(tmp_path: Path) -> None:
    reading = read(tmp_path / "beside.csv", "a,b,,a,b\n" + "x,1,,y,2\n" * 230_000 + "x,1,lost,y,2\n")
    assert len(reading.tables) == 2
    assert "is in other columns further down is not read" in "".join(
        problem.message for problem in reading.problems
    )


def test_all_lines_left_out_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    profile = told_back(tmp_path, monkeypatch, "k,n\n" + "a,1\nb,2\n小計,3\n" * 250)
    assert profile.read_as is not None
    assert (len(profile.read_as.left_out), profile.read_as.left_out_count) == (30, 250)


def test_amounts_are_no_days(tmp_path: Path) -> None:
    text = "Amount due,date,売上/日,Paid to date\n40000,45000,40000,40000\n45000,45001,41000,41000\n39000,45002,40000,40000\n"
    [table] = read(tmp_path / "t.csv", text).tables
    assert [str(kind)[:4] for kind in table.frame.dtypes] == ["int6", "date", "int6", "int6"]


def test_a_sign_behind_its_number_is_one(tmp_path: Path) -> None:
    rows = ["1,234.56-", "7.50", "-3", "5 €-", "▲8", "(9)"]
    text = "k;n\n" + "".join(f"x;{row}\n" for row in rows)
    [table] = read(tmp_path / "t.csv", text, ReadOptions(types={"n": "number"})).tables
    assert table.frame["n"].tolist() == [-1234.56, 7.5, -3, -5, -8, -9]
    late = "k,n\n" + "x,1\n" * 1_200 + 'x,"2-"\n'
    [table] = read(tmp_path / "t.csv", late, ReadOptions(types={"n": "number"})).tables
    assert table.frame["n"].tolist()[-1] == -2


@pytest.mark.parametrize("text", ["k,n\nx,▲1\ny,2\n", "k,n\nx,(5)\ny,2\n", "k,納品日\nx,45000\ny,45001\n"])
def test_a_text_with_columns_of_another_type_is_not_left_to_duckdb(tmp_path: Path, text: str) -> None:
    (tmp_path / "t.csv").write_text(text, "utf-8")
    assert read_file(tmp_path / "t.csv").tables[0].load.count(".assign(") == 1
    assert plain_separator(tmp_path / "t.csv") is None
    (tmp_path / "plain.csv").write_text("k,n\nx,1\ny,2\n", "utf-8")
    assert plain_separator(tmp_path / "plain.csv") == ","
