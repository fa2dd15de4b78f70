"""Colours as people and models write them, in English, Japanese or hex, turned into "#RRGGBB". Pure."""

import re

from smoldesk.buildings.names import fold
from smoldesk.errors import BadInput

_PAIRS = """
aliceblue=F0F8FF antiquewhite=FAEBD7 aqua=00FFFF aquamarine=7FFFD4 azure=F0FFFF beige=F5F5DC
bisque=FFE4C4 black=000000 blanchedalmond=FFEBCD blue=0000FF blueviolet=8A2BE2 brown=A52A2A
burlywood=DEB887 cadetblue=5F9EA0 chartreuse=7FFF00 chocolate=D2691E coral=FF7F50
cornflowerblue=6495ED cornsilk=FFF8DC crimson=DC143C cyan=00FFFF darkblue=00008B darkcyan=008B8B
darkgoldenrod=B8860B darkgray=A9A9A9 darkgreen=006400 darkgrey=A9A9A9 darkkhaki=BDB76B
darkmagenta=8B008B darkolivegreen=556B2F darkorange=FF8C00 darkorchid=9932CC darkred=8B0000
darksalmon=E9967A darkseagreen=8FBC8F darkslateblue=483D8B darkslategray=2F4F4F darkslategrey=2F4F4F
darkturquoise=00CED1 darkviolet=9400D3 deeppink=FF1493 deepskyblue=00BFFF dimgray=696969
dimgrey=696969 dodgerblue=1E90FF firebrick=B22222 floralwhite=FFFAF0 forestgreen=228B22
fuchsia=FF00FF gainsboro=DCDCDC ghostwhite=F8F8FF gold=FFD700 goldenrod=DAA520 gray=808080
green=008000 greenyellow=ADFF2F grey=808080 honeydew=F0FFF0 hotpink=FF69B4 indianred=CD5C5C
indigo=4B0082 ivory=FFFFF0 khaki=F0E68C lavender=E6E6FA lavenderblush=FFF0F5 lawngreen=7CFC00
lemonchiffon=FFFACD lightblue=ADD8E6 lightcoral=F08080 lightcyan=E0FFFF lightgoldenrodyellow=FAFAD2
lightgray=D3D3D3 lightgreen=90EE90 lightgrey=D3D3D3 lightpink=FFB6C1 lightsalmon=FFA07A
lightseagreen=20B2AA lightskyblue=87CEFA lightslategray=778899 lightslategrey=778899
lightsteelblue=B0C4DE lightyellow=FFFFE0 lime=00FF00 limegreen=32CD32 linen=FAF0E6 magenta=FF00FF
maroon=800000 mediumaquamarine=66CDAA mediumblue=0000CD mediumorchid=BA55D3 mediumpurple=9370DB
mediumseagreen=3CB371 mediumslateblue=7B68EE mediumspringgreen=00FA9A mediumturquoise=48D1CC
mediumvioletred=C71585 midnightblue=191970 mintcream=F5FFFA mistyrose=FFE4E1 moccasin=FFE4B5
navajowhite=FFDEAD navy=000080 oldlace=FDF5E6 olive=808000 olivedrab=6B8E23 orange=FFA500
orangered=FF4500 orchid=DA70D6 palegoldenrod=EEE8AA palegreen=98FB98 paleturquoise=AFEEEE
palevioletred=DB7093 papayawhip=FFEFD5 peachpuff=FFDAB9 peru=CD853F pink=FFC0CB plum=DDA0DD
powderblue=B0E0E6 purple=800080 rebeccapurple=663399 red=FF0000 rosybrown=BC8F8F royalblue=4169E1
saddlebrown=8B4513 salmon=FA8072 sandybrown=F4A460 seagreen=2E8B57 seashell=FFF5EE sienna=A0522D
silver=C0C0C0 skyblue=87CEEB slateblue=6A5ACD slategray=708090 slategrey=708090 snow=FFFAFA
springgreen=00FF7F steelblue=4682B4 tan=D2B48C teal=008080 thistle=D8BFD8 tomato=FF6347
turquoise=40E0D0 violet=EE82EE wheat=F5DEB3 white=FFFFFF whitesmoke=F5F5F5 yellow=FFFF00
yellowgreen=9ACD32
"""

# Lower-case name -> "#RRGGBB", with both spellings of grey.
CSS_COLOURS = {name: f"#{digits}" for name, _, digits in (pair.partition("=") for pair in _PAIRS.split())}


# The usual names, in shades that read well on a floor plan; the page's own blue and red are among them.
#
# Every other name is what CSS says it is.
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
    """Return the colour as "#RRGGBB" (upper case), or None: "red", "#f00", "00A651", "rebeccapurple", "赤", "赤色"."""
    wanted = fold(text)
    if hexed := _HEX.fullmatch(wanted):
        return _six(hexed[1])
    name = _ALSO.get(wanted) or _ALSO.get(wanted.removesuffix("色")) or wanted
    return NAMED.get(name) or CSS_COLOURS.get(name)


def colour(text: str) -> str:
    """`find_colour`, but raises BadInput naming what is accepted."""
    match = find_colour(text)
    if match is None:
        quoted = repr(text if len(text) <= 60 else text[:60] + "…")
        raise BadInput(
            f"{quoted} is not a colour.",
            hint=f"Write #RRGGBB or one of: {', '.join(NAMED)}, or another CSS colour name.",
        )
    return match


def paint(text: str) -> tuple[str, float | None]:
    """Return a colour and its opacity (0 to 1): "#FF000080" and "#f008" have one, others None. Raises BadInput."""
    hexed = _HEX_WITH_ALPHA.fullmatch(fold(text))
    if hexed is None or (len(hexed[1]) == 6) != (len(hexed[2]) == 2):
        return colour(text), None
    return _six(hexed[1]), round(int(hexed[2] * (3 - len(hexed[2])), 16) / 255, 2)


def _six(digits: str) -> str:
    return f"#{digits if len(digits) == 6 else ''.join(digit * 2 for digit in digits)}".upper()
