"""Labels of a matplotlib figure, put right before it is drawn: upright where they fit, legends beside what they explain.

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


def move_legends(figure: Any) -> None:
    """Move a legend that matplotlib would place on the plot below it, in as many columns as fit; the width stays.

    Several axes side by side leave no room, and a place that the code chose is kept.
    """
    renderer = figure.canvas.get_renderer() if hasattr(figure.canvas, "get_renderer") else None
    visible = [axes for axes in figure.axes if axes.get_visible()]
    if renderer is None or any(axes.bbox.bounds != visible[0].bbox.bounds for axes in visible):
        return
    for axes in visible:
        legend = axes.get_legend()
        # 0 is "best", also where none was chosen. matplotlib has no public reader for this and the anchor.
        is_chosen = getattr(legend, "_loc", None) != 0 or getattr(legend, "_bbox_to_anchor", None)
        if legend is None or is_chosen or not legend.get_visible():
            continue
        columns = int(axes.bbox.width // max(1, legend.get_window_extent(renderer).width))
        legend.set_visible(False)
        # Below everything, also below the legend of a second axis that was moved before.
        lowest = min(each.get_tightbbox(renderer).y0 for each in visible)
        bottom = axes.transAxes.inverted().transform((0, lowest))[1]
        _set_columns(legend, max(1, min(columns, len(legend.get_texts()))))
        legend.set_loc("upper left")
        legend.set_bbox_to_anchor((0.0, bottom), transform=axes.transAxes)
        legend.set_visible(True)


def _set_columns(legend: Any, columns: int) -> None:
    """Arrange a legend in columns; it keeps all that its code chose. matplotlib has no public method for this."""
    handles, labels = legend.legend_handles, [text.get_text() for text in legend.get_texts()]
    title = legend.get_title()
    legend.set_ncols(columns)
    legend.markerscale = 1.0  # the handles are scaled already
    legend._init_legend_box(handles, labels)
    legend.set_title(title.get_text() or None, title.get_fontproperties())


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
