"""Files whose name or notation differs from their contents: what is in them is read, and also by the expression for code."""

import gzip
import json
import zipfile
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from smoldesk.tables.inside.plain_text import plain_separator
from smoldesk.tables.inside.read_options import ReadOptions
from smoldesk.tables.inside.reading import read_file
from smoldesk.tables.inside.report import Describer
from smoldesk.tables.inside.shapes import FileContents
from tests.support.loaded_tables import assert_loads_alike

SALES = pd.DataFrame({"shop": ["North", "South"], "sold": [1, 2]})


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def only(contents: FileContents) -> pd.DataFrame:
    """The one table, whose expression loads the same and is accepted by the server."""
    (table,) = contents.tables
    assert_loads_alike(table)
    return table.frame


def written(name: str, text: str) -> Path:
    Path(name).write_text(text, encoding="utf-8")
    return Path(name)


def test_a_text_in_an_archive_may_have_the_name_of_an_archive() -> None:
    Path("real.csv").write_text("a\n1\n")
    with zipfile.ZipFile("inner.zip", "w") as inner:
        inner.write("real.csv")
    with zipfile.ZipFile("sales.zip", "w") as archive:
        archive.writestr("data/sales.zip", SALES.to_csv(index=False))
        archive.write("inner.zip")
    contents = read_file(Path("sales.zip"))
    pd.testing.assert_frame_equal(only(contents), SALES)
    assert [problem.message for problem in contents.problems] == [
        "Other files in it are not read: inner.zip."
    ]


def test_a_workbook_is_read_under_the_name_of_a_text() -> None:
    SALES.to_excel("new.xlsx", index=False)
    path = Path("new.xlsx").rename("sales.csv")
    contents = read_file(path)
    pd.testing.assert_frame_equal(only(contents), SALES)
    (note,) = contents.problems
    assert note.is_note
    assert note.message == "Its name ends in .csv, but it is an Excel workbook, and is read as one."
    assert plain_separator(path) is None  # so SQL reads it with the same reader
    with zipfile.ZipFile("other.zip", "w") as archive:
        archive.write("sales.csv")
    pd.testing.assert_frame_equal(only(read_file(Path("other.zip"))), SALES)
    refused = read_file(Path("other.zip").rename("other.csv"))
    assert (refused.tables, [problem.where for problem in refused.problems]) == ([], ["byte 0"])


def test_types_and_flags_below_the_names_of_a_tab_file_are_no_rows() -> None:
    text = "make\tprice\tsold\nd\tcontinuous\tc\nmeta\t\tclass\naudi\t?\t3\nbmw\t20\t?\n?\t30\t5\n"
    path = written("cars.tab", text)
    contents = read_file(path)
    frame = only(contents)
    assert frame["make"].tolist() == ["audi", "bmw", "?"]  # in words a value, as "NA" is
    assert frame["price"].fillna(-1).tolist() == [-1, 20, 30]
    assert [line["line"] for line in contents.read_as["left_out"]] == ["2", "3"]
    restored = read_file(path, options=ReadOptions(lines={"2": True}))
    assert len(only(restored)) == 4
    others = written("sizes.tab", "size\tgrade\nd\tc\nclass\tz\n1\t2\n")  # z is no word of Orange
    assert len(only(read_file(others))) == 3


def test_lists_in_cells_are_their_json_text() -> None:
    rows = [{"id": 1, "tags": ["喜", "b"], "more": {"x": [{"y": None}]}}, {"id": 2, "tags": None}]
    Path("faces.jsonl.gz").write_bytes(gzip.compress("\n".join(map(json.dumps, rows)).encode()))
    frame = only(read_file(Path("faces.jsonl.gz")))
    assert frame["tags"].fillna("").tolist() == ['["喜", "b"]', ""]
    assert frame["more.x"].dropna().tolist() == ['[{"y": null}]']
    assert [column["kind"] for column in Describer().columns(frame)] == ["number", "text", "text"]
    pd.DataFrame({"group": [*"abab"], "tags": [[1], [2], [], [3]], "n": [1, 2, 3, 4]}).to_parquet("t.parquet")
    of_lists = only(read_file(Path("t.parquet")))
    assert [column["name"] for column in Describer().columns(of_lists)] == ["group", "tags", "n"]


@pytest.mark.parametrize(
    ("document", "columns", "shape"),
    [
        ({f"word {n}": "pn"[n % 2] for n in range(12)}, ["key", "value"], (12, 2)),
        ({"Tokyo": 13.9, "Osaka": 8, "Kyoto": None, "Nara": 1.3}, ["key", "value"], (4, 2)),
        ({"2019": 1, "2020": 2, "2021": 4}, ["year", "value"], (3, 2)),
        ({"name": "Ada", "born": 1815, "city": "London"}, ["name", "born", "city"], (1, 3)),
        (
            {"0001": {"code": "0001", "name": "み"}, "05": {"code": "05", "name": "三"}},
            ["code", "name"],
            (2, 2),
        ),
        (
            {"a": {"code": "x", "name": "み"}, "b": {"code": "y", "name": "三"}},
            ["key", "code", "name"],
            (2, 3),
        ),
    ],
)
def test_keys_of_an_object_are_a_column_unless_one_has_them(
    document: dict[str, Any], columns: list[str], shape: tuple[int, int]
) -> None:
    frame = only(read_file(written("t.json", json.dumps(document))))
    assert (frame.columns.tolist(), frame.shape) == (columns, shape)


@pytest.mark.parametrize(
    ("rows", "columns", "count"),
    [
        ([["name", "seats"], ["Red", 101], ["Blue", 40]], ["name", "seats"], 2),
        ([["Red", 101], ["Blue", 40]], ["column_1", "column_2"], 2),
    ],
)
def test_rows_that_are_lists_have_the_names_of_the_first_one(
    rows: list[list[Any]], columns: list[str], count: int
) -> None:
    frame = only(read_file(written("t.json", json.dumps(rows))))
    assert (frame.columns.tolist(), len(frame)) == (columns, count)


def test_spaces_before_quotation_marks_are_no_part_of_the_values() -> None:
    text = 'Name,     Medal,  Time\n"Usain Bolt",  "GOLD, 1st", 9.63\n"T. \\"Eddie\\" Tolan", "GOLD", 10.30\n'
    frame = only(read_file(written("sprint.csv", text)))
    assert frame.to_dict("list") == {
        "Name": ["Usain Bolt", 'T. "Eddie" Tolan'],
        "Medal": ["GOLD, 1st", "GOLD"],
        "Time": [9.63, 10.3],
    }
    uneven = 'Name, Medal\nBolt, "GOLD"\nBlake,"SILVER"\n'  # not in every line: the names alone are cleaned
    assert only(read_file(written("uneven.csv", uneven))).columns.tolist() == ["Name", "Medal"]


def test_a_line_of_types_below_complete_names_is_no_part_of_them() -> None:
    text = "#lang,ja,\n#property,town,people\n#type,string,string\n#context,Fact,Fact\n"
    text += "".join(f"{at},town {at},{40 + at * 7 % 13}\n" for at in range(1, 9))
    frame = only(read_file(written("towns.csv", text)))
    assert [*frame.columns] == ["#property", "town", "people"]
    assert len(frame) == 8


def test_a_first_column_of_different_words_without_a_name_is_called_name() -> None:
    text = '"","type","income"\n"pilot","prof",72\n"author","prof",55\n"waiter","bc",8\n"clerk","wc",30\n'
    frame = only(read_file(written("jobs.csv", text)))
    assert [*frame.columns] == ["name", "type", "income"]
    assert frame["income"].tolist() == [72, 55, 8, 30]


@pytest.mark.parametrize(
    ("cells", "kind", "form"),
    [
        (["26/07/13", "27/07/13", "02/08/13"], "date", "%d/%m/%y"),
        (["24/05/31", "24/06/02", "24/06/03"], "date", "%y/%m/%d"),
        (["4,833 票", "- 票", "912 票"], "number", "text"),
        (["56.18%", "-％", "53.76％"], "number", "text"),
        (["134", "130", "64", "66", "72", "Not available"], "number", "text"),
    ],
)
def test_short_years_and_dashes_with_a_unit_are_read(cells: list[str], kind: str, form: str) -> None:
    (described,) = Describer().columns(pd.DataFrame({"x": cells}))
    assert (described["kind"], described.get("form")) == (kind, form)


def test_years_as_numbers_above_columns_of_a_workbook_are_texts_for_code_too() -> None:
    frame = pd.DataFrame([["men", 40, 50, 60], ["women", 42, 51, 65]], columns=["sex", 1990, 2000, 2010])
    frame.to_excel("people.xlsx", index=False)
    assert [*only(read_file(Path("people.xlsx"))).columns] == ["sex", "1990", "2000", "2010"]


def test_a_short_list_for_each_of_many_keys_is_a_row() -> None:
    lists = {f"{at:05}": [at, at * 7 % 13, None] for at in range(1, 81)}
    frame = only(read_file(written("gifts.json", json.dumps(lists))))
    assert [*frame.columns] == ["key", "column_1", "column_2", "column_3"]
    assert frame.iloc[1].tolist()[:3] == ["00002", 2, 1]
    assert len(frame) == 80


def test_the_first_list_of_texts_has_the_names_if_the_others_have_digits() -> None:
    members = [["name", "term", "photo"], *([f"n{at}", f"202{at % 7}-07-28", f"{at}.jpg"] for at in range(9))]
    assert [*only(read_file(written("members.json", json.dumps(members)))).columns] == [
        "name",
        "term",
        "photo",
    ]
    words = [["a", "b"], ["c", "d"], ["e", "f"]]
    assert [*only(read_file(written("words.json", json.dumps(words)))).columns] == ["column_1", "column_2"]


def test_two_numbers_that_count_down_are_no_names() -> None:
    text = "1,1,Ann\n2,1,Bob\n" + "".join(f"{at // 2},{at % 4 + 1},n{at}\n" for at in range(6, 30))
    assert [*only(read_file(written("votes.csv", text))).columns] == ["column_1", "column_2", "column_3"]


def test_names_of_series_above_their_codes_are_the_names() -> None:
    text = "主要統計\n2019/05/16 15:00\n,マネー,マネー\n系列名称,Ｍ２ 平残,Ｍ３ 平残\n"
    text += "データコード,MD02'MAM1YAM2,MD02'MAM1YAM3\n"
    text += "".join(f"20{at // 12 + 10}/{at % 12 + 1:02},{2.4 + at % 7},{3.1 + at % 5}\n" for at in range(30))
    frame = only(read_file(written("money.csv", text)))
    assert [*frame.columns] == ["系列名称", "Ｍ２ 平残", "Ｍ３ 平残"]
    assert len(frame) == 30


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("cp1250", "země,ochrana\nBělorusko,doplňková\nČína,řízení\nUkrajina,žádosti\n"),
        ("iso8859_2", "země,ochrana\nBělorusko,doplňková\nČína,řízení\nUkrajina,žádosti\n"),
        ("cp1250", "województwo,ludność\nłódzkie,średnia\nśląskie,żółty\n"),
        ("iso8859_2", "województwo,ludność\nłódzkie,średnia\nśląskie,żółty\n"),
        ("cp1250", "név,érték\nGyőr,szőlő\nPécs,fűtés\n"),
        ("cp1252", "département,où\nRhône,élevé\nAin,à côté\n"),
        ("cp1252", "Land,Größe\nThüringen,weiß\nÖsterreich,groß\n"),
        ("cp1252", "player,club\nSøren,Malmö\nMartínez,Cádiz\nRenée,Orléans\n"),
        ("cp1252", "região,informação\nMaranhão,população\nCeará,avós\n"),
    ],
)
def test_central_european_letters_are_told_from_western_ones(encoding: str, text: str) -> None:
    text = "".join(f"{line},{at or 'n'}\n" for at, line in enumerate(text.splitlines()))
    Path("places.csv").write_bytes(text.encode(encoding))
    frame = only(read_file(Path("places.csv")))
    assert frame.to_csv(index=False, lineterminator="\n") == text


@pytest.mark.parametrize(
    ("name", "cells", "expected"),
    [
        ("year", ["2015", "2014 1/", "2013 2/ 3/", "2000 r"], [2015, 2014, 2013, 2000]),
        ("年度", ["2018", "2019", "2020*"], [2018, 2019, 2020]),
        ("year", ["2015", "2014", "2013 total"], ["2015", "2014", "2013 total"]),
        ("model", ["2015", "2014", "2013 s"], ["2015", "2014", "2013 s"]),
    ],
)
def test_years_with_marks_of_footnotes_are_years(name: str, cells: list[str], expected: list[Any]) -> None:
    rows = "".join(f"{cell},{at}\n" for at, cell in enumerate(cells))
    frame = only(read_file(written("years.csv", f"{name},sold\n{rows}")))
    assert frame[name].tolist() == expected


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ('"mpg","cyl"\n"Mazda RX4",21,6\n"Datsun 710",22.8,4\n"Valiant",18.1,6\n', ["name", "mpg", "cyl"]),
        ('"name","cyl"\n"r1","Mazda",6\n"r2","Datsun",4\n"r3","Valiant",6\n', ["row_name", "name", "cyl"]),
        ("mpg\tcyl\n1\t21\t6\n2\t22.8\t4\n3\t18.1\t6\n", ["mpg", "cyl"]),
        ('"mpg" "car"\n"1" 21 "Mazda RX4"\n"2" 22.8 "Datsun 710"\n"3" 18.1 "Valiant"\n', ["mpg", "car"]),
        ('mpg cyl\n"Mazda RX4" 21 6\n"Datsun 710" 22.8 4\n"Valiant" 18.1 6\n', ["name", "mpg", "cyl"]),
    ],
    ids=["commas", "a name", "counted", "quoted", "spaces"],
)
def test_row_names_of_r_have_no_name_in_the_header(text: str, names: list[str]) -> None:
    frame = only(read_file(written("cars.csv", text)))
    assert frame.columns.tolist() == names
    assert len(frame) == 3 and not frame.isna().any().any()


def test_a_longer_row_without_names_of_rows_is_refused_as_before() -> None:
    contents = read_file(written("cars.csv", "mpg,cyl\n21,6,1\n22,4,1\n21,6,1\n"))
    assert [problem.code for problem in contents.problems] == ["ragged_first"]
