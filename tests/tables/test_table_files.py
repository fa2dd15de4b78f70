"""Files that hold tables, as a child reads them: what pandas wrote comes back, also by the expression for code."""

import json
import sqlite3
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from smoldesk.tables.inside.reading import read_file, read_tables
from smoldesk.tables.inside.shapes import FileContents, Table, Unreadable
from tests.support import hostile_files

JAPANESE = pd.DataFrame(
    {
        "都市": ["東京", "大阪", "名古屋"],
        "売上": [1.5, -2.25, 3.125],
        "数": [1, 2, 3],
        "休": [True, False, True],
    }
)
WESTERN = pd.DataFrame(
    {"ville": ["Orléans", "Nîmes", "Besançon"], "prix": [1.5, -2.25, 3.125], "ouvert": [True, False, True]}
)
RUSSIAN = pd.DataFrame({"город": ["Москва", "Санкт-Петербург", "Нижний Новгород", "Екатеринбург"] * 8})
RUSSIAN["описание"] = "самый большой город области, где живут разные люди"
SEPARATORS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|"}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The chat's folder, which is where code runs."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


def loaded(table: Table) -> Any:
    """What code gets that uses the table's expression."""
    return eval(table.load, {"pd": pd, "json": json, "sqlite3": sqlite3})


def only(path: Path) -> Table:
    reading = read_file(path)
    assert reading.problems == []
    (table,) = reading.tables
    return table


def assert_comes_back(path: Path, frame: pd.DataFrame) -> None:
    table = only(path)
    pd.testing.assert_frame_equal(table.frame, frame)
    pd.testing.assert_frame_equal(loaded(table), frame)


def problem(path: Path) -> str:
    """The one thing that is wrong with a file without tables, with its place."""
    reading = read_file(path)
    assert reading.tables == []
    (only,) = reading.problems
    return f"{only.where}: {only.message}"


# --- text, however it is written -------------------------------------------------------------------------------


@pytest.mark.parametrize("separator", SEPARATORS.values(), ids=SEPARATORS)
@pytest.mark.parametrize(
    ("frame", "encoding"),
    [
        *((JAPANESE, name) for name in ("utf-8", "utf-8-sig", "cp932", "euc_jp", "iso2022_jp", "utf-32")),
        *((JAPANESE, name) for name in ("utf-16", "utf-16-le", "utf-16-be")),
        *((WESTERN, name) for name in ("utf-8", "latin-1", "cp1252", "utf-16", "utf-16-le")),
        (RUSSIAN, "cp1251"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_text_table_comes_back_in_every_encoding_and_with_every_separator(
    here: Path, frame: pd.DataFrame, encoding: str, separator: str
) -> None:
    decimal = "," if separator == ";" else "."
    frame.to_csv(here / "t.csv", index=False, encoding=encoding, sep=separator, decimal=decimal)
    assert_comes_back(here / "t.csv", frame)


WORDS = st.text(st.sampled_from("abc éüß東京カナ,;|\t\"'.-"), min_size=1, max_size=12).map(
    lambda word: f"w{word}w"
)


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(st.tuples(WORDS, st.integers(-1000, 1000), st.booleans()), min_size=2, max_size=20),
    separator=st.sampled_from(list(SEPARATORS.values())),
)
def test_any_text_in_the_cells_comes_back(
    here: Path, rows: list[tuple[str, int, bool]], separator: str
) -> None:
    frame = pd.DataFrame(rows, columns=["name", "number", "flag"])
    frame.to_csv(here / "any.csv", index=False, sep=separator)
    assert_comes_back(here / "any.csv", frame)


@pytest.mark.parametrize(
    ("text", "values", "options"),
    [
        ("a;b\n1,5;x\n2,75;y\n", [1.5, 2.75], ', sep=";", decimal=","'),
        ("a;b\n1.234,50;x\n2.000,75;y\n", [1234.5, 2000.75], ', sep=";", decimal=",", thousands="."'),
        ('a,b\n"1,5",x\n"2,75",y\n', [1.5, 2.75], ', decimal=","'),
        ('a,b\n"1,234.50",x\n"2,000.75",y\n', [1234.5, 2000.75], ', thousands=","'),
        ("a,b\n1.5,x\n2.75,y\n", [1.5, 2.75], ""),
        ("a\n1,5\n2,75\n", [1.5, 2.75], ', sep=";", decimal=","'),
        ("a,b\n1,x,\n2,y,\n", [1, 2], ", index_col=False"),
    ],
)
def test_numbers_are_read_as_they_are_written(
    here: Path, text: str, values: list[float], options: str
) -> None:
    (here / "n.csv").write_text(text)
    table = only(here / "n.csv")
    assert list(table.frame["a"]) == values
    assert table.load == f'pd.read_csv("n.csv"{options})'


def test_commas_in_words_are_no_decimals_and_codes_with_zeros_stay_what_pandas_makes_of_them(
    here: Path,
) -> None:
    (here / "t.csv").write_text("a;b\nred, green;1.5\nblue;2\n")
    assert only(here / "t.csv").load == 'pd.read_csv("t.csv", sep=";")'


def test_a_few_damaged_letters_are_shown_and_told_of(here: Path) -> None:
    (here / "t.csv").write_bytes("都市,数\n".encode() + "東京,1\n".encode() * 20 + b"\xff\xfe,2\n")
    reading = read_file(here / "t.csv")
    assert len(reading.tables[0].frame) == 21
    assert reading.problems[0].where == "line 22, byte 191"
    assert len(loaded(reading.tables[0])) == 21


def test_a_name_cannot_end_the_string_it_stands_in(here: Path) -> None:
    for name in ("=cmd|' &calc'!A0.csv", 'a"+b.csv', "a\\b.csv", "<code>x.csv", "売上 2024.csv", "{x}.csv"):
        (here / name).write_text("a\n1\n")
        table = only(here / name)
        assert loaded(table).equals(table.frame)
        assert "<code" not in table.load


# --- other kinds -----------------------------------------------------------------------------------------------


def test_every_sheet_of_a_workbook_is_a_table(here: Path) -> None:
    with pd.ExcelWriter(here / "book.xlsx") as book:
        JAPANESE.to_excel(book, sheet_name="店舗", index=False)
        pd.DataFrame().to_excel(book, sheet_name="empty")
        WESTERN.to_excel(book, sheet_name="Data 2", index=False)
    reading = read_file(here / "book.xlsx")
    assert [table.name for table in reading.tables] == ["book_店舗", "book_Data 2"]
    for table, frame in zip(reading.tables, (JAPANESE, WESTERN), strict=True):
        pd.testing.assert_frame_equal(table.frame, frame)
        pd.testing.assert_frame_equal(loaded(table), frame)
    WESTERN.to_excel(here / "one.xlsx", index=False)
    assert only(here / "one.xlsx").name == "one"


def test_formulas_that_were_never_computed_are_told_of(here: Path) -> None:
    import openpyxl

    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in (["a", "b"], [1, "=A2*2"], [2, "=cmd|' /C calc'!A0"]):
        sheet.append(row)
    book.save(here / "f.xlsx")
    reading = read_file(here / "f.xlsx")
    assert reading.tables[0].name == "f"
    assert reading.problems[0].where == "sheet 'Sheet', cell B2"
    assert reading.problems[0].message.startswith("2 formulas without a stored result")


def test_a_parquet_file_comes_back(here: Path) -> None:
    JAPANESE.to_parquet(here / "p.parquet")
    assert_comes_back(here / "p.parquet", JAPANESE)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("r.json", {"orient": "records"}),
        ("r.json", {"orient": "records", "force_ascii": False}),
        ("c.json", {"orient": "columns"}),
        ("s.json", {"orient": "split"}),
        ("t.json", {"orient": "table", "index": False}),
        ("l.jsonl", {"orient": "records", "lines": True}),
        ("l.json", {"orient": "records", "lines": True}),
    ],
)
def test_json_comes_back_in_every_orientation(here: Path, name: str, options: dict[str, Any]) -> None:
    JAPANESE.to_json(here / name, **options)
    table = only(here / name)
    pd.testing.assert_frame_equal(table.frame, JAPANESE, check_index_type=False)
    pd.testing.assert_frame_equal(loaded(table), table.frame)


def test_nested_json_becomes_columns_and_lists_of_records_become_tables(here: Path) -> None:
    (here / "n.json").write_text(json.dumps([{"a": {"b": 1, "c": {"d": 2}}}, {"a": {"b": 3}}]))
    assert list(only(here / "n.json").frame.columns) == ["a.b", "a.c.d"]
    (here / "api.json").write_text(json.dumps({"count": 2, "results": [{"x": 1}, {"x": 2}]}))
    table = only(here / "api.json")
    assert (table.name, list(table.frame["x"]), list(loaded(table)["x"])) == ("api", [1, 2], [1, 2])
    (here / "two.json").write_text(json.dumps({"users": [{"x": 1}], "orders": [{"y": 1}]}))
    assert list(read_tables(here / "two.json")) == ["two_users", "two_orders"]


def test_every_table_of_a_database_comes_back_and_views_are_left_alone(here: Path) -> None:
    with sqlite3.connect(here / "shop.db") as database:
        JAPANESE.drop(columns="休").to_sql("order", database, index=False)
        WESTERN.drop(columns="ouvert").to_sql("my table", database, index=False)
        database.execute('CREATE VIEW "all" AS SELECT * FROM "order"')
    database.close()
    before = (here / "shop.db").read_bytes()
    reading = read_file(here / "shop.db")
    assert [table.name for table in reading.tables] == ["order", "my table"]
    for table in reading.tables:
        pd.testing.assert_frame_equal(loaded(table), table.frame)
    assert reading.tables[0].frame["都市"].tolist() == ["東京", "大阪", "名古屋"]
    assert (here / "shop.db").read_bytes() == before


def test_a_database_with_only_an_endless_view_says_that_views_are_not_run(here: Path) -> None:
    with sqlite3.connect(here / "views.db") as database:
        endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
        database.execute(f"CREATE VIEW endless AS {endless}")
    database.close()
    reading = read_file(here / "views.db")
    assert reading.tables == []
    assert "only views, which are not run: endless" in reading.problems[0].message


@pytest.mark.parametrize(
    "wide",
    [
        lambda names: [dict.fromkeys(names, 1)],
        lambda names: dict(zip(names, [1, "x"] * (len(names) // 2), strict=True)),
        lambda names: {name: [1] for name in names},
        lambda names: {"outer": dict.fromkeys(names, 1)},
        lambda names: [list(range(len(names)))],
        lambda names: [{name: 1} for name in names],
        lambda names: {name: {"0": 1, "1": 2} for name in names},
        lambda names: {"columns": names, "data": []},
    ],
    ids=["record", "object", "columns", "nested", "lists", "sparse", "pandas", "split"],
)
def test_json_of_300_000_columns_is_refused_before_a_table_is_made_of_it(here: Path, wide: Any) -> None:
    (here / "wide.json").write_text(json.dumps(wide([f"c{number}" for number in range(300_000)])))
    reading = read_file(here / "wide.json")
    assert [problem.message for problem in reading.problems] == [
        "It has 300,000 columns; at most 10,000 are read."
    ]


# --- what is wrong, and where ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "content", "text"),
    [
        ("r.csv", b"a,b\n1,2\n3,4,5\n", "line 3: Here are 3 values, but the lines before have 2"),
        ("h.csv", b"a,b\n1,2,3\n4,5,6\n", "line 2: Here are 3 values, but the header names 2 columns"),
        ("q.csv", b'a,b\n1,"x\n3,4,5,6\n7\n', "row 2: A quotation mark is opened here and never closed"),
        ("z.csv", b"a,b\n1,2\n3,\x004\n", "line 3, byte 10: The file contains a zero byte"),
        ("u.csv", b"\xff\xfea\x00,\x00\x00", "byte 6: By its mark it is UTF-16"),
        ("b.csv", b"\n \n\n", "nothing in it but blank lines"),
        ("l.csv", b"a," * 2_500_000, "line 1: This line is longer than 4,000,000 bytes"),
        ("w.csv", b"a," * 50_000, "line 1: It has"),
        ("i.csv", b"\x89PNG\r\n\x1a\n", "byte 0: By its name it is a text table, but it is a PNG image"),
        ("x.csv", b"PK\x03\x04....", "but it is a zip archive or an Office document"),
        ("t.xlsx", b"a,b\n1,2\n", "byte 0: It is not an Excel workbook: it begins with"),
        ("p.xlsx", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old or password-protected Office document"),
        ("c.xlsx", b"PK\x03\x04cut off", "The file is cut off or damaged"),
        ("o.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "It cannot be read as a workbook"),
        ("g.parquet", b"PAR1" + b"\x07" * 500, "cut off or damaged"),
        ("g.parquet", b"garbage" * 100, "byte 0: It is not a Parquet file"),
        ("m.parquet", b"PAR1" + b"\xff" * 40 + b"\xff\xff\xff\x7fPAR1", "cut off or damaged"),
        ("v.json", b'[{"a": 1},\n {"a": }]', "line 2, column 8: Expected a value, found '}]'"),
        ("e.json", b'[{"a": 1},\n {"a": 1', "line 2, column 9: The file ends in the middle of a value"),
        ("l.jsonl", b'{"a": 1}\n{"a": \n', "line 2, column 7: The file ends in the middle of a value"),
        ("d.json", b"[" * 1_000_000, "nested deeper"),  # Python 3.14 parses tens of thousands of levels
        ("d.jsonl", b'{"a": 1}\n' + b"[" * 1_000_000, "line 2: Its values are nested deeper"),
        ("e.json", b'{"a":' * 20_000 + b"1" + b"}" * 20_000, "nested deeper"),
        ("n.json", b"1" * 5_000, "a value that cannot be read"),
        ("s.json", b'"hello"', "There is no table in it, but a text"),
        ("m.json", b'[{"a": 1}, 7]', "item 2: Expected a record, but here is a number"),
        ("c.json", b'{"a": [1, 2], "b": [1]}', "Its columns have different lengths: a 2, b 1"),
        ("t.db", b"not a database at all", "byte 0: It is not an SQLite database"),
        ("g.db", b"SQLite format 3\x00" + b"\x01" * 5_000, "damaged"),
        ("notes.txt", b"hello", "The suffix of its name is not that of a table"),
    ],
)
def test_a_broken_file_is_explained_with_its_place(here: Path, name: str, content: bytes, text: str) -> None:
    (here / name).write_bytes(content)
    assert text in problem(here / name)
    with pytest.raises(Unreadable):
        read_tables(here / name)


def test_a_file_of_too_many_columns_is_refused_by_their_number(here: Path) -> None:
    columns = [f"c{place}" for place in range(10_001)]
    pd.DataFrame([[1] * len(columns)], columns=columns).to_parquet(here / "w.parquet")
    assert "It has 10,001 columns; at most 10,000 are read" in problem(here / "w.parquet")


def test_hostile_workbooks_and_databases_give_words_and_what_is_harmless_in_them(here: Path) -> None:
    (here / "laughs.xlsx").write_bytes(hostile_files.billion_laughs())
    assert "its XML declares entities" in problem(here / "laughs.xlsx")
    (here / "entity.xlsx").write_bytes(hostile_files.foreign_entity())
    assert "its XML declares entities" in problem(here / "entity.xlsx")
    hostile_files.too_many_pages(here / "pages.db")
    assert "The file is cut off or damaged" in problem(here / "pages.db")
    hostile_files.hostile_database(here / "hostile.db")
    reading = read_file(here / "hostile.db")
    assert [(table.name, len(table.frame)) for table in reading.tables] == [("plain", 1)]
    assert [problem.where for problem in reading.problems] == ["table 'huge'"]
    assert "too big" in reading.problems[0].message


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    ending=st.sampled_from(["csv", "xlsx", "parquet", "json", "jsonl", "db"]),
    content=st.one_of(
        st.binary(max_size=400),
        st.text(max_size=200).map(lambda text: text.encode()),
        st.sampled_from([b"PK\x03\x04", b"PAR1", b"SQLite format 3\x00", b"\xff\xfe", b"[{"]).flatmap(
            lambda start: st.binary(max_size=200).map(lambda remaining: start + remaining)
        ),
    ),
)
def test_no_bytes_make_reading_raise(here: Path, ending: str, content: bytes) -> None:
    (here / f"x.{ending}").write_bytes(content)
    reading: FileContents = read_file(here / f"x.{ending}")
    assert reading.tables or reading.problems
    assert all(problem.message for problem in reading.problems)
