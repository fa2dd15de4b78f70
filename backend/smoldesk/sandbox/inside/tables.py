"""A pandas table as a JSON-lines file and a preview: one JSON array per row, plain values, no NaN."""

import datetime
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

MAX_ROWS = 100_000
PREVIEW_ROWS = 50
MAX_COLUMNS = 300
MAX_TEXT = 10_000
PREVIEW_TEXT = 1_000
PREVIEW_CHARACTERS = 200_000
"""Text in all cells of a preview, about; long ones are shortened to their share."""
SAFE_INTEGER = 2**53

Scalar = None | bool | int | float | str


def write_table(frame: Any, path: Path) -> dict[str, Any]:
    """Write a DataFrame; returns columns (name, kind), the first 50 rows, and how many rows the table has."""
    with_index = plain_index(frame).iloc[:, :MAX_COLUMNS]
    kept = with_index.iloc[:MAX_ROWS]
    columns: list[dict[str, str]] = []
    values: list[list[Scalar]] = []
    for place, name in enumerate(kept.columns):
        kind, cells = column(kept.iloc[:, place])
        columns.append({"name": column_name(name), "kind": kind})
        values.append(cells)
    preview: list[list[Scalar]] = []
    with path.open("w", encoding="utf-8") as file:
        for number, row in enumerate(zip(*values, strict=True)):
            file.write(json.dumps(row, ensure_ascii=False, allow_nan=False) + "\n")
            if number < PREVIEW_ROWS:
                preview.append([_shortened(cell, PREVIEW_TEXT) for cell in row])
    return {"columns": columns, "rows": _bounded(preview), "row_count": len(frame)}


def _bounded(preview: list[list[Scalar]]) -> list[list[Scalar]]:
    cells = [cell for row in preview for cell in row]
    if sum(len(cell) for cell in cells if isinstance(cell, str)) <= PREVIEW_CHARACTERS:
        return preview
    share = max(20, PREVIEW_CHARACTERS // len(cells))
    return [[_shortened(cell, share) for cell in row] for row in preview]


def plain_index(frame: Any) -> Any:
    """The frame with its index as first columns, unless that only counts the rows."""
    import pandas as pd

    if isinstance(frame.index, pd.RangeIndex) and frame.index.name is None:
        return frame
    index = frame.index.to_frame(index=False)
    index.columns = [
        (("index" if len(frame.index.names) == 1 else f"level_{place}") if name is None else name)
        for place, name in enumerate(frame.index.names)
    ]
    body = frame.reset_index(drop=True)
    body.columns = [column_name(name) for name in body.columns]
    index.columns = [column_name(name) for name in index.columns]
    return pd.concat([index, body], axis=1)


def column_name(name: Any) -> str:
    """One line of text, also for the tuples of a MultiIndex."""
    parts = [str(part) for part in name if str(part)] if isinstance(name, tuple) else [str(name)]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return " / ".join(parts)[:200]


def column(series: Any) -> tuple[str, list[Scalar]]:
    """(kind, plain values) of one column."""
    import pandas as pd

    types = pd.api.types
    if types.is_bool_dtype(series.dtype):
        return "bool", _cells(series, bool)
    if types.is_complex_dtype(series.dtype):
        return "text", _cells(series, _text)
    if types.is_numeric_dtype(series.dtype):
        return "number", _cells(series, _number)
    if types.is_datetime64_any_dtype(series.dtype):
        return "date", _cells(series, _date)
    present = [value for value in series.tolist() if not _missing(value)]
    if present and all(isinstance(value, bool) for value in present):
        return "bool", _cells(series, bool)
    if present and all(_is_number(value) for value in present):
        return "number", _cells(series, _number)
    if present and all(isinstance(value, datetime.date) for value in present):
        return "date", _cells(series, _date)
    return "text", _cells(series, _text)


def _cells(series: Any, convert: Callable[[Any], Scalar]) -> list[Scalar]:
    return [None if _missing(value) else convert(value) for value in series.tolist()]


def _missing(value: Any) -> bool:
    """None, NaN, NaT and NA; a list or an array inside a cell is none of them."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return True
    import pandas as pd

    return value is pd.NA or value is pd.NaT


def _is_number(value: Any) -> bool:
    import decimal
    import numbers

    return not isinstance(value, bool) and isinstance(value, numbers.Real | decimal.Decimal)


def _number(value: Any) -> Scalar:
    if isinstance(value, int):
        return value if abs(value) <= SAFE_INTEGER else str(value)
    number = float(value)
    return number if math.isfinite(number) else None


def _date(value: Any) -> Scalar:
    """ISO, without the midnight that a plain day carries."""
    return value.isoformat().removesuffix("T00:00:00")


def _text(value: Any) -> Scalar:
    return str(value)[:MAX_TEXT]


def _shortened(cell: Scalar, characters: int) -> Scalar:
    if isinstance(cell, str) and len(cell) > characters:
        return cell[:characters] + "…"
    return cell
