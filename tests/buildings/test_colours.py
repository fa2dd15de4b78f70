"""Colours as people write them."""

import re

import pytest

from smoldesk.buildings.colours import (
    CSS_COLOURS,
    NAMED,
    colour,
    find_colour,
    paint,
)
from smoldesk.errors import BadInput


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
        ("RebeccaPurple", "#663399"),
        ("深緑色", "#006400"),
        ("レッド", "#FF0000"),
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


def test_every_name_of_css_is_a_colour() -> None:
    from matplotlib.colors import CSS4_COLORS

    assert {name: value.upper() for name, value in CSS4_COLORS.items()} == CSS_COLOURS  # pyright: ignore[reportAttributeAccessIssue]
    assert all(find_colour(name) for name in CSS_COLOURS)


@pytest.mark.parametrize(
    ("text", "painted"),
    [
        ("#FF000080", ("#FF0000", 0.5)),
        ("#f008", ("#FF0000", 0.53)),
        ("#00ff00ff", ("#00FF00", 1.0)),
        ("#00ff00", ("#00FF00", None)),
        ("赤", ("#FF0000", None)),
    ],
)
def test_a_paint_may_say_how_opaque_it_is(text: str, painted: tuple[str, float | None]) -> None:
    assert paint(text) == painted


@pytest.mark.parametrize("text", ["#12345", "#1234567", "#123456789", "12345678"])
def test_a_number_of_digits_that_means_nothing_is_no_paint(text: str) -> None:
    with pytest.raises(BadInput):
        paint(text)
