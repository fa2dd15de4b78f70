"""Box plots of a large table: five figures for each box, computed over all rows, and the rows outside the whiskers."""

from typing import Any, cast

from .chart_rules import Spec

# Reach of whiskers in interquartile ranges: Vega-Lite's default.
WHISKER = 1.5
MAX_OUTSIDE = 1_000
BOX = 14
FIGURES = ("low", "first quartile", "median", "third quartile", "high")


def boxes_of(spec: Spec, frame: Any) -> tuple[Any, Any] | None:
    """Return the figures of each box and the rows outside, and change the spec to draw them; None for any other
    plot.
    """
    import pandas as pd

    mark, encoding = spec.get("mark"), spec.get("encoding")
    mark_spec = cast(Spec, mark) if isinstance(mark, dict) else {"type": mark}
    if mark_spec["type"] != "boxplot" or not isinstance(encoding, dict) or spec.get("transform"):
        return None
    channels = cast("dict[str, Spec]", encoding)
    plain = all(
        set(channel) <= {"field", "type", "title", "axis", "scale", "sort"} for channel in channels.values()
    )
    measured = [place for place, channel in channels.items() if channel.get("type") == "quantitative"]
    if (
        not plain
        or len(measured) != 1
        or measured[0] not in ("x", "y")
        or not set(channels) <= {"x", "y", "color"}
    ):
        return None
    place, value = measured[0], channels.pop(measured[0])
    name, keys = _column(value), [_column(channel) for channel in channels.values()]
    extent = mark_spec.get("extent", WHISKER)
    if len({name, *keys}) <= len(keys) or not (extent == "min-max" or isinstance(extent, int | float)):
        return None
    rows = frame[[*keys, name]].dropna(subset=[name])
    cuts = [rows[key] for key in keys] or [pd.Series("", index=rows.index, name="box")]

    def per_box(series: Any) -> Any:
        return series.groupby(cuts, dropna=False, observed=True)

    first, third = (per_box(rows[name]).transform("quantile", part) for part in (0.25, 0.75))
    reach = (third - first) * (float("inf") if extent == "min-max" else extent)
    inside = rows[name].between((first - reach).fillna(first), (third + reach).fillna(third))
    ends = per_box(rows[name].where(inside))
    parts = [ends.min(), *(per_box(rows[name]).quantile(part) for part in (0.25, 0.5, 0.75)), ends.max()]
    figures = pd.DataFrame(dict(zip(FIGURES, parts, strict=True))).reset_index()
    outside = rows[~inside].sort_values(name)
    every = max(1, -(-len(outside) // MAX_OUTSIDE))
    _draw(spec, place, value, channels)
    return figures, pd.concat([outside.iloc[::every], outside.tail(1)]).drop_duplicates()


def _column(channel: Spec) -> str:
    return str(channel["field"]).replace("\\", "")


def _draw(spec: Spec, place: str, value: Spec, channels: "dict[str, Spec]") -> None:
    """Replace the mark by layers of whiskers, boxes, medians and outside rows, with the figures as tooltips."""
    ends = {"type": "quantitative"}
    title = value.get("title", _column(value))
    tip = [{"field": label, **ends} for label in FIGURES] + [
        {**other, "title": other.get("title")} for other in channels.values()
    ]

    def layer(mark: Spec, begin: str, end: str = "", **more: Any) -> Spec:
        sides: Spec = {place: {**value, "field": begin, **ends, "title": title}}
        sides |= {f"{place}2": {"field": end}} if end else {}
        return {"mark": mark, "encoding": {**sides, **more}}

    mark: Any = spec.pop("mark")
    colour: Spec = {} if isinstance(mark, str) or "color" not in mark else {"color": mark["color"]}
    spec["encoding"] = dict(channels)
    spec["layer"] = [
        layer({"type": "rule"}, FIGURES[0], FIGURES[4], tooltip=tip),
        layer({"type": "bar", "size": BOX, **colour}, FIGURES[1], FIGURES[3], tooltip=tip),
        layer(
            {"type": "tick", "color": "white", "size": BOX, "thickness": 1},
            FIGURES[2],
            color={"value": "white"},
        ),
        {**layer({"type": "point"}, str(value["field"])), "data": {"name": "outside"}},
    ]
