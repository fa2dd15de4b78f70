"""Charts in cells: `chart(data, spec)`, and how charts, Altair's too, and figures of plotly are shown."""

import builtins
import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from smoldesk.sandbox.inside.cells import Cells
from smoldesk.sandbox.inside.outputs import Outputs

from .charts import chart, described, is_chart, write_chart
from .plotly_charts import is_plotly, plotly_chart, plotly_table


def begin(_folder: Path, _config: dict[str, Any], cells: Cells) -> None:
    """Give cells `chart`, and have charts shown."""
    builtins.chart = chart  # type: ignore[attr-defined]
    cells.outputs.displays.append(show)


def show(outputs: Outputs, value: Any, name: str) -> bool:
    """Show a chart or a figure of plotly; False for any other value."""
    if is_chart(value):
        _show_chart(outputs, value, outputs.variable(value) or name or "chart")
    elif is_plotly(value):
        _show_plotly(outputs, value, outputs.variable(value) or name or "figure")
    else:
        return False
    return True


def _show_chart(outputs: Outputs, value: Any, name: str) -> None:
    path = outputs.numbered.next("charts", "json")
    try:
        written = write_chart(value, path)
    except ValueError as fault:
        outputs.note(f"[a chart could not be shown: {fault}]\n")
        path.unlink(missing_ok=True)
        return
    title = described(json.loads(path.read_text(encoding="utf-8")))
    item = {"kind": "chart", "name": name, "title": title, "path": outputs.numbered.relative(path)}
    outputs.send_item({**item, **asdict(written)})


def _show_plotly(outputs: Outputs, figure: Any, name: str) -> None:
    """Show a plotly figure as a chart of its data where that is the same; else its data, and a note."""
    try:
        drawn = plotly_chart(figure)
    except (ValueError, TypeError, KeyError):  # whatever its arrays hold
        drawn = None
    if drawn is not None:
        outputs.note("[a plotly figure is shown as a chart of the desk, with its data, titles and colours]\n")
        _show_chart(outputs, drawn, name)
        return
    frame = plotly_table(figure)
    data = "its data is shown as a table" if frame is not None else "it has no data to show"
    draws = "Bars, lines, points, histograms, boxes, pies and heatmaps of plotly are, and Altair, or chart(df, spec)."
    outputs.note(f"[this plotly figure is not drawn here, which would take a browser: {data}. {draws}]\n")
    if frame is not None:
        outputs.show(frame, name)
