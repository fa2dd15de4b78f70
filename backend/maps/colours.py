"""Colours as people and models write them, in English, Japanese or hex, turned into "#RRGGBB". Pure."""

import re

from backend.errors import BadInput
from backend.maps.names import fold

NAMED = {
    "red": "#FF0000",
    "orange": "#FF8C00",
    "yellow": "#FFD700",
    "green": "#00A651",
    "lime": "#7FD13B",
    "teal": "#00897B",
    "cyan": "#00BCD4",
    "blue": "#0066FF",
    "navy": "#1F3A8A",
    "purple": "#8E24AA",
    "magenta": "#E91E9C",
    "pink": "#FF69B4",
    "brown": "#8B5A2B",
    "black": "#000000",
    "grey": "#808080",
    "white": "#FFFFFF",
    "gold": "#FFC107",
    "silver": "#B0B7C3",
}
"""English names; the page's own blue and red are among them."""

_ALSO = {
    "gray": "grey",
    "violet": "purple",
    "赤": "red",
    "橙": "orange",
    "オレンジ": "orange",
    "黄": "yellow",
    "緑": "green",
    "黄緑": "lime",
    "水": "cyan",
    "青": "blue",
    "紺": "navy",
    "紫": "purple",
    "ピンク": "pink",
    "桃": "pink",
    "茶": "brown",
    "黒": "black",
    "灰": "grey",
    "グレー": "grey",
    "白": "white",
    "金": "gold",
    "銀": "silver",
}

_HEX = re.compile(r"#?([0-9a-f]{6}|[0-9a-f]{3})")


def find_colour(text: str) -> str | None:
    """The colour as "#RRGGBB" (upper case), or None: "red", "#f00", "00A651", "赤", "赤色"."""
    wanted = fold(text)
    if hexed := _HEX.fullmatch(wanted):
        digits = hexed[1] if len(hexed[1]) == 6 else "".join(digit * 2 for digit in hexed[1])
        return f"#{digits.upper()}"
    name = _ALSO.get(wanted) or _ALSO.get(wanted.removesuffix("色")) or wanted
    return NAMED.get(name)


def colour(text: str) -> str:
    """`find_colour`, but raises BadInput naming what is accepted."""
    found = find_colour(text)
    if found is None:
        raise BadInput(f"{text!r} is no colour.", hint=f"Write #RRGGBB or one of: {', '.join(NAMED)}.")
    return found
