"""Heatmaps: what their controls change. Pure. The `value` is the colour; the names along y are the rows."""

from dataclasses import dataclass, replace

from .chart_rules import Spec
from .chart_view import (
    NAMED,
    channels_of,
    field_of,
    is_column,
    is_figure,
    is_valid_channel,
    mark_of,
    name_of,
    rows_of,
    sort_of,
)

# Vega-Lite's own, without a scheme in the spec.
DEFAULT_SCHEME = "yellowgreenblue"
SCHEMES = (DEFAULT_SCHEME, "viridis", "blues", "greens", "oranges", "redblue")
# Most rows that a chart can be reduced to, in steps.
HEAT_TOPS = (3, 5, 10, 20, 50)


@dataclass(frozen=True)
class Heatmap:
    """Parts of a heatmap: the names of its channels, and what a person set."""

    spec: Spec
    rows: list[Spec]
    x: str
    y: str
    value: str
    color: str
    sort: str
    scale: str
    top: str = ""
    is_layered: bool = False

    @property
    def channels(self) -> "dict[str, Spec]":
        """Return the channels by name."""
        encoding = self.spec["encoding"]
        return {name_of(encoding[key]): encoding[key] for key in ("x", "y", "color")}

    def choices(self) -> "dict[str, tuple[str, list[str]]]":
        """Return the value and the choices of each control."""
        row = self.channels[self.y]
        column, is_named = field_of(row), row.get("type") in NAMED
        count = len({str(each.get(column)) for each in self.rows})
        figures = [each.get(field_of(self.channels[self.value])) for each in self.rows]
        smallest = min((figure for figure in figures if isinstance(figure, int | float)), default=0)
        # Figures in the cells are written in ink for their colours.
        schemes = [] if self.is_layered or not self.color else list(dict.fromkeys([self.color, *SCHEMES]))
        is_plain = not self.is_layered and "domain" not in (self.channels[self.value].get("scale") or {})
        return {
            "type": ("", []),
            "x": (self.x, [self.x, self.y]),
            "y": (self.y, [self.x, self.y]),
            "color": (self.color, schemes),
            "sort": (self.sort, ["data", "descending", "ascending", "name"] if is_named else []),
            "scale": (self.scale, ["linear", "log"] if is_plain and smallest > 0 else []),
            "top": (self.top, ["", *(str(top) for top in HEAT_TOPS if top < count)] if is_named else []),
        }

    def changed(self, name: str, value: str) -> "Heatmap":
        """Return the parts with one change. Rows and columns change places together."""
        if name in ("x", "y"):
            return (
                self
                if getattr(self, name) == value
                else replace(self, x=self.y, y=self.x, sort="data", top="")
            )
        return replace(self, **{name: value})

    def written(self, before: "Heatmap") -> Spec:
        """Return the spec with what differs from `before`."""
        channels, encoding = self.channels, dict(self.spec["encoding"])
        columns, rows, shade = dict(channels[self.x]), dict(channels[self.y]), dict(channels[self.value])
        if self.sort != before.sort or self.y != before.y:
            figure = {"field": shade["field"]} if "field" in shade else {}
            order = {**figure, "op": shade.get("aggregate", "sum"), "order": self.sort}
            rows["sort"] = {"data": rows.get("sort"), "name": "ascending"}.get(self.sort, order)
        scale: Spec = dict(shade.get("scale") or {})
        colors = {key: part for key, part in scale.items() if key != "scheme"} | {"scheme": self.color}
        if self.color != before.color:
            scale = colors
        if self.scale != before.scale:
            scale = {**scale, "type": self.scale}
        if scale:
            shade["scale"] = scale
        spec = {**self.spec, "encoding": {**encoding, "x": columns, "y": rows, "color": shade}}
        if self.x != before.x:
            spec = {key: part for key, part in spec.items() if key not in ("width", "height")}
        return spec


def parse_heatmap(spec: Spec, is_layered: bool = False) -> Heatmap | None:
    """Return the parts of a heatmap, or None for any other view."""
    channels, rows = channels_of(spec), rows_of(spec)
    if mark_of(spec) != "rect" or channels is None or not rows or not {"x", "y", "color"} <= channels.keys():
        return None
    x, y, color = channels["x"], channels["y"], channels["color"]
    is_valid = all(is_valid_channel(each) and is_column(each, rows) for each in (x, y, color))
    if not is_valid or is_figure(x) or is_figure(y) or not is_figure(color) or {"x2", "y2"} & channels.keys():
        return None
    names = [name_of(each) for each in (x, y, color)]
    if len(set(names)) < 3:
        return None
    scale: Spec = color.get("scale") or {}
    kind = "log" if scale.get("type") == "log" else "linear"
    colors = scale.get("scheme", "" if "range" in scale else DEFAULT_SCHEME)
    scheme = colors if isinstance(colors, str) else ""
    return Heatmap(
        spec, rows, *names, color=scheme, sort=sort_of(y, "color"), scale=kind, is_layered=is_layered
    )
