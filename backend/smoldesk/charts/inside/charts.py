"""Charts as data: a Vega-Lite spec with its rows in a JSON file, which the desk draws.

Charts of Altair are accepted as they are; `chart(data, spec)` makes one of a table and a spec. Rows are bounded:
figures are computed over all rows (chart_rows.py), single rows are sampled, and the chart says so. Faults of a spec
are raised where the code can correct it. altair is imported only if the cell uses it, or to check a spec where it is
installed.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from smoldesk.sandbox.inside.other_tables import in_pandas
from smoldesk.sandbox.inside.tables import plain_index

from .chart_changes import apply_changes
from .chart_fields import check_fields, fill_fields
from .chart_place import CodePlace
from .chart_rows import bounded_rows
from .chart_rules import MAX_BYTES, MAX_ROWS, MAX_SPEC, fault_of, views

TRANSFORMER = "smoldesk"
MAX_ERROR_CHARACTERS = 600
Spec = dict[str, Any]


class DeskChart:
    """Chart made by `chart(...)`; the last value of a cell, or `display`, shows it. `frames` are its tables by name."""

    def __init__(self, spec: Spec, frames: dict[str, Any]) -> None:
        self.spec = spec
        self.frames = frames
        self.changes: Mapping[str, object] = {}
        self.place: CodePlace | None = None

    def __repr__(self) -> str:
        return f"<chart: {described(self.spec)}>"


@dataclass(frozen=True)
class ChartFile:
    """Written chart: the rows of its data, the rows in the file, and the reduction; whether it has controls."""

    rows: int
    shown: int
    reduced: str
    has_controls: bool = False


def chart(data: Any, spec: Any) -> DeskChart:
    """Return a chart of a DataFrame (or a list of dicts) by a Vega-Lite spec, a dict or its JSON.

    The spec needs no data of its own. Raises ValueError for an invalid spec or a missing column.
    """
    frame = _frame(data)
    if isinstance(spec, str):
        try:
            spec = json.loads(spec)
        except ValueError as fault:
            raise ValueError(f"the spec of a chart is not valid JSON: {fault}") from None
    if not isinstance(spec, dict):
        raise ValueError(f"the spec of a chart must be a Vega-Lite dict, got {type(spec).__name__}")
    # A deep copy: the checks below change the spec, but not the caller's dict.
    chart_spec = json.loads(
        json.dumps({key: value for key, value in cast(Spec, spec).items() if key != "data"})
    )
    fault = fault_of(chart_spec)
    if fault:
        raise ValueError(f"this chart cannot be shown: {fault}")
    check_fields(chart_spec, [str(name) for name in frame.columns])
    fill_fields(chart_spec, frame)
    _check_grammar(chart_spec)
    return DeskChart({**chart_spec, "data": {"name": "rows"}}, {"rows": frame})


def is_altair(value: Any) -> bool:
    """Check for a chart of Altair."""
    altair: Any = sys.modules.get("altair")
    return altair is not None and isinstance(value, altair.TopLevelMixin)


def is_chart(value: Any) -> bool:
    """Check for a chart of ours or of Altair."""
    return isinstance(value, DeskChart) or is_altair(value)


def write_chart(value: Any, path: Path) -> ChartFile:
    """Write a chart's spec with its rows. Raises ValueError with the reason for an invalid one."""
    desk_chart: DeskChart = value if isinstance(value, DeskChart) else of_altair(value)
    spec, frames = dict(desk_chart.spec), desk_chart.frames
    fault = fault_of(spec)
    if fault:
        raise ValueError(fault)
    bare = len(json.dumps({**spec, "datasets": None}))
    if bare > MAX_SPEC:
        raise ValueError(f"its spec has {bare:,} characters without data, at most {MAX_SPEC:,} are drawn")
    chart_file = _fill_rows(spec, frames)
    text = json.dumps(spec, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=str)
    if len(text.encode("utf-8", "replace")) > MAX_BYTES:
        raise ValueError(
            f"its data has {len(text):,} characters, at most {MAX_BYTES:,} are drawn: "
            "take fewer columns or rows, or compute its figures first"
        )
    path.write_text(text, encoding="utf-8", errors="replace")
    _, _, controls = apply_changes(spec, desk_chart.changes)
    return replace(chart_file, has_controls=bool(controls))


def described(spec: Spec) -> str:
    """Return a chart's title, else its mark and channels, in one line."""
    title = spec.get("title")
    if isinstance(title, dict):
        title = cast(Spec, title).get("text")
    if isinstance(title, list):
        title = " ".join(str(line) for line in cast("list[Any]", title))
    if isinstance(title, str) and title.strip():
        return title.strip()[:200]
    for view in views(spec):
        encoding = view.get("encoding")
        if isinstance(encoding, dict):
            named = [_channel(name, definition) for name, definition in cast(Spec, encoding).items()]
            mark = view.get("mark")
            kind = cast(Spec, mark).get("type") if isinstance(mark, dict) else mark
            return ": ".join([str(kind or "chart"), ", ".join(filter(None, named))])[:200]
    return "chart"


def _channel(name: str, definition: Any) -> str:
    if not isinstance(definition, dict) or name in ("tooltip", "order", "detail"):
        return ""
    channel = cast(Spec, definition)
    field = channel.get("field")
    parts = [str(channel[key]) for key in ("aggregate", "timeUnit") if isinstance(channel.get(key), str)]
    parts += [field.replace("\\", "")] if isinstance(field, str) else []
    return f"{name} {' '.join(parts)}" if parts else ""


# --- rows ---------------------------------------------------------------------------------------------------------------


def _fill_rows(spec: Spec, frames: dict[str, Any]) -> ChartFile:
    """Put the rows of each frame into the spec's datasets, reduced where they are too many."""
    datasets: Spec = spec.setdefault("datasets", {}) if frames else spec.get("datasets", {})
    inline = sum(len(rows) for rows in _inline(spec))
    if inline > MAX_ROWS:
        raise ValueError(
            f"it has {inline:,} rows in its spec, at most {MAX_ROWS:,} are drawn: use chart(df, spec)"
        )
    rows = row_count = inline
    reductions: set[str] = set()
    share = max(1, MAX_ROWS // max(1, len(frames)))
    for name, frame in frames.items():
        datasets[name], reduced = bounded_rows(spec, name, frame, share)
        rows, row_count = rows + len(frame), row_count + len(datasets[name])
        reductions.add(reduced)
    return ChartFile(rows, row_count, "sampled" if "sampled" in reductions else max(reductions, default=""))


def _inline(spec: Spec) -> Iterator[list[Any]]:
    for view in views(spec):
        data = view.get("data")
        values = cast(Spec, data).get("values") if isinstance(data, dict) else None
        if isinstance(values, list):
            yield cast("list[Any]", values)
    datasets = spec.get("datasets")
    for values in cast(Spec, datasets).values() if isinstance(datasets, dict) else ():
        if isinstance(values, list):
            yield cast("list[Any]", values)


def _frame(data: Any) -> Any:
    import pandas as pd

    if isinstance(data, pd.Series):
        data = data.to_frame(data.name if data.name is not None else "value")
    elif isinstance(data, list | dict):
        data = pd.DataFrame(cast(Any, data))
    elif hasattr(data, "to_pandas"):
        data = data.to_pandas()
    else:
        data = in_pandas(data)
    if not isinstance(data, pd.DataFrame):
        raise ValueError(
            f"the data of a chart must be a DataFrame or a list of dicts, got {type(data).__name__}"
        )
    frame: Any = plain_index(data)
    frame = frame.copy(deep=False)
    frame.columns = [str(name) for name in frame.columns]
    if len(set(frame.columns)) < len(frame.columns):
        raise ValueError("two columns of the data have the same name")
    return frame


def of_altair(value: Any) -> DeskChart:
    """Return the chart of a chart of Altair. Raises ValueError for an invalid one."""
    import altair

    frames: dict[str, Any] = {}
    names_by_id: dict[int, str] = {}
    library: Any = altair

    def register_data(data: Any, **_options: Any) -> Spec:
        if isinstance(data, dict):  # inline values, or the name of a dataset
            return cast(Spec, data)
        # By identity: layers with one frame share its rows.
        name = names_by_id.setdefault(id(data), f"rows{len(names_by_id) + 1}")
        frames[name] = _frame(data)
        return {"name": name}

    library.data_transformers.register(TRANSFORMER, register_data)
    try:
        # `to_dict` passes all data to the enabled transformer, which keeps the frames out of the spec.
        with library.data_transformers.enable(TRANSFORMER):
            spec = cast(Spec, value.to_dict())
    except library.utils.schemapi.SchemaValidationError as fault:
        raise ValueError(_short(fault)) from None
    usermeta_free = {key: part for key, part in spec.items() if key != "usermeta"}
    return DeskChart(json.loads(json.dumps(usermeta_free, default=str)), frames)


def _check_grammar(spec: Spec) -> None:
    """Raise ValueError for a spec that breaks Vega-Lite's schema, if altair is installed."""
    try:
        import altair
    except ImportError:
        return
    library: Any = altair
    try:
        library.Chart.from_dict({**spec, "data": {"name": "rows"}})
    except Exception as fault:  # altair's class or jsonschema's
        raise ValueError(f"this is not a valid Vega-Lite spec: {_short(fault)}") from None


def _short(fault: Exception) -> str:
    message = " ".join(str(fault).split())
    return message if len(message) <= MAX_ERROR_CHARACTERS else message[:MAX_ERROR_CHARACTERS] + "…"
