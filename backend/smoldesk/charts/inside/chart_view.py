"""Parts of a chart that its controls change: what stands along its axes, its colours, order and scale. Pure.

`parse_view` reads them from a stored spec, for a single view of bars, lines, areas, points or a pie.
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
}
NAMED = ("nominal", "ordinal")
_VIEW_KEYS = frozenset(
    [
        *("$schema", "title", "description", "mark", "encoding", "data", "datasets"),
        *("width", "height", "autosize", "background", "config", "padding"),
    ]
)
_CHANNELS = frozenset(
    ["x", "y", "color", "xOffset", "yOffset", "theta", "order", "opacity", "size", "shape", "tooltip"]
)


@dataclass(frozen=True)
class ChartParts:
    """Parts of a single view. A chart of names has a `place` (the names or moments) and a `value`; `series` separates marks.

    `lies`: the value is along x. `is_cloud`: both axes are figures.
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
    others: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def has_names(self) -> bool:
        """Check whether the place has names, not figures or moments."""
        return self.channels[self.place].get("type") in NAMED

    def names(self) -> list[object]:
        """Return the different values of the place."""
        key = field_of(self.channels[self.place])
        return list(dict.fromkeys(str(row.get(key)) for row in self.rows))


def parse_view(spec: Spec) -> ChartParts | None:
    """Return the parts of a spec, or None for a chart without controls."""
    encoding: Any = spec.get("encoding")
    mark: Any = spec.get("mark")
    kind = KINDS.get(str(cast(Spec, mark).get("type") if isinstance(mark, dict) else mark))
    if kind is None or not isinstance(encoding, dict) or not spec.keys() <= _VIEW_KEYS:
        return None
    channels: Spec = cast(Spec, encoding)
    if not channels.keys() <= _CHANNELS or not all(
        isinstance(channel, dict) for channel in channels.values()
    ):
        return None
    rows = _rows(spec)
    first, second = ("color", "theta") if kind == "pie" else ("x", "y")
    if not rows or first not in channels or second not in channels:
        return None
    lies = kind != "pie" and is_figure(channels["x"]) and not is_figure(channels["y"])
    place, value = (channels[second], channels[first]) if lies else (channels[first], channels[second])
    color: Spec = {} if kind == "pie" else channels.get("color", {})
    named = {_name(channel): channel for channel in (place, value)}
    is_valid = all(map(_is_valid, (place, value, color)))
    if not is_valid or not is_figure(value) or len(named) < 2 or "condition" in color:
        return None
    if "field" not in place:
        return None
    tinted = bool(color) and _name(color) == _name(place)
    series = _name(color) if "field" in color and not tinted else ""
    if series:
        named[series] = color
    return ChartParts(
        spec=spec,
        rows=rows,
        kind=kind,
        channels=named,
        place=_name(place),
        value=_name(value),
        series=series,
        lies=lies,
        is_cloud=is_figure(place),
        is_beside=bool(channels.keys() & {"xOffset", "yOffset"}),
        is_tinted=tinted,
        sort=_sort_of(place, "x" if lies else "y"),
        scale=_scale_of(value),
        others={
            key: channel
            for key, channel in channels.items()
            if key in ("opacity", "size", "shape", "tooltip")
            or (key == "color" and not series and not tinted and kind != "pie")
        },
    )


def _rows(spec: Spec) -> list[Spec]:
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


def _is_valid(channel: Spec) -> bool:
    """Check that the parts of a channel have the types that they are read as."""
    optional = (dict, type(None))
    types = {"field": (str,), "aggregate": (str,), "scale": optional, "axis": optional}
    has_name = not channel or bool(_name(channel)) or "value" in channel
    return has_name and all(isinstance(channel[key], kind) for key, kind in types.items() if key in channel)


def field_of(channel: Spec) -> str:
    """Return the column of a channel; empty for a count."""
    return str(channel.get("field", "")).replace("\\", "")


def _name(channel: Spec) -> str:
    """Return the name of a channel: its column, `mean of price`, or `count`; empty for a plain value."""
    aggregate, column = channel.get("aggregate"), field_of(channel)
    if not isinstance(aggregate, str):
        return column
    return f"{aggregate} of {column}" if column else aggregate


def _sort_of(place: Spec, along: str) -> str:
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
