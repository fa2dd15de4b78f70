"""Labels of a matplotlib figure, put right before it is drawn: upright where they fit.

pandas turns the labels of every bar chart by 90 degrees, and draws grid lines of both axes once a style wants those of one.
"""

from typing import Any

# Degrees by which pandas turns labels; another angle was chosen on purpose.
TURNED = 90.0
# Space between two labels, in units of their font size.
GAP = 0.6


def straighten(figure: Any) -> None:
    """Set labels under the axes upright where they were turned and fit side by side; no grid line runs through bars."""
    renderer = figure.canvas.get_renderer() if hasattr(figure.canvas, "get_renderer") else None
    for axes in figure.axes:
        if renderer is not None and axes.name == "rectilinear" and axes.get_visible():
            _straighten_axes(axes, renderer)
            _clear_bars(axes)


def _straighten_axes(axes: Any, renderer: Any) -> None:
    labels = [
        (at, label)
        for at, label in zip(axes.get_xticks(), axes.get_xticklabels(), strict=False)
        if label.get_text()
    ]
    if not labels or any(label.get_rotation() != TURNED for _, label in labels):
        return
    for _, label in labels:
        label.set_rotation(0)
    if not _fit(axes, labels, renderer):
        for _, label in labels:
            label.set_rotation(TURNED)
        return
    axes.tick_params(axis="x", labelrotation=0)


def _fit(axes: Any, labels: list[tuple[Any, Any]], renderer: Any) -> bool:
    """Return whether labels that stand upright leave a gap between each two of them."""
    end = float("-inf")
    for place, label in sorted(labels, key=lambda entry: axes.transData.transform((entry[0], 0))[0]):
        box = label.get_window_extent(renderer)
        middle = axes.transData.transform((place, 0))[0]
        gap = GAP * label.get_fontsize() * axes.figure.dpi / 72
        if middle - box.width / 2 < end + gap:
            return False
        end = middle + box.width / 2
    return True


def _clear_bars(axes: Any) -> None:
    import matplotlib as mpl

    standing = any(getattr(bars, "orientation", "") == "vertical" for bars in axes.containers)
    if standing and mpl.rcParams["axes.grid.axis"] == "y":
        axes.xaxis.grid(False)
