"""Python values as JSON data: what a tool can be given, and what an answer is kept as. Pure."""

import datetime
import decimal
import enum
import math
import pathlib
import sys
from collections.abc import Iterable, Mapping
from typing import Any, cast

from .other_tables import in_pandas

Json = None | bool | int | float | str | list["Json"] | dict[str, "Json"]

MAX_DEPTH = 40
ACCEPTED = (
    "text, numbers, booleans, None, lists, dicts, dates, and pandas or numpy tables, columns and arrays"
)


def argument_to_json(value: Any) -> Json:
    """Return a tool's argument as `to_json` does, with the labels of a table or a column.

    A Series with labels becomes a dict, one with several levels a list of rows; a DataFrame gets its named index as
    columns.
    """
    value = in_pandas(value)
    pandas = sys.modules.get("pandas")
    if pandas is None or not isinstance(value, pandas.Series | pandas.DataFrame):
        return to_json(value)
    table: Any = value
    index: Any = table.index
    if isinstance(value, pandas.DataFrame):
        named = [name for name in index.names if name is not None]
        return to_json(table.reset_index() if named and not set(named) & set(table.columns) else table)
    if isinstance(index, pandas.MultiIndex):
        return [to_json([*key, item]) for key, item in zip(index.tolist(), table.tolist(), strict=True)]
    if isinstance(index, pandas.RangeIndex) or not index.is_unique:
        return to_json(table)
    return {
        str(to_json(key)): to_json(item) for key, item in zip(index.tolist(), table.tolist(), strict=True)
    }


def to_json(value: Any, depth: int = 0) -> Json:
    """`value` as JSON data: DataFrame -> dict of lists, Series, arrays -> lists, dates -> ISO, NaN -> None.

    Raises TypeError for anything else, saying what is accepted, and ValueError when nested too deeply.
    """
    if depth > MAX_DEPTH:
        raise ValueError(f"the value is nested more than {MAX_DEPTH} levels deep (or contains itself)")
    if isinstance(value, enum.Enum):
        return to_json(value.value, depth + 1)
    plain, scalar = _scalar(value)
    if scalar:
        return plain
    if isinstance(value, Mapping):
        pairs = cast("Mapping[Any, Any]", value)
        return {str(key): to_json(item, depth + 1) for key, item in pairs.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return [to_json(item, depth + 1) for item in cast("Iterable[Any]", value)]
    plain, scalar = _scientific(value, depth)
    if scalar:
        return plain
    raise TypeError(f"a {type(value).__name__} cannot be passed; accepted are {ACCEPTED}")


def _scalar(value: Any) -> tuple[Json, bool]:
    """Return (value, True) for text, numbers and dates; (None, False) for all else."""
    if value is None or isinstance(value, bool):
        return value, True
    if isinstance(value, str):
        return str(value), True
    if isinstance(value, int):
        return int(value), True
    if isinstance(value, float | decimal.Decimal):
        number = float(value)
        return (number if math.isfinite(number) else None), True
    if isinstance(value, datetime.date | datetime.time):
        text = value.isoformat()
        return (None if text == "NaT" else text), True
    if isinstance(value, datetime.timedelta | pathlib.PurePath):
        return str(value), True
    return None, False


def _scientific(value: Any, depth: int) -> tuple[Json, bool]:
    """Return `_scalar` for numpy and pandas objects, if the cell has imported those packages at all."""
    numpy, pandas = sys.modules.get("numpy"), sys.modules.get("pandas")
    if pandas is not None:
        if value is pandas.NA or value is pandas.NaT:
            return None, True
        if isinstance(value, pandas.DataFrame):
            frame: Any = value
            columns = {
                str(name): to_json(frame.iloc[:, place].tolist(), depth + 1)
                for place, name in enumerate(frame.columns)
            }
            return cast("Json", columns), True
        if isinstance(value, pandas.Series | pandas.Index | pandas.api.extensions.ExtensionArray):
            return to_json(list(value), depth + 1), True
        if isinstance(value, pandas.Period | pandas.Interval):
            return str(value), True
    if numpy is not None:
        if isinstance(value, numpy.datetime64 | numpy.timedelta64):
            text = str(value)
            return (None if text == "NaT" else text), True
        if isinstance(value, numpy.generic):
            item: Any = value.item()
            return (None, False) if isinstance(item, numpy.generic) else (to_json(item, depth + 1), True)
        if isinstance(value, numpy.ndarray):
            return to_json(value.tolist(), depth + 1), True
    return None, False
