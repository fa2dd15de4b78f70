"""Usual charts as Vega-Lite specs without data: bars, lines, points, pies, histograms, boxes, heatmaps. Pure.

A place or a value is a Vega-Lite channel (`{"field": ...}`); a series is the column that separates marks at one
place. The built-in analyst writes its cells with these, and plotly figures are converted to them (plotly_charts.py).
"""

from .chart_rules import Spec


def in_order(field: str, **more: object) -> Spec:
    """Return a channel of names in the order of the data."""
    return {"field": field, "type": "ordinal", "sort": None, **more}


def groups(kind: str, place: Spec, value: Spec, series: str = "", lying: bool = False) -> Spec:
    """Return a chart of one figure for each group: a `line` with points, bars, or `stacked` bars; else series stand
    side by side.
    """
    if kind == "line":
        return _placed({"type": "line", "point": True}, place, value, series)
    spec = _placed("bar", *((value, place) if lying else (place, value)), series)
    if series and kind != "stacked":
        spec["encoding"]["yOffset" if lying else "xOffset"] = {"field": series, "sort": None}
    return spec


def curves(x: Spec, y: Spec, series: str = "") -> Spec:
    """Return lines without points."""
    return _placed("line", x, y, series)


def points(x: Spec, y: Spec, series: str = "") -> Spec:
    """Return a scatter plot."""
    return _placed({"type": "point", "filled": True, "opacity": 0.6}, x, y, series)


def pie(name: str, value: str) -> Spec:
    """Return a pie with its largest part first."""
    encoding: Spec = {"theta": {"field": value}, "order": {"field": value, "sort": "descending"}}
    return {
        "mark": "arc",
        "encoding": {**encoding, "color": {"field": name, "type": "nominal", "sort": None}},
    }


def histogram(value: Spec, count: str, series: str = "", bins: int = 20) -> Spec:
    """Return a histogram; `count` is the title of the number of rows."""
    number = {"aggregate": "count", "title": count}
    return _placed("bar", {**value, "bin": {"maxbins": bins}}, number, series)


def boxes(value: Spec, name: str = "") -> Spec:
    """Return horizontal box plots, one for each name."""
    return {
        "mark": "boxplot",
        "encoding": {"x": value, **({"y": {"field": name, "type": "ordinal"}} if name else {})},
    }


def distributions(begin: str, end: str, number: str, name: str, count: str) -> Spec:
    """Return small histograms side by side, of counted bins; `count` is the title of their number."""
    sides: Spec = {"x": {"field": begin, "bin": "binned", "title": None}, "x2": {"field": end}}
    encoding = {
        **sides,
        "y": {"field": number, "title": count},
        "facet": in_order(name, columns=2, title=None),
    }
    free = {"scale": {"x": "independent", "y": "independent"}}
    return {"mark": "bar", "width": 200, "height": 110, "resolve": free, "encoding": encoding}


def waterfall(label: str, begin: str, end: str, kind: str, value: str) -> Spec:
    """Return bars from `begin` to `end`, in the order of the data; `value` is the axis' title.

    A row's `kind` is whole, up or down.
    """
    colours = {"domain": ["whole", "up", "down"], "range": ["#6b7785", "#2a78d6", "#e0662f"]}
    return {
        "mark": "bar",
        "encoding": {
            "x": in_order(label, title=None),
            "y": {"field": begin, "type": "quantitative", "title": value},
            "y2": {"field": end},
            "color": {"field": kind, "type": "nominal", "scale": colours, "legend": None},
        },
    }


def heatmap(x: str, y: str, shade: Spec) -> Spec:
    """Return a heatmap."""
    return {
        "mark": "rect",
        "encoding": {"x": in_order(x, title=None), "y": in_order(y, title=None), "color": shade},
    }


def correlations(x: str, y: str, figure: str, title: str) -> Spec:
    """Return a heatmap from -1 to 1, with figures in cells that are wide enough."""
    scale = {"domain": [-1, 1], "scheme": "redblue", "reverse": True}
    cells = heatmap(x, y, {"field": figure, "title": title, "scale": scale})
    ink = {"condition": {"test": f"abs(datum.{figure}) > 0.6", "value": "white"}, "value": "#1f2430"}
    cells["encoding"]["x"]["axis"] = {"labelAngle": -45, "labelOverlap": False}
    wide = {"expr": "bandwidth('x') > 30 ? 1 : 0"}
    text = {
        "mark": {"type": "text", "opacity": wide},
        "encoding": {"text": {"field": figure, "format": ".2f"}, "color": ink},
    }
    shaded = {"mark": "rect", "encoding": {"color": cells["encoding"].pop("color")}}
    return {"layer": [shaded, text], "encoding": cells["encoding"]}


def _placed(mark: str | Spec, x: Spec, y: Spec, series: str) -> Spec:
    colour: Spec = {"color": {"field": series, "type": "nominal", "sort": None}} if series else {}
    return {"mark": mark, "encoding": {"x": x, "y": y, **colour}}
