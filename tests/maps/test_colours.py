"""Colours as people write them."""

import re

import pytest

from backend.errors import BadInput
from backend.maps.colours import NAMED, colour, find_colour


@pytest.mark.parametrize(
    ("text", "hexed"),
    [
        ("#ff0000", "#FF0000"),
        ("ff0000", "#FF0000"),
        ("#f00", "#FF0000"),
        ("＃ｆｆ００００", "#FF0000"),
        (" Red ", "#FF0000"),
        ("赤", "#FF0000"),
        ("赤色", "#FF0000"),
        ("青色", "#0066FF"),
        ("オレンジ", "#FF8C00"),
        ("グレー", "#808080"),
        ("gray", "#808080"),
    ],
)
def test_a_colour_is_understood(text: str, hexed: str) -> None:
    assert colour(text) == hexed


@pytest.mark.parametrize("text", ["", "#", "#12345", "#ff00000", "reddish", "色", "rgb(1,2,3)", "#gggggg"])
def test_what_is_no_colour_is_refused_naming_some(text: str) -> None:
    assert find_colour(text) is None
    with pytest.raises(BadInput, match="red, orange"):
        colour(text)


def test_every_named_colour_is_a_hex_colour() -> None:
    assert all(re.fullmatch(r"#[0-9A-F]{6}", value) for value in NAMED.values())
