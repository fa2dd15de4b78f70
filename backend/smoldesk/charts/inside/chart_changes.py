"""Changes of a chart: what a person sets with its controls, and code with arguments of `chart(df, spec, type="line")`.

Pure. A change applies to the spec with its rows, as it is stored, so the controls and the code give the same chart. Only
single views of bars, lines, areas, points or a pie have controls; facets, layers and transforms have none.
"""

import copy
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from .chart_rules import Spec
from .chart_size import size_of
from .chart_view import ChartParts, field_of, is_figure, parse_view

# In the order in which they apply.
CONTROLS = ("type", "x", "y", "color", "sort", "scale", "top")
MARKS: dict[str, Spec] = {
    "bar": {"type": "bar"},
    "line": {"type": "line", "point": True},
    "area": {"type": "area", "line": True, "opacity": 0.6},
    "point": {"type": "point", "filled": True, "size": 60},
    "pie": {"type": "arc"},
}
TOPS = (3, 5, 10, 20, 50)
# Colours of marks without series: the plots' (sandbox/inside/style.py).
PAINTS = ("#3b6fe0", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#7a5c00", "#5b6472")
# Most names that colours or the parts of a pie tell apart.
MAX_COLORS = 20
# Fields that a transform of `top` adds.
TOTAL, RANK = "desk_total", "desk_rank"
# Units by the format of an axis (chart_fields.py), for bars in place of another mark.
_UNIT_OF_FORMAT = {"%Y": "year", "%YQ%q": "yearquarter", "%Y-%m": "yearmonth", "%Y-%m-%d": "yearmonthdate"}
# Parts of an axis that hold for a horizontal and a vertical one.
_AXIS_KEYS = ("format", "formatType", "tickMinStep", "title", "grid", "labelExpr")


@dataclass(frozen=True)
class Control:
    """One control: its value, and the values to choose from."""

    name: str
    value: str
    choices: list[str]


def apply_changes(
    spec: Spec, changes: Mapping[str, object], newest: Collection[str] | None = None
) -> tuple[Spec, dict[str, str], list[Control]]:
    """Return the changed spec, the changes in effect, and the controls after them.

    Raises ValueError for an invalid change among the `newest` (None: all); an older one that no longer fits is dropped.
    """
    check_names(changes)
    original = parse_view(spec)
    if original is None:
        if changes:
            raise ValueError(
                "this chart has no controls: it is not a single view of bars, lines, areas, points or a pie"
            )
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
    changed = _spec(original, view) if used else spec
    return changed, used, [control for control in _controls(view) if len(control.choices) > 1]


def check_names(changes: Mapping[str, object]) -> None:
    """Raise ValueError for an argument that is no change."""
    for name, value in changes.items():
        if name not in CONTROLS or not isinstance(value, str | int) or isinstance(value, bool):
            raise ValueError(
                f"a chart has no argument {name}={str(value)[:40]!r}: expected texts of {', '.join(CONTROLS)}"
            )


# --- controls ---------------------------------------------------------------------------------------------------------


def _controls(view: ChartParts) -> Iterator[Control]:
    """Yield the controls, also those without a choice."""
    color = view.place if view.is_tinted else view.series or view.paint
    candidates = {
        "type": (view.kind, _kinds(view)),
        "x": (view.value if view.lies else view.place, _axes(view)),
        "y": (view.place if view.lies else view.value, _axes(view)),
        "color": (color, _colors(view)),
        "sort": (view.sort, ["data", "descending", "ascending", "name"] if view.has_names else []),
        "scale": (view.scale, _scales(view)),
        "top": (view.top, _tops(view)),
    }
    for name, (value, choices) in candidates.items():
        yield Control(name, value, choices)


def _kinds(view: ChartParts) -> list[str]:
    if view.is_cloud:
        return list(dict.fromkeys([view.kind, "point", "line"]))
    kinds = ["bar", "line"] if view.channels[view.place].get("bin") else ["bar", "line", "point"]
    if not view.series or view.kind == "area":
        kinds.append("area")
    adds_up = view.channels[view.value].get("aggregate", "sum") in ("sum", "count")
    if view.kind == "pie" or (
        view.has_names
        and not view.series
        and adds_up
        and len(view.names()) <= MAX_COLORS
        and _smallest(view) >= 0
    ):
        kinds.append("pie")
    return kinds


def _axes(view: ChartParts) -> list[str]:
    return [] if view.kind == "pie" else list(view.channels)


def _colors(view: ChartParts) -> list[str]:
    if view.kind == "pie":
        return []
    separable = not view.series or _is_separable(view)
    named = view.has_names and len(view.names()) <= MAX_COLORS
    of_series = [view.series] if view.series else []
    return [*of_series, "", *([view.place] if named else []), *PAINTS] if separable else of_series


def _is_separable(view: ChartParts) -> bool:
    """Check whether the figures hold without the series: marks of single rows, figures computed anew, one row per place."""
    if view.kind == "point" or "aggregate" in view.channels[view.value]:
        return True
    return len(view.names()) == len(view.rows)


def _scales(view: ChartParts) -> list[str]:
    if view.kind not in ("line", "point"):
        return []  # the lengths of bars and areas start at 0, which a logarithmic scale does not have
    return ["linear", "zero", "log"] if _smallest(view) > 0 else ["linear", "zero"]


def _smallest(view: ChartParts) -> float:
    """Return the smallest figure of the rows; 1 for counts."""
    value = view.channels[view.value]
    figures = [row.get(field_of(value)) for row in view.rows] if "field" in value else []
    return min((figure for figure in figures if isinstance(figure, int | float)), default=1)


def _tops(view: ChartParts) -> list[str]:
    count = len(view.names()) if view.has_names else 0
    return ["", *(str(top) for top in TOPS if top < count)]


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


def _set(view: ChartParts, name: str, value: str) -> ChartParts:
    """Return the parts with one change."""
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
        key: part for key, part in view.spec.items() if key not in ("mark", "encoding", "width", "height")
    }
    sizes = {key: view.spec[key] for key in ("width", "height") if key in view.spec}
    layout = [(each.kind, each.lies, each.place, each.series, each.top) for each in (before, view)]
    spec["mark"] = view.spec["mark"] if before.kind == view.kind and not view.paint else _mark(before, view)
    spec["encoding"] = _encoding(before, view)
    if view.top:
        spec["transform"] = _top_transform(view)
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
            **view.others,
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
    encoding: Spec = {**view.others, "x": _at(x, "x", turned), "y": _at(y, "y", turned)}
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
    value = view.channels[view.value]
    figure = {"field": value["field"]} if "field" in value else {}
    return {**figure, "op": value.get("aggregate", "sum"), "order": view.sort}


def _scaled(value: Spec, scale: str) -> Spec:
    before: Spec = value.get("scale") or {}
    extra = {key: part for key, part in before.items() if key not in ("type", "zero", "domain", "base")}
    return {**extra, **{"linear": {}, "zero": {"zero": True}, "log": {"type": "log"}}[scale]}


def _top_transform(view: ChartParts) -> list[Spec]:
    """Return the steps that keep the rows of the names with the largest figures. Names with equal figures differ in rank."""
    value, place = view.channels[view.value], view.channels[view.place]["field"]
    total = {
        "op": value.get("aggregate", "sum"),
        "as": TOTAL,
        **({"field": value["field"]} if "field" in value else {}),
    }
    order = [{"field": TOTAL, "order": "descending"}, {"field": place, "order": "ascending"}]
    return [
        {"joinaggregate": [total], "groupby": [place]},
        {"window": [{"op": "dense_rank", "as": RANK}], "sort": order},
        {"filter": f"datum.{RANK} <= {view.top}"},
    ]
