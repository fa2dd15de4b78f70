"""Changes of a chart: what a person sets with its controls, and code with arguments of `chart(df, spec, type="line")`.

Pure. A change applies to the spec with its rows, as it is stored, so the controls and the code give the same chart. It
changes one view (chart_core.py): its parts (chart_view.py, chart_heatmaps.py) offer the values (chart_controls.py).
"""

import copy
import statistics
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, cast

from .chart_controls import PAINTS, Control, controls_of
from .chart_core import Core, core_of
from .chart_heatmaps import Heatmap, parse_heatmap
from .chart_rules import Spec
from .chart_size import size_of
from .chart_view import ChartParts, field_of, is_figure, parse_view

WITH_CONTROLS = "one view of bars, lines, areas, points, boxes, a pie or a heatmap, in panes or below labels"
# In the order in which they apply.
CONTROLS = ("type", "x", "y", "color", "sort", "scale", "top")
MARKS: dict[str, Spec] = {
    "bar": {"type": "bar"},
    "line": {"type": "line", "point": True},
    "area": {"type": "area", "line": True, "opacity": 0.6},
    "point": {"type": "point", "filled": True, "size": 60},
    "pie": {"type": "arc"},
    "box": {"type": "boxplot"},
}
# Channels whose columns separate marks.
SEPARATING = ("tooltip", "opacity", "size", "shape")
# Fields that a transform of `top` adds.
TOTAL, RANK = "desk_total", "desk_rank"
# Units by the format of an axis (chart_fields.py), for bars in place of another mark.
_UNIT_OF_FORMAT = {"%Y": "year", "%YQ%q": "yearquarter", "%Y-%m": "yearmonth", "%Y-%m-%d": "yearmonthdate"}
# Parts of an axis that hold for a horizontal and a vertical one.
_AXIS_KEYS = ("format", "formatType", "tickMinStep", "title", "grid", "labelExpr")


def apply_changes(
    spec: Spec, changes: Mapping[str, object], newest: Collection[str] | None = None
) -> tuple[Spec, dict[str, str], list[Control]]:
    """Return the changed spec, the changes in effect, and the controls after them.

    Raises ValueError for an invalid change among the `newest` (None: all); an older one that no longer fits is dropped.
    """
    check_names(changes)
    core = core_of(spec)
    original = _parts_of(core) if core is not None else None
    if core is None or original is None:
        if changes:
            raise ValueError(f"this chart has no controls: it is not {WITH_CONTROLS}")
        return spec, {}, []
    view, used = original, dict[str, str]()
    for name in CONTROLS:
        if name not in changes:
            continue
        value = str(changes[name])
        (choices,) = (control.choices for control in _controls(view) if control.name == name)
        if value in choices:
            view, used[name] = _set(view, name, value), value
        elif newest is None or name in newest:
            raise ValueError(
                f"`{name}` of this chart is {value[:40]!r}, expected of: {', '.join(choices) or 'nothing'}"
            )
    changed = core.spec_with(_written(original, view)) if used else spec
    return changed, used, [control for control in _controls(view) if len(control.choices) > 1]


def _parts_of(core: Core) -> "ChartParts | Heatmap | None":
    is_layered = core.layer is not None
    return parse_view(core.view, is_layered) or parse_heatmap(core.view, is_layered)


def _controls(view: "ChartParts | Heatmap") -> list[Control]:
    """Return the controls, also those without a choice."""
    if isinstance(view, ChartParts):
        return list(controls_of(view))
    return [Control(name, *choice) for name, choice in view.choices().items()]


def _written(before: "ChartParts | Heatmap", view: "ChartParts | Heatmap") -> Spec:
    if isinstance(before, ChartParts) and isinstance(view, ChartParts):
        return _spec(before, view)
    assert isinstance(before, Heatmap) and isinstance(view, Heatmap)
    spec = view.written(before)
    return {**spec, "transform": _with_top(view)} if view.top else spec


def check_names(changes: Mapping[str, object]) -> None:
    """Raise ValueError for an argument that is no change."""
    for name, value in changes.items():
        if name not in CONTROLS or not isinstance(value, str | int) or isinstance(value, bool):
            raise ValueError(
                f"a chart has no argument {name}={str(value)[:40]!r}: expected texts of {', '.join(CONTROLS)}"
            )


# --- changes ----------------------------------------------------------------------------------------------------------


def _with_kind(view: ChartParts, kind: str) -> ChartParts:
    """Draw other marks: series of lines become bars side by side, lines of names stand upright."""
    beside = view.is_beside or (kind == "bar" and view.kind in ("line", "point") and bool(view.series))
    lies = {"bar": view.lies or view.kind == "pie", "line": False, "area": False}.get(kind, view.lies)
    scale = view.scale if kind == view.kind else "linear"
    return replace(view, kind=kind, is_beside=beside, lies=lies, scale=scale)


def _with_axis(view: ChartParts, name: str, is_x: bool) -> ChartParts:
    """Put a channel on an axis; what was there takes its place."""
    if name == view.value:
        return replace(view, lies=is_x)
    view = replace(view, lies=not is_x)
    if name != view.series:
        return view
    series = view.place
    return replace(view, place=name, series=series, is_tinted=False, is_cloud=is_figure(view.channels[name]))


def _with_color(view: ChartParts, name: str) -> ChartParts:
    if name == view.series:
        return replace(view, is_tinted=False)
    paint = name if name in PAINTS else ""
    return replace(view, series="", is_tinted=name == view.place, is_beside=False, paint=paint)


def _set(view: "ChartParts | Heatmap", name: str, value: str) -> "ChartParts | Heatmap":
    """Return the parts with one change."""
    if isinstance(view, Heatmap):
        return view.changed(name, value)
    match name:
        case "type":
            return _with_kind(view, value)
        case "x" | "y":
            return _with_axis(view, value, name == "x")
        case "color":
            return _with_color(view, value)
        case _:
            return replace(view, **{name: value})


# --- writing a spec ---------------------------------------------------------------------------------------------------


def _spec(before: ChartParts, view: ChartParts) -> Spec:
    spec = {
        key: part
        for key, part in view.spec.items()
        if key not in ("mark", "encoding", "width", "height") and not (key == "params" and view.kind == "pie")
    }
    sizes = {key: view.spec[key] for key in ("width", "height") if key in view.spec}
    layout = [(each.kind, each.lies, each.place, each.series, each.top) for each in (before, view)]
    spec["mark"] = view.spec["mark"] if before.kind == view.kind and not view.paint else _mark(before, view)
    spec["encoding"] = _encoding(before, view)
    if view.top:
        spec["transform"] = _with_top(view)
    return spec | (sizes if layout[0] == layout[1] else _sizes(view, sizes))


def _mark(before: ChartParts, view: ChartParts) -> Spec:
    mark: Any = view.spec["mark"]
    parts: Spec = cast(Spec, mark) if isinstance(mark, dict) else {"type": mark}
    if before.kind != view.kind:
        parts = {**MARKS[view.kind], **{key: parts[key] for key in ("color", "tooltip") if key in parts}}
    return {**parts, "color": view.paint} if view.paint else parts


def _sizes(view: ChartParts, sizes: Spec) -> Spec:
    if view.kind == "pie":
        return {}
    if not view.has_names:
        return sizes
    bars = (
        len({str(row.get(field_of(view.channels[view.series]))) for row in view.rows})
        if view.is_beside and view.series
        else 1
    )
    count = min(len(view.names()), int(view.top or len(view.rows)))
    fixed = {"width": sizes["width"]} if isinstance(sizes.get("width"), int | float) else {}
    return fixed | size_of(view.kind, count, bars, view.lies)


def _encoding(before: ChartParts, view: ChartParts) -> Spec:
    place, value = (dict(view.channels[name]) for name in (view.place, view.value))
    if view.has_names and (view.sort != before.sort or view.lies != before.lies or view.kind != before.kind):
        place["sort"] = _sort(view, before)
    if view.kind == "pie":
        order = {key: value[key] for key in ("field", "aggregate", "type") if key in value}
        order["sort"] = "ascending" if view.sort == "ascending" else "descending"
        return {
            **_other_channels(before, view),
            "theta": _at(value, "theta"),
            "order": order,
            "color": _at({**place, "type": "nominal"}, "color"),
        }
    if view.scale != before.scale:
        value["scale"] = _scaled(value, view.scale)
    if view.kind != before.kind:
        value.pop("stack", None)
        _set_unit(view, place)
    x, y = (value, place) if view.lies else (place, value)
    turned = before.lies != view.lies or before.kind == "pie"
    encoding: Spec = {**_other_channels(before, view), "x": _at(x, "x", turned), "y": _at(y, "y", turned)}
    shade = view.place if view.is_tinted else view.series
    if shade:
        encoding.pop("color", None)
        encoding["color"] = _color(before, view, shade)
    if view.series and view.is_beside and view.kind == "bar":
        encoding["yOffset" if view.lies else "xOffset"] = {
            "field": view.channels[view.series]["field"],
            "type": "nominal",
            "sort": None,
        }
    return encoding


def _other_channels(before: ChartParts, view: ChartParts) -> Spec:
    """Return the channels that stay. A plain column beside a computed figure separates other marks than those that stack."""
    if view.kind == before.kind:
        order = view.spec["encoding"].get("order")
        return {**view.others, **({"order": order} if order else {})}
    is_computed = "aggregate" in view.channels[view.value]
    return {
        name: channel for name, channel in view.others.items() if not (is_computed and name in SEPARATING)
    }


def _color(before: ChartParts, view: ChartParts, name: str) -> Spec:
    if name == before.series or (view.is_tinted and before.is_tinted):
        return view.spec["encoding"]["color"]
    channel = _at({**view.channels[name], "type": "nominal"}, "color")
    return {**channel, "legend": None} if view.is_tinted else channel


def _at(channel: Spec, place: str, turned: bool = True) -> Spec:
    """Return a channel without what holds in another place only."""
    if not turned:
        return channel
    drop = ("axis", "scale", "stack", "timeUnit") if place in ("color", "theta") else ("legend",)
    moved = {key: part for key, part in channel.items() if key not in drop}
    if isinstance(moved.get("axis"), dict):
        moved["axis"] = {key: part for key, part in moved["axis"].items() if key in _AXIS_KEYS}
    return moved


def _set_unit(view: ChartParts, place: Spec) -> None:
    """Give bars over moments the width of their unit."""
    axis: Any = place.get("axis")
    unit = _UNIT_OF_FORMAT.get(str(cast(Spec, axis).get("format"))) if isinstance(axis, dict) else None
    if view.kind == "bar" and place.get("type") == "temporal" and unit:
        place.setdefault("timeUnit", unit)
        place.setdefault("title", view.place)


def _sort(view: ChartParts, before: ChartParts) -> Any:
    if view.sort == "data":
        sort = view.channels[view.place].get("sort")
        return copy.deepcopy(sort) if before.sort == "data" else None
    if view.sort == "name":
        return "ascending"
    if view.is_box:
        return _by_median(view)
    value = view.channels[view.value]
    figure = {"field": value["field"]} if "field" in value else {}
    return {**figure, "op": _order_op(view), "order": view.sort}


def _by_median(view: ChartParts) -> list[str]:
    """Return the names by their medians: Vega-Lite does not order boxes by a figure."""
    figures: dict[str, list[float]] = {}
    for row in view.rows:
        figure = row.get(field_of(view.channels[view.value]))
        if isinstance(figure, int | float):
            figures.setdefault(str(row.get(field_of(view.channels[view.place]))), []).append(figure)
    return sorted(
        figures, key=lambda name: statistics.median(figures[name]), reverse=view.sort == "descending"
    )


def _scaled(value: Spec, scale: str) -> Spec:
    before: Spec = value.get("scale") or {}
    extra = {key: part for key, part in before.items() if key not in ("type", "zero", "domain", "base")}
    return {**extra, **{"linear": {}, "zero": {"zero": True}, "log": {"type": "log"}}[scale]}


def _with_top(view: "ChartParts | Heatmap") -> list[Spec]:
    """Return the steps of a view, and those that keep the rows of the names with the largest figures.

    Names with equal figures differ in rank.
    """
    name = view.place if isinstance(view, ChartParts) else view.y
    value, place = view.channels[view.value], view.channels[name]["field"]
    total = {
        "op": _order_op(view),
        "as": TOTAL,
        **({"field": value["field"]} if "field" in value else {}),
    }
    order = [{"field": TOTAL, "order": "descending"}, {"field": place, "order": "ascending"}]
    return [
        *view.spec.get("transform", []),
        {"joinaggregate": [total], "groupby": [place]},
        {"window": [{"op": "dense_rank", "as": RANK}], "sort": order},
        {"filter": f"datum.{RANK} <= {view.top}"},
    ]


def _order_op(view: "ChartParts | Heatmap") -> str:
    """Return the operation by which the figures of a name are compared: the median of a box."""
    is_box = isinstance(view, ChartParts) and view.is_box
    return str(view.channels[view.value].get("aggregate", "median" if is_box else "sum"))
