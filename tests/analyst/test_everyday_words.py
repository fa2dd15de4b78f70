"""Everyday words for columns: headers in other words, extremes, blanks, ids of other things, sums of money, growth."""

from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from smoldesk.analyst.model import BuiltinModel
from tests.analyst.desk import Desk

AIRLINES = pd.DataFrame({
    "airline": ["Air A", "Air B", "Air C", "Air D"],
    "avail_seat_km_per_week": [900, 400, 500, 800],
    "incidents_85_99": [7, 2, 0, 3],
    "incidents_00_14": [1, 5, 0, 0],
})  # fmt: skip
PARKS = pd.DataFrame({
    "公園名": [f"第{number}公園" for number in range(1, 9)],
    "開設年": [1975, 1961, 1999, 2004, 2010, 2015, 2018, 2021],
    "駐車場詳細": ["無料", None, None, "有料", None, None, "無料", None],
})  # fmt: skip
DAYS = pd.DataFrame({
    "date": [f"2024-07-{day:02d}" for day in range(1, 13)],
    "temp_min": [15, 18, 21, 22, 16, 14, 19, 20, 18, 17, 16, 15],
    "temp_max": [24, 31, 33, 29, 28, 25, 32, 35, 27, 26, 24, 22],
})  # fmt: skip
ORDERS = pd.DataFrame({
    "予約ID": [f"r{number}" for number in range(12)],
    "ホテルID": ["h_1", "h_2", "h_3", "h_2"] * 3,
    "年度": [2019, 2020, 2021, 2022] * 3,
    "合計金額": [300_000, 700_000, 400_000, 900_000] * 3,
})  # fmt: skip
SKIES = pd.DataFrame({
    "date": [f"2024-07-{day:02d}" for day in range(1, 13)],
    "precipitation": [0.0, 3.5, 1.0] * 4,
    "weather": ["sun", "rain", "fog"] * 4,
})  # fmt: skip
ELEMENTS = pd.DataFrame({
    "symbol": ["He", "Be", "Ne", "In"], "metal": ["noble gas", "alkaline", "noble gas", "poor metal"],
    "discovered": [1895, 1798, None, 1863],
})  # fmt: skip
TABLES = {
    "airlines": AIRLINES,
    "公園": PARKS,
    "days": DAYS,
    "予約": ORDERS,
    "skies": SKIES,
    "elements": ELEMENTS,
}


@pytest.mark.parametrize(
    ("table", "request_text", "expected"),
    [
        ("airlines", "median available seat km per week", "650"),
        ("airlines", "how many airlines had no incidents in 00-14?", "2 rows"),
        ("airlines", "total incidents between 1985 and 1999", "12"),
        ("公園", "駐車場がある公園はいくつ？", "3行"),
        ("skies", "how many rainy days were there each month?", "2024-07 (4)"),
        ("elements", "how many noble gases are there?", "2 rows"),
        ("公園", "一番古い公園は？", "第2公園"),
        ("days", "how many days were warmer than 30 degrees?", "4 rows"),
        ("予約", "一番予約が多いホテルはどれ？", "h_2"),
        ("予約", "合計金額が50万円以上の予約は何件？", "6行"),
        ("予約", "2019年から2022年で合計金額はどれだけ増えた？", "1,800,000"),
    ],
)
def test_a_question_in_everyday_words_is_answered(
    tmp_path: Path, table: str, request_text: str, expected: str
) -> None:
    result = Desk(tmp_path, **{table: TABLES[table]}).ask(request_text)
    assert expected in result.answer.split("\n\n")[0], result.answer


def test_no_year_means_a_blank_cell(tmp_path: Path) -> None:
    desk = Desk(tmp_path, elements=ELEMENTS)
    [table] = [table for table in desk.catalogue.tables if table.name == "elements"]
    columns = [replace(c, role="time") if c.name == "discovered" else c for c in table.columns]
    desk.model = BuiltinModel(replace(desk.catalogue, tables=[replace(table, columns=columns)]))
    assert desk.ask("how many have no discovered?").answer.startswith("1 rows")


def test_a_trend_is_drawn_as_a_line(tmp_path: Path) -> None:
    result = Desk(tmp_path, 予約=ORDERS).ask("年度別の合計金額の推移")
    assert '"mark": "line"' in result.code or '"type": "line"' in result.code


def test_nothing_is_cheap_in_a_table_without_prices(tmp_path: Path) -> None:
    assert "cheapest" in Desk(tmp_path, airlines=AIRLINES).ask("Which airline is the cheapest?").answer


def test_a_number_is_not_compared_with_a_date(tmp_path: Path) -> None:
    assert Desk(tmp_path, days=DAYS).ask("older than 30").answer


def test_blank_cells_of_a_share_are_counted_once(tmp_path: Path) -> None:
    rates = pd.DataFrame({"state": ["open", "closed"] * 6, "rating": [None, 4, 5, None, 3, 2] * 2})
    answer = Desk(tmp_path, rates=rates).ask("share of rating where state is open").answer
    assert "8 of 12 rows; left out: 4 without rating" in answer


def test_an_answer_lists_names_without_a_room(tmp_path: Path) -> None:
    rooms = pd.DataFrame({"room": ["Kitchen", "Bathroom", "Room1", "Attic"] * 3, "patients": range(12)})
    result = Desk(tmp_path, wards=rooms).ask("colour the rooms by total patients")
    assert "Not on the plan: Attic." in result.answer
    assert "Not on the plan" not in Desk(tmp_path).ask("colour the rooms by average temperature").answer
