"""Preview of a table for a person: its first rows, and the distribution of each column's values."""

from collections.abc import Sequence
from typing import Any, cast

from .written import COMMA, days_of

MAX_TABLES, MAX_COLUMNS, MAX_ROWS = 8, 300, 5
# Columns of the first rows.
ROW_COLUMNS = 40
LONGEST_CELL = 60
BINS, TOP = 12, 5
# Maximum rows and cells whose values are counted; a larger table is sampled at equal steps.
MAX_COUNTED = 200_000
MAX_CELLS = 40 * MAX_COUNTED


def preview(frame: Any, described: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return `rows` as text, and `columns`: missing values, and either bars over `edges` or the most frequent
    `values`.
    """
    limited = frame.iloc[:, :MAX_COLUMNS]
    rows = limited.iloc[:MAX_ROWS, :ROW_COLUMNS].astype(object).to_numpy().tolist()
    step = -(-len(limited) // min(MAX_COUNTED, MAX_CELLS // max(1, limited.shape[1]))) or 1
    counted = limited.iloc[::step]
    columns = [
        _spread(counted.iloc[:, place], description)
        | {"blank": int(limited.iloc[:, place].isna().sum())}  # of all rows, also of a sample
        for place, description in enumerate(described[: limited.shape[1]])
    ]
    return {
        "rows": [[_cell(value) for value in row] for row in rows],
        "columns": columns,
        "sampled": step > 1,
    }


def _spread(column: Any, described: dict[str, Any]) -> dict[str, Any]:
    values = column.dropna()
    spread: dict[str, Any] = {
        "edges": [],
        "values": [],
        "counts": [],
    }
    kind, form = str(described["kind"]), str(described.get("form", ""))
    try:
        if kind == "number":
            spread |= _bars_of_numbers(values, form)
        elif kind == "date":
            spread |= _bars_of_days(values, form)
        if not spread["edges"]:
            spread |= _most_frequent(values)
    except (
        TypeError,
        ValueError,
        OverflowError,
        AttributeError,
    ):  # cells with lists, for example, get no bars
        pass
    return spread


def _bars_of_numbers(values: Any, form: str) -> dict[str, Any]:
    import numpy as np
    import pandas as pd

    if form:
        texts: Any = values.astype(str).str.normalize("NFKC")
        texts = texts.str.replace(r"[.\s]", "", regex=True).str.replace(",", ".") if form == COMMA else texts
        values = cast(Any, pd.to_numeric)(
            texts.str.replace(r"[^\d.eE+-]", "", regex=True), errors="coerce"
        ).dropna()
    numbers = np.asarray(values, dtype=float)
    numbers = numbers[np.isfinite(numbers)]
    if not len(numbers):
        return {}
    low, high = float(numbers.min()), float(numbers.max())
    are_integers = bool((numbers == np.floor(numbers)).all())
    bins = min(BINS, int(high - low) + 1) if are_integers and high - low < BINS else BINS
    if low == high:
        return {"edges": [_number(low), _number(high)], "counts": [len(numbers)]}
    counts, edges = np.histogram(numbers, bins=bins)
    return {"edges": [_number(edge) for edge in edges.tolist()], "counts": counts.tolist()}


def _bars_of_days(values: Any, form: str) -> dict[str, Any]:
    import numpy as np
    import pandas as pd

    days = pd.Series(days_of(values, form)).dropna()
    if not len(days):
        return {}
    days = days.dt.tz_localize(None) if days.dt.tz is not None else days
    places = days.to_numpy(dtype="datetime64[s]").astype("int64")
    low, high = int(places.min()), int(places.max())
    if low == high:
        return {"edges": [_day(low), _day(high)], "counts": [len(places)]}
    counts, edges = np.histogram(places, bins=min(BINS, (high - low) // 86_400 + 1))
    return {"edges": [_day(edge) for edge in edges.tolist()], "counts": counts.tolist()}


def _most_frequent(values: Any) -> dict[str, Any]:
    counts = values.value_counts()
    return {
        "values": [_cell(value) for value in counts.index[:TOP].tolist()],
        "counts": [int(count) for count in counts.iloc[:TOP].tolist()],
        "distinct": len(counts),
    }


def _number(value: float) -> str:
    return (
        f"{value:.0f}"
        if (value.is_integer() or abs(value) >= 1_000) and abs(value) < 1e15
        else f"{value:.4g}"
    )


def _day(seconds: float) -> str:
    import pandas as pd

    return str(pd.Timestamp(int(seconds), unit="s").date())


def _cell(value: Any) -> str:
    import pandas as pd

    missing = value is None or cast(Any, pd.isna)(value)
    if missing is True:  # for a list in a cell, `isna` returns an array
        return ""
    if isinstance(value, pd.Timestamp):
        moment: Any = value
        return str(moment.date() if moment == moment.normalize() else moment)
    if isinstance(value, float):
        return f"{value:.0f}" if value.is_integer() and abs(value) < 1e15 else f"{value:.6g}"
    text = str(value).encode("utf-8", "replace").decode()
    return text if len(text) <= LONGEST_CELL else text[: LONGEST_CELL - 1] + "…"
