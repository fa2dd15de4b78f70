"""Sizes of charts of names: each name on a vertical axis has a line, and one or two bars make a small chart. Pure."""

from .chart_rules import Spec

# Pixels of a name along a vertical axis, of each of several bars beside it, and the most of the axis.
LINE, THIN, TALLEST = 26, 14, 900
# Names that make a small chart; pixels of one of its bars along a horizontal axis, its height, and its width if bars lie.
FEW, STEP, LOW, NARROW = 2, 96, 180, 240


def size_of(kind: str, names: int, bars: int, lies: bool) -> Spec:
    """Return the width or height for this number of names, each with `bars` side by side."""
    is_small = kind == "bar" and names <= FEW and bars <= FEW
    if lies:
        line = LINE if bars <= 1 else max(LINE, THIN * (bars + 1))
        return {"height": min(TALLEST, line * max(2, names)), **({"width": NARROW} if is_small else {})}
    return {"width": {"step": STEP}, "height": LOW} if is_small else {}
