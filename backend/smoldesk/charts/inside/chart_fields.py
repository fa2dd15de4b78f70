"""Checks and defaults that `chart(df, spec)` derives from the columns of its data.

- A field names a column literally (Vega-Lite would read dots and brackets as paths).
- A field without a type gets its column's; channels that separate bars or panes get a nominal one.
- An axis of moments is labelled as precisely as they are; a bar over one is as wide as its day, month, quarter or year.
- Whole numbers from 1000 to 2999, such as years, are labelled without a separator (1952, not 1,952).
- Each name along an axis has its own line, up to the height of a page.
"""

from collections.abc import Iterator
from typing import Any, cast

from .chart_rows import SIGNS, kind_of
from .chart_rules import MAX_ROWS, Spec, views
from .chart_size import FEW, size_of

COMPUTED = frozenset(["type", "bin", "aggregate", "timeUnit"])
# Channels that separate marks or panes.
NAMES = frozenset(["xOffset", "yOffset", "row", "column", "facet", "shape", "strokeDash", "detail"])
# Secondary channels, which have the type of their primary one.
SECOND = frozenset(["x2", "y2", "theta2", "radius2", "xError", "xError2", "yError", "yError2"])
# Channels whose figures are labelled, and by what.
GUIDES = {"x": "axis", "y": "axis", "color": "legend"}
DAY = 86_400_000
# Format of moments that all begin a unit, and the least step of their axis in ms.
UNITS = {
    "year": ("%Y", 365 * DAY),
    "yearquarter": ("%YQ%q", 90 * DAY),
    "yearmonth": ("%Y-%m", 28 * DAY),
    "yearmonthdate": ("%Y-%m-%d", DAY),
}


def check_fields(spec: Spec, columns: list[str]) -> None:
    """Escape the names of columns. Raises ValueError for a field that is neither a column nor computed."""
    computed_names: set[str] = set()
    requested_fields: list[str] = []
    for view in views(spec):
        for step in cast("list[Any]", view.get("transform") or []):
            if isinstance(step, dict):
                computed_names.update(_output_names(cast(Spec, step)))
        if isinstance(view.get("repeat"), list | dict):
            return  # `repeat` substitutes its fields
        for _, channel in _channels(view):
            field = channel.get("field")
            if field in columns and field != field.translate(SIGNS):
                aggregate = channel.get("aggregate")
                channel.setdefault(
                    "title", f"{aggregate.capitalize()} of {field}" if isinstance(aggregate, str) else field
                )
                channel["field"] = field.translate(SIGNS)
            elif isinstance(field, str):
                requested_fields.append(field)
    for field in requested_fields:
        plain = field.replace("\\", "")
        exists = plain in columns or field in computed_names or plain in computed_names
        if not exists and not any(field.startswith((f"{name}.", f"{name}[")) for name in columns):
            column_list = ", ".join(columns[:40]) + (" …" if len(columns) > 40 else "")
            raise ValueError(f"there is no column {field!r} for this chart; the columns are {column_list}")


def _channels(view: Spec) -> Iterator[tuple[str, Spec]]:
    encoding = view.get("encoding")
    for place, channel in cast(Spec, encoding).items() if isinstance(encoding, dict) else ():
        for part in cast("list[Any]", channel) if isinstance(channel, list) else [channel]:
            if isinstance(part, dict):
                yield place, cast(Spec, part)


def _output_names(step: Spec) -> Iterator[str]:
    named = step.get("as")
    yield from (named,) if isinstance(named, str) else (str(name) for name in cast("list[Any]", named or []))
    if "density" in step or "fold" in step or "regression" in step or "loess" in step or "quantile" in step:
        yield from ("value", "density", "key", "prob")
    for key in ("aggregate", "joinaggregate", "window"):
        for part in cast("list[Any]", step.get(key) or []):
            if isinstance(part, dict) and isinstance(name := cast(Spec, part).get("as"), str):
                yield name
    if "lookup" in step and isinstance(source := step.get("from"), dict):
        yield from (str(name) for name in cast("list[Any]", cast(Spec, source).get("fields") or []))


def fill_fields(spec: Spec, frame: Any) -> None:
    """Fill in the types of fields, axes of moments, and the size for names."""
    for view in views(spec):
        mark = view.get("mark")
        kind = cast(Spec, mark).get("type") if isinstance(mark, dict) else mark
        for place, channel in _channels(view):
            series = _column(channel, frame)
            if series is None or place in SECOND:
                continue
            if channel.get("type", "quantitative") == "quantitative" and place in GUIDES:
                _fill_years(channel, series, GUIDES[place])
            if COMPUTED & channel.keys():
                continue
            channel["type"] = kind_of(series)
            if channel["type"] == "quantitative" and place in NAMES:
                channel["type"] = "nominal"
            if channel["type"] == "temporal" and place in ("x", "y"):
                _fill_moments(channel, series, kind == "bar" and len(frame) <= MAX_ROWS)
    _fill_size(spec, frame)


def _column(channel: Spec, frame: Any) -> Any:
    """Return the column that a channel shows, or None."""
    field = channel.get("field")
    plain = next((name for name in frame.columns if field in (name, name.translate(SIGNS))), None)
    return None if field is None or plain is None else frame[plain]


def _fill_years(channel: Spec, series: Any, guide: str) -> None:
    """Label whole numbers from 1000 to 2999 without a separator, and no fractions between them."""
    labels = channel.get(guide, {})
    is_computed = bool({"bin", "aggregate", "timeUnit"} & channel.keys())
    if is_computed or not isinstance(labels, dict) or "format" in labels or kind_of(series) != "quantitative":
        return
    values = series.dropna()
    if len(values) and values.between(1000, 2999).all() and (values % 1 == 0).all():
        step = {"tickMinStep": 1} if guide == "axis" else {}
        channel[guide] = {"format": "d", **step, **cast(Spec, labels)}


def _fill_moments(channel: Spec, series: Any, is_bar: bool) -> None:
    import pandas as pd

    to_datetime: Any = pd.to_datetime
    axis = channel.get("axis", {})
    moments = to_datetime(series.dropna(), errors="coerce").drop_duplicates()
    if not isinstance(axis, dict) or "format" in axis or getattr(moments.dt, "tz", None) is not None:
        return
    days = moments.dt
    fits = {
        "year": len(moments) > 1 and (days.day_of_year == 1).all(),
        "yearquarter": len(moments) > 1 and ((days.day == 1) & (days.month % 3 == 1)).all(),
        "yearmonth": (days.day == 1).all(),
        "yearmonthdate": True,
    }
    if moments.empty or not (moments == days.normalize()).all():
        return
    unit = next(unit for unit, fit in fits.items() if fit)
    form, step = UNITS[unit]
    channel["axis"] = {"format": form, "tickMinStep": step, **cast(Spec, axis)}
    if is_bar:
        channel["timeUnit"] = unit
        channel.setdefault("title", channel["field"].replace("\\", ""))


def _fill_size(spec: Spec, frame: Any) -> None:
    """Set the size of a single view, or of layers with the same axis, by its names; of bars over few moments, too."""
    channels = dict(_channels(spec))
    mark = spec.get("mark")
    kind = str(cast(Spec, mark).get("type") if isinstance(mark, dict) else mark)
    for place, across in (("y", "yOffset"), ("x", "xOffset")):
        along = channels.get(place, {})
        names = _column(along, frame)
        is_few = along.get("type") == "temporal" and kind == "bar" and place == "x"
        if names is None or not (along.get("type") in ("nominal", "ordinal") or is_few):
            continue
        bars = _column(channels.get(across, {}), frame)
        size = size_of(kind, names.nunique(), 1 if bars is None else bars.nunique(), place == "y")
        if is_few and size:
            size["width"] = size["width"]["step"] * FEW
        if not size.keys() & spec.keys():
            spec.update(size)
        return
