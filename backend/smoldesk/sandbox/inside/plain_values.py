"""Plain values for people: numbers, dates and truth values as text, and containers of them as JSON data. Pure."""

import datetime
import decimal
import enum
import fractions
import math
import pathlib
import sys
import uuid
from collections import deque
from collections.abc import Iterable, Iterator, KeysView, Mapping, ValuesView
from typing import Any, cast

from .encoding import Json

# Values of one answer's data, entries of one container, levels, and characters of one text; cuts are marked.
MAX_VALUES = 20_000
MAX_ENTRIES = 1_000
MAX_LEVELS = 20
MAX_TEXT = 10_000
LISTS: Any = (list, tuple, set, frozenset, deque, range, KeysView, ValuesView)
TEXTS = (datetime.date, datetime.time, datetime.timedelta, pathlib.PurePath, uuid.UUID, fractions.Fraction)


class RichValue(Exception):
    """Value other than plain data."""


def plain_text(value: Any) -> str | None:
    """Return a number, a date, a truth value or None as text; None for any other value."""
    scalar = _scalar(value)
    if scalar is None or isinstance(scalar, bool | int | float | complex | decimal.Decimal):
        return str(scalar)
    # a day that is kept as a moment has a midnight
    return str(scalar).removesuffix(" 00:00:00") if isinstance(scalar, TEXTS) or _is_pandas(scalar) else None


def _scalar(value: Any) -> Any:
    """Return the value of an enumeration's member, or of a number or moment of numpy."""
    if isinstance(value, enum.Enum):
        return value.value
    numpy: Any = sys.modules.get("numpy")
    if numpy is None or not isinstance(value, numpy.generic):
        return value
    if isinstance(value, numpy.datetime64 | numpy.timedelta64):
        import pandas as pd

        return pd.Timestamp(value) if isinstance(value, numpy.datetime64) else pd.Timedelta(value)
    return value.item()


def _is_pandas(value: Any) -> bool:
    pandas: Any = sys.modules.get("pandas")
    if pandas is None or not hasattr(pandas, "NaT"):
        return False
    return value is pandas.NA or value is pandas.NaT or isinstance(value, pandas.Period | pandas.Interval)


class PlainData:
    """Converter of one value to JSON data of bounded size."""

    def __init__(self) -> None:
        self._values = MAX_VALUES
        self._above: set[int] = set()

    def of(self, value: Any) -> Json:
        """Return dicts, lists and arrays of plain values as JSON. Raises RichValue for tables, figures and objects."""
        self._values -= 1
        value = _scalar(value)
        if value is None or isinstance(value, bool):
            return value
        if isinstance(value, str):
            return value[:MAX_TEXT] + "…" if len(value) > MAX_TEXT else str.__str__(value)
        if isinstance(value, int):
            return int(value)
        if isinstance(value, float | decimal.Decimal):
            return _number(value)
        if (text := plain_text(value)) is not None:
            return text
        if id(value) in self._above or len(self._above) >= MAX_LEVELS:
            return "…"
        self._above.add(id(value))
        try:
            return self._container(value)
        finally:
            self._above.discard(id(value))

    def _container(self, value: Any) -> Json:
        numpy: Any = sys.modules.get("numpy")
        if numpy is not None and isinstance(value, numpy.ndarray) and value.dtype != object:
            # one more than are shown, so that the cut is noticed without a list of millions
            return (
                self._list(value[: MAX_ENTRIES + 1].tolist(), len(value))
                if value.ndim
                else self.of(value.item())
            )
        if isinstance(value, Mapping):
            pairs = cast("Mapping[Any, Any]", value)
            return self._dict(((key, pairs[key]) for key in pairs), len(pairs))
        if (named := named_fields(value)) is not None:
            return self._dict(named.items(), len(named))
        if isinstance(value, LISTS):
            return self._list(value, len(value))
        raise RichValue

    def _dict(self, pairs: Iterable[tuple[Any, Any]], count: int) -> Json:
        data: dict[str, Json] = {}
        for number, (key, item) in enumerate(pairs):
            if self._is_full(number):
                data["…"] = f"+{count - number:,}"
                break
            data[key_text(key)] = self.of(item)
        return data

    def _list(self, items: Iterable[Any], count: int) -> Json:
        data: list[Json] = []
        for number, item in enumerate(cast("Iterator[Any]", items)):
            if self._is_full(number):
                data.append(f"… +{count - number:,}")
                break
            data.append(self.of(item))
        return data

    def _is_full(self, number: int) -> bool:
        return number >= MAX_ENTRIES or self._values <= 0


def key_text(key: Any) -> str:
    """Return the key of a dict as one text; the parts of a tuple are joined, as in the head of a table."""
    parts = cast("tuple[Any, ...]", key)[:10] if isinstance(key, tuple) else (key,)
    return " / ".join(part if isinstance(part, str) else plain_text(part) or str(part) for part in parts)[
        :200
    ]


def named_fields(value: Any) -> dict[str, Any] | None:
    """Return the fields of a named tuple or a dataclass, None for any other value."""
    names: Any = getattr(cast(object, type(value)), "__dataclass_fields__", None)
    if names is None and tuple in type(value).__mro__:
        names = getattr(value, "_fields", None)
    return None if names is None else {name: getattr(value, name) for name in names}


def _number(value: float | decimal.Decimal) -> Json:
    """Return a number as JSON: text if a float would look different, null if it is not finite."""
    number = float(value)
    if not math.isfinite(number):
        return None
    return number if isinstance(value, float) or str(value) == repr(number) else str(value)
