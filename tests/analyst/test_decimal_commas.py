"""Numbers whose decimals follow a comma, beside others with a point in one file."""

from pathlib import Path

import pandas as pd
import pytest

from smoldesk.analyst.tables.catalogue import COMMA
from smoldesk.tables.inside.decimal_commas import COMMA as WRITTEN
from smoldesk.tables.inside.written import form_of_numbers
from tests.analyst.small_tables import SmallDesk

CHARGES = """session,Site,Energy (kWh),Cost (EUR)
1,Airport,42.5,"24,65"
2,Airport,51.0,"1.029,50 €"
3,City Hall,14.2,"5,68"
4,City Hall,18.8,7
5,City Hall,9.9,
"""


def test_a_comma_before_two_digits_is_a_decimal_point(tmp_path: Path) -> None:
    desk = SmallDesk(tmp_path, charges=CHARGES)
    said = desk.ask("total cost of Airport")
    assert "1,054.15" in said.first
    assert "decimal commas" in said.text
    assert "6.34" in desk.ask("average cost of City Hall").first
    assert "2 rows" in desk.ask("how many sessions cost over 20").first


@pytest.mark.parametrize(
    ("cells", "form"),
    [
        (["24,65", "5,68", "7"], COMMA),
        (["0,125", "0,25"], COMMA),
        (["12,5 kg", "8,25 kg"], COMMA),
        (["9,5", "8,0", "7,5", "9,0", "8,5", "DNF"], COMMA),
        (["1,234", "5,678"], "text"),
        (["1,234,567", "12,34,567", "7"], "text"),
        (["1,250", "24,65"], ""),  # a thousand, or one and a quarter
        (["24,65", "5.68"], ""),
        (["1,2,3", "4,5"], ""),
    ],
)
def test_what_a_comma_may_mean_is_seen_in_the_whole_column(cells: list[str], form: str) -> None:
    assert form_of_numbers(pd.Series(cells, name="x")) == form


def test_both_rooms_call_the_form_alike() -> None:
    assert COMMA == WRITTEN
