"""Look of charts' pictures: the neutrals and colours of our plots (sandbox/inside/style.py), on white."""

from typing import Any

from smoldesk.sandbox.inside.style import CYCLE, GRID, GROUND, HAIRLINE, INK, MUTED

FONT = "DejaVu Sans, sans-serif"
# For Japanese text: the engine uses the first installed family, even for letters that it lacks.
JAPANESE = "IPAexGothic, Noto Sans CJK JP, sans-serif"
# First character (CJK radicals) of those that FONT does not have.
EASTERN = "\u2e80"

# Configuration of Vega-Lite. frontend/js/charts/look.js has the same for the page, in both themes.
LIGHT: dict[str, Any] = {
    "background": GROUND,
    "font": FONT,
    "padding": 8,
    "scale": {"zero": False, "barBandPaddingInner": 0.25},
    "title": {"color": INK, "fontSize": 14, "anchor": "start", "offset": 10, "subtitleColor": MUTED},
    "axis": {
        "labelColor": MUTED,
        "titleColor": MUTED,
        "titleFontWeight": "normal",
        "labelFontSize": 11,
        "titleFontSize": 11,
        "labelOverlap": True,
        "labelSeparation": 4,
        "gridColor": GRID,
        "domainColor": HAIRLINE,
        "tickColor": HAIRLINE,
    },
    "axisXDiscrete": {"labelAngle": 0},
    "legend": {
        "labelColor": MUTED,
        "titleColor": MUTED,
        "titleFontWeight": "normal",
        "labelFontSize": 11,
        "titleFontSize": 11,
    },
    "header": {"labelColor": MUTED, "titleColor": MUTED},
    "view": {"stroke": None, "continuousWidth": 480, "continuousHeight": 260, "discreteWidth": 480},
    "range": {"category": CYCLE},
    "mark": {"color": CYCLE[0]},
    "text": {"color": INK},
    "rule": {"color": MUTED},
}


def chart_config(spec: str) -> dict[str, Any]:
    """Return the configuration for a spec, with a Japanese font if its text needs one."""
    return LIGHT if max(spec, default="") < EASTERN else LIGHT | {"font": JAPANESE}
