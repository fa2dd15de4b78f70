"""Queries for a decomposition: totals by category of two sets of rows, which differ in one column (`over`).

`Sql` runs one SELECT in DuckDB's dialect and returns a DataFrame, as `sql` in cells does. The rows themselves are never
loaded.
"""

import calendar
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any, cast

from .decomposition import Amount, Decomposition, decompose

Sql = Callable[[str], Any]
# Most categories of a column that is chosen without being named, and the most columns that are compared.
MAX_CATEGORIES, MAX_COLUMNS = 50, 8
# Values of a column that an error lists.
LISTED = 12
_MOMENTS = ("DATE", "TIMESTAMP")
_NUMBERS = ("DOUBLE", "FLOAT", "DECIMAL", "REAL")
_INTEGERS = (
    "TINYINT",
    "SMALLINT",
    "INTEGER",
    "BIGINT",
    "HUGEINT",
    "UTINYINT",
    "USMALLINT",
    "UINTEGER",
    "UBIGINT",
    "UHUGEINT",
)
_WORDS = ("VARCHAR", "BOOLEAN", "ENUM")
_PERIOD = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?|-?Q([1-4]))?")


@dataclass(frozen=True)
class Quantity:
    """Quantity that changed: a number of rows, the sum of a column, its mean, or its sum divided by that of `per`."""

    measure: str | None
    per: str | None = None
    is_mean: bool = False

    @property
    def is_rate(self) -> bool:
        """Check whether categories have weights."""
        return self.is_mean or self.per is not None

    def columns(self) -> list[str]:
        """Return the columns that it reads."""
        return [name for name in (self.measure, self.per) if name is not None]

    def sums(self) -> str:
        """Return SQL of the total and of the weight of a group."""
        if self.measure is None:
            return "count(*)::DOUBLE, 0::DOUBLE"
        amount = f"fsum(TRY_CAST({named(self.measure)} AS DOUBLE))"
        if self.per is None:
            return f"{amount}, count(TRY_CAST({named(self.measure)} AS DOUBLE))::DOUBLE"
        return f"{amount}, fsum(TRY_CAST({named(self.per)} AS DOUBLE))"


def named(column: str) -> str:
    """Return a name as an SQL identifier."""
    return '"' + column.replace('"', '""') + '"'


class ChangeQuery:
    """Two sets of rows of one table: `over` is `before`, and `over` is `after`."""

    def __init__(self, sql: Sql, table: str, over: str, before: Any, after: Any) -> None:
        """`table` is SQL. Without `before` and `after`, the last two values of `over` are compared: of moments the
        last two years, or months within one year. Raises ValueError naming the columns or values there are.
        """
        self._sql, self._table, self.over = sql, table, over
        listing = sql(f"DESCRIBE SELECT * FROM {table}")
        self.types: Mapping[str, str] = {
            str(name): str(kind)
            for name, kind in zip(listing["column_name"], listing["column_type"], strict=True)
        }
        self.check([over])
        if (before is None) != (after is None):
            raise ValueError("give both `before` and `after`, or neither for the last two values")
        if before is None:
            before, after = self._last_two()
        self.before, self.after = before, after
        self._conditions = [self._condition(value) for value in (before, after)]

    def check(self, columns: Sequence[str]) -> None:
        """Raise ValueError for a column that the table does not have."""
        for name in columns:
            if name not in self.types:
                raise ValueError(
                    f"the table has no column {name[:60]!r}; its columns are {', '.join(self.types)}"[:1_000]
                )

    def most_uneven(self, quantity: Quantity) -> tuple[str, list[str]]:
        """Return the column whose categories explain most, and the other ones, in the order of how much they do.

        Raises ValueError if no column has categories.
        """
        used = {self.over, *quantity.columns()}
        columns = [name for name, kind in self.types.items() if kind.startswith(_WORDS) and name not in used]
        counts = ", ".join(f"approx_count_distinct({named(name)})" for name in columns)
        select = f"SELECT {counts} FROM {self._table} WHERE {self._either()}"
        numbers: list[int] = [int(count) for count in self._sql(select).iloc[0]] if columns else []
        fitting = [name for name, count in zip(columns, numbers, strict=True) if 2 <= count <= MAX_CATEGORIES]
        if not fitting:
            raise ValueError(
                f'no column of words has 2 to {MAX_CATEGORIES} categories; name one: by="column"'
            )
        candidates = {name: self.decomposed(quantity, name) for name in fitting[:MAX_COLUMNS]}
        # Categories on one side alone tell the sides apart and explain nothing: those of the column that is compared.
        parts = {name: each for name, each in candidates.items() if each.is_comparable}
        ordered = sorted(parts or candidates, key=lambda name: -candidates[name].unevenness())
        return ordered[0], ordered[1:]

    def decomposed(self, quantity: Quantity, by: str) -> Decomposition:
        """Return the parts of a column's categories. Raises ValueError if a side has nothing to compare."""
        self.check([by, *quantity.columns()])
        for name in quantity.columns():
            if not self.types[name].startswith((*_NUMBERS, *_INTEGERS, "BOOLEAN")):
                raise ValueError(f"{name} holds {self.types[name]}, and its change needs numbers")
        return self._of_rows(quantity, by)

    def _of_rows(self, quantity: Quantity, by: str) -> Decomposition:
        before, _after = self._conditions
        frame = self._sql(
            f"SELECT {named(by)}, CASE WHEN {before} THEN 0 ELSE 1 END, {quantity.sums()} "
            f"FROM {self._table} WHERE {self._either()} GROUP BY 1, 2 ORDER BY 1 NULLS LAST, 2"
        )
        sides: tuple[dict[object, Amount], dict[object, Amount]] = ({}, {})
        for category, side, total, weight in frame.itertuples(index=False, name=None):
            name = None if category != category or category is None else category
            sides[int(side)][name] = Amount(_number(total), _number(weight))
        for value, amounts in zip((self.before, self.after), sides, strict=True):
            if not amounts:
                raise ValueError(f"no row has {self.over} {_text(value)}; it has {self._values_text()}")
            if quantity.is_rate and not sum(amount.weight for amount in amounts.values()):
                raise ValueError(
                    f"{quantity.columns()[-1]} has no values where {self.over} is {_text(value)}"
                )
        return decompose(*sides, is_rate=quantity.is_rate)

    def _either(self) -> str:
        return f"({' OR '.join(self._conditions)})"

    def _condition(self, value: Any) -> str:
        if isinstance(value, (list, tuple, set)):
            values = list(cast("Iterable[Any]", value))
            if not values:
                raise ValueError("an empty list of values selects no rows")
            return f"({' OR '.join(self._condition(each) for each in values)})"
        column, kind = named(self.over), self.types[self.over]
        if kind.startswith(_MOMENTS):
            first, end = _span(value)
            return f"({column} >= '{first.isoformat()}' AND {column} < '{end.isoformat()}')"
        if kind.startswith((*_NUMBERS, *_INTEGERS)):
            return f"{column} = {_as_number(value, self.over)}"
        text = str(value).replace("'", "''")
        return f"CAST({column} AS VARCHAR) = '{text}'"

    def _last_two(self) -> tuple[Any, Any]:
        column, kind = named(self.over), self.types[self.over]
        values = [column]
        if kind.startswith(_MOMENTS):
            values = [f"strftime({column}, '%Y')", f"strftime({column}, '%Y-%m')"]
        for value in values:
            frame = self._sql(
                f"SELECT DISTINCT {value} AS value FROM {self._table} WHERE {column} IS NOT NULL ORDER BY 1 DESC LIMIT 2"
            )
            if len(frame) == 2:
                return frame["value"].iloc[1], frame["value"].iloc[0]
        raise ValueError(f"{self.over} has fewer than two values to compare")

    def _values_text(self) -> str:
        column = named(self.over)
        if self.types[self.over].startswith(_MOMENTS):
            row = self._sql(f"SELECT min({column}), max({column}) FROM {self._table}").iloc[0]
            return f"moments from {row.iloc[0]} to {row.iloc[1]}"
        frame = self._sql(
            f"SELECT DISTINCT {column} AS value FROM {self._table} ORDER BY 1 LIMIT {LISTED + 1}"
        )
        values = [str(value)[:60] for value in frame["value"]]
        return ", ".join(values[:LISTED]) + (", ..." if len(values) > LISTED else "")


def _span(value: Any) -> tuple[date | datetime, date | datetime]:
    """Return the first moment of a period and that after its end: a day, or a text such as 2024, 2024-03, 2024-Q1."""
    if isinstance(value, datetime):
        value = value.date()
    if isinstance(value, date):
        return value, value + timedelta(days=1)
    match = _PERIOD.fullmatch(str(value).strip())
    if match is None:
        raise ValueError(f"{_text(value)} is not a period; expected 2024, 2024-Q1, 2024-03 or 2024-03-31")
    year, month, day, quarter = (int(part) if part else None for part in match.groups())
    assert year is not None
    try:
        if day:
            first = date(year, month or 1, day)
            return first, first + timedelta(days=1)
        if month or quarter:
            start = month or 3 * (quarter or 1) - 2
            last = start if month else start + 2
            return date(year, start, 1), date(year, last, calendar.monthrange(year, last)[1]) + timedelta(
                days=1
            )
        return date(year, 1, 1), date(year + 1, 1, 1)
    except (ValueError, OverflowError):
        raise ValueError(f"{_text(value)} is not in the calendar") from None


def _as_number(value: Any, over: str) -> str:
    try:
        return repr(float(str(value)))
    except ValueError:
        raise ValueError(f"{over} holds numbers, but {_text(value)} is not a number") from None


def _number(value: Any) -> float:
    """Return a total as a float; without values it is 0."""
    return 0.0 if value is None or value != value else float(value)


def _text(value: Any) -> str:
    return repr(str(value)[:60])
