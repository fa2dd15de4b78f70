"""Plotly figures as charts of the desk: traces that both have, with their titles and colours; of others only the
data.

Plotly's own pictures need Chromium (through kaleido), which starts programs and opens sockets. Cells may do neither,
and untrusted figures are not drawn outside the jail.
"""

import re
import sys
from typing import Any

from . import chart_forms as forms
from .chart_rows import kind_of
from .chart_rules import Spec
from .charts import DeskChart, chart

ARRAYS = ("x", "y", "z", "labels", "values", "lat", "lon", "text")
_TAG = re.compile(r"<[^<>]*>")


def is_plotly(value: Any) -> bool:
    """Check for a plotly figure."""
    module: Any = sys.modules.get("plotly.basedatatypes")
    return module is not None and isinstance(value, module.BaseFigure)


def plotly_chart(figure: Any) -> DeskChart | None:
    """Return the figure as a chart of the desk; None if that would differ from the figure."""
    kinds = {trace.type.removesuffix("gl") for trace in figure.data}
    if len(kinds) != 1 or any(_is_elsewhere(trace) for trace in figure.data):
        return None
    converter = _FORMS.get(kinds.pop())
    converted = converter(figure) if converter is not None else None
    if converted is None:
        return None
    frame, spec = _with_titles(*converted)
    return chart(
        frame,
        {"title": _plain_text(figure.layout.title.text), **spec}
        if _plain_text(figure.layout.title.text)
        else spec,
    )


def _with_titles(frame: Any, spec: Spec) -> tuple[Any, Spec]:
    """Name columns after the titles of their channels, since controls and code name them."""
    channels: list[Spec] = list(spec["encoding"].values())
    titles = {
        channel["field"]: channel["title"]
        for channel in channels
        if channel.get("field") in ARRAYS and channel.get("title") and channel["title"] not in frame.columns
    }
    if len(set(titles.values())) < len(titles):
        return frame, spec
    for channel in channels:
        if channel.get("field") in titles:
            channel["field"] = titles[channel["field"]]
    return frame.rename(columns=titles), spec


def plotly_table(figure: Any) -> Any:
    """Return the rows of a plotly figure: a column for each array of its traces, and one with the trace's name."""
    import pandas as pd

    parts: list[Any] = []
    for number, trace in enumerate(figure.data, 1):
        columns = {name: list(values) for name in ARRAYS if (values := _array(trace, name)) is not None}
        if columns:
            part = pd.DataFrame({name: pd.Series(values) for name, values in columns.items()})
            part.insert(0, "trace", _name(trace, number))
            parts.append(part)
    return pd.concat(parts, ignore_index=True) if parts else None


def _array(trace: Any, name: str) -> Any:
    attribute = getattr(trace, name, None) if name in trace else None
    return None if attribute is None or isinstance(attribute, str) else attribute


def _name(trace: Any, number: int) -> str:
    return _plain_text(getattr(trace, "name", None)) or f"{trace.type} {number}"


def _plain_text(text: Any) -> str:
    return _TAG.sub("", text).strip() if isinstance(text, str) else ""


def _is_elsewhere(trace: Any) -> bool:
    """Check whether a trace uses other axes than the first ones, or is stacked."""
    axes = (getattr(trace, axis, None) for axis in ("xaxis", "yaxis") if axis in trace)
    stacked = "stackgroup" in trace and trace.stackgroup
    return any(axis not in (None, "x", "y") for axis in axes) or bool(stacked)


def _axis(figure: Any, place: str, field: str | None = None) -> Spec:
    """Return the channel of an axis of the figure: its title, and whether it is logarithmic."""
    axis = figure.layout[f"{place}axis"]
    scale: Spec = {"scale": {"type": "log"}} if axis.type == "log" else {}
    return {"field": field or place, "title": _plain_text(axis.title.text) or place, **scale}


def _rows(figure: Any) -> Any:
    """Return the table of the figure, with ISO texts on x as moments; None without x or y."""
    import pandas as pd

    table = plotly_table(figure)
    if table is None or not {"x", "y"} <= set(table.columns):
        return None
    first = next((value for value in table["x"].tolist() if isinstance(value, str)), "")
    if re.match(r"\d{4}-\d\d-\d\d", first):
        to_datetime: Any = pd.to_datetime
        moments = to_datetime(table["x"], errors="coerce", format="ISO8601")
        table["x"] = table["x"] if moments.isna().any() else moments
    return table


def _coloured(figure: Any, spec: Spec) -> Spec:
    """Return the spec with the colours of the traces."""
    trace_colours = [(_name(trace, number), _colour(trace)) for number, trace in enumerate(figure.data, 1)]
    colours = [colour for _, colour in trace_colours if colour]
    channel = spec["encoding"].get("color")
    if channel is None:
        mark: Any = spec["mark"]
        mark_spec: Spec = {"type": mark} if isinstance(mark, str) else mark
        return {**spec, "mark": {**mark_spec, "color": colours[0]}} if colours else spec
    channel["title"] = _plain_text(figure.layout.legend.title.text) or None
    if len(colours) == len(trace_colours):
        channel["scale"] = {"domain": [name for name, _ in trace_colours], "range": colours}
    return spec


def _colour(trace: Any) -> str:
    """Return the single colour of a trace, or an empty text."""
    for part in ("marker", "line"):
        attribute = getattr(trace, part, None) if part in trace else None
        if isinstance(colour := getattr(attribute, "color", None), str):
            return colour
    return ""


def _bars(figure: Any) -> tuple[Any, Spec] | None:
    table = _rows(figure)
    lying = figure.data[0].orientation == "h"
    name, value = ("y", "x") if lying else ("x", "y")
    if table is None or figure.layout.barmode == "overlay" or kind_of(table[value]) != "quantitative":
        return None
    is_time = str(table[name].dtype).startswith("datetime")
    place = {**_axis(figure, name), **({} if is_time else {"type": "ordinal", "sort": None})}
    kind = "stacked" if figure.layout.barmode in ("stack", "relative") or is_time else "bar"
    series = "trace" if len(figure.data) > 1 else ""
    return table, _coloured(figure, forms.groups(kind, place, _axis(figure, value), series, lying))


def _lines(figure: Any) -> tuple[Any, Spec] | None:
    table = _rows(figure)
    modes = {trace.mode or "lines+markers" for trace in figure.data}
    if table is None or not all("lines" in mode or mode == "markers" for mode in modes):
        return None
    series, sides = "trace" if len(figure.data) > 1 else "", (_axis(figure, "x"), _axis(figure, "y"))
    if modes == {"markers"}:
        return table, _coloured(figure, forms.points(*sides, series))
    if "markers" in modes:
        return None  # some traces have points on their lines, others do not
    spec = forms.curves(*sides, series) if modes == {"lines"} else forms.groups("line", *sides, series)
    spec["encoding"]["order"] = {"field": "place"}  # plotly connects rows in their order, Vega-Lite by x
    return table.assign(place=range(len(table))), _coloured(figure, spec)


def _histogram(figure: Any) -> tuple[Any, Spec] | None:
    table = plotly_table(figure)
    if table is None or "x" not in table or "y" in table or figure.layout.barmode == "overlay":
        return None
    count = _plain_text(figure.layout.yaxis.title.text) or "count"
    series, value = "trace" if len(figure.data) > 1 else "", _axis(figure, "x")
    if kind_of(table["x"]) == "quantitative":
        return table, _coloured(figure, forms.histogram(value, count, series))
    names, number = value | forms.in_order("x", title=value["title"]), {"aggregate": "count", "title": count}
    return table, _coloured(figure, forms.groups("stacked", names, number, series))


def _boxes(figure: Any) -> tuple[Any, Spec] | None:
    table = plotly_table(figure)
    if table is None or "y" not in table or ("x" in table and len(figure.data) > 1):
        return None
    if kind_of(table["y"]) != "quantitative":
        return None
    name = "x" if "x" in table else "trace" if len(figure.data) > 1 else ""
    spec = forms.boxes(_axis(figure, "y"), name)
    if name:
        spec["encoding"]["y"]["title"] = _plain_text(figure.layout.xaxis.title.text) or None
    return table, _coloured(figure, spec)


def _pie(figure: Any) -> tuple[Any, Spec] | None:
    table = plotly_table(figure)
    if table is None or not {"labels", "values"} <= set(table.columns) or len(figure.data) > 1:
        return None
    return table.groupby("labels", as_index=False, sort=False)["values"].sum(), forms.pie("labels", "values")


def _heatmap(figure: Any) -> tuple[Any, Spec] | None:
    import pandas as pd

    [*other_traces, trace] = figure.data
    if other_traces or trace.z is None:
        return None
    cells = pd.DataFrame(list(trace.z))
    for axis, axis_values in (("columns", trace.x), ("index", trace.y)):
        if axis_values is not None and len(axis_values) == len(getattr(cells, axis)):
            setattr(cells, axis, list(axis_values))
    table = cells.rename_axis("y").reset_index().melt("y", var_name="x", value_name="z")
    sides = {
        side: {**forms.in_order(side), "title": _plain_text(figure.layout[f"{side}axis"].title.text) or None}
        for side in "xy"
    }
    spec = forms.heatmap("x", "y", {"field": "z", "scale": {"scheme": "viridis"}})
    spec["encoding"] |= {"x": sides["x"], "y": {**sides["y"], "sort": "descending"}}
    return table, spec


_FORMS = {
    "bar": _bars,
    "scatter": _lines,
    "histogram": _histogram,
    "box": _boxes,
    "pie": _pie,
    "heatmap": _heatmap,
}
