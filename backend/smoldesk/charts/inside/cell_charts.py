"""Charts in cells: `chart(data, spec)`, and the display of our charts, Altair's, and plotly figures."""

import builtins
import json
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

from smoldesk.sandbox.inside.cells import Cells
from smoldesk.sandbox.inside.outputs import Outputs

from .chart_changes import check_names
from .chart_place import CodePlace, place_of, place_of_value
from .charts import DeskChart, chart, described, is_altair, of_altair, write_chart
from .plotly_charts import is_plotly, plotly_chart, plotly_table


def begin(_folder: Path, _config: dict[str, Any], cells: Cells) -> None:
    """Define `chart` for cells, and register the display of charts."""
    sys.meta_path.insert(0, NoEngine())
    builtins.chart = chart_in_cell  # type: ignore[attr-defined]
    cells.outputs.displays.append(lambda outputs, value, name: show(outputs, value, name, cells.file))


def chart_in_cell(data: Any, spec: Any = None, **changes: Any) -> DeskChart:
    """Return a chart of a table and a spec, or of a chart of Altair or plotly without one; `chart` of cells.

    `changes` are those of the page's controls (chart_changes.py). Raises ValueError for an invalid spec or change.
    """
    check_names(changes)
    result = _of_library(data) if spec is None else chart(data, spec)
    result.changes, result.place = changes, place_of(sys._getframe(1))  # pyright: ignore[reportPrivateUsage]
    return result


def _of_library(value: Any) -> DeskChart:
    converted = plotly_chart(value) if is_plotly(value) else of_altair(value) if is_altair(value) else None
    if converted is None:
        raise ValueError(
            f"expected chart(df, spec), or a chart of Altair or plotly that the desk draws, got {type(value).__name__}"
        )
    return converted


class NoEngine:
    """A finder that refuses `vl_convert` where its JavaScript engine would abort the process and lose its variables."""

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> None:
        """Raise OSError for the engine; Altair would replace an ImportError by advice to install it."""
        if name == "vl_convert" and _is_bounded():
            raise OSError(
                "vl_convert cannot start in a cell: its engine reserves more address space than code may have. "
                "Make the chart the cell's last value: the page, reports and exports draw it. "
                "For a picture file use matplotlib."
            )


def _is_bounded() -> bool:
    try:
        import resource
    except ImportError:  # Windows
        return False
    return resource.getrlimit(resource.RLIMIT_AS)[0] != resource.RLIM_INFINITY


def show(outputs: Outputs, value: Any, name: str, file: str) -> bool:
    """Show a chart, a Vega-Lite spec with its rows, or a plotly figure; return False for any other value.

    `file` names the code of the running cell.
    """
    value = _of_spec(value)
    if isinstance(value, DeskChart):
        # Code of an earlier cell is not this cell's.
        if value.place and value.place.file != file:
            value.place = None
        _show_chart(outputs, value, outputs.variable(value) or name or "chart", None)
    elif is_altair(value):
        _show_chart(outputs, value, outputs.variable(value) or name or "chart", place_of_value(file, value))
    elif is_plotly(value):
        name = outputs.variable(value) or name or "figure"
        _show_plotly(outputs, value, name, place_of_value(file, value))
    else:
        return False
    return True


def _of_spec(value: Any) -> Any:
    """Return the chart of a complete spec as a dict; any other value unchanged."""
    spec = cast("dict[str, Any]", value) if type(value) is dict else {}
    data: Any = spec.get("data")
    rows: Any = cast("dict[str, Any]", data).get("values") if type(data) is dict else None
    if not isinstance(rows, list) or "encoding" not in spec:
        return cast(Any, value)
    try:
        return chart(rows, spec)
    except ValueError:  # a dict with the keys of a chart but another meaning, or a chart that cannot be drawn
        return spec


def _show_chart(outputs: Outputs, value: Any, name: str, expression: CodePlace | None) -> None:
    """Show a chart; `expression` is the place where it is shown, where `chart(...)` can be put around it."""
    path = outputs.numbered.next("charts", "json")
    try:
        chart_file = write_chart(value, path)
    except ValueError as fault:
        outputs.note(f"[a chart could not be shown: {fault}]\n")
        path.unlink(missing_ok=True)
        return
    title = described(json.loads(path.read_text(encoding="utf-8")))
    item: dict[str, Any] = {
        "kind": "chart",
        "name": name,
        "title": title,
        "path": outputs.numbered.relative(path),
    }
    facts = asdict(chart_file)
    has_controls = facts.pop("has_controls")
    place = value.place if isinstance(value, DeskChart) and value.place else expression
    item["at"] = [place.begin, place.end] if place and has_controls else []
    item["changes"] = (
        {name: str(change) for name, change in value.changes.items()} if isinstance(value, DeskChart) else {}
    )
    outputs.send_item({**item, **facts})


def _show_plotly(outputs: Outputs, figure: Any, name: str, expression: CodePlace | None) -> None:
    """Show a plotly figure as an equivalent chart, else its data with a note."""
    try:
        converted = plotly_chart(figure)
    except (ValueError, TypeError, KeyError):  # its arrays may have any values
        converted = None
    if converted is not None:
        outputs.note("[a plotly figure is shown as a chart of the desk, with its data, titles and colours]\n")
        _show_chart(outputs, converted, name, expression)
        return
    frame = plotly_table(figure)
    data = "its data is shown as a table" if frame is not None else "it has no data to show"
    draws = "Bars, lines, points, histograms, boxes, pies and heatmaps of plotly are, and Altair, or chart(df, spec)."
    outputs.note(f"[this plotly figure is not drawn here, which would take a browser: {data}. {draws}]\n")
    if frame is not None:
        outputs.show(frame, name)
