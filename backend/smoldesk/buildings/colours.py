"""Colours as people and models write them, in English, Japanese or hex, turned into "#RRGGBB". Pure."""

import re

from smoldesk.buildings.css_colours import CSS_COLOURS
from smoldesk.buildings.names import fold
from smoldesk.errors import BadInput

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
"""The usual names, in shades that read well on a floor plan; the page's own blue and red are among them.

Every other name is what CSS says it is.
"""

_ALSO = {
    "gray": "grey",
    "violet": "purple",
    "赤": "red",
    "レッド": "red",
    "紅": "crimson",
    "朱": "orangered",
    "橙": "orange",
    "オレンジ": "orange",
    "黄": "yellow",
    "イエロー": "yellow",
    "緑": "green",
    "グリーン": "green",
    "深緑": "darkgreen",
    "黄緑": "lime",
    "青緑": "teal",
    "水": "cyan",
    "シアン": "cyan",
    "空": "skyblue",
    "青": "blue",
    "ブルー": "blue",
    "藍": "indigo",
    "紺": "navy",
    "ネイビー": "navy",
    "紫": "purple",
    "パープル": "purple",
    "マゼンタ": "magenta",
    "ピンク": "pink",
    "桃": "pink",
    "茶": "brown",
    "ブラウン": "brown",
    "ベージュ": "beige",
    "黒": "black",
    "ブラック": "black",
    "灰": "grey",
    "グレー": "grey",
    "白": "white",
    "ホワイト": "white",
    "金": "gold",
    "ゴールド": "gold",
    "銀": "silver",
    "シルバー": "silver",
}

_HEX = re.compile(r"#?([0-9a-f]{6}|[0-9a-f]{3})")
_HEX_WITH_ALPHA = re.compile(r"#([0-9a-f]{6}|[0-9a-f]{3})([0-9a-f]{2}|[0-9a-f])")


def find_colour(text: str) -> str | None:
    """The colour as "#RRGGBB" (upper case), or None: "red", "#f00", "00A651", "rebeccapurple", "赤", "赤色"."""
    wanted = fold(text)
    if hexed := _HEX.fullmatch(wanted):
        return _six(hexed[1])
    name = _ALSO.get(wanted) or _ALSO.get(wanted.removesuffix("色")) or wanted
    return NAMED.get(name) or CSS_COLOURS.get(name)


def colour(text: str) -> str:
    """`find_colour`, but raises BadInput naming what is accepted."""
    found = find_colour(text)
    if found is None:
        shown = repr(text if len(text) <= 60 else text[:60] + "…")
        raise BadInput(
            f"{shown} is no colour.",
            hint=f"Write #RRGGBB or one of: {', '.join(NAMED)}, or another CSS colour name.",
        )
    return found


def paint(text: str) -> tuple[str, float | None]:
    """A colour with its opacity: "#FF000080" and "#f008" say one (0 to 1), all else leaves it None; raises BadInput."""
    hexed = _HEX_WITH_ALPHA.fullmatch(fold(text))
    if hexed is None or (len(hexed[1]) == 6) != (len(hexed[2]) == 2):
        return colour(text), None
    return _six(hexed[1]), round(int(hexed[2] * (3 - len(hexed[2])), 16) / 255, 2)


def _six(digits: str) -> str:
    return f"#{digits if len(digits) == 6 else ''.join(digit * 2 for digit in digits)}".upper()
