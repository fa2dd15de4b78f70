"""Values that stand for the sum of the others of their column: found by the numbers."""

from typing import Any

import pandas as pd
import pytest

from smoldesk.tables.inside.columns import Describer

YEARS = range(2001, 2013)
REGIONS = pd.DataFrame([
    {"year": year, "region": region, "sex": sex, "people": part * half * (year - 1990)}
    for year in YEARS
    for region, part in (("Japan", 10), ("East", 5), ("West", 3), ("South", 2))
    for sex, half in (("both", 3), ("men", 1), ("women", 2))
])  # fmt: skip
# World has countries and the groups of countries; a film called `All` is no sum; nor is a total that does not add up.
NESTED = pd.DataFrame([
    {"place": place, "year": year, "people": size * (year - 1990)}
    for year in YEARS
    for place, size in (("World", 10), ("Asia", 7), ("Japan", 3), ("China", 4), ("Europe", 3), ("France", 3))
])  # fmt: skip
FILMS = pd.DataFrame(
    {"film": ["All", "Big", "Cut", "Day"] * 6, "month": [*range(1, 7)] * 4, "gross": range(24)}
)
SHARES = pd.DataFrame({
    "fuel": ["Coal", "Gas", "Hydro"] * 6,
    "year": [year for year in range(2015, 2021) for _ in range(3)],
    "share": [part for coal in (0.48, 0.52, 0.47, 0.53, 0.5, 0.5) for part in (coal, 0.7 - coal, 0.3)],
})  # fmt: skip
ROUNDED = SHARES.assign(share=[part for at in range(6) for part in (5.68 + at, 3.34 + at, 2.33)])
TEAMS = pd.DataFrame({"team": ["All Blacks", "Lions", "Bears", "Tigers"], "wins": [50, 30, 15, 9]})
# With causes that are parts of others, so that they add up to more.
CAUSES = pd.DataFrame({
    "cause_of_death": ["All causes", "Cancer", "Lung cancer", "Accidents", "Falls"],
    "deaths": [100, 60, 40, 40, 30],
})  # fmt: skip
FALSE_TOTAL = NESTED.assign(people=[3 if place == "World" else 9 for place in NESTED["place"]])
# Two of the parts are missing in each year; each place has a code as well.
MISSING = pd.DataFrame([
    {"code": f"P{at:02}", "place": f"part {at}" if at else "Federation", "year": year, "thefts": size * (year - 1990)}
    for year in YEARS
    for at, size in enumerate((1000, *[90] * 10, *[30] * 2))
])  # fmt: skip


def wholes(frame: pd.DataFrame) -> dict[str, str]:
    return {column["name"]: column["whole"] for column in Describer().columns(frame) if "whole" in column}


@pytest.mark.parametrize(
    ("frame", "expected"),
    [
        (REGIONS, {"region": "Japan", "sex": "both"}),
        (NESTED, {"place": "World"}),
        (NESTED.replace("World", "00_全国"), {"place": "00_全国"}),
        (FILMS, {}),
        (FALSE_TOTAL, {}),
        (NESTED[NESTED["place"] != "World"], {}),
        (SHARES, {}),
        (ROUNDED, {"fuel": "Coal"}),
        (MISSING, {"place": "Federation", "code": "P00"}),
        (MISSING[MISSING["code"] < "P05"], {}),
        (TEAMS, {}),
        (CAUSES, {"cause_of_death": "All causes"}),
    ],
)
def test_the_value_that_is_the_sum_of_the_others_is_found(
    frame: pd.DataFrame, expected: dict[str, str]
) -> None:
    assert wholes(frame) == expected


def test_values_that_divide_the_whole_once_more_are_named() -> None:
    parts = {"全国": 1000, "市街地": 621, "市街地以外": 379, "北": 411, "南": 248, "西": 341}
    rows = [(region, year, size * (year - 1990)) for year in YEARS for region, size in parts.items()]
    frame = pd.DataFrame(rows, columns=["地域", "年", "人口"])
    [region, *_others] = Describer().columns(frame)
    assert (region["whole"], region["divisions"]) == ("全国", ("市街地", "市街地以外"))
    [region, *_others] = Describer().columns(frame[~frame["地域"].isin(["市街地", "西"])])
    assert "divisions" not in region


@pytest.mark.parametrize(
    "names",
    [
        [0, 1, 2],
        ["kind of place " * 17, "year", "people"],
        [None, "year", float("nan")],
        pd.MultiIndex.from_tuples([("of", "place"), ("of", "year"), ("with", "people")]),
    ],
    ids=["numbers", "long", "blank", "pairs"],
)
def test_columns_whose_names_are_no_short_texts_are_described_without_a_sum(names: Any) -> None:
    frame = NESTED.set_axis(names, axis=1)
    kinds = [(column["kind"], column.get("whole")) for column in Describer().columns(frame)]
    assert kinds == [("text", None), ("number", None), ("number", None)]
