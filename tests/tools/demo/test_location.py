"""`get_location` believes a client nothing but a position on this earth."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from smoldesk.errors import BadInput
from smoldesk.tables.results import to_frame
from smoldesk.tools.demo.location import GetLocation

HERE = {"latitude": 35.6812, "longitude": 139.7671, "accuracy": 12.5}


@given(st.floats(-90, 90), st.floats(-180, 180), st.floats(0, 1e7))
def test_every_position_is_taken(latitude: float, longitude: float, accuracy: float) -> None:
    place = {"latitude": latitude, "longitude": longitude, "accuracy": accuracy}
    assert GetLocation().received(dict(place)) == place
    to_frame(place)


def test_what_else_a_client_sends_is_left_out() -> None:
    assert GetLocation().received({**HERE, "city": "Tokyo", "speed": None}) == HERE


WRONG: list[Any] = [None, "35,139", 7, True, [35, 139, 1], {}, {"coords": HERE}]
WRONG += [{key: value for key, value in HERE.items() if key != name} for name in HERE]
WRONG += [
    {**HERE, name: value}
    for name in HERE
    for value in (None, "1", True, [1], {}, math.nan, math.inf, -math.inf)
]
WRONG += [{**HERE, "latitude": 90.001}, {**HERE, "latitude": -91}, {**HERE, "longitude": 180.5}]
WRONG += [{**HERE, "longitude": -181}, {**HERE, "accuracy": -0.1}, {**HERE, "latitude": 10**400}]


@pytest.mark.parametrize("value", WRONG)
def test_anything_else_is_refused(value: Any) -> None:
    with pytest.raises(BadInput, match="Expected"):
        GetLocation().received(value)
