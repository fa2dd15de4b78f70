"""Role of each column of a file, as its reader reports it to the desk: by header and values."""

import io
import math
from typing import Any

import pandas as pd
import pytest

from smoldesk.tables.inside.columns import Describer


def roles(frame: pd.DataFrame) -> dict[str, str]:
    return {column["name"]: column["role"] for column in Describer().columns(frame)}


def column(name: str, values: Any) -> str:
    return roles(pd.DataFrame({name: pd.Series(values)}))[name]


def traits(**columns: Any) -> dict[str, list[str]]:
    frame = pd.DataFrame({name: pd.Series(values) for name, values in columns.items()})
    return {column["name"]: [*column.get("traits", ())] for column in Describer().columns(frame)}


TENS = [10.5, 20.25, 13.0, 11.75] * 10


@pytest.mark.parametrize(
    ("name", "values", "role"),
    [
        ("price", TENS, "measure"),
        ("year", [1999, 2000, 2001, 2002] * 5, "time"),
        ("anno", [1999, 2000, 2001, 2002] * 5, "time"),
        ("年度", [2019, 2020, 2021, 2022] * 5, "time"),
        ("weight", [1999, 2480, 3120, 2870] * 5, "measure"),
        ("month", [*range(1, 13)] * 3, "time"),
        ("month", ["Jan", "Feb", "Mar", "Apr"] * 3, "time"),
        ("day", pd.date_range("2024-01-01", periods=20).astype(str), "time"),
        ("time", [1949 + at / 12 for at in range(48)], "time"),
        ("Unnamed: 0", range(30), "id"),
        ("Unnamed: 0", [f"row {at}" for at in range(30)], "id"),
        ("rownames", [5, 9, 2, 7, 11, 12], "id"),
        ("X", range(1, 31), "id"),
        ("rank", range(1, 31), "id"),
        ("mesh1kmid", [53361573 + at * 7 % 1000 for at in range(30)], "id"),
        ("paid", [at * 37 % 91 * 100 for at in range(30)], "measure"),
        ("time", [*range(0, 380, 10), 370, 412_515], "time"),
        ("mon", [0, 1, 0, 0, 1] * 5, "category"),
        ("hisp_lat_pct", TENS, "measure"),
        ("childNum", [*range(1, 16), *range(1, 14)], "id"),
        ("individual", [at // 4 + 1 for at in range(240)], "id"),
        ("nonfarm", [100_237 + 17 * at for at in range(30)], "measure"),
        ("income", sorted([*range(1, 25)] * 4), "measure"),
        ("no_cancer", [10, 22, 37] * 10, "category"),
        ("bill no.", [10, 22, 37] * 10, "id"),
        ("date", [20240131, 20240201, 20240302] * 10, "time"),
        ("DATE", [f"{year}{month}" for year in (2015, 2016) for month in ("Jan", "Feb", "Mar")], "time"),
        ("state", [f"state {at % 60}" for at in range(600)], "category"),
        ("customer_id", [3, 1, 2] * 10, "id"),
        ("customerId", [3, 1, 2] * 10, "id"),
        ("電話番号", [f"0287-62-71{at}" for at in range(10, 40)], "id"),
        ("窓口", [f"2871-12-31{at}" for at in range(10, 40)], "name"),
        ("due", ["2024-02-28", "2024-02-30", "2024-03-01"] * 10, "category"),
        ("zip", [10115, 80331, 20095] * 10, "id"),
        ("郵便番号", [1000001, 1500002] * 10, "id"),
        ("住所", ["〒100-0001", "〒150-0002", "〒160-0022"] * 10, "id"),
        ("市区町村コード", [13101, 13102, 13103] * 10, "id"),
        ("paid", TENS, "measure"),
        ("humid", TENS, "measure"),
        ("latitude", TENS, "place"),
        ("経度", TENS, "place"),
        ("long_gun", [120, 4_000, 181, 950] * 10, "measure"),
        ("House Index", [101.5, 99.25, 103.0] * 10, "measure"),
        ("大字CD", [10, 22, 37] * 10, "id"),
        ("match_num", [300, 299, 298, 270] * 10, "id"),
        ("Round", [1, 1, 2, 2, 3, 3] * 6, "time"),
        ("era", [*range(1980, 2030, 5)], "time"),
        ("死者数", [0, 0, 0, 1] * 10, "measure"),
        ("score_value", [0, 2, 3, 2] * 10, "measure"),
        ("cylinders", [4, 6, 8, 8] * 10, "category"),
        ("species", ["cat", "dog"] * 10, "category"),
        ("flag", [True, False] * 10, "category"),
        ("city", [f"city {at}" for at in range(30)], "name"),
        (
            "comment",
            [f"a rather long remark about nothing in particular, number {at}" for at in range(30)],
            "text",
        ),
        ("title", [f"film {max(at, 1)}" for at in range(40)], "name"),
        ("column_3", [1010032 + 37 * at % 4000 for at in range(300)], "id"),
        ("column_3", TENS, "measure"),
        ("column_3", [at * 7919 % 12_000 + 90 for at in range(60)], "measure"),
        ("column_3", [f"candidate {at}" for at in range(30)], "name"),
        ("Num", [0, 3, 1, 0, 2, 0] * 10, "category"),
        ("longtitude", TENS, "place"),
        ("dep_time", [517, 1745, 2359, 830] * 10, "time"),
        ("e_sort", [1110101 + 9 * (at % 20) for at in range(60)], "id"),
        ("Running Time min", [60 + 7 * at % 90 for at in range(60)], "measure"),
        ("lgcode", [11002 + 37 * at for at in range(40)], "id"),
        ("Phase of flight", ["Approach", "Climb", "Take-off run"] * 10, "category"),
        ("flight", ["UA12", "LH400", "NH7"] * 10, "id"),
        ("goals", [0] * 60 + [1] * 30 + [2] * 12 + [3] * 3 + [5], "measure"),
        ("medals", [0] * 95 + [1] * 4 + [2], "measure"),
        ("status", [0] * 60 + [1] * 30 + [2] * 12 + [3] * 3 + [5], "category"),
        ("status", [200, 302, 404] * 10, "category"),
        ("doors", [0, 1, 2, 3] * 10, "category"),
        ("updated", [1_500_000_000_000 + 77_777 * at for at in (5, 2, 9, 4, 7, 1)], "moment"),
        ("timestamp", [1_500_000_000 + 777 * at for at in (5, 2, 9, 4, 7, 1)], "moment"),
        ("downloads", [1_500_000_000 + 777 * at for at in (5, 2, 9, 4, 7, 1)], "measure"),
        ("date", [round(2000 + at / 12, 3) for at in range(24)] * 2, "time"),
        ("column_2", [90_000 // (at // 2 + 1) for at in range(120)], "measure"),
        ("amdno", [11001 + 37 * at % 4000 for at in range(300)], "id"),
        ("District", [1, 7, 12, 19] * 10, "id"),
        ("identifier", [4, 5, 11, 16] * 10, "id"),
        ("affairs", [0] * 45 + [1, 2, 3, 7, 12] * 3, "measure"),
        ("joined", [1961, 1995, 2010, *range(1990, 1999), None, None], "time"),
        ("joined", [1961, 1995, 2010, *range(1990, 1999), *[None] * 20], "moment"),
        ("blank", [None] * 10, "constant"),
        ("source", ["web"] * 10, "constant"),
    ],
)
def test_a_column_has_the_role_of_its_header_and_values(name: str, values: Any, role: str) -> None:
    assert column(name, values) == role


@pytest.mark.parametrize(
    "heads",
    [
        ["Jan", "Feb", "Mar", "Apr"],
        ["1月", "2月", "3月"],
        [str(month) for month in range(1, 13)],
        ["2019", "2020", "2021"],
        ["X2019", "X2020", "X2021"],
        ["Q1", "Q2", "Q3", "Q4"],
        ["2021年度", "2022年度", "2023年度"],
        ["2021年 (%)", "2022年 (%)", "2023年 (%)"],
    ],
)
def test_measures_whose_headers_are_periods_in_their_order_are_periods(heads: list[str]) -> None:
    frame = pd.DataFrame({"shop": ["a", "b", "c", "d"] * 10, "size": TENS, **dict.fromkeys(heads, TENS)})
    assert roles(frame) == {"shop": "category", "size": "measure", **dict.fromkeys(heads, "period")}


def test_headers_that_only_resemble_periods_are_measures() -> None:
    frame = pd.DataFrame(dict.fromkeys(("may", "march of time", "2021", "1850 units", "q"), TENS))
    assert set(roles(frame).values()) == {"measure"}


def test_cells_that_cannot_be_compared_have_a_role_too() -> None:
    frame = pd.read_json(io.StringIO('[{"a": [1, 2]}, {"a": {"b": 3}}, {"a": null}]'))
    assert roles(frame) == {"a": "text"}


def test_of_names_and_their_codes_the_names_are_the_category() -> None:
    frame = pd.DataFrame(
        {"abbr": ["CA", "NY", "TX", None] * 10, "state": ["California", "New York", "Texas", None] * 10}
    )
    assert roles(frame) == {"abbr": "text", "state": "category"}


def test_a_copy_a_logarithm_and_classes_of_a_measure_follow_it() -> None:
    size = [at * 7 % 31 + 2 for at in range(60)]
    described = traits(
        size=size,
        twice=[2 * value + 0.5 for value in size],
        log=[math.log(value) for value in size],
        other=[at * 11 % 17 for at in range(60)],
        band=["low" if value < 10 else "mid" if value < 20 else "high" for value in size],
    )
    assert described == {
        "size": [],
        "twice": ["follows", "fractions"],
        "log": ["follows", "fractions"],
        "other": [],
        "band": ["follows"],
    }


def test_a_group_of_equal_size_is_even_and_one_of_a_row_unique() -> None:
    described = traits(
        plot=list("abcd") * 5, day=pd.date_range("2024-01-01", periods=20), kind=["x"] * 15 + ["y"] * 5
    )
    assert described == {"plot": ["even"], "day": ["unique"], "kind": []}


def test_numbers_with_marks_are_no_categories() -> None:
    assert (
        column("mg", [f"<0.0{at % 20}" if at % 5 == 0 else f"0.0{at % 20 + 10}" for at in range(100)])
        == "text"
    )


def test_a_first_column_that_rises_with_each_row_numbers_the_rows_unless_there_are_times() -> None:
    rising = [4 + at * at for at in range(30)]
    assert roles(pd.DataFrame({"case": rising, "age": [*range(40, 70)][::-1]})) == {
        "case": "id",
        "age": "measure",
    }
    curve = {"x": [at / 10 for at in range(30)], "y": [at * 7 % 30 + 0.5 for at in range(30)]}
    assert roles(pd.DataFrame(curve)) == {"x": "time", "y": "measure"}
    infected = pd.DataFrame({"infected": rising, "day": pd.date_range("2024-01-01", periods=30)})
    assert roles(infected)["infected"] == "measure"


def test_shares_and_measures_with_one_value_in_most_rows_are_marked() -> None:
    assert traits(chance=[0.5, 0.25, 1, 0] * 5, refund=[0] * 15 + [3, 9, 4, 8, 2]) == {
        "chance": ["fractions", "shares"],
        "refund": ["rare"],
    }


def test_prices_and_the_numbers_of_the_groups_of_rows_are_steady() -> None:
    described = traits(
        price=[1.5 + at % 7 / 8 for at in range(90)],
        people=[[175_000, 240_000, 32_500][at * 7 % 3] for at in range(90)],
        sold=[at * 37 % 101 + 0.5 for at in range(90)],
        nickname=["Joe"] * 12 + ["Al"] * 10 + [None] * 68,
    )
    assert described["price"] == ["fractions", "steady"]
    assert "steady" in described["people"]
    assert described["sold"] == ["fractions"]
    assert described["nickname"] == ["rare"]


def test_a_measure_reports_how_much_each_other_column_explains() -> None:
    frame = pd.DataFrame(
        {
            "genre": ["drama"] * 10 + ["comedy"] * 10,
            "day": ["Mon", "Tue"] * 10,
            "length": [90.25 + at // 10 * 30 + at % 10 // 2 for at in range(20)],
            "price": [f"{at % 10 + 1},000" for at in range(20)],
        }
    )
    explained = {column["name"]: column.get("explained") for column in Describer().columns(frame)}
    length = explained["length"] or {}
    assert length["genre"] > 0.9
    assert length["day"] == 0
    assert 0 < length["price"] < 1
    assert explained["genre"] is None


def test_columns_whose_names_are_numbers_or_too_long_are_described_too() -> None:
    frame = pd.DataFrame({1990: ["1,200", "3,400"] * 10, "x" * 300: ["1,200", "3,400"] * 10})
    assert [column["kind"] for column in Describer().columns(frame)] == ["number", "number"]


def test_the_parts_of_a_measure_before_them_follow_it() -> None:
    men, women = [at * 7 % 31 + 5 for at in range(40)], [at * 11 % 37 + 9 for at in range(40)]
    people = [one + other for one, other in zip(men, women, strict=True)]
    described = traits(people=people, men=men, women=women, cars=[at * 13 % 41 + 2 for at in range(40)])
    assert [name for name, facts in described.items() if "follows" in facts] == ["men", "women"]
