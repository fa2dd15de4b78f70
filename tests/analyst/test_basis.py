"""The basis of an answer: the rows used, and those left out with the reason."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any, cast, get_args

import pandas as pd
import pytest

from smoldesk.analyst.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.frame import OF_TABLES
from smoldesk.analyst.model import BuiltinModel
from smoldesk.analyst.query import Kind
from smoldesk.tables.inside.columns import Describer
from smoldesk.tables.inside.reading import read_file
from tests.analyst.desk import Desk, Result
from tests.support.desk_server import ROOT

# 20 rows: 3 without pay, 2 without team, 1 without both; 2 without a day.
STAFF = pd.DataFrame({
    "name": [f"person {number}" for number in range(20)],
    "team": ["Red", "Blue", None, "Red", "Blue"] * 3 + ["Red", "Blue", "Red", "Blue", "Red"],
    "pay": [None, 20.5, None, 31.25, 44.0] + [25.0, 30.0, 35.0, None, 45.0] * 3,
    "age": [20 + number for number in range(20)],
    "day": ["2024-01-05", None, "2024-02-05", "2024-02-06", None] + ["2024-03-01"] * 15,
    "office": ["Kyoto"] * 19 + [None],
})  # fmt: skip
# Both columns have the same whole.
PEOPLE = pd.DataFrame([
    {"性別": sex, "年齢": age, "人数": half * part}
    for sex, half in (("総数", 5), ("男", 2), ("女", 3))
    for age, part in (("総数", 6), ("若年", 1), ("中年", 2), ("老年", 3))
])  # fmt: skip


@pytest.fixture
def staff(tmp_path: Path) -> Desk:
    return Desk(tmp_path, staff=STAFF)


def described(frame: pd.DataFrame) -> list[ColumnInfo]:
    """The columns as the desk describes them to the analyst."""
    columns: list[dict[str, Any]] = Describer().columns(frame)
    for column in columns:
        column["span"] = tuple(column.get("span", ()))
    return [ColumnInfo(**column) for column in columns]


def basis(result: Result) -> str:
    """The last paragraph of an answer."""
    return result.answer.split("\n\n")[-1]


def test_an_average_states_the_rows_without_a_value(staff: Desk) -> None:
    blank = int(STAFF["pay"].isna().sum())
    assert (
        basis(staff.ask("average pay in staff"))
        == f"From {20 - blank} of 20 rows; left out: {blank} without pay."
    )
    japanese = basis(staff.ask("staffのpayの平均は？"))
    assert japanese == f"20行のうち{20 - blank}行から計算しました（payが空の{blank}行を除く）。"


def test_rows_that_are_left_out_for_one_reason_twice_are_added_up(tmp_path: Path) -> None:
    desk = Desk(tmp_path, staff=STAFF, people=PEOPLE)
    desk.catalogue.tables[-1] = replace(desk.catalogue.tables[-1], columns=described(PEOPLE))
    blank, high = int(STAFF["pay"].isna().sum()), int((STAFF["pay"] > 30).sum())
    above = basis(desk.ask("average pay in staff where pay is more than 30"))
    assert above.startswith(f"From {high} of 20 rows; left out: {blank} without pay, ")
    total = basis(desk.ask("peopleの人数の合計は？"))
    assert total == "12行のうち1行から計算しました（総数の内訳の11行を除く）。"


def test_an_average_of_all_rows_says_so(staff: Desk) -> None:
    assert basis(staff.ask("average age in staff")) == "From all 20 rows."
    assert basis(staff.ask("staffのageの平均は？")) == "全20行から計算しました。"


def test_rows_left_out_by_a_filter_and_by_blanks_add_up(staff: Desk) -> None:
    rows = STAFF[STAFF["age"] > 24]
    blank, rest = int(rows["pay"].isna().sum()), 20 - len(rows)
    stated = basis(staff.ask("average pay where age over 24 in staff"))
    assert stated == (
        f"From {len(rows) - blank} of 20 rows; left out: {rest} by the filter, {blank} without pay."
    )


def test_blank_cells_that_a_comparison_drops_are_not_called_filtered(staff: Desk) -> None:
    fits, blank = int((STAFF["pay"] > 30).sum()), int(STAFF["pay"].isna().sum())
    stated = basis(staff.ask("number of rows where pay over 30 in staff"))
    assert stated == (
        f"From {fits} of 20 rows; left out: {blank} without pay, {20 - fits - blank} by the filter."
    )


def test_a_number_of_all_rows_states_nothing_else(staff: Desk) -> None:
    assert staff.ask("how many rows are in staff").answer == "20 rows in staff."


def test_many_blank_cells_are_a_group_and_never_the_first(staff: Desk) -> None:
    result = staff.ask("average age by team in staff")
    means = STAFF.groupby("team")["age"].mean()
    blank = STAFF.loc[STAFF["team"].isna(), "age"].mean()
    assert f"(blank): {blank:,.2f}".removesuffix(".00") in result.answer
    assert result.answer.startswith(f"Highest average age: {means.idxmax()} ")
    assert basis(result) == "From all 20 rows."
    assert "（空欄）：" in staff.ask("staffのteam別のageの平均").answer


def test_few_blank_cells_are_left_out_of_the_groups_and_stated(tmp_path: Path) -> None:
    frame = pd.DataFrame({"site": [*["North", "South"] * 20, None], "kilos": range(41)})
    result = Desk(tmp_path, loads=frame).ask("total kilos by site in loads")
    assert "(blank)" not in result.answer
    assert basis(result) == "From 40 of 41 rows; left out: 1 without site."


def test_blank_dates_are_no_month(staff: Desk) -> None:
    result = staff.ask("average age per month in staff")
    assert "NaT" not in result.answer and "nan" not in result.answer
    assert basis(result) == "From 18 of 20 rows; left out: 2 without day."


def test_rankings_and_lists_state_their_basis(staff: Desk) -> None:
    blank = int(STAFF["pay"].isna().sum())
    ranking = staff.ask("top 3 name by pay in staff")
    assert ranking.answer.startswith("Highest pay: ")
    assert basis(ranking) == f"From {20 - blank} of 20 rows; left out: {blank} without pay."
    assert staff.ask("maximum pay by team in staff").answer.startswith("Highest pay: ")
    listed = basis(staff.ask("rows where age over 35 in staff"))
    assert listed == "From 4 of 20 rows; left out: 16 by the filter."
    assert basis(staff.ask("different values of team in staff")) == (
        "From 17 of 20 rows; left out: 3 without team."
    )
    assert basis(staff.ask("blank cells of pay in staff")) == "From all 20 rows."


def test_equal_groups_and_rows_are_all_named_or_counted(tmp_path: Path) -> None:
    frame = pd.DataFrame({"team": [*"abcdabcd"], "name": [*"klmnopqr"], "pay": [1.25] * 6 + [0.5, 0.5]})
    frame["member"] = frame["pay"] > 1
    desk = Desk(tmp_path, staff=frame)
    assert desk.ask("number of rows by team in staff").answer.startswith("Most rows: a, b, c … (2).")
    # Groups of True and False are found by label, not as a mask.
    assert desk.ask("average pay by member in staff").answer.startswith("Highest average pay: True (1.25).")
    assert desk.ask("top 3 name by pay in staff").answer.startswith(
        "Highest pay: k (1.25), l (1.25), m (1.25); 3 more with the last value."
    )


def test_a_figure_states_the_unit_of_its_header(tmp_path: Path) -> None:
    frame = pd.DataFrame({
        "site": ["a", "b"] * 10, "depth (mm)": range(20), "energy_kwh": range(20), "人口（千人）": range(20),
        "temp_min": range(20), "死者数（確定値）": range(20),
    })  # fmt: skip
    desk = Desk(tmp_path, pits=frame)
    assert basis(desk.ask("average depth (mm) by site")) == "From all 20 rows. Unit: mm."
    assert basis(desk.ask("total energy_kwh")) == "From all 20 rows. Unit: kwh."
    assert basis(desk.ask("site別の人口（千人）の合計")) == "全20行から計算しました。単位：千人。"
    pairs = basis(desk.ask("correlation of depth (mm) and energy_kwh"))
    assert pairs == "From all 20 rows. Unit: depth (mm): mm, energy_kwh: kwh."
    # A minimum and a word in brackets are no units, and a number of rows has none.
    for question in ("average temp_min", "site別の死者数（確定値）の合計", "number of rows by site"):
        assert "nit:" not in basis(desk.ask(question)) and "単位" not in basis(desk.ask(question))


def test_a_correlation_counts_its_pairs(staff: Desk) -> None:
    result = staff.ask("correlation of pay and age in staff")
    pairs = len(STAFF[["pay", "age"]].dropna())
    assert f"({pairs} pairs)" in result.answer
    assert basis(result) == f"From {pairs} of 20 rows; left out: {20 - pairs} without pay."


def test_a_matrix_of_correlations_states_the_fewest_and_the_most_pairs(staff: Desk) -> None:
    assert f"{STAFF['pay'].count()}–20 rows with both values" in staff.ask("heatmap of staff").answer


def test_several_figures_state_the_values_of_each(staff: Desk) -> None:
    assert f"Values: pay {STAFF['pay'].count()}, age 20." in staff.ask("average pay and age in staff").answer


def test_the_filter_is_in_the_title_of_a_chart(staff: Desk) -> None:
    (chart,) = staff.ask("bar chart of average pay by team where age over 22 in staff").charts
    assert chart["title"] == "Average pay by team (age > 22)"
    (chart,) = staff.ask("ageが22より大きい行で、payのヒストグラム in staff").charts
    assert chart["title"].endswith("（age > 22）")


def test_the_figures_of_a_list_have_one_number_of_decimals(tmp_path: Path) -> None:
    frame = pd.DataFrame({"shop": ["a", "b", "b"], "price": [81.0, 81.701, 81.70100000000002]})
    answer = Desk(tmp_path, sold=frame).ask("average price by shop in sold").answer
    assert "- a: 81.00" in answer and "- b: 81.70" in answer and "0000" not in answer


def test_a_distribution_has_readable_numbers(tmp_path: Path) -> None:
    returns = Desk(tmp_path, returns=pd.DataFrame({"gain": [-0.053105199, -0.000283882457, 0.160524309]}))
    answer = returns.ask("histogram of gain in returns").answer
    assert "median -0.000284, average 0.0357, from -0.0531 to 0.161." in answer


def test_small_figures_keep_three_digits(tmp_path: Path) -> None:
    frame = pd.DataFrame({"site": ["a", "b"], "dose": [0.00014, 0.0002]})
    assert "0.00017" in Desk(tmp_path, lab=frame).ask("average dose in lab").answer


def test_a_list_of_more_than_twenty_groups_says_how_many_there_are(tmp_path: Path) -> None:
    frame = pd.DataFrame({"city": [f"city {number:02}" for number in range(30)], "people": range(30)})
    answer = Desk(tmp_path, towns=frame).ask("total people by city in towns").answer
    assert "Total people by city, the first 20 of 30:" in answer


def test_a_rate_is_called_by_its_noun(desk: Desk) -> None:
    assert desk.ask("survival rate in titanic").answer.startswith("Survival rate: 38.4 % (342 of 891 rows).")
    assert desk.ask("titanicの生存率は？").answer.startswith("生存率は38.4%です（891行のうち342行）。")
    (chart,) = desk.ask("survival rate by class in titanic as a bar chart").charts
    assert chart["title"] == "Survival rate (%) by class"


def test_a_share_without_a_noun_names_its_condition(desk: Desk) -> None:
    assert desk.ask("share of women in titanic").answer.startswith("Share where who is woman: ")


def test_tables_of_a_japanese_answer_have_japanese_headers(desk: Desk) -> None:
    (blanks,) = desk.ask("titanicの欠損値").tables
    assert list(blanks.columns) == ["列", "空欄"]
    (summary,) = desk.ask("titanicの基本統計").tables
    assert list(summary.iloc[:, 0])[:3] == ["件数", "平均", "標準偏差"]
    (months,) = desk.ask("measurementの月ごとの温度の平均").tables
    assert months.columns[0] == "月"


def test_total_rows_are_left_out_stated_and_included_by_one_click(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("sales.csv").write_text("region,revenue\nNorth,100\nSouth,250\nWest,60\nTotal,410\n")
    (table,) = read_file(Path("sales.csv")).tables
    columns = described(table.frame)
    info = TableInfo(
        "sales", columns, 3, table.load, "sales.csv",
        total_rows=table.total_rows, load_with_totals=table.load_with_totals,
    )  # fmt: skip
    desk = Desk(tmp_path)
    desk.catalogue = replace(desk.catalogue, tables=[info])
    desk.model = BuiltinModel(desk.catalogue)
    result = desk.ask("revenue by region in sales")
    assert "Total:" not in result.answer
    assert basis(result) == "From 3 of 4 rows; left out: 1 total row."
    assert desk.ask("salesの最初の5行").answer.endswith("合計の1行を除いています。")
    desk.ask("revenue by region in sales")
    reading = cast(dict[str, Any], desk.model.reading)
    (chip,) = [chip for chip in reading["chips"] if chip["part"] == "totals"]
    assert chip["text"] == "Include 1 total row"
    (choice,) = chip["choices"]
    corrected = {**reading["query"], **choice["change"]}
    note = f"(Note: the reading of this request is {json.dumps(corrected)})"
    included = desk.ask(f"{choice['sentence']}\n\n{note}")
    assert "- Total: 410" in included.answer
    assert basis(included) == "Total rows are included: 1."


def of_file(tmp_path: Path, frame: pd.DataFrame, name: str) -> Desk:
    """A desk with a table as it is read from a file in the working directory."""
    frame.to_csv(f"{name}.csv", index=False)
    (table,) = read_file(Path(f"{name}.csv")).tables
    desk = Desk(tmp_path)
    info = TableInfo(name, described(table.frame), len(table.frame), table.load, f"{name}.csv")
    desk.catalogue = replace(desk.catalogue, tables=[info])
    desk.model = BuiltinModel(desk.catalogue)
    return desk


def test_answers_leave_sums_among_the_values_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    places, kinds = (
        (("Japan", 10), ("East", 5), ("West", 3), ("South", 2)),
        (("both", 3), ("men", 1), ("women", 2)),
    )
    census = pd.DataFrame([
        {"year": year, "place": place, "sex": sex, "people": part * half * (year - 1990)}
        for year in range(2001, 2013) for place, part in places for sex, half in kinds
    ])  # fmt: skip
    desk = of_file(tmp_path, census, "census")
    total = int(census.query("place == 'Japan' and sex == 'both'")["people"].sum())
    result = desk.ask("total people")
    assert f"{total:,}" in result.answer
    assert basis(result) == "From 12 of 144 rows; left out: 108 parts of Japan, 24 parts of both."
    by_place = desk.ask("total people by place")
    assert by_place.answer.startswith("Highest total people: East") and "- Japan" not in by_place.answer
    assert basis(by_place) == "From 36 of 144 rows; left out: 36 sums (Japan), 72 parts of both."
    # A condition asks for the sums, and so does the chip of the total rows.
    named = basis(desk.ask("total people where place is Japan"))
    assert named == "From 12 of 144 rows; left out: 108 by the filter, 24 parts of both."
    desk.ask("total people by place")
    reading = cast(dict[str, Any], desk.model.reading)
    (chip,) = [chip for chip in reading["chips"] if chip["part"] == "totals"]
    assert chip["text"] == "Include total rows"
    corrected = json.dumps({**reading["query"], **chip["choices"][0]["change"]})
    included = desk.ask(f"with them\n\n(Note: the reading of this request is {corrected})")
    assert "- Japan: " in included.answer and basis(included) == "From all 144 rows."


def test_dates_that_are_years_are_grouped_by_year(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    days = [f"{year}-01-01" for year in (2001, 2002, 2003) for _ in range(2)]
    desk = of_file(tmp_path, pd.DataFrame({"year": days, "power": range(6)}), "grid")
    assert desk.catalogue.tables[0].columns[0].step == "year"
    answer = desk.ask("total power by year in grid").answer
    assert "- 2003: 9" in answer and "01-01" not in answer


def test_the_page_sets_the_basis_apart_for_the_queries_whose_answers_state_it() -> None:
    source = (ROOT / "frontend" / "js" / "chat" / "reading.js").read_text(encoding="utf-8")
    [kinds] = re.findall(r"const STATED = new Set\(\[(.*?)\]\)", source, re.DOTALL)
    assert {*re.findall(r'"([^"]+)"', kinds)} == {*get_args(Kind)} - {*OF_TABLES}
