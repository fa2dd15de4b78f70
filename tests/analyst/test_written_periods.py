"""Months, quarters and weeks as files write them, and what is asked of such tables."""

from pathlib import Path

import pandas as pd
import pytest

from smoldesk.tables.inside.columns import Describer
from tests.analyst.small_tables import SmallDesk

_FORMS = {
    "Jan 2023, Feb 2023": ("date", "%b %Y"),
    "January 2023, May 2023": ("date", "%B %Y"),
    "Jan-23, Feb-23": ("date", "%b-%y"),
    "01/2023, 02/2023": ("date", "%m/%Y"),
    "2024/04, 2024/05": ("date", "%Y/%m"),
    "2023Q1, 2023Q2": ("date", "quarter"),
    "Q3 2022, Q4 2022": ("date", "quarter"),
    "FY2023 Q1, FY2023 Q2": ("text", "quarter in order"),
    "Oct, Nov, Dec, Jan": ("text", "month in order"),
    "4月, 5月, 6月": ("text", "month in order"),
    "Week 9, Week 10": ("text", "week in order"),
    "2010/11, 2011/12": ("text", "year in order"),
    "Mar, Jan, Feb": ("text", ""),
    "Week 10, Week 9": ("text", ""),
}
_HANDLED = (410, 380, 456, 430)


def _desk(folder: Path, header: str, *periods: str) -> SmallDesk:
    rows = zip(periods, _HANDLED, strict=True)
    text = f"{header},Parcels handled\n" + "".join(f"{period},{count}\n" for period, count in rows)
    return SmallDesk(folder, depot=text)


@pytest.mark.parametrize(("texts", "expected"), list(_FORMS.items()))
def test_how_periods_are_written(texts: str, expected: tuple[str, str]) -> None:
    (column,) = Describer().columns(pd.DataFrame({"Period": texts.split(", ")}))
    assert (column["kind"], column.get("form", "")) == expected


def test_whole_numbers_are_months_under_a_header_that_says_so() -> None:
    month, size = Describer().columns(pd.DataFrame({"month": [202311, 202312], "size": [202311, 202312]}))
    assert (month["kind"], month["form"]) == ("date", "%Y%m")
    assert size["kind"] == "number"


@pytest.mark.parametrize(
    ("header", "periods", "grain", "second"),
    [
        ("Month", ("Jan 2023", "Feb 2023", "Mar 2023", "Apr 2023"), "month", "2023-02"),
        ("Month", ("Nov", "Dec", "Jan", "Feb"), "month", "Dec"),
        ("Quarter", ("2022Q4", "2023Q1", "2023Q2", "2023Q3"), "quarter", "2023Q1"),
        ("Week", ("Week 9", "Week 10", "Week 11", "Week 12"), "week", "Week 10"),
        ("Season", ("2018/19", "2019/20", "2020/21", "2021/22"), "year", "2019/20"),
    ],
)
def test_changes_between_periods(
    tmp_path: Path, header: str, periods: tuple[str, ...], grain: str, second: str
) -> None:
    said = _desk(tmp_path, header, *periods).ask(f"{grain}ly growth of parcels in %")
    rows = said.tables[-1].values.tolist()
    assert [round(row[-1], 1) for row in rows] == [-7.3, 20.0, -5.7]
    assert rows[0][0] == second


def test_filters_and_ranks_of_months(tmp_path: Path) -> None:
    desk = _desk(tmp_path, "Month", "Sep 2023", "Oct 2023", "Nov 2023", "Dec 2023")
    assert "380" in desk.ask("parcels in oct 2023?").first
    said = desk.ask("which month had the fewest parcels")
    assert "2023-10" in said.first
    assert len(said.tables[-1]) == 1


def test_no_weeks_in_a_table_of_months(tmp_path: Path) -> None:
    desk = _desk(tmp_path, "Month", "Sep 2023", "Oct 2023", "Nov 2023", "Dec 2023")
    assert "'week'" in desk.ask("parcels per week").text


_CLINIC = """Case no,Animal,Weight kg,Exam score,Year of study,State,Seen
1,Goat,30.5,70,1,done,2024-07-09
2,Goat,20,60,2,ok,2024-07-10
3,Hen,2,50,2,ok,2024-07-15
4,Hen,3,40,1,open,2024-07-20
5,Hen,,80,1,done,2024-08-02
"""


@pytest.mark.parametrize(
    ("request_", "figure"),
    [
        ("how many cases between 10 and 20 July 2024", "3 "),
        ("how many cases from July 10-20", "3 "),
        ("how heavy is the heaviest animal", "30.5"),
        ("mean exam by year of study", "63.33"),
        ("how many cases where the state is not ok", "3 "),
        ("is weight complete or is something missing?", "Weight kg (1)"),
        ("how many percent of the cases are done", "40.0 %"),
        ("how many points higher is goat than hen in the exam on average", "8.33"),
    ],
)
def test_said_in_passing(tmp_path: Path, request_: str, figure: str) -> None:
    assert figure in SmallDesk(tmp_path, clinic=_CLINIC).ask(request_).first


def test_a_denied_cell_after_its_column_lists_rows(tmp_path: Path) -> None:
    said = SmallDesk(tmp_path, clinic=_CLINIC).ask("cases whose animal is not Hen")
    assert "has 2 rows" in said.first
