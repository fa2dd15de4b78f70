"""Old workbooks, contents pages, headings of groups, and days in several notations."""

from pathlib import Path
from typing import Any

import openpyxl
import pandas as pd
import pytest

from smoldesk.tables.inside.column_types import typed
from smoldesk.tables.inside.columns import Describer
from smoldesk.tables.inside.preview import preview
from smoldesk.tables.inside.reading import read_file
from smoldesk.tables.inside.shapes import Table
from tests.tables.old_workbook import write_xls

SALES = [["店", "売上", "客数"], ["東", 1.5, 3], ["西", 2.25, 4], ["南", 4.0, 5]]


def xlsx(path: Path, **sheets: list[list[Any]]) -> None:
    book = openpyxl.Workbook()
    book.remove(book.worksheets[0])
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)


def loaded(table: Table) -> pd.DataFrame:
    """What the table's expression loads."""
    frame = eval(table.load, {"pd": pd})
    assert isinstance(frame, pd.DataFrame)
    return frame


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.filterwarnings("ignore:The xlrd engine")
def test_a_workbook_of_excel_until_2003_is_read_as_a_new_one() -> None:
    write_xls(Path("old.xls"), {"目次": [["1", "売上"]], "売上": SALES})
    xlsx(Path("new.xlsx"), 目次=[["1", "売上"]], 売上=SALES)
    for name in ("old.xls", "new.xlsx"):
        contents = read_file(Path(name))
        [table] = contents.tables  # the page of contents is none
        assert table.frame["売上"].tolist() == [1.5, 2.25, 4.0]
        assert loaded(table).equals(table.frame)
        assert [(problem.where, problem.message[:7]) for problem in contents.problems] == [
            ("sheet '目次'", "Skipped")
        ]
    Path("page.xls").write_text("<html><table></table></html>")
    assert "<html>" in read_file(Path("page.xls")).problems[0].message


def test_a_workbook_of_opendocument_is_read_and_others_that_claim_to_be_are_refused() -> None:
    with pd.ExcelWriter("new.ods", engine="odf") as book:
        pd.DataFrame([["Sales 2025"]]).to_excel(book, sheet_name="Cover", header=False, index=False)
        pd.DataFrame({"店": ["上野", "銀座", "渋谷"], "売上": [1.5, 2.25, 4.0]}).to_excel(
            book, sheet_name="売上", index=False
        )
    [table] = read_file(Path("new.ods")).tables
    assert table.frame["売上"].tolist() == [1.5, 2.25, 4.0]
    assert loaded(table).equals(table.frame)
    xlsx(Path("other.xlsx"), a=[["x"], [1]])
    Path("other.xlsx").rename("other.ods")
    assert not read_file(Path("other.ods")).tables


def test_headings_of_groups_are_no_rows() -> None:
    rows = [
        ["北海道", None, None, None],
        [None, "名寄市", 43, 2170],
        [None, "三笠市", 163, 7740],
        [None, "滝川市", 29, 1120],
    ]
    rows += [["青森県", None, None, None], [None, "弘前市", 30, 1060], [None, "黒石市", 8, 371]]
    xlsx(Path("towns.xlsx"), 産地=[["市町村", None, "面積", "収穫量"], *rows])
    contents = read_file(Path("towns.xlsx"))
    [table] = contents.tables
    assert table.frame["市町村"].tolist() == ["名寄市", "三笠市", "滝川市", "弘前市", "黒石市"]
    assert list(table.frame.columns) == ["市町村", "面積", "収穫量"]
    assert loaded(table).equals(table.frame)
    assert [(line["why"], line["text"]) for line in contents.read_as["left_out"]] == [
        ("group", "北海道"),
        ("group", "青森県"),
    ]


def test_days_in_several_notations_are_dates() -> None:
    days = ["2018/01/04", 42782, "2018年1月7日", 43127, "平5.4.1", "S22.4.1", "令和元年5月1日", "H9.11.25"]
    xlsx(Path("people.xlsx"), 顧客=[["名前", "登録日"], *([f"人{at}", day] for at, day in enumerate(days))])
    [table] = read_file(Path("people.xlsx")).tables
    expected = ["2018-01-04", "2017-02-16", "2018-01-07", "2018-01-27", "1993-04-01", "1947-04-01"]
    assert table.frame["登録日"].astype(str).tolist() == [*expected, "2019-05-01", "1997-11-25"]
    assert loaded(table).equals(table.frame)
    assert Describer().columns(table.frame)[1]["role"] == "time"
    # Codes that look like days of an era are none, nor is a column with other words.
    Path("parts.csv").write_text("part,date\n" + "".join(f"M{at}-05-12,H{at}-x\n" for at in range(10, 20)))
    [table] = read_file(Path("parts.csv")).tables
    assert [column["kind"] for column in Describer().columns(table.frame)] == ["text", "text"]


def test_long_cells_of_spaces_are_read_at_once() -> None:
    # With two repeats in a row over the same characters, these would take hours.
    spaces = " " * 20_000
    frame = pd.DataFrame(
        {"date": [f"平1{spaces}x", *["平5.4.1"] * 3], "n": [f"5{spaces}x", *["▲1", "▲2", "7-"]]}
    )
    kinds = [column["kind"] for column in Describer().columns(typed(frame, {})[0])]
    assert kinds == ["text", "text"]
    assert typed(frame[1:], {})[0]["n"].tolist() == [-1, -2, -7]


def test_blank_cells_of_a_sampled_table_are_counted_in_all_rows() -> None:
    frame = pd.DataFrame({"a": [None, *range(400_000)]})
    shown = preview(frame, [{"name": "a", "kind": "number"}])
    assert shown["sampled"] and shown["columns"][0]["blank"] == 1


def test_control_characters_that_excel_escapes_are_no_part_of_names() -> None:
    xlsx(Path("cases.xlsx"), cases=[["店", "売上_x000D_\n(sales)"], ["東", 1.5], ["西", 2.25]])
    [table] = read_file(Path("cases.xlsx")).tables
    assert [*table.frame.columns] == ["店", "売上 (sales)"]
    assert loaded(table).equals(table.frame)
