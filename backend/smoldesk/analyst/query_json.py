"""Conversion of a query to JSON, which an answer shows as its interpretation, and back, when a person corrects it.

The JSON comes from a client, so it is validated completely: shapes by pydantic, names by their table.
"""

import math
import re
from collections.abc import Iterator, Mapping
from typing import Any, cast

from pydantic import JsonValue, TypeAdapter, ValidationError

from smoldesk.analyst.query import Condition, OtherColumn, Query, columns_of
from smoldesk.analyst.schema import Column, TableSchema
from smoldesk.analyst.sentence import AGGREGATES, CHANGES, PLOTS
from smoldesk.analyst.times import When

_QUERY = TypeAdapter(Query)
_ARITY = {"missing": 0, "present": 0, "between": 2, "from to": 2}
_COMPARED = ("==", "!=", ">", ">=", "<", "<=")
_OPS = (*_ARITY, *_COMPARED, "when", "not when", *(f"when {sign}" for sign in _COMPARED[2:]))
_FILE = re.compile(r"[\w-]{1,80}\.(?:csv|xlsx|json)")
_OF_NUMBERS = frozenset(AGGREGATES) - {"nunique", "mode", "min", "max"}
# Fields of a query that the scorer fills in.
_SCORING = {"unused_terms", "features"}
# Maximum parts (measures count twice) of one query.
MAX_PARTS = 50


class BadQuery(ValueError):
    """Invalid query, or one with names that the table does not have; the message says which."""


def to_json(query: Query) -> dict[str, JsonValue]:
    """Return a query as JSON, without default values."""
    return _QUERY.dump_python(query, mode="json", exclude_defaults=True, exclude=_SCORING)


def from_json(data: object, tables: list[TableSchema]) -> tuple[Query, TableSchema]:
    """Return the query and its table. Raises BadQuery."""
    if not isinstance(data, dict):
        raise BadQuery(f"a query is a JSON object with a table, not {type(data).__name__}")
    if scoring := _SCORING & {*cast(dict[Any, Any], data)}:
        raise BadQuery(f"unknown field {min(scoring)!r}")
    try:
        query = _QUERY.validate_python(data)
    except ValidationError as fault:
        first = fault.errors()[0]
        raise BadQuery(f"{'.'.join(map(str, first['loc']))[:80]}: {first['msg'][:120]}") from None
    named = [table for table in tables if table.info.name == query.table]
    if not named:
        raise BadQuery(f"there is no table {query.table[:80]!r}")
    used = columns_of(query)
    # The table itself, and then the one with the columns of others.
    schema = next((table for table in named if used <= {column.name for column in table.columns}), named[0])
    if query.totals and not (schema.info.load_with_totals or schema.wholes):
        raise BadQuery("the table has no total rows that could be included")
    for failed, message in _checks(query, {column.name: column for column in schema.columns}):
        if failed:
            raise BadQuery(message)
    return query, schema


def _checks(query: Query, columns: Mapping[str, Column]) -> Iterator[tuple[object, str]]:
    """Yield checks as (failed, message); later ones rely on the earlier ones."""
    conditions = [condition for group in (*query.where, *query.part) for condition in group]
    parts = len(conditions) + len(query.groups) + 2 * len(query.measures) + len(query.columns)
    yield not all((*query.where, *query.part)), "a condition is empty: expected one or more alternatives"
    yield parts > MAX_PARTS, f"the query has {parts} parts, at most {MAX_PARTS} are allowed"
    for name in columns_of(query):
        yield name not in columns, f"there is no column {name[:80]!r}"
    for measure in query.measures:
        figure = measure.fn == "count" or (measure.fn in AGGREGATES and measure.column is not None)
        named = f"{measure.fn[:40]!r} of {measure.column!r}"
        yield not figure, f"a figure needs a known function and a column, not {named}"
        info = columns[measure.column].info if measure.column else None
        text = info is not None and measure.fn in _OF_NUMBERS and info.kind != "number" and not info.is_flag
        yield text, f"{measure.fn!r} needs a number column, not {(measure.column or '')[:80]!r}"
        signed = measure.sign in ("", "*", "/", "+", "-") and bool(measure.sign) == bool(measure.other)
        yield not signed, "two columns need one of the signs * / + -"
        is_outside = measure.q is not None and not 0 < measure.q < 1
        yield is_outside, f"a quantile must be between 0 and 1, not {measure.q!r}"
    for condition in conditions:
        yield from _condition_checks(condition, columns)
    computes = query.kind in ("groups", "figure", "difference")
    yield computes and not query.measures, f"a query of kind {query.kind!r} needs a measure"
    yield query.kind == "groups" and not query.groups, "a query of kind 'groups' needs a group"
    if (having := query.having) is not None:
        fits = query.kind == "groups" and len(query.measures) == 1 and not query.change
        yield not fits, "'having' needs a query of kind 'groups' with one measure and no change"
        arity = {**dict.fromkeys(_COMPARED, 1), "between": 2}.get(having.op)
        known = len(having.values) == arity and all(map(math.isfinite, having.values))
        numbers = f"{len(having.values)} numbers"
        yield not known, f"unknown condition {having.op[:40]!r} of a figure with {numbers}"
    can_plot = query.plot in ("", *PLOTS) and (query.kind != "plot values" or query.columns)
    yield not can_plot, f"unknown plot {query.plot[:40]!r}, or no columns to plot"
    yield query.change not in ("", *CHANGES), f"unknown change {query.change[:40]!r}"
    is_file = not query.file or _FILE.fullmatch(query.file)
    yield not is_file, "a file name must end in .csv, .xlsx or .json and have no other dots"
    sizes = [number for number in (query.top, query.window, query.last) if number is not None]
    few = all(0 <= size <= 1_000_000 for size in sizes)
    yield not few, "top, window and last must be between 0 and 1,000,000"


def _condition_checks(condition: Condition, columns: Mapping[str, Column]) -> Iterator[tuple[object, str]]:
    is_valid = condition.op in _OPS and len(condition.values) == _ARITY.get(condition.op, 1)
    yield not is_valid, f"unknown condition {condition.op[:40]!r} with {len(condition.values)} values"
    kind, dated = columns[condition.column].info.kind, "when" in condition.op or condition.op == "from to"
    name, is_range = repr(condition.column[:80]), condition.op == "between"
    yield is_range and kind != "number", f"'between' needs a number column, not {name}"
    for value in condition.values:
        when = isinstance(value, When)
        fits = when == dated and (kind == "date" or not dated)
        yield not fits, f"{condition.op!r} does not fit column {name} and its values"
        if isinstance(value, When):
            yield not _is_in_calendar(value), "a date is outside the calendar"
        elif isinstance(value, OtherColumn):
            yield value.column not in columns, f"there is no column {value.column[:80]!r}"
        else:
            flag = kind != "bool" or str(value) in ("True", "False")
            yield not flag, f"{name} is compared with True or False only"
            number = kind != "number" or _is_number(value)
            yield not number, f"{name} is compared with numbers only"


def _is_in_calendar(when: When) -> bool:
    ends = ((when.year, 1, 9999), (when.quarter, 1, 4), (when.month, 1, 12), (when.day, 1, 31))
    parts = [(value, low, high) for value, low, high in ends if value is not None]
    parts += [(day, 0, 6) for day in when.weekdays]
    return bool(parts) and all(low <= value <= high for value, low, high in parts)


def _is_number(value: object) -> bool:
    try:
        return math.isfinite(float(str(value)))
    except ValueError:
        return False
