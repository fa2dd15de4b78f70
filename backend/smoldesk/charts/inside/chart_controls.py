"""Controls of a chart of bars, lines, areas, points, boxes or a pie, and the values that each offers. Pure.

Offered is only what keeps figures right: no figures are added up that were apart, and no length starts elsewhere than at 0.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from .chart_view import ChartParts, field_of

TOPS = (3, 5, 10, 20, 50)
# Colours of marks without series: the plots' (sandbox/inside/style.py).
PAINTS = ("#3b6fe0", "#e69f00", "#009e73", "#d55e00", "#cc79a7", "#56b4e9", "#7a5c00", "#5b6472")
# Most names that colours or the parts of a pie tell apart.
MAX_COLORS = 20


@dataclass(frozen=True)
class Control:
    """One control: its value, and the values to choose from."""

    name: str
    value: str
    choices: list[str]


def controls_of(view: ChartParts) -> Iterator[Control]:
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
    if view.is_box:
        return ["box", "point"]
    if view.is_layered and view.series:
        return []  # the other layers would not stand beside each other
    if view.is_cloud:
        return list(dict.fromkeys([view.kind, "point", "line"]))
    kinds = ["bar", "line"] if view.channels[view.place].get("bin") else ["bar", "line", "point"]
    if not view.series or view.kind == "area":
        kinds.append("area")
    if view.is_layered:
        return list(dict.fromkeys([view.kind, *kinds]))
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
    return [] if view.kind == "pie" or view.is_layered else list(view.channels)


def _colors(view: ChartParts) -> list[str]:
    if view.kind == "pie":
        return []
    separable = not view.series or _is_separable(view)
    named = view.has_names and len(view.names()) <= MAX_COLORS
    of_series = [view.series] if view.series else []
    return [*of_series, "", *([view.place] if named else []), *PAINTS] if separable else of_series


def _is_separable(view: ChartParts) -> bool:
    """Check whether the figures hold without the series: marks of single rows, figures computed anew, one row per place."""
    if view.kind == "point" or view.is_box or "aggregate" in view.channels[view.value]:
        return True
    return len(view.names()) == len(view.rows)


def _scales(view: ChartParts) -> list[str]:
    if view.kind not in ("line", "point", "box"):
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
