"""CSV files of rectangles: columns in English and Japanese, units, the direction of y, and bad lines by their numbers."""

from pathlib import Path

import pytest

from smoldesk.buildings.importers.inside.csv_rectangles import is_rectangles_csv, read_csv
from smoldesk.buildings.importers.inside.draft import Unreadable
from smoldesk.buildings.importers.inside.findings import Findings
from smoldesk.buildings.importers.inside.report import read_plan
from smoldesk.buildings.importers.inside.site import Site


def read(text: str, encoding: str = "utf-8") -> tuple[Site, list[tuple[str, str]]]:
    findings = Findings()
    data = text.encode(encoding)
    assert is_rectangles_csv(data)
    site = read_csv(data, findings)
    return site, [
        (place["where"], place["values"].get("message", entry["code"]))
        for entry in findings.entries()
        for place in entry["places"]
    ]


def test_rooms_have_their_floor_kind_numbers_and_aliases() -> None:
    site, _ = read(
        "floor,room,kind,x,y,w,h,no,alias\nB1,Store,storage,0,0,5,4,B101,Stock / Depot\n2F,,,0,0,1,1,201,\n"
    )
    store, second = site.areas
    assert (store.name, store.kind, store.levels, store.aliases) == (
        "Store",
        "storage",
        ["B1"],
        ["Stock", "Depot", "B101"],
    )
    assert (second.name, second.aliases) == ("201", [])
    assert [level.id for level in site.levels] == ["B1", "2F"]


@pytest.mark.parametrize(
    "text",
    [
        "name,x,y,width,height\nA,1,2,3,4",
        "name;x1;y1;x2;y2\nA;1,0;2,0;4,0;6,0",
        "name\tleft\ttop\tright\tbottom\nA\t1\t2\t4\t6",
        "部屋名|ｘ|ｙ|幅|奥行き\nA|１|２|３|４",
        "名称,x1 (mm),y1(mm),x2_mm,y2 mm\nA,1000,2000,4000,6000",
        '"Room name","X min","Y min","X max","Y max"\n"A","1 m","200cm","4","6,000 mm"',
    ],
)
def test_a_rectangle_may_be_a_corner_and_a_size_or_two_corners_in_any_unit(text: str) -> None:
    site, _ = read(text)
    assert site.areas[0].shape.bounds == pytest.approx((1, -6, 4, -2)), "y downwards in the file"


def test_a_bottom_below_the_top_means_that_y_grows_upwards() -> None:
    site, report = read("name,left,top,right,bottom\nA,1,6,4,2")
    assert site.areas[0].shape.bounds == (1, 2, 4, 6)
    assert report == [("line 1", "y_up")]


def test_a_file_in_shift_jis_is_read() -> None:
    site, _ = read("階,部屋名,種別,x,y,幅,高さ\n１階,会議室,会議室,0,0,3,4\n", "cp932")
    assert [(area.name, area.kind, area.levels) for area in site.areas] == [("会議室", "会議室", ["1階"])]


def test_each_bad_line_is_an_error_with_its_number_and_blank_lines_are_none() -> None:
    _, report = read(
        'floor,name,x,y,width,height\n1F,"two\nlines",0,0,1,1\n\n1F,B,0,0,wide,1\n1F,C,0,0,1,-1\n,D,0,0,1,1\n1F,E,0,0\n'
    )
    assert report[:4] == [
        ("line 5, width", "expected"),
        ("line 6", "expected"),
        ("line 7, floor", "missing"),
        ("line 8, width", "expected"),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "name,x,y,width\nA,1,2,3",
            "The columns of a rectangle are missing: the file has name, x, y, width.",
        ),
        ("name,room,x,y,width,height\nA,A,1,2,3,4", "Two columns mean name: 'name' and 'room'."),
        ("name,x,y,width,height\n", "has no room"),
    ],
)
def test_a_file_without_a_rectangle_s_columns_names_those_that_are_expected(text: str, expected: str) -> None:
    with pytest.raises(Unreadable) as caught:
        read(text)
    assert expected in caught.value.message


@pytest.mark.parametrize("data", [b"", b"a,b\n1,2\n", b"\x00\x01\x02name,x,y", b"{}", b"name\nx", b"<a/>"])
def test_another_file_is_no_table_of_rectangles(data: bytes) -> None:
    assert not is_rectangles_csv(data)


def test_a_table_of_rectangles_becomes_a_plan_by_its_content_not_its_name(tmp_path: Path) -> None:
    file = tmp_path / "plan"
    file.write_text(
        "階,部屋名,x,y,幅,高さ\n1F,受付,0,0,4,3\n1F,廊下,4,0,4,3\n2F,会議室,0,0,4,3\n", encoding="cp932"
    )
    draft = read_plan(file, Findings())
    assert draft.format == "csv"
    assert [[room["name"] for room in floor["rectangles"]] for floor in draft.floors] == [
        ["受付", "廊下"],
        ["会議室"],
    ]
