"""View of a table: filters, searched words and an order, as SQL built from checked parts only. Pure."""

import datetime
import math
import re
from dataclasses import dataclass, field
from typing import Any

from . import duck_reading as duck
from .table_schema import ZONED, GridColumn

MAX_SEARCH_TERMS = 10
NO_VALUE = ("empty", "filled")
COMPARE = {"eq": "=", "ne": "<>", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
OPERATORS = (*COMPARE, "in", "contains", "starts", *NO_VALUE)
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


class BadView(Exception):
    """A request does not fit the table; `code` is unknown_column, bad_filter or too_many_rows."""

    def __init__(self, code: str, message: str, hint: str) -> None:
        super().__init__(message)
        self.code = code
        self.hint = hint


@dataclass(frozen=True)
class GridView:
    """Part of a table in an order: `where` and `order` are SQL, empty for all rows and for file order.

    `first_by` is the first column of the order, and whether it is descending.
    """

    where: str = ""
    order: str = ""
    first_by: tuple[GridColumn, bool] | None = None
    columns: list[GridColumn] = field(default_factory=list[GridColumn])

    @property
    def is_unfiltered(self) -> bool:
        return not self.where and not self.order


def read_view(request: dict[str, Any], columns: list[GridColumn]) -> GridView:
    """Return the requested view. Raises BadView."""
    conditions = [condition(entry, columns) for entry in request.get("filters", [])]
    conditions += [
        _anywhere(word, columns) for word in str(request.get("search", "")).split()[:MAX_SEARCH_TERMS]
    ]
    by = [
        (find_column(entry["column"], columns), bool(entry.get("descending")))
        for entry in request.get("sort", [])
    ]
    orders = [f"{column.sql} {'DESC' if descending else 'ASC'} NULLS LAST" for column, descending in by]
    column_keys = request.get("columns")
    selected = columns if column_keys is None else [find_column(name, columns) for name in column_keys]
    return GridView(" AND ".join(conditions), ", ".join(orders), by[0] if by else None, selected)


def find_column(key: int | str, columns: list[GridColumn]) -> GridColumn:
    """Return a column by its number, from 0, or its name. Raises BadView."""
    if isinstance(key, int):
        if 0 <= key < len(columns):
            return columns[key]
    else:
        for column in columns:
            if column.name == key:
                return column
    names = ", ".join(column.name for column in columns[:20])
    label = f"number {key}" if isinstance(key, int) else repr(key[:80])
    raise BadView("unknown_column", f"This table has no column {label}.", f"Its columns: {names}."[:600])


def condition(row_filter: dict[str, Any], columns: list[GridColumn]) -> str:
    """Return one filter, of a column, an operator and a value, as SQL. Raises BadView."""
    column, op, value = (
        find_column(row_filter["column"], columns),
        str(row_filter["op"]),
        row_filter.get("value"),
    )
    if op not in OPERATORS:
        raise _bad(column, f"{op[:40]!r} is not an operator", f"Expected one of {', '.join(OPERATORS)}.")
    if op in NO_VALUE:
        blank = f"{column.sql} IS NULL" + (f" OR {column.as_text} = ''" if column.kind == "text" else "")
        return f"({blank})" if op == "empty" else f"NOT ({blank})"
    if op == "in":
        return _in_condition(column, value)
    if isinstance(value, list | dict) or value is None:
        raise _bad(column, f"{op} takes one value", "Expected a number, text, a day or true or false.")
    if op in ("contains", "starts"):
        function = "contains" if op == "contains" else "starts_with"
        return f"{function}(lower({column.as_text}), lower({duck.text(_clean(str(value)))}))"
    if column.kind == "date":
        return _when(column, op, value)
    return f"{column.sql} {COMPARE[op]} {literal(column, value)}"


def literal(column: GridColumn, value: Any) -> str:
    """Return a value of the column's kind as SQL. Raises BadView."""
    if column.kind == "number":
        return _number(column, value)
    if column.kind == "bool":
        if isinstance(value, bool) or str(value).lower() in ("true", "false"):
            return str(value).lower()
        raise _bad(column, f"{str(value)[:40]!r} is neither true nor false", "Expected true or false.")
    if column.kind == "date":
        return _moment(column, value)[0]
    text = duck.text(_clean(str(value)))
    return text if column.type == "VARCHAR" else f"CAST({text} AS {column.type})"


def _in_condition(column: GridColumn, values: Any) -> str:
    if not isinstance(values, list) or not values:
        raise _bad(
            column, "`in` takes a list of values", "Expected at least one value; null is an empty cell."
        )
    some: list[Any] = values  # pyright: ignore[reportUnknownVariableType]
    parts = [
        condition({"column": column.name, "op": "eq", "value": item}, [column])
        for item in some
        if item is not None
    ]
    parts += [f"{column.sql} IS NULL"] if None in some else []
    return f"({' OR '.join(parts)})"


def _number(column: GridColumn, value: Any) -> str:
    try:
        number = float(value) if not isinstance(value, bool) else math.nan
        integer = (
            int(value)
            if isinstance(value, int) or re.fullmatch(r"[+-]?\d{1,38}", str(value).strip())
            else None
        )
    except (TypeError, ValueError, OverflowError):
        number, integer = math.nan, None
    if not math.isfinite(number):
        raise _bad(column, f"{str(value)[:40]!r} is not a number", "Expected a number such as 12.5.")
    return f"CAST('{number!r}' AS DOUBLE)" if integer is None else str(integer)


def _when(column: GridColumn, op: str, value: Any) -> str:
    """Compare with a day as a span: up to a day includes it, and equal means within it."""
    begin, end = _moment(column, value)
    sql = column.sql
    if end is None:
        return f"{sql} {COMPARE[op]} {begin}"
    match op:
        case "eq":
            return f"({sql} >= {begin} AND {sql} < {end})"
        case "ne":
            return f"({sql} < {begin} OR {sql} >= {end})"
        case "le":
            return f"{sql} < {end}"
        case "gt":
            return f"{sql} >= {end}"
        case _:
            return f"{sql} {COMPARE[op]} {begin}"


def _moment(column: GridColumn, value: Any) -> tuple[str, str | None]:
    """Return the beginning of a time, and the end if it is a day, as SQL. Raises BadView."""
    text = str(value).strip()
    try:
        at = datetime.datetime.fromisoformat(text)
        end = at + datetime.timedelta(days=1) if _DAY.fullmatch(text) else None
    except (ValueError, OverflowError):
        raise _bad(
            column, f"{text[:40]!r} is not a day", "Expected one such as 2024-01-31 or 2024-01-31T12:30:00."
        ) from None
    if column.type == ZONED:
        zone = duck.text(column.zone or "UTC")
        start, ended = (f"(TIMESTAMP {_quoted(moment)} AT TIME ZONE {zone})" for moment in (at, end or at))
        return start, ended if end is not None else None
    return f"TIMESTAMP {_quoted(at)}", None if end is None else f"TIMESTAMP {_quoted(end)}"


def _quoted(at: datetime.datetime) -> str:
    return duck.text(at.replace(tzinfo=None).isoformat(sep=" "))


def _anywhere(word: str, columns: list[GridColumn]) -> str:
    """Search a word in all columns; in numbers and days only if it has a digit."""
    digits = any(character.isdigit() for character in word)
    places = [column for column in columns if column.kind == "text" or (digits and column.kind != "bool")]
    pattern = duck.text(_clean(word.lower()))
    parts = [
        f"contains(lower({place.as_text}), {pattern})"
        if place.kind == "text"
        else f"contains({place.as_text}, {pattern})"
        for place in places
    ]
    return f"({' OR '.join(parts)})" if parts else "false"


def _clean(text: str) -> str:
    return text.replace("\0", " ").encode("utf-8", "replace").decode()


def _bad(column: GridColumn, message: str, hint: str) -> BadView:
    return BadView("bad_filter", f"The filter of {column.name[:80]!r} cannot be used: {message}.", hint)
