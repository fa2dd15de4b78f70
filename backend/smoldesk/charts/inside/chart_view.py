"""Parts of a chart that its controls change: what stands along its axes, its colours, order and scale. Pure.

`parse_view` reads them from the view of a stored spec (chart_core.py): bars, lines, areas, points, boxes or a pie.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, cast

from .chart_rules import Spec

KINDS = {
    "bar": "bar",
    "line": "line",
    "area": "area",
    "point": "point",
    "circle": "point",
    "square": "point",
    "arc": "pie",
    "boxplot": "box",
}
NAMED = ("nominal", "ordinal")
_VIEW_KEYS = frozenset(
    [
        *("$schema", "title", "description", "mark", "encoding", "data", "datasets"),
        *("width", "height", "autosize", "background", "config", "padding"),
        *("params", "transform", "resolve", "name", "view"),
    ]
)
# Channels that stay as they are.
_OTHERS = frozenset(["opacity", "size", "shape", "tooltip", "row", "column", "facet"])
_CHANNELS = _OTHERS | frozenset(["x", "y", "color", "xOffset", "yOffset", "theta", "order"])
# Steps before a chart that leave the columns of its axes as they are.
_STEPS = frozenset(["filter", "calculate", "as"])


@dataclass(frozen=True)
class ChartParts:
    """Parts of a single view. A chart of names has a `place` (the names or moments) and a `value`; `series` separates marks.

    `lies`: the value is along x. `is_cloud`: both axes are figures. `is_layered`: other marks stand at the same places.
    """

    spec: Spec
    rows: list[Spec]
    kind: str
    channels: Mapping[str, Spec]
    place: str
    value: str
    series: str = ""
    lies: bool = False
    is_cloud: bool = False
    is_beside: bool = False
    is_tinted: bool = False
    """Whether each name of the place has a colour."""
    paint: str = ""
    sort: str = "data"
    scale: str = "linear"
    top: str = ""
    is_layered: bool = False
    is_box: bool = False
    """Whether it was a box plot before any change."""
    others: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def has_names(self) -> bool:
        """Check whether the place has names, not figures or moments."""
        return self.channels[self.place].get("type") in NAMED

    def names(self) -> list[object]:
        """Return the different values of the place."""
        key = field_of(self.channels[self.place])
        return list(dict.fromkeys(str(row.get(key)) for row in self.rows))


def parse_view(spec: Spec, is_layered: bool = False) -> ChartParts | None:
    """Return the parts of a single view, or None for one without controls."""
    kind, channels = KINDS.get(mark_of(spec)), channels_of(spec)
    if kind is None or channels is None or not channels.keys() <= _CHANNELS:
        return None
    rows = rows_of(spec)
    first, second = ("color", "theta") if kind == "pie" else ("x", "y")
    if not rows or first not in channels or second not in channels:
        return None
    lies = kind != "pie" and is_figure(channels["x"]) and not is_figure(channels["y"])
    place, value = (channels[second], channels[first]) if lies else (channels[first], channels[second])
    color: Spec = {} if kind == "pie" else channels.get("color", {})
    named = {name_of(channel): channel for channel in (place, value)}
    is_valid = all(map(is_valid_channel, (place, value, color)))
    if not is_valid or not is_figure(value) or len(named) < 2 or "condition" in color:
        return None
    if kind == "box" and place.get("type") not in NAMED:
        return None
    if "field" not in place or not all(is_column(channel, rows) for channel in (place, value, color)):
        return None
    tinted = bool(color) and name_of(color) == name_of(place)
    series = name_of(color) if "field" in color and not tinted else ""
    if series:
        named[series] = color
    return ChartParts(
        spec=spec,
        rows=rows,
        kind=kind,
        channels=named,
        place=name_of(place),
        value=name_of(value),
        series=series,
        lies=lies,
        is_cloud=is_figure(place),
        is_beside=bool(channels.keys() & {"xOffset", "yOffset"}),
        is_tinted=tinted,
        sort=sort_of(place, "x" if lies else "y"),
        scale=_scale_of(value),
        is_layered=is_layered,
        is_box=kind == "box",
        others={
            key: channel
            for key, channel in channels.items()
            if key in _OTHERS or (key == "color" and not series and not tinted and kind != "pie")
        },
    )


def mark_of(spec: Spec) -> str:
    """Return the type of a view's mark."""
    mark: Any = spec.get("mark")
    return str(cast(Spec, mark).get("type") if isinstance(mark, dict) else mark)


def channels_of(spec: Spec) -> Spec | None:
    """Return the channels of a single view; None if it has parts that no control keeps."""
    encoding: Any = spec.get("encoding")
    steps: Any = spec.get("transform", [])
    if not isinstance(encoding, dict) or not isinstance(steps, list) or not spec.keys() <= _VIEW_KEYS:
        return None
    for step in cast("list[Any]", steps):
        if not isinstance(step, dict) or not cast(Spec, step).keys() <= _STEPS:
            return None
    channels = cast(Spec, encoding)
    is_valid = all(isinstance(channels[key], dict) or key == "tooltip" for key in channels)
    return channels if is_valid else None


def is_column(channel: Spec, rows: list[Spec]) -> bool:
    """Check that a channel shows a column of the rows, not one that a step computes."""
    return "field" not in channel or field_of(channel) in rows[0]


def rows_of(spec: Spec) -> list[Spec]:
    """Return the rows that a view draws; none if they are not objects."""
    data: Any = spec.get("data")
    datasets: Any = spec.get("datasets")
    source: Spec = cast(Spec, data) if isinstance(data, dict) else {}
    named: Any = cast(Spec, datasets).get(str(source.get("name"))) if isinstance(datasets, dict) else None
    rows: Any = source.get("values") or named
    is_table = isinstance(rows, list) and all(isinstance(row, dict) for row in cast("list[Any]", rows))
    return cast("list[Spec]", rows) if is_table else []


def is_figure(channel: Spec) -> bool:
    """Check for a computed figure or a plain number."""
    return bool(channel.get("aggregate")) or (
        channel.get("type") == "quantitative" and not channel.get("bin")
    )


def is_valid_channel(channel: Spec) -> bool:
    """Check that the parts of a channel have the types that they are read as."""
    optional = (dict, type(None))
    types = {"field": (str,), "aggregate": (str,), "scale": optional, "axis": optional}
    has_name = not channel or bool(name_of(channel)) or "value" in channel
    return has_name and all(isinstance(channel[key], kind) for key, kind in types.items() if key in channel)


def field_of(channel: Spec) -> str:
    """Return the column of a channel; empty for a count."""
    return str(channel.get("field", "")).replace("\\", "")


def name_of(channel: Spec) -> str:
    """Return the name of a channel: its column, `mean of price`, or `count`; empty for a plain value."""
    aggregate, column = channel.get("aggregate"), field_of(channel)
    if not isinstance(aggregate, str):
        return column
    return f"{aggregate} of {column}" if column else aggregate


def sort_of(place: Spec, along: str) -> str:
    """Return the order of the names of a channel: by its own order, or by the figure `along` an axis."""
    sort = place.get("sort", "ascending")
    if isinstance(sort, dict):
        order = cast(Spec, sort).get("order", "ascending")
        return str(order) if order in ("ascending", "descending") else "data"
    return {"ascending": "name", along: "ascending", f"-{along}": "descending"}.get(str(sort), "data")


def _scale_of(value: Spec) -> str:
    scale: Any = value.get("scale")
    if not isinstance(scale, dict):
        return "linear"
    return "log" if scale.get("type") == "log" else "zero" if scale.get("zero") is True else "linear"
