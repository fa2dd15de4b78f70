"""A pandas table as a Parquet file, whole, and a preview: its first rows as plain values, no NaN."""

import datetime
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

PREVIEW_ROWS = 50
MAX_COLUMNS = 300
MAX_TEXT = 10_000
PREVIEW_TEXT = 1_000
# Approximate characters in all cells of a preview; long cells are shortened to their share.
PREVIEW_CHARACTERS = 200_000
SAFE_INTEGER = 2**53
# Rows per group of a Parquet file: DuckDB reads as many at once.
ROW_GROUP = 122_880

Scalar = None | bool | int | float | str


def write_table(frame: Any, path: Path) -> dict[str, Any]:
    """Write a DataFrame. Return its columns (name, kind, type, as_text), the first 50 rows, and the number of rows.

    A column whose values have no common Parquet type is stored as text (`as_text`). Of more than 300 columns the
    first are stored. An incomplete file is removed. Raises OSError.
    """
    import pyarrow
    from pyarrow import parquet

    arrow: Any = pyarrow
    frame_ = plain_index(frame).iloc[:, :MAX_COLUMNS]
    columns: list[dict[str, Any]] = []
    values: list[list[Scalar]] = []
    arrays: list[Any] = []
    for place, name in enumerate(frame_.columns):
        series = frame_.iloc[:, place]
        kind = kind_of(series)
        array, as_text = arrow_array(series, kind)
        about = {
            "name": column_name(name),
            "kind": kind,
            "type": str(array.type).removeprefix("large_")[:200],
            "as_text": as_text,
        }
        columns.append(about)
        arrays.append(array)
        values.append(_cells(series.iloc[:PREVIEW_ROWS], CONVERT[kind]))
    names = distinct([column["name"] for column in columns])
    try:
        table = arrow.table(arrays, names=names)
        parquet.write_table(table, path, row_group_size=ROW_GROUP, compression="zstd", compression_level=1)
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    preview = [[_shortened(cell, PREVIEW_TEXT) for cell in row] for row in zip(*values, strict=True)]
    return {"columns": columns, "rows": _bounded(preview), "row_count": len(frame)}


def distinct(names: list[str]) -> list[str]:
    """Return names that differ, ignoring case: a, A_2, a_3. An empty one becomes `column`."""
    used_names: set[str] = set()
    found: list[str] = []
    for name in names:
        number, candidate = 1, name or "column"
        while candidate.casefold() in used_names:
            number += 1
            candidate = f"{name or 'column'}_{number}"
        used_names.add(candidate.casefold())
        found.append(candidate)
    return found


def arrow_array(series: Any, kind: str) -> tuple[Any, bool]:
    """Return the column as an Arrow array, and whether it had to become text."""
    import pyarrow

    arrow: Any = pyarrow
    try:
        array = arrow.array(series, from_pandas=True)
    except (arrow.ArrowException, TypeError, ValueError, OverflowError):
        array = arrow.nulls(len(series))
    if arrow.types.is_dictionary(array.type):
        array = array.cast(array.type.value_type)
    if _column_kind(array.type) == kind:
        return array, False
    texts = [
        None if missing(value) else str(value)[:MAX_TEXT].encode("utf-8", "replace").decode()
        for value in series.tolist()
    ]
    all_text = all(isinstance(value, str) or missing(value) for value in series.tolist())
    return arrow.array(texts, arrow.string()), not all_text


def _is_text(series: Any) -> bool:
    import pandas as pd

    return isinstance(series.dtype, pd.StringDtype)


def _column_kind(type_: Any) -> str:
    """Return the kind of an Arrow type; "" for one that not every reader of Parquet knows."""
    import pyarrow

    types: Any = pyarrow.types
    if types.is_boolean(type_):
        return "bool"
    if types.is_integer(type_) or types.is_floating(type_) or types.is_decimal(type_):
        return "" if types.is_float16(type_) else "number"
    if types.is_timestamp(type_) or types.is_date(type_):
        return "date"
    return "text" if types.is_string(type_) or types.is_large_string(type_) else ""


def _bounded(preview: list[list[Scalar]]) -> list[list[Scalar]]:
    cells = [cell for row in preview for cell in row]
    if sum(len(cell) for cell in cells if isinstance(cell, str)) <= PREVIEW_CHARACTERS:
        return preview
    share = max(20, PREVIEW_CHARACTERS // len(cells))
    return [[_shortened(cell, share) for cell in row] for row in preview]


def plain_index(frame: Any) -> Any:
    """Return the frame with its index as first columns, unless that only counts the rows."""
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
    """Return one line of text, also for the tuples of a MultiIndex."""
    parts = [str(part) for part in name if str(part)] if isinstance(name, tuple) else [str(name)]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return " / ".join(parts)[:200]


def column(series: Any) -> tuple[str, list[Scalar]]:
    """(kind, plain values) of one column."""
    kind = kind_of(series)
    return kind, _cells(series, CONVERT[kind])


def kind_of(series: Any) -> str:
    """Return the kind of a column's values: bool, number, date or text."""
    import pandas as pd

    types = pd.api.types
    if types.is_bool_dtype(series.dtype):
        return "bool"
    if types.is_complex_dtype(series.dtype) or _is_text(series):
        return "text"
    if types.is_numeric_dtype(series.dtype):
        return "number"
    if types.is_datetime64_any_dtype(series.dtype):
        return "date"
    present = [value for value in series.tolist() if not missing(value)]
    if present and all(isinstance(value, bool) for value in present):
        return "bool"
    if present and all(_is_number(value) for value in present):
        return "number"
    if present and all(isinstance(value, datetime.date) for value in present):
        return "date"
    return "text"


def _cells(series: Any, convert: Callable[[Any], Scalar]) -> list[Scalar]:
    return [None if missing(value) else convert(value) for value in series.tolist()]


def missing(value: Any) -> bool:
    """Return whether a value is None, NaN, NaT or NA; a list or an array inside a cell is present."""
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


# Conversion of a present value to JSON, by the kind of its column.
CONVERT: dict[str, Callable[[Any], Scalar]] = {"bool": bool, "number": _number, "date": _date, "text": _text}
