"""Rules of reading, each on a small table nobody has seen: what is understood, and what is refused rather than skipped."""

from io import StringIO
from typing import Any

import pandas as pd
import pytest

from smoldesk.analyst.intents import DataIntent, Refusal
from smoldesk.analyst.read import read_talk
from smoldesk.analyst.tables.catalogue import Catalogue, ColumnInfo, TableInfo
from smoldesk.analyst.tables.lexicon import Lexicon
from smoldesk.tables.inside.columns import Describer

WEB = """Date,Source,deviceCategory,Sessions,Bounce Rate (%),Revenue_USD,Plan
2024-01-03,google,mobile,120,40,10.5,basic
2024-02-10,direct,desktop,80,55,0,premium
2024-05-21,google,tablet,60,35,22,basic
2024-06-22,direct,mobile,90,61,7.25,premium
"""
STAFF = """社員番号,部署,年齢,年収（万円）,残業時間,在宅
E1,営業部,31,520,0,可
E2,開発部,44,610,12,不可
E3,営業部,38,480,30,可
"""
FLATS = """Listing ID,Neighbourhood,Floor Area [sqm],Asking Price,Bedrooms,Year Built,Insured,Maths Score,English Score
H1,Elm,60,250000,2,1930,yes,50,60
H2,Oak,95,410000,3,1988,no,70,40
H3,Elm,120,520000,4,2004,yes,90,80
"""


def read(text: str, *talk: str) -> Any:
    frame = pd.read_csv(StringIO(text))
    columns = [
        ColumnInfo(one["name"], one["kind"], one["values"], one.get("form", ""), tuple(one.get("span", ())))
        for one in Describer().columns(frame)
    ]
    table = TableInfo("data", columns, len(frame), "pd.read_csv('data.csv')")
    return read_talk(list(talk), Lexicon(Catalogue([table], {}, {}, [], "1F"))).intent


def filters(text: str, request: str) -> list[tuple[str, str, Any]]:
    intent = read(text, request)
    assert isinstance(intent, DataIntent), intent
    return [(one.column, one.comparison, one.values[0]) for one in intent.filters]


@pytest.mark.parametrize(
    ("text", "request_", "words"),
    [
        (WEB, "expensive sessions", ("expensive",)),
        (WEB, "average number of sessions by source in tokyo", ("tokyo",)),
        (STAFF, "一人あたりの残業時間", ("一人",)),
        (FLATS, "how many homes were handled", ("handled",)),
        (FLATS, "average price in euros and floor area in acres", ("acres",)),
        (FLATS, "average income of tenants", ("income", "tenants")),
    ],
)
def test_a_word_that_changes_the_answer_is_named(text: str, request_: str, words: tuple[str, ...]) -> None:
    refused = read(text, request_)
    assert isinstance(refused, Refusal), refused
    assert set(words) <= set(refused.words), refused


def test_a_unit_that_is_not_the_columns_is_refused() -> None:
    assert read(FLATS, "average floor area in sqm").measures == ("Floor Area [sqm]",)
    refused = read(FLATS, "average floor area in square feet")
    assert isinstance(refused, Refusal)
    assert refused.words == ("in square feet",)


def test_a_name_that_fits_two_columns_is_asked_about() -> None:
    asked = read(FLATS, "average score by neighbourhood")
    assert isinstance(asked, Refusal)
    assert (asked.reason, asked.choices) == ("which_column", ("Maths Score", "English Score"))


@pytest.mark.parametrize(
    ("text", "request_", "wanted"),
    [
        (FLATS, "how many homes are uninsured", [("Insured", "==", "no")]),
        (FLATS, "how many homes with 3 bedrooms", [("Bedrooms", "==", 3.0)]),
        (FLATS, "how many homes cost more than 400k", [("Asking Price", ">", 400000.0)]),
        (FLATS, "how many homes built before 1950", [("Year Built", "<", 1950.0)]),
        (FLATS, "how many homes have 80+ sqm", [("Floor Area [sqm]", ">=", 80.0)]),
        (STAFF, "年収500万以上の社員は何人", [("年収（万円）", ">=", 500.0)]),
        (STAFF, "30代の社員は何人", [("年齢", ">=", 30.0), ("年齢", "<", 40.0)]),
        (STAFF, "残業ゼロの社員は何人", [("残業時間", "==", 0.0)]),
        (STAFF, "在宅可の社員は何人", [("在宅", "==", "可")]),
        (STAFF, "営業部じゃない社員は何人", [("部署", "!=", "営業部")]),
        (WEB, "how many rows with bounce rate above 50%", [("Bounce Rate (%)", ">", 50.0)]),
        (WEB, "total sessions in Q1", [("Date", ">=", "2024-01-01"), ("Date", "<", "2024-04-01")]),
        (WEB, "2024年上半期の売上", [("Date", ">=", "2024-01-01"), ("Date", "<", "2024-07-01")]),
        (WEB, "2024年度の売上", [("Date", ">=", "2024-04-01"), ("Date", "<", "2025-04-01")]),
        (
            WEB,
            "total sessions in the last 7 days",
            [("Date", ">=", "2024-06-16"), ("Date", "<", "2024-06-23")],
        ),
        (WEB, "モバイルの売上", [("deviceCategory", "==", "mobile")]),
    ],
)
def test_conditions(text: str, request_: str, wanted: list[tuple[str, str, Any]]) -> None:
    assert filters(text, request_) == wanted


def test_what_is_added_up_is_added_up() -> None:
    assert read(WEB, "sessions by device").aggregates == ("sum",)
    assert read(WEB, "bounce rate by device").aggregates == ("mean",)
    assert read(WEB, "how many sessions in total").aggregates == ("sum",)


def test_a_floor_area_is_no_district() -> None:
    assert read(FLATS, "地区ごとの平均価格").groups == ("Neighbourhood",)


def test_a_column_called_plan_is_no_floor_plan() -> None:
    assert read(WEB, "sessions by plan").groups == ("Plan",)
    assert not isinstance(read(WEB, "show the floor plan"), DataIntent)


def test_best_and_worst_look_where_the_measure_is_good() -> None:
    assert read(WEB, "which source has the worst bounce rate").order == "desc"
    assert read(FLATS, "which neighbourhood has the worst maths score").order == "asc"
    assert isinstance(read(FLATS, "which neighbourhood has the worst floor area"), Refusal)
