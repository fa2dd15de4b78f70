"""Rows of a chart, reduced to what it needs: used columns, computed groups, or a sample.

Groups of a large table (such as a sum by month) are computed here over all rows, so that the chart is exact. A chart
that computes in any other way is refused and never sampled: a sum over a sample is wrong. A chart of single rows is
sampled at equal steps.
"""

import datetime
import json
import math
import re
from typing import Any, cast

from .chart_boxes import boxes_of
from .chart_rules import Spec, views

# Vega-Lite's names of aggregates, and pandas'.
AGGREGATES = {
    "count": "size",
    "valid": "count",
    "sum": "sum",
    "mean": "mean",
    "average": "mean",
    "median": "median",
    "min": "min",
    "max": "max",
    "distinct": "distinct",
    "stdev": "std",
    "variance": "var",
}
# Tolerance, as a share of a bin's width, for fractions that binary floats cannot represent.
HAIR = 1e-9
COUNTING = ("size", "count", "distinct")
# Escapes of the characters that Vega-Lite reads as parts of a path.
SIGNS = str.maketrans({sign: f"\\{sign}" for sign in "\\.[]'\""})
TIME_UNITS = {
    "year": ("YS", "year"),
    "yearquarter": ("QS", "quarter"),
    "yearmonth": ("MS", "month"),
    "yearmonthdate": ("D", "day"),
    "yearmonthdatehours": ("h", "hour"),
}
COMPUTING_MARKS = ("boxplot", "errorbar", "errorband")
# Marks that Vega-Lite stacks by default, and the channels along which it does.
STACKED = {"bar": ("x", "y"), "area": ("x", "y"), "arc": ("theta",)}
COMPUTING_STEPS = frozenset(
    [
        "aggregate",
        "joinaggregate",
        "window",
        "density",
        "regression",
        "loess",
        "quantile",
        "stack",
        "bin",
        "timeUnit",
        "impute",
        "pivot",
    ]
)
MAX_BINS = {"row": 6, "column": 6, "color": 6, "fill": 6, "size": 6, "shape": 6}


def kind_of(series: Any) -> str:
    """Return Vega-Lite's type of a column."""
    import pandas as pd

    types = pd.api.types
    if types.is_bool_dtype(series.dtype):
        return "nominal"
    if types.is_numeric_dtype(series.dtype):
        return "quantitative"
    if types.is_datetime64_any_dtype(series.dtype) or isinstance(series.dtype, pd.PeriodDtype):
        return "temporal"
    first = next((value for value in series.head(100).tolist() if value is not None), None)
    return "temporal" if isinstance(first, datetime.date) else "nominal"


def bounded_rows(spec: Spec, name: str, frame: Any, most: int) -> tuple[list[Spec], str]:
    """Return the rows that a spec draws, and their reduction: "", "aggregated" or "sampled".

    An aggregation changes the spec in place. Raises ValueError for a chart that computes over too many rows.
    """
    used = _drop_time_zones(spec, _used_columns(spec, frame))
    if len(frame) <= most:
        return plain_rows(used), ""
    boxes = boxes_of(spec, used)
    if boxes is not None:
        spec["datasets"]["outside"] = plain_rows(boxes[1])
        return plain_rows(boxes[0]), "aggregated"
    grouped = _grouped(spec, name, used)
    if grouped is not None:
        if len(grouped) > most:
            raise ValueError(f"it has {len(grouped):,} groups, at most {most:,} are drawn")
        return plain_rows(grouped), "aggregated"
    if _computes(spec):
        raise ValueError(
            f"it computes over {len(frame):,} rows in a way that cannot be done ahead, and at most {most:,} rows are drawn: "
            "compute its figures first (groupby), and give the chart the result"
        )
    step = len(frame) / most
    places = [int(number * step) for number in range(most)]
    return plain_rows(used.iloc[places]), "sampled"


def plain_rows(frame: Any) -> list[Spec]:
    """Return the rows as JSON objects: plain values, moments in ISO with a time, since JavaScript reads a bare day
    as UTC.
    """
    columns = {str(name): [_plain(value) for value in frame[name].tolist()] for name in frame.columns}
    names = list(columns)
    return [dict(zip(names, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, bool | str):
        return value[:2_000] if isinstance(value, str) else value
    if isinstance(value, int):
        # Larger integers lose digits in JavaScript in any case.
        return value if abs(value) <= 2**53 else float(value)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, datetime.datetime):
        text = value.isoformat(timespec="milliseconds") if value == value else ""
        return text or None
    if isinstance(value, datetime.date):
        return f"{value.isoformat()}T00:00:00"
    if hasattr(value, "to_timestamp"):  # a period of pandas
        return value.to_timestamp().isoformat()
    if hasattr(value, "item"):
        return _plain(value.item())
    try:
        number = float(value)  # a Decimal
    except (TypeError, ValueError):
        text = str(value)
        return None if text in ("NaT", "<NA>", "nan") else text[:2_000]
    return number if math.isfinite(number) else None


def _drop_time_zones(spec: Spec, frame: Any) -> Any:
    """Replace moments by their local time, so that all machines draw them alike, unless the spec mentions UTC."""
    import pandas as pd

    zoned = [name for name in frame.columns if isinstance(frame[name].dtype, pd.DatetimeTZDtype)]
    if not zoned or "utc" in json.dumps({**spec, "datasets": None}, default=str).lower():
        return frame
    return frame.assign(**{name: frame[name].dt.tz_localize(None) for name in zoned})


def _used_columns(spec: Spec, frame: Any) -> Any:
    """Return the columns whose names occur in the spec, or all if none does."""
    text = json.dumps({**spec, "datasets": None}, ensure_ascii=False, default=str)
    text = text.replace("\\", "").replace('"', "")
    used = [name for name in frame.columns if str(name).replace("\\", "").replace('"', "") in text]
    return frame[used] if used else frame


def _computes(spec: Spec) -> bool:
    for view in views(spec):
        mark = view.get("mark")
        kind = cast(Spec, mark).get("type") if isinstance(mark, dict) else mark
        if kind in COMPUTING_MARKS:
            return True
        for step in cast("list[Any]", view.get("transform") or []):
            if isinstance(step, dict) and COMPUTING_STEPS & cast(Spec, step).keys():
                return True
        encoding = view.get("encoding")
        for channel in cast(Spec, encoding).values() if isinstance(encoding, dict) else ():
            if isinstance(channel, dict) and {"aggregate", "bin", "timeUnit"} & channel.keys():
                return True
        if _stacks(str(kind), cast(Spec, encoding) if isinstance(encoding, dict) else {}):
            return True
    return False


def _stacks(kind: str, channels: Spec) -> bool:
    """Check whether marks of single rows add up, although the spec names no sum."""
    specs = {place: cast(Spec, channel) for place, channel in channels.items() if isinstance(channel, dict)}
    parts = kind == "arc" or any("field" in specs.get(place, {}) for place in ("color", "fill", "detail"))
    along = [specs[place] for place in STACKED.get(kind, ()) if place in specs and f"{place}2" not in specs]
    return parts and any(
        channel.get("type") == "quantitative" and channel.get("stack", True) not in (None, False)
        for channel in along
    )


# --- groups computed ahead ---------------------------------------------------------------------------------------------------


def _grouped(spec: Spec, name: str, frame: Any) -> Any:
    """Return the groups of a single view that groups and computes, and change its spec to draw them; None for other
    specs.
    """
    encoding, mark = spec.get("encoding"), spec.get("mark")
    data = cast(Any, spec.get("data"))
    if not isinstance(encoding, dict) or data != {"name": name} or spec.get("transform"):
        return None
    kind = cast(Spec, mark).get("type") if isinstance(mark, dict) else mark
    if kind is None or kind in COMPUTING_MARKS:
        return None
    channels = cast(Spec, encoding)
    if not all(_is_simple(channel) for channel in channels.values()):
        return None
    fields = {place: cast(Spec, channel) for place, channel in channels.items() if isinstance(channel, dict)}
    if not any("aggregate" in channel for channel in fields.values()):
        return None
    keys: dict[str, Any] = {}
    changed: dict[str, Spec] = {}
    computed: dict[str, tuple[str | None, str]] = {}
    for place, channel in fields.items():
        if "aggregate" in channel:
            aggregate = AGGREGATES[channel["aggregate"]]
            field = _plain_name(channel["field"]) if channel.get("field") else None
            figure_name = f"{channel['aggregate']} of {field}" if field else "count"
            while figure_name in frame.columns:
                figure_name += "_"
            computed[figure_name] = (field, aggregate)
            title = {"count": "Count of Records"}.get(
                channel["aggregate"], f"{channel['aggregate'].capitalize()} of {field}"
            )
            extra = {key: value for key, value in channel.items() if key != "aggregate"}
            changed[place] = {
                "title": title,
                "type": "quantitative",
                **extra,
                "field": figure_name.translate(SIGNS),
            }
        elif isinstance(field := channel.get("field"), str):
            key, definition = _key(place, channel, frame, field)
            column = _plain_name(field)
            if key is None or (column in keys and not key.equals(keys[column])):
                return None  # two channels group one column in different ways
            keys[column] = key
            changed[place] = definition
    import pandas as pd

    table = pd.DataFrame(keys) if keys else pd.DataFrame({"": [0] * len(frame)}, index=frame.index)
    groups = _with_numbers(frame, computed).groupby(
        [table[column] for column in table.columns], dropna=False, observed=True, sort=True
    )
    figure_columns = {
        name: groups.size() if field is None or aggregate == "size" else _figure(groups[field], aggregate)
        for name, (field, aggregate) in computed.items()
    }
    result = pd.DataFrame(figure_columns).reset_index()
    encoding.update(changed)
    return result if keys else result[list(figure_columns)]


def _with_numbers(frame: Any, computed: "dict[str, tuple[str | None, str]]") -> Any:
    """Return the frame with text to compute with as numbers. Raises ValueError for other text or a missing column."""
    import pandas as pd

    to_numeric: Any = pd.to_numeric
    numbers: dict[str, Any] = {}
    for column, aggregate in computed.values():
        if column is None:
            continue
        if column not in frame.columns:
            raise ValueError(f"there is no column {column!r} to compute with")
        if aggregate not in COUNTING and kind_of(frame[column]) == "nominal":
            numbers[column] = to_numeric(frame[column], errors="coerce")
            wrong = frame[column][numbers[column].isna() & frame[column].notna()]
            if len(wrong):
                raise ValueError(
                    f"the {aggregate} of {column!r} needs numbers, got {str(wrong.iloc[0])[:40]!r}"
                )
    return frame.assign(**numbers)


def _figure(group: Any, aggregate: str) -> Any:
    """Compute a figure of each group as Vega does: a blank counts as a distinct value, and a sum of blanks is not 0."""
    if aggregate == "distinct":
        return group.nunique(dropna=False)
    return group.sum(min_count=1) if aggregate == "sum" else getattr(group, aggregate)()


def _plain_name(field: str) -> str:
    return re.sub(r"\\(.)", r"\1", field)


def _is_simple(channel: Any) -> bool:
    """Check whether a channel is a value, a plain field, or a grouping or aggregate that can be computed here."""
    if not isinstance(channel, dict):
        return False
    channel_spec = cast(Spec, channel)
    if "condition" in channel_spec or isinstance(channel_spec.get("sort"), dict):
        return False
    if "aggregate" in channel_spec:
        aggregate = channel_spec["aggregate"]
        return (
            isinstance(aggregate, str)
            and aggregate in AGGREGATES
            and "bin" not in channel_spec
            and (aggregate == "count" or "field" in channel_spec)
        )
    unit = channel_spec.get("timeUnit")
    if unit is not None and unit not in TIME_UNITS:
        return False
    return channel_spec.get("bin") in (None, False, True) or _max_bins(channel_spec, "x") is not None


def _max_bins(channel: Spec, place: str) -> int | None:
    bin_spec = channel.get("bin")
    if bin_spec is True:
        return MAX_BINS.get(place, 10)
    if isinstance(bin_spec, dict) and bin_spec.keys() == {"maxbins"} and isinstance(bin_spec["maxbins"], int):
        return max(1, bin_spec["maxbins"])
    return None


def _key(place: str, channel: Spec, frame: Any, field: str) -> tuple[Any, Spec]:
    """Return the group keys of a channel, and the channel that draws them; None for keys that cannot be computed."""
    import pandas as pd

    to_datetime: Any = pd.to_datetime
    column = _plain_name(field)
    if column not in frame.columns:
        return None, channel
    series = frame[column]
    unit = channel.get("timeUnit")
    if unit is not None:
        moments = to_datetime(series, errors="coerce")
        rule = {"year": "Y", "yearquarter": "Q", "yearmonth": "M"}.get(unit)
        key = moments.dt.to_period(rule).dt.to_timestamp() if rule else moments.dt.floor(TIME_UNITS[unit][0])
        return key, channel
    if channel.get("bin") not in (None, False):
        most = _max_bins(channel, place)
        if most is None or not pd.api.types.is_numeric_dtype(series.dtype):
            return None, channel
        step = _nice_step(float(series.max()) - float(series.min()), most)
        return _bins(series, step), {**channel, "bin": {"step": step}}
    return series, channel


def _bins(series: Any, step: float) -> Any:
    """Return the middle of each value's bin. As in Vega, 0.3 is in the bin that starts there, and the last bin
    includes its end.
    """
    places = (series / step + HAIR) // 1
    last = max(-((HAIR - series.max() / step) // 1) - 1, places.min())
    return places.clip(upper=last) * step + step / 2


def _nice_step(extent: float, most: int) -> float:
    """Return the step of Vega's bins: 10, 5 or 2 times a power of ten, for at most `most` bins."""
    if not extent > 0 or not math.isfinite(extent):
        return 1.0
    level = math.ceil(math.log10(most))
    step = 10.0 ** (round(math.log10(extent)) - level)
    while math.ceil(extent / step) > most:
        step *= 10
    for part in (5, 2):
        if extent / (step / part) <= most:
            step /= part
    return step
