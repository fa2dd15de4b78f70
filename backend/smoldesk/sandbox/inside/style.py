"""Style of charts: the page's neutrals, a colour-blind-safe cycle, white ground, and visible Japanese."""

import importlib.util
import logging
from pathlib import Path
from typing import Any

INK = "#1f2430"
MUTED = "#5b6472"
HAIRLINE = "#c9cfd8"
GRID = "#e8ebf0"
GROUND = "#ffffff"
CYCLE = ["#3b6fe0", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#7a5c00", "#5b6472"]
DPI = 144

FAMILIES = ["Inter", "Segoe UI", "Helvetica Neue", "Noto Sans", "DejaVu Sans"]
JAPANESE = ["Hiragino Sans", "Yu Gothic UI", "Noto Sans CJK JP", "IPAexGothic"]

RC: dict[str, Any] = {
    "figure.figsize": (5.4, 3.2),  # inches; shown as wide as a phone, its labels still have 11 CSS pixels
    "figure.facecolor": GROUND,
    "savefig.facecolor": "auto",  # a figure that chose its own ground keeps it
    "savefig.dpi": DPI,
    "axes.facecolor": GROUND,
    "axes.edgecolor": HAIRLINE,
    "axes.labelcolor": MUTED,
    "axes.titlecolor": INK,
    "axes.titlesize": 13,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlepad": 10,
    "axes.labelsize": 11,
    "axes.linewidth": 0.8,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.grid.axis": "y",
    "axes.axisbelow": True,
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "xtick.labelsize": 11,
    "ytick.labelsize": 11,
    "xtick.major.size": 0,
    "ytick.major.size": 0,
    "text.color": INK,
    "legend.frameon": False,
    "legend.fontsize": 11,
    "lines.linewidth": 1.8,
    "patch.edgecolor": GROUND,
    "image.cmap": "viridis",
    "font.size": 11,
}


def apply() -> list[str]:
    """Set the style for matplotlib, which the caller knows to be imported; returns the Japanese families
    found.
    """
    import matplotlib as mpl
    from cycler import cycler
    from matplotlib import font_manager

    logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)  # a missing weight is no news
    for path in _bundled_fonts():
        font_manager.fontManager.addfont(path)
    fonts = {font.name for font in font_manager.fontManager.ttflist}
    japanese = [family for family in JAPANESE if family in fonts][:1]
    latin = [family for family in FAMILIES if family in fonts][:1]
    settings: Any = mpl.rcParams
    settings.update({**RC, "axes.prop_cycle": cycler(color=CYCLE), "font.family": [*latin, *japanese]})
    return japanese


def _bundled_fonts() -> list[Path]:
    """Return the fonts of matplotlib_fontja, found without importing it, since that would change the style."""
    spec = importlib.util.find_spec("matplotlib_fontja")
    if spec is None or spec.origin is None:
        return []
    return sorted(Path(spec.origin).parent.glob("fonts/*.ttf"))
