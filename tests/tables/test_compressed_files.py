"""Compressed tables, Arrow, Feather, GeoJSON and years in JSON: what was written comes back, also by the expression for
code; and signs for missing numbers.
"""

import gzip
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow
import pytest

from smoldesk.tables.inside import archives
from smoldesk.tables.inside.read_options import ReadOptions
from smoldesk.tables.inside.reading import read_file
from smoldesk.tables.inside.shapes import FileContents, Table
from tests.support.loaded_tables import assert_loads_alike

FRAME = pd.DataFrame({"都市": ["東京", "大阪", "京都"], "売上": [1.5, 2.0, 3.25], "member.csv": [1, 2, 3]})


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def written(suffix: str, encoding: str = "utf-8") -> bytes:
    out = io.BytesIO()
    match suffix:
        case "csv":
            return FRAME.to_csv(index=False).encode(encoding)
        case "json" | "jsonl":
            return FRAME.to_json(orient="records", lines=suffix == "jsonl", force_ascii=False).encode()
        case "xlsx":
            FRAME.to_excel(out, index=False)
        case "parquet":
            FRAME.to_parquet(out)
        case _:
            FRAME.to_feather(out)
    return out.getvalue()


def zipped(path: Path, **members: bytes) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return path


def checked(contents: FileContents, *names: str) -> list[Table]:
    """The tables, whose expressions load what was read and are accepted by the server."""
    assert [table.name for table in contents.tables] == [*names]
    for table in contents.tables:
        assert_loads_alike(table)
    return contents.tables


SUFFIXES = ("csv", "json", "jsonl", "xlsx", "parquet", "feather")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_gzip_file_is_the_table_inside(here: Path, suffix: str) -> None:
    (here / f"sales.{suffix}.gz").write_bytes(gzip.compress(written(suffix)))
    contents = read_file(here / f"sales.{suffix}.gz")
    [table] = checked(contents, "sales")
    pd.testing.assert_frame_equal(table.frame, FRAME)
    assert contents.problems == []


def test_an_archive_of_one_table_is_that_table_with_its_settings(here: Path) -> None:
    contents = read_file(
        zipped(here / "sales.zip", **{"dir/t.csv": written("csv", "cp932"), "__MACOSX/._t.csv": b"x"})
    )
    [table] = checked(contents, "sales")
    pd.testing.assert_frame_equal(table.frame, FRAME)
    assert (contents.problems, contents.read_as["format"], contents.read_as["encoding"]) == (
        [],
        "text",
        "cp932",
    )


def test_several_tables_of_an_archive_are_a_choice_and_other_files_are_named(here: Path) -> None:
    members = {f"t{number}.{suffix}": written(suffix) for number, suffix in enumerate(SUFFIXES)}
    path = zipped(here / "all.zip", **members, **{"read me.txt": b"hello", "売上.csv": written("csv")})
    contents = read_file(path)
    tables = checked(contents, *(f"t{number}" for number in range(len(SUFFIXES))), "売上")
    assert all(table.frame.equals(FRAME) for table in tables)
    assert [problem.message for problem in contents.problems] == [
        "Other files in it are not read: read me.txt."
    ]
    assert (contents.read_as["format"], contents.read_as["sheets"]) == ("archive", [*members, "売上.csv"])
    chosen = read_file(path, options=ReadOptions(sheet="売上.csv", header=2))
    assert (len(checked(chosen, "売上")[0].frame), chosen.read_as["sheet"]) == (2, "売上.csv")


def test_lines_that_a_member_leaves_out_are_reported(here: Path) -> None:
    totals = b"shop,sold\nNorth,1\nSouth,2\nWest,4\nTotal,7\n"
    contents = read_file(zipped(here / "a.zip", **{"b.csv": b"x,y\n1,2\n", "c.csv": totals}))
    checked(contents, "b", "c")
    [problem] = contents.problems
    assert (problem.where, problem.message[:35]) == ("file 'c.csv'", "1 lines are not rows of the table (")


def test_names_of_a_japanese_archive_without_their_encoding_are_read(here: Path) -> None:
    shift_jis = "売上.csv".encode("cp932")
    path = zipped(here / "a.zip", **{"b.csv": b"x,y\n1,2\n", "x" * len(shift_jis): written("csv")})
    path.write_bytes(path.read_bytes().replace(b"x" * len(shift_jis), shift_jis))
    checked(read_file(path), "b", "売上")


@pytest.mark.parametrize("compression", [None, "zstd", "lz4"])
@pytest.mark.parametrize("is_stream", [False, True])
def test_an_arrow_file_or_stream_comes_back(here: Path, compression: str | None, is_stream: bool) -> None:
    arrow = pyarrow.Table.from_pandas(FRAME)
    options = pyarrow.ipc.IpcWriteOptions(compression=compression)
    new = pyarrow.ipc.new_stream if is_stream else pyarrow.ipc.new_file
    with new(here / "t.arrow", arrow.schema, options=options) as writer:
        writer.write_table(arrow, max_chunksize=2)
    [table] = checked(read_file(here / "t.arrow"), "t")
    pd.testing.assert_frame_equal(table.frame, FRAME)


def feature(properties: Any, shape: str, coordinates: Any) -> dict[str, Any]:
    geometry = {"type": shape, "coordinates": coordinates}
    return {"type": "Feature", "properties": properties, "geometry": geometry}


def collection(path: Path, *features: Any) -> Path:
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    return path


@pytest.mark.parametrize("name", ["places.geojson", "places.json"])
def test_the_features_of_geojson_are_rows_and_points_have_their_place(here: Path, name: str) -> None:
    path = collection(
        here / name,
        feature({"n": "a", "v": 1}, "Point", [1, 2]),
        feature({"n": "b", "longitude": 7}, "Point", [3, 4]),
    )
    contents = read_file(path)
    [table] = checked(contents, "places")
    assert [*table.frame.columns] == ["n", "v", "longitude_", "latitude", "longitude"]
    assert (table.frame["longitude_"].tolist(), contents.problems) == ([1, 3], [])


def test_shapes_that_are_not_in_the_table_are_reported_and_a_building_is_recognised(here: Path) -> None:
    ring = [[[0, 0], [1, 0], [1, 1], [0, 0]]]
    path = collection(
        here / "b.geojson", feature({"level": 1}, "Polygon", ring), feature(None, "Point", [1, 2])
    )
    contents = read_file(path)
    assert checked(contents, "b")[0].frame["geometry"].tolist() == ["Polygon", "Point"]
    first, second = (problem.message for problem in contents.problems)
    assert "1 Polygon" in first
    assert "drop it on the map" in second


@pytest.mark.parametrize(
    ("features", "text"),
    [
        ([], "no feature"),
        ([{"properties": 3}], "item 1: Here is no feature"),
        ([7], "item 1: Here is no feature"),
    ],
)
def test_geojson_without_rows_is_explained(here: Path, features: list[Any], text: str) -> None:
    [problem] = read_file(collection(here / "x.geojson", *features)).problems
    assert text in f"{problem.where}: {problem.message}"


@pytest.mark.parametrize(
    ("data", "columns", "first"),
    [
        (
            {"Tokyo": {"2019": 1, "2020": 2}, "Osaka": {"2019": 3, "2020": 4}},
            ["year", "Tokyo", "Osaka"],
            [2019, 1, 3],
        ),
        ({"2019": {"a": 1, "b": 2}, "2020": {"a": 3, "b": 4}}, ["year", "a", "b"], [2019, 1, 2]),
        ({"Tokyo": {"area": 1, "rank": 2}, "Osaka": {"area": 3}}, ["key", "area", "rank"], ["Tokyo", 1, 2]),
        ({"x": {"key": 1}, "y": {"key": 3}}, ["key_", "key"], ["x", 1]),
        # Lists of records of the same fields are below each other.
        ({at: [{"c": at, "x": 1}, {"c": at, "x": 3}] for at in "abc"}, ["c", "x"], ["a", 1]),
        ({str(at): [{"c": 5, "x": 7}] for at in (2019, 2021, 2025)}, ["year", "c", "x"], [2019, 5, 7]),
        ([{"c": "a", "2019": 1, "2020": 3}], ["c", "2019", "2020"], ["a", 1, 3]),
    ],
)
def test_keys_of_json_that_say_something_are_a_column(
    here: Path, data: Any, columns: list[str], first: list[Any]
) -> None:
    (here / "t.json").write_text(json.dumps(data))
    [table] = checked(read_file(here / "t.json"), "t")
    assert [*table.frame.columns] == columns
    assert [*table.frame.iloc[0]] == first


SIGNS = (
    "area,people,cost,grade,code,name,mixed\n"
    "A,10,1.5,X,001,-,3\nB,-,(D),Y,-,x,4\nC,…,***,X,003,None,-\nD,12,2,Z,004,b,x\nE,X,4,X,005,c,many\nF,1,3,Z,006,d,5\n"
)


@pytest.mark.parametrize("suffix", ["csv", "xlsx"])
def test_signs_are_blank_among_numbers_and_values_among_words_and_codes(here: Path, suffix: str) -> None:
    if suffix == "csv":
        (here / "t.csv").write_text(SIGNS)
    else:
        pd.read_csv(io.StringIO(SIGNS), dtype="str", keep_default_na=False).to_excel(
            here / "t.xlsx", index=False
        )
    contents = read_file(here / f"t.{suffix}")
    [table] = checked(contents, "t")
    people, cost = table.frame["people"], table.frame["cost"]
    assert [people.count(), people.sum(), cost.count(), cost.sum()] == [3, 23, 4, 10.5]
    assert table.frame["grade"].tolist() == ["X", "Y", "X", "Z", "X", "Z"]
    assert table.frame["code"].tolist() == ["001", "-", "003", "004", "005", "006"]
    assert table.frame["name"].tolist() == ["-", "x", "None", "b", "c", "d"]
    assert table.frame["mixed"].tolist() == ["3", "4", "-", "x", "many", "5"]
    assert [problem.message for problem in contents.problems] == [
        "Read as blank cells of numbers: (D) *** - X … in people, cost."
    ]


# --- what harms ------------------------------------------------------------------------------------------------------


def test_bombs_are_unpacked_up_to_the_limit_only(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_UNPACKED", 60_000)
    (here / "bomb.csv.gz").write_bytes(gzip.compress(b"1,2\n" * 5_000) * 4)
    half = b"x,y\n" + b"1,2\n" * 10_000
    zipped(here / "bombs.zip", **{"a.csv": b"x\n1\n", "b.csv": half, "c.csv": half})
    for name, where in (("bomb.csv.gz", ""), ("bombs.zip", "file 'c.csv'")):
        [problem] = read_file(here / name).problems
        assert "It unpacks to more than" in problem.message
        assert problem.where == where
    assert [table.name for table in read_file(here / "bombs.zip").tables] == ["a", "b"]


@pytest.mark.parametrize(
    ("name", "content", "text"),
    [
        (
            "zips.zip",
            {"a.zip": b"PK\x05\x06" + b"\0" * 18, "b.zip": b"PK\x05\x06"},
            "No file in it is a table",
        ),
        ("shop.zip", {"shop.db": b"SQLite format 3\x00"}, "No file in it is a table"),
        ("empty.zip", {}, "No file in it is a table"),
        ("text.zip", b"a,b\n1,2\n", "It is not a zip archive"),
        ("cut.zip", b"PK\x03\x04" + b"x" * 50, "cut off or damaged"),
        ("cut.csv.gz", gzip.compress(b"a,b\n1,2\n" * 100, mtime=0)[:-12], "cut off or damaged"),
        ("text.csv.gz", b"a,b\n1,2\n", "It is not a gzip file"),
        ("all.tar.gz", gzip.compress(b"x", mtime=0), "It holds 'all.tar'"),
        ("zip.zip.gz", gzip.compress(b"x", mtime=0), "It holds 'zip.zip'"),
        ("cut.arrow", b"ARROW1\0\0" + b"x" * 30, "cut off or damaged"),
        ("text.feather", b"a,b\n1,2\n", "It is not an Arrow file"),
        ("stream.arrow", b"\xff\xff\xff\xff\xff\xff\xff\x7f", "cut off or damaged"),
    ],
)
def test_a_broken_or_nested_archive_is_explained(here: Path, name: str, content: Any, text: str) -> None:
    path = here / name
    if isinstance(content, dict):
        zipped(path, **content)
    else:
        path.write_bytes(content)
    contents = read_file(path)
    assert contents.tables == []
    assert text in " ".join(problem.message for problem in contents.problems)


def test_an_encrypted_member_is_named_and_the_others_are_read(here: Path) -> None:
    path = zipped(here / "t.zip", **{"open.csv": b"a,b\n1,2\n", "shut.csv": b"a,b\n1,2\n"})
    data = bytearray(path.read_bytes())
    for mark, offset in ((b"PK\x01\x02", 8), (b"PK\x03\x04", 6)):  # the flags of the last member
        data[data.rfind(mark) + offset] |= 1
    path.write_bytes(bytes(data))
    contents = read_file(path)
    assert [table.name for table in contents.tables] == ["open"]
    assert [(problem.where, "encrypted" in problem.message) for problem in contents.problems] == [
        ("file 'shut.csv'", True)
    ]
