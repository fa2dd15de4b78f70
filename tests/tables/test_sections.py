"""Tables of statistics offices: headings of sections among the rows, stretched names, notes below."""

from pathlib import Path

import pandas as pd
import pytest

from smoldesk.tables.inside.columns import Describer
from smoldesk.tables.inside.reading import read_file
from smoldesk.tables.inside.shapes import FileContents
from tests.support.loaded_tables import assert_loads_alike

AGES = "\n".join(
    f"{age},{number},{number // 2}" for age, number in (("総　数", 100), ("若年", 40), ("老年", 60))
)
FORECAST = f"年齢,人 口,女\n(1)2015年,,\n{AGES}\n(2)2020年,,\n{AGES}\n\n1) 各年10月1日の人口である.\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def read(text: str) -> tuple[pd.DataFrame, FileContents]:
    Path("t.csv").write_text(text)
    contents = read_file(Path("t.csv"))
    assert_loads_alike(contents.tables[0])
    return contents.tables[0].frame, contents


def test_headings_of_sections_are_a_column_and_noted() -> None:
    frame, contents = read(FORECAST)
    assert frame.columns.tolist() == ["区分", "年齢", "人口", "女"]
    assert frame["区分"].value_counts().to_dict() == {"(1)2015年": 3, "(2)2020年": 3}
    assert [(problem.code, problem.is_note) for problem in contents.problems] == [("sections", True)]
    assert [line["why"] for line in contents.read_as["left_out"]] == ["note"]


def test_the_total_of_each_section_is_the_whole_of_its_column() -> None:
    frame, _ = read(FORECAST)
    described = {column["name"]: column.get("whole") for column in Describer().columns(frame)}
    assert described["年齢"] == "総　数"


@pytest.mark.parametrize(
    "text",
    [
        "town,people,cars\nAda,,\nBor,10,3\nCid,,\nDan,20,5\nEve,30,7\n",  # towns without figures
        "town,people,cars\nAda,10,2\nNorth,,\nBor,10,3\nCid,5,2\nDan,20,5\n",  # nothing above the first rows
    ],
)
def test_rows_that_only_lack_their_figures_stay_rows(text: str) -> None:
    frame, contents = read(text)
    assert (frame.columns.tolist(), len(frame)) == (["town", "people", "cars"], 5)
    assert contents.problems == []


def test_spaces_around_names_are_removed() -> None:
    frame, _ = read("  Ix,    Iy,   city\n10.0,   8.04,   a\n 8.0,   6.95,   b\n")
    assert frame.columns.tolist() == ["Ix", "Iy", "city"]


def test_a_title_with_the_unit_of_all_figures_is_no_name() -> None:
    head = "表10 総人口の推計,,,,（1,000人）\n年次,高位,高位,低位,低位\n,出生,死亡,出生,死亡\n"
    frame, _ = read(head.replace("1,000", "千") + "2015,5,4,3,2\n2016,6,5,4,3\n2017,7,6,5,4\n")
    assert frame.columns.tolist() == ["年次", "高位 出生", "高位 死亡", "低位 出生", "低位 死亡"]


def test_a_title_with_the_day_of_the_table_is_no_name() -> None:
    head = "報告数,,,,\n2025年01週(12月30日～01月05日),2025年01月09日作成,,,\n,結核,,梅毒,\n,報告,累積,報告,累積\n"
    frame, _ = read(head + "北海道,5,14,3,2\n青森県,6,25,4,3\n岩手県,7,36,5,4\n")
    assert frame.columns.tolist() == ["名前", "結核 報告", "結核 累積", "梅毒 報告", "梅毒 累積"]


def test_a_word_over_the_years_is_in_their_names() -> None:
    head = "国勢調査,,,\n,,,\n,,人口総数（人）,,\n市区町村名,市区町村コード,1990年,2000年,2010年\n"
    frame, _ = read(head + "".join(f"町{at},0{at},{at}1,{at}2,{at}3\n" for at in range(10, 16)))
    years = [f"{year}年（人口総数）" for year in (1990, 2000, 2010)]
    assert frame.columns.tolist() == ["市区町村名", "市区町村コード", *years]
    assert [column["role"] for column in Describer().columns(frame)][2:] == ["period"] * 3


def test_many_long_names_lose_what_is_in_brackets() -> None:
    names = [f"疾病{at}（{'a long name in another language ' * 3}）" for at in range(80)]
    head = ",".join(["", *(f"{name}," for name in names)]) + "\n" + ",男,女" * 80 + "\n"
    frame, _ = read(head + "".join(f"市{row}" + f",{row},1" * 80 + "\n" for row in range(10, 16)))
    assert frame.columns[:4].tolist() == ["名前", "疾病0 男", "疾病0 女", "疾病1 男"]


def test_the_sum_of_a_prefecture_is_the_whole_of_its_towns() -> None:
    frame, _ = read(
        "市町村,人口\n" + "".join(f"町{at},{at}\n" for at in range(10, 40)) + "県計,735\n飛地,1\n"
    )
    whole = {column["name"]: column.get("whole") for column in Describer().columns(frame)}
    assert whole["市町村"] == "県計"


def test_overrides_of_the_direction_in_names_are_removed() -> None:
    frame, _ = read("מחיר\u202e)evil,مبيعات\u200f\n1.5,2\n3.5,4\n")
    assert frame.columns.tolist() == ["מחיר)evil", "مبيعات\u200f"]


# A header on three lines, the last with the years; ages are spelled downwards beside the states; each age has its sum.
DEATHS = """表1 死者数の推移,,,,,,
,,,,,,（各年5月末）
,年,平成,平成,令和,,
,,29年,30年, 元年,,
年齢層・状態,,(2017),(2018),(2019),増減数,指数
,自動車,57,49,52,-5,91
65,自転車,30,20,23,-7,77
｜,歩行中,63,51,59,-4,94
,計,150,120,134,-16,89
,自動車,38,50,45,7,118
70,自転車,48,29,22,-26,46
歳,歩行中,81,83,72,-9,89
,計,167,162,139,-28,83
,自動車,95,99,97,2,102
合,自転車,78,49,45,-33,58
計,歩行中,144,134,131,-13,91
,計,317,282,273,-44,86
"""


def test_years_below_other_lines_name_the_columns_and_spelled_labels_their_rows() -> None:
    frame, contents = read(DEATHS)
    assert frame.columns.tolist() == ["年齢層", "状態", "2017年", "2018年", "2019年", "増減数", "指数"]
    assert frame["年齢層"].tolist() == ["65｜"] * 3 + ["70歳"] * 3
    assert frame["2017年"].sum() == 317
    assert [line["line"] for line in contents.read_as["left_out"] if line["why"] == "total"] == [
        str(line) for line in (9, 13, *range(14, 18))
    ]


@pytest.mark.parametrize(
    "text",
    [
        ",first,second,third\nAda,1990,1991,1995\nBob,1,2,3\nCy,4,5,6\nDan,7,8,9\n",  # a row of years
        "team,2019,2020,2021\nA,2001,2002,2003\nB,1999,1998,2004\nC,2005,2000,2001\n",
    ],
)
def test_a_first_row_of_years_stays_a_row(text: str) -> None:
    frame, _ = read(text)
    assert len(frame) == text.count("\n") - 1
