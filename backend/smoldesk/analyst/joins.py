"""Tables with the columns of other tables of the chat: orders with the city of each order's customer.

A table can be joined to one that has each of its keys once, so every row stays one row. The keys are the ids, names or
categories that both tables have under one name; an `id` is the key of the table that the other column names.
"""

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

from smoldesk.analyst.catalogue import ColumnInfo, Join, TableInfo, ValueIndex
from smoldesk.analyst.cell import literal
from smoldesk.analyst.query import Query, columns_of
from smoldesk.analyst.schema import indexed_values
from smoldesk.analyst.units import key_of

# Limits of a join, which is made in memory: rows of a table, and tables joined to one.
MAX_ROWS, MAX_JOINED = 2_000_000, 6
# Least share of the values of a table's key that the other one has, where both are known.
MIN_SHARED = 0.5
_NO_VALUES: ValueIndex = {}
_KEYS = ("id", "name", "category", "place", "text")
# Headers that name the rows of any table, so that equal ones mean nothing.
_BARE = frozenset(
    key_of(word)
    for word in ("id", "no", "number", "code", "key", "name", "index", "番号", "コード", "名前", "名称", "ID")
)


def joined_tables(tables: Sequence[TableInfo]) -> Iterator[TableInfo]:
    """Yield each of a chat's tables to which others can be joined, with their columns."""
    candidates = [table for table in tables if table.place == 0 and table.rows <= MAX_ROWS]
    for table in candidates:
        joined = table
        for other in candidates:
            keys = _keys(table, other) if other is not table and len(joined.joined) < MAX_JOINED else None
            if keys is not None:
                joined = _with_columns(joined, other, *keys)
        if joined.joined:
            yield joined


def _with_columns(table: TableInfo, other: TableInfo, key: ColumnInfo, other_key: ColumnInfo) -> TableInfo:
    used = {column.name for column in table.columns}
    added = [column for column in other.columns if column.name not in (key.name, other_key.name)]
    names = {c.name: c.name if c.name not in used else f"{c.name} ({other.name})" for c in added}
    join = Join(other.name, other.load, key.name, other_key.name, tuple(names.items()))
    return replace(
        table,
        columns=[*table.columns, *(_joined(column, names[column.name]) for column in added)],
        index=partial(_index, table, other, names),
        joined=(*table.joined, join),
    )


def needed_joins(table: TableInfo, query: Query) -> list[Join]:
    """Return the joins of a table whose columns a query reads."""
    used = columns_of(query)
    return [join for join in table.joined if not used.isdisjoint(name for _, name in join.columns)]


def is_of_joined(query: Query, table: TableInfo) -> bool:
    """Check whether a query takes its columns from several tables, and adds up only figures of the rows' own table.

    A figure of the other table would count once for each row.
    """
    used = columns_of(query)
    columns_of_rows = {column.name for column in table.columns} - {
        name for join in table.joined for _, name in join.columns
    }
    sums = [m for m in query.measures if m.fn in ("sum", "mean", "median") and m.column]
    counts_rows = query.kind in ("figure", "groups", "share") and not any(m.column for m in query.measures)
    sums_rows = all({m.column, m.other} & columns_of_rows for m in sums)
    return (
        bool(needed_joins(table, query))
        and sums_rows
        and (counts_rows or not used.isdisjoint(columns_of_rows))
    )


def join_lines(table: TableInfo, query: Query) -> Iterator[tuple[Join, list[str]]]:
    """Yield each needed join, with lines that add its columns to `data` and count the rows without a match."""
    for join in needed_joins(table, query):
        used = columns_of(query)
        names = {column: name for column, name in join.columns if name in used}
        renamed = {column: name for column, name in names.items() if column != name}
        key, other_key = literal(join.key), literal(join.other_key)
        rename = f".rename(columns={literal(renamed)})" if renamed else ""
        on = f"on={key}" if key == other_key else f"left_on={key}, right_on={other_key}"
        lines = [
            f"other = {join.load}[{literal([join.other_key, *names])}]{rename}",
            f"unmatched = int((~data[{key}].isin(other[{other_key}])).sum())",
            f'data = data.merge(other, how="left", {on}, validate="many_to_one")',
        ]
        yield join, lines


def _index(table: TableInfo, other: TableInfo, names: Mapping[str, str]) -> ValueIndex:
    index, values = (each.index() if each.index else _NO_VALUES for each in (table, other))
    return {**index, **{name: values[column] for column, name in names.items() if column in values}}


def _joined(column: ColumnInfo, name: str) -> ColumnInfo:
    """Return a column as a column of another table, whose rows repeat its values or lack them."""
    return replace(
        column, name=name, has_blanks=True, whole="", divisions=(), traits=(), explained={}, latest=""
    )


def _keys(table: TableInfo, other: TableInfo) -> tuple[ColumnInfo, ColumnInfo] | None:
    """Return the columns by which another table can be joined to one; None without any."""
    if not _is_expression(other.load) or len(other.columns) < 2:
        return None
    for key_column in other.columns:
        if "unique" not in key_column.traits or key_column.has_blanks or key_column.role not in _KEYS:
            continue
        for column in table.columns:
            is_alike = (column.kind, column.form) == (key_column.kind, key_column.form)
            is_key = is_alike and column.role in _KEYS and _names_key(column, key_column, other)
            if is_key and _share_values(table, column, other, key_column):
                return column, key_column
    return None


def _names_key(column: ColumnInfo, key_column: ColumnInfo, other: TableInfo) -> bool:
    key, other_key = key_of(column.name), key_of(key_column.name)
    if other_key in _BARE:
        return key in ((*key_of(other.name), *other_key), (*other_key, *key_of(other.name)))
    return key == other_key and "unique" not in column.traits


def _share_values(table: TableInfo, column: ColumnInfo, other: TableInfo, key_column: ColumnInfo) -> bool:
    """Check whether the other table has most values of a key. Those of ids are not known here: their name decides."""
    values = {*(column.values or indexed_values(table, column.name))}
    keys = {*(key_column.values or indexed_values(other, key_column.name))}
    if values and keys:
        return len(values & keys) >= MIN_SHARED * len(values)
    return column.role == "id" and key_column.role == "id"


def _is_expression(load: str) -> bool:
    body = ast.parse(load).body
    return len(body) == 1 and isinstance(body[0], ast.Expr)
