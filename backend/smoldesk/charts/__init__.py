"""Charts as data: checks of their specs, their pictures (drawn in a jailed child), and the program the page draws
with.

The code in `inside` runs in children. A child's configuration names this package by `CHILD_PACKAGES`; `CELL_CHARTS`
is the module that defines charts in cells. Only children import vl-convert, which is native code.
"""

from smoldesk.charts.inside.chart_controls import Control
from smoldesk.charts.inside.chart_place import is_place, with_changes
from smoldesk.charts.pictures import (
    CHILD_PACKAGES,
    Drawing,
    NoPicture,
    Picture,
    picture_of,
    prepare_picture,
    svg_of,
)
from smoldesk.charts.specs import ChangedSpec, changed_spec, checked_spec

CELL_CHARTS = "smoldesk.charts.inside.cell_charts"

__all__ = [
    "CELL_CHARTS",
    "CHILD_PACKAGES",
    "ChangedSpec",
    "Control",
    "Drawing",
    "NoPicture",
    "Picture",
    "changed_spec",
    "checked_spec",
    "is_place",
    "picture_of",
    "prepare_picture",
    "svg_of",
    "with_changes",
]
