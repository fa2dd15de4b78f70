"""Charts as data: the rules of their specs, their pictures (made in a jailed child), and the program that the page draws with.

`inside` is the code that runs in children: `CHILD_PACKAGES` is what a child is told of it, `CELL_CHARTS` what gives cells
their charts. vl-convert, which is native code, is imported there and nowhere else.
"""

from smoldesk.charts.pictures import CHILD_PACKAGES, NoPicture, Picture, picture_of, prepare_picture, svg_of
from smoldesk.charts.specs import checked_spec

CELL_CHARTS = "smoldesk.charts.inside.cell_charts"

__all__ = [
    "CELL_CHARTS",
    "CHILD_PACKAGES",
    "NoPicture",
    "Picture",
    "checked_spec",
    "picture_of",
    "prepare_picture",
    "svg_of",
]
