"""Values that stand for the sum of the others of their column: found by the numbers."""

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
FALSE_TOTAL = NESTED.assign(people=[3 if place == "World" else 9 for place in NESTED["place"]])


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
    ],
)
def test_the_value_that_is_the_sum_of_the_others_is_found(
    frame: pd.DataFrame, expected: dict[str, str]
) -> None:
    assert wholes(frame) == expected
