"""A query as JSON and back: what an answer shows as its reading, and what comes back when a person corrects it.

What comes back was written by a client, so all of it is checked: shapes by pydantic, names by the table they are about.
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
_OPS = (*_ARITY, *_COMPARED, "contains", "when", "not when", *(f"when {sign}" for sign in _COMPARED[2:]))
_FILE = re.compile(r"[\w-]{1,80}\.(?:csv|xlsx|json)")
_OF_NUMBERS = frozenset(AGGREGATES) - {"nunique", "mode", "min", "max"}
# Measures, groups, conditions or columns of one query.
MOST_PARTS = 50


class BadQuery(ValueError):
    """A query that is none, or is about something that the table does not have; the words say what."""


def to_json(query: Query) -> dict[str, JsonValue]:
    """A query without what is as it is by default."""
    return _QUERY.dump_python(query, mode="json", exclude_defaults=True, exclude={"unused_terms", "features"})


def from_json(data: object, tables: list[TableSchema]) -> tuple[Query, TableSchema]:
    """The query, and the table that it is about. Raises BadQuery."""
    if not isinstance(data, dict) or {"unused_terms", "features"} & {*cast(dict[Any, Any], data)}:
        raise BadQuery("a reading is a JSON object with a table")
    try:
        query = _QUERY.validate_python(data)
    except ValidationError as fault:
        first = fault.errors()[0]
        raise BadQuery(f"{'.'.join(map(str, first['loc']))[:80]}: {first['msg'][:120]}") from None
    schema = next((table for table in tables if table.info.name == query.table), None)
    if schema is None:
        raise BadQuery(f"there is no table {query.table[:80]!r}")
    for failed, message in _checks(query, {column.name: column for column in schema.columns}):
        if failed:
            raise BadQuery(message)
    return query, schema


def _checks(query: Query, columns: Mapping[str, Column]) -> Iterator[tuple[object, str]]:
    """What would be wrong, each with its words; later ones may rely on those before."""
    conditions = [condition for group in (*query.where, *query.part) for condition in group]
    parts = len(conditions) + len(query.groups) + 2 * len(query.measures) + len(query.columns)
    yield not all((*query.where, *query.part)), "a condition without alternatives is none"
    yield parts > MOST_PARTS, f"at most {MOST_PARTS} parts are taken"
    for name in columns_of(query):
        yield name not in columns, f"there is no column {name[:80]!r}"
    for measure in query.measures:
        figure = measure.fn == "count" or (measure.fn in AGGREGATES and measure.column is not None)
        yield not figure, f"{measure.fn[:40]!r} of {measure.column!r} is no figure"
        info = columns[measure.column].info if measure.column else None
        text = info is not None and measure.fn in _OF_NUMBERS and info.kind != "number" and not info.is_flag
        yield text, f"{(measure.column or '')[:80]!r} has no numbers"
        signed = measure.sign in ("", "*", "/", "+", "-") and bool(measure.sign) == bool(measure.other)
        yield not signed, "two columns are joined by one of * / + -"
        yield measure.q is not None and not 0 < measure.q < 1, "a quantile lies between 0 and 1"
    for condition in conditions:
        yield from _condition_checks(condition, columns)
    computes = query.kind in ("groups", "figure", "difference")
    yield computes and not query.measures, "there is nothing to compute"
    yield query.kind == "groups" and not query.groups, "there is nothing to group by"
    has_columns = query.kind != "plot values" or query.columns
    yield not has_columns or query.plot not in ("", *PLOTS), "this is nothing that can be shown"
    yield query.change not in ("", *CHANGES), f"{query.change[:40]!r} is no change"
    yield query.file and not _FILE.fullmatch(query.file), "a file is called like figures.csv, .xlsx or .json"
    sizes = [number for number in (query.top, query.window, query.last) if number is not None]
    yield not all(0 <= size <= 1_000_000 for size in sizes), "a number of rows lies between 0 and 1,000,000"


def _condition_checks(condition: Condition, columns: Mapping[str, Column]) -> Iterator[tuple[object, str]]:
    is_valid = condition.op in _OPS and len(condition.values) == _ARITY.get(condition.op, 1)
    yield not is_valid, f"{condition.op[:40]!r} with {len(condition.values)} values is no condition"
    kind, dated = columns[condition.column].info.kind, "when" in condition.op or condition.op == "from to"
    yield condition.op == "between" and kind != "number", f"{condition.column[:80]!r} has no numbers"
    for value in condition.values:
        when = isinstance(value, When)
        fits = when == dated and (kind == "date" or not dated)
        yield not fits, f"{condition.op!r} does not go with {condition.column[:80]!r} and its values"
        if isinstance(value, When):
            yield not _is_in_calendar(value), "a date lies outside of the calendar"
        elif isinstance(value, OtherColumn):
            yield value.column not in columns, f"there is no column {value.column[:80]!r}"
        else:
            flag = kind != "bool" or str(value) in ("True", "False")
            yield not flag, f"{condition.column[:80]!r} is true or false"
            yield kind == "number" and not _is_number(value), f"{condition.column[:80]!r} holds numbers"


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
