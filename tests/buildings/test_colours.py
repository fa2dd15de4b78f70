"""Colours as people write them; and palettes, in which what is darker stays darker for every eye."""

import math
import re
from itertools import pairwise

import pytest

from smoldesk.buildings.colours import (
    CSS_COLOURS,
    NAMED,
    colour,
    find_colour,
    paint,
)
from smoldesk.buildings.palettes import DIVERGING, PALETTES, scale_for
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


SEQUENTIAL = [name for name in PALETTES if name != DIVERGING]


def lightness(colour: str) -> float:
    """L* of CIELAB, which is how light a colour looks, whatever its hue."""
    red, green, blue = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in (red, green, blue)]
    y = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return 116 * (y ** (1 / 3) if y > 0.008856 else 7.787 * y + 16 / 116) - 16


@pytest.mark.parametrize("name", SEQUENTIAL)
def test_lightness_rises_or_falls_all_the_way(name: str) -> None:
    scale = scale_for([0, 100], name)
    steps = [lightness(scale.colour(value)) for value in range(101)]
    rises = [after - before for before, after in pairwise(steps)]
    assert all(rise > 0 for rise in rises) or all(rise < 0 for rise in rises), name
    assert abs(steps[-1] - steps[0]) > 50


def test_the_diverging_palette_is_lightest_in_its_middle() -> None:
    scale = scale_for([-100, 100], DIVERGING)
    steps = [
        lightness(scale.colour(value)) for value in range(-100, 101, 5)
    ]  # finer, whole channels round up and down
    assert steps[:21] == sorted(steps[:21])
    assert steps[20:] == sorted(steps[20:], reverse=True)
    assert abs(steps[0] - steps[-1]) < 12, "both ends weigh alike"


@pytest.mark.parametrize("name", ["viridis", "cividis", "magma"])
def test_colours_between_the_stops_are_those_of_the_published_map(name: str) -> None:
    matplotlib = pytest.importorskip("matplotlib")
    scale = scale_for([0.0, 1.0], name)
    for place in range(101):
        ours = [int(scale.colour(place / 100)[at : at + 2], 16) for at in (1, 3, 5)]
        theirs = [255 * channel for channel in matplotlib.colormaps[name](place / 100)[:3]]
        assert max(abs(a - b) for a, b in zip(ours, theirs, strict=True)) <= 13, (name, place)


@pytest.mark.parametrize("name", PALETTES)
def test_a_legend_mixed_between_its_stops_is_the_scale(name: str) -> None:
    scale = scale_for([3.0, 8.0], name)
    stops = scale.stops()
    assert (stops[0].value, stops[-1].value) == pytest.approx((scale.low, scale.high))
    for stop in stops:
        assert scale.colour(stop.value) == stop.color


def test_values_that_change_sign_have_zero_in_the_middle() -> None:
    scale = scale_for([-2, 10], DIVERGING)
    assert (scale.low, scale.high) == (-10, 10)
    assert scale.colour(0) == PALETTES[DIVERGING][5]
    assert scale_for([-2, 10], "viridis").low == -2


def test_a_middle_may_be_given() -> None:
    for written in ("blue-orange 21", "Blue-Orange@21", "blue_orange(21)", "diverging: 21"):
        scale = scale_for([20, 25], written)
        assert (scale.low, scale.high) == (17, 25), written
        assert scale.colour(21) == PALETTES[DIVERGING][5]


def test_one_value_gets_the_middle_colour() -> None:
    scale = scale_for([20, 20])
    assert scale.colour(20) == PALETTES["viridis"][8]
    assert scale.low < 20 < scale.high
    assert math.isclose(scale_for([0.0]).high, 0.5)


@pytest.mark.parametrize("written", ["rainbow", "viridis 21", "blue-orange x"])
def test_an_unknown_palette_is_told_the_known_ones(written: str) -> None:
    with pytest.raises(BadInput, match="viridis, cividis, magma, blues, blue-orange"):
        scale_for([1, 2], written)
