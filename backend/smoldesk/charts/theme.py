"""Look of charts' pictures: neutrals and colours of our plots (sandbox/inside/style.py), and of the page's dark theme."""

from typing import Any, Literal

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


Theme = Literal["light", "dark"]
# The neutrals and colours of the page's dark theme (frontend/js/charts/look.js), and its ground.
_DARK_INK, _DARK_MUTED, _DARK_LINE, _DARK_GRID, _DARK_GROUND = (
    "#e6e9ef",
    "#b4bcc9",
    "#434b59",
    "#2a303b",
    "#14171c",
)
_DARK_CYCLE = ["#7aa2ff", "#f0b43c", "#2cc295", "#ff8a4c", "#e39bc4", "#7cc9f5", "#c9a44a", "#a5adba"]
_DARK_TEXT = {"labelColor": _DARK_MUTED, "titleColor": _DARK_MUTED}
DARK: dict[str, Any] = LIGHT | {
    "background": _DARK_GROUND,
    "title": LIGHT["title"] | {"color": _DARK_INK, "subtitleColor": _DARK_MUTED},
    "axis": LIGHT["axis"]
    | {**_DARK_TEXT, "gridColor": _DARK_GRID, "domainColor": _DARK_LINE, "tickColor": _DARK_LINE},
    "legend": LIGHT["legend"] | _DARK_TEXT,
    "header": _DARK_TEXT,
    "range": {"category": _DARK_CYCLE},
    "mark": {"color": _DARK_CYCLE[0]},
    "text": {"color": _DARK_INK},
    "rule": {"color": _DARK_MUTED},
}


def chart_config(spec: str, theme: Theme = "light") -> dict[str, Any]:
    """Return the configuration for a spec, with a Japanese font if its text needs one."""
    config = DARK if theme == "dark" else LIGHT
    return config if max(spec, default="") < EASTERN else config | {"font": JAPANESE}
