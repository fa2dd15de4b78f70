"""A query as JSON and back: what an answer shows as its reading, and what comes back when a person corrects it.

What comes back was written by a client, so all of it is checked: shapes by pydantic, names by the table they are about.
"""

import math
import re
from collections.abc import Mapping
from dataclasses import fields
from typing import Any, cast

from pydantic import JsonValue, TypeAdapter, ValidationError

from smoldesk.analyst.query import Condition, Other, Query
from smoldesk.analyst.schema import Column, TableSchema
from smoldesk.analyst.sentence import AGGREGATES, CHANGES, PLOTS
from smoldesk.analyst.times import When

_QUERY = TypeAdapter(Query)
_ARITY = {"missing": 0, "present": 0, "between": 2, "from to": 2}
_COMPARED = ("==", "!=", ">", ">=", "<", "<=")
_OPS = (*_ARITY, *_COMPARED, "contains", "when", "not when", *(f"when {sign}" for sign in _COMPARED[2:]))
_FILE = re.compile(r"[\w-]{1,80}\.(?:csv|xlsx|json)")
_OF_NUMBERS = frozenset(AGGREGATES) - {"nunique", "mode", "min", "max"}
MOST_PARTS = 50
"""Measures, groups, conditions or columns of one query."""


class BadQuery(ValueError):
    """A query that is none, or is about something that the table does not have; the words say what."""


def to_json(query: Query) -> dict[str, JsonValue]:
    """A query without what is as it is by default."""
    plain = Query(query.table)
    dumped = cast(dict[str, JsonValue], _QUERY.dump_python(query, mode="json", exclude_defaults=True))
    kept = {field.name for field in fields(Query) if getattr(query, field.name) != getattr(plain, field.name)}
    return {
        name: value for name, value in dumped.items() if name in (kept | {"table"}) - {"words", "features"}
    }


def from_json(data: object, tables: list[TableSchema]) -> tuple[Query, TableSchema]:
    """The query, and the table that it is about. Raises BadQuery."""
    if not isinstance(data, dict) or {"words", "features"} & {*cast(dict[Any, Any], data)}:
        raise BadQuery("a reading is a JSON object with a table")
    try:
        query = _QUERY.validate_python(data)
    except ValidationError as fault:
        first = fault.errors()[0]
        raise BadQuery(f"{'.'.join(map(str, first['loc']))[:80]}: {first['msg'][:120]}") from None
    schema = next((one for one in tables if one.info.name == query.table), None)
    if schema is None:
        raise BadQuery(f"there is no table {query.table[:80]!r}")
    _check(query, schema)
    return query, schema


def _check(query: Query, schema: TableSchema) -> None:
    columns = {column.name: column for column in schema.columns}
    conditions = [one for group in (*query.where, *query.part) for one in group]
    named = [
        *(one.column for one in conditions),
        *(one.column for one in query.groups),
        *(name for one in query.measures for name in (one.column, one.other) if name),
        *query.columns,
    ]
    if not all((*query.where, *query.part)):
        raise BadQuery("a condition without alternatives is none")
    if len(named) + len(query.measures) > MOST_PARTS:
        raise BadQuery(f"at most {MOST_PARTS} parts are taken")
    for name in named:
        if name not in columns:
            raise BadQuery(f"there is no column {name[:80]!r}")
    for one in query.measures:
        if one.fn != "count" and (one.fn not in AGGREGATES or one.column is None):
            raise BadQuery(f"{one.fn[:40]!r} of {one.column!r} is no figure")
        if (
            one.column
            and one.fn in _OF_NUMBERS
            and not columns[one.column].is_number
            and not columns[one.column].info.is_flag
        ):
            raise BadQuery(f"{one.column[:80]!r} has no numbers")
        if (one.sign or "*") not in "*/+-" or bool(one.sign) != bool(one.other):
            raise BadQuery("two columns are joined by one of * / + -")
        if one.q is not None and not 0 < one.q < 1:
            raise BadQuery("a quantile lies between 0 and 1")
    for one in conditions:
        _check_condition(one, columns)
    if query.kind in ("groups", "figure", "difference") and not query.measures:
        raise BadQuery("there is nothing to compute")
    if query.kind in ("groups",) and not query.groups:
        raise BadQuery("there is nothing to group by")
    if (
        query.kind == "refusal"
        or (query.plot and query.plot not in PLOTS)
        or (query.kind == "plot values" and not query.columns)
    ):
        raise BadQuery("this is nothing that can be shown")
    if query.change and query.change not in CHANGES:
        raise BadQuery(f"{query.change[:40]!r} is no change")
    if query.file and not _FILE.fullmatch(query.file):
        raise BadQuery("a file is called like figures.csv, .xlsx or .json")
    if any(
        number is not None and not 0 <= number <= 1_000_000
        for number in (query.top, query.window, query.last)
    ):
        raise BadQuery("a number of rows lies between 0 and 1,000,000")


def _check_condition(one: Condition, columns: Mapping[str, Column]) -> None:
    if one.op not in _OPS or len(one.values) != _ARITY.get(one.op, 1):
        raise BadQuery(f"{one.op[:40]!r} with {len(one.values)} values is no condition")
    kind = columns[one.column].info.kind
    dated = "when" in one.op or one.op == "from to"
    if one.op == "between" and kind != "number":
        raise BadQuery(f"{one.column[:80]!r} has no numbers")
    for value in one.values:
        if isinstance(value, When) != dated or (dated and kind != "date"):
            raise BadQuery(f"{one.op!r} does not go with {one.column[:80]!r} and its values")
        if isinstance(value, When):
            _check_when(value)
        elif isinstance(value, Other):
            if value.column not in columns:
                raise BadQuery(f"there is no column {value.column[:80]!r}")
        elif kind == "bool" and str(value) not in ("True", "False"):
            raise BadQuery(f"{one.column[:80]!r} is true or false")
        elif kind == "number" and not _is_number(value):
            raise BadQuery(f"{one.column[:80]!r} holds numbers")


def _check_when(when: When) -> None:
    parts = (
        (when.year, 1, 9999),
        (when.quarter, 1, 4),
        (when.month, 1, 12),
        (when.day, 1, 31),
        *((day, 0, 6) for day in when.weekdays),
    )
    said = [(value, low, high) for value, low, high in parts if value is not None]
    if not said or not all(low <= value <= high for value, low, high in said):
        raise BadQuery("a date lies outside of the calendar")


def _is_number(value: object) -> bool:
    try:
        return math.isfinite(float(str(value)))
    except ValueError:
        return False
