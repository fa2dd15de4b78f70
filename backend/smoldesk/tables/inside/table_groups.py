"""Groups of a view of a stored table, with measures of their rows, optionally across the values of another column.

Totals of a view are its measures without groups. The file is read directly: nothing has to be loaded first, and only
the columns that take part are read.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from . import duck_reading as duck
from .table_grid import Grid
from .table_schema import ZONED, GridColumn
from .table_view import BadView, find_column, read_view

MAX_GROUPS = 1_000
# Values of the column across; the most frequent ones. The width of a result is limited as well.
MAX_ACROSS = 40
MAX_WIDTH = 300
# Maximum characters of a text that is a group: an answer of full width has to fit into one frame.
MAX_KEY = 300
STEPS = {"": "", "year": "%Y", "month": "%Y-%m", "day": "%Y-%m-%d"}
# Measures by kind of column; `rows` needs no column.
MEASURES = {
    "number": ("sum", "mean", "median", "min", "max", "filled", "distinct"),
    "date": ("min", "max", "filled", "distinct"),
    "text": ("filled", "distinct"),
    "bool": ("filled", "distinct"),
}


@dataclass(frozen=True)
class Key:
    """Column by which rows are grouped: `sql` is what is grouped, `text` writes a group's value as text, if it has to be.

    Periods are grouped as moments and written once for each group: text for each row takes ten times as long.
    """

    column: GridColumn
    sql: str
    text: str = "{}"

    def plain(self, value: Any) -> Any:
        """Return a value for JSON."""
        if isinstance(value, str) and len(value) > MAX_KEY:
            return value[:MAX_KEY] + "…"
        return value if self.text != "{}" else self.column.plain(value)


@dataclass(frozen=True)
class Measure:
    """SQL of a measure, and what makes its value one for JSON."""

    sql: str
    plain: Callable[[Any], Any]


def groups(grid: Grid, request: dict[str, Any], cancelled: Callable[[], bool]) -> dict[str, Any]:
    """Return the `rows` of the first groups, the `totals` of all, and the numbers of groups and of values across.

    A row has the group's values, then for each value across the measures, then the measures of the group. Raises
    BadView, Cancelled, duckdb.Error.
    """
    keys = [_key(entry, grid.columns) for entry in request["by"]]
    across = None if request["across"] is None else _key(request["across"], grid.columns)
    measures = [_measure(entry, grid.columns) for entry in request["values"]]
    source = _source(grid, request, cancelled)
    labels, values, across_count = _across(grid, across, source, MAX_WIDTH // len(measures) - 1)
    is_value = f"{across.sql} IS NOT DISTINCT FROM ?" if across else ""
    totals_sql = [measure.sql for measure in measures]
    row_cells = [f"{sql} FILTER (WHERE {is_value})" for _ in values for sql in totals_sql] + totals_sql
    parameters = [value for value in values for _ in measures]
    plains = [measure.plain for measure in measures] * (len(values) + 1)
    totals = grid.connection.execute(f"SELECT {', '.join(row_cells)} FROM {source}", parameters).fetchone()
    answer = {
        "rows": [],
        "totals": [plain(cell) for plain, cell in zip(plains, totals, strict=True)],
        "group_count": 0,
        "across": labels,
        "across_count": across_count,
    }
    if not keys:
        return answer
    names = [f"r{place}" for place in range(len(keys) + len(row_cells))]
    listed = ", ".join(
        f"{sql} AS {name}" for sql, name in zip([*(key.sql for key in keys), *row_cells], names, strict=True)
    )
    shown = [key.text.format(name) for key, name in zip(keys, names, strict=False)] + names[len(keys) :]
    query = (
        f"WITH groups AS MATERIALIZED (SELECT {listed} FROM {source} GROUP BY {', '.join(key.sql for key in keys)}) "
        f"SELECT {', '.join(shown)}, (SELECT count(*) FROM groups) "
        f"FROM groups ORDER BY {_order(request['sort'], names, len(keys))} LIMIT {MAX_GROUPS}"
    )
    found = grid.connection.execute(query, parameters).fetchall()
    answer["group_count"] = found[0][-1] if found else 0
    answer["rows"] = [
        [plain(cell) for plain, cell in zip([*(key.plain for key in keys), *plains], row, strict=False)]
        for row in found
    ]
    return answer


def _key(entry: dict[str, Any], columns: list[GridColumn]) -> Key:
    column, step = find_column(entry["column"], columns), str(entry.get("step") or "")
    if step and column.kind != "date":
        raise BadView(
            "bad_group", f"{column.name[:80]!r} has no {step[:20]}s: it is not a date.", "Leave `step` out."
        )
    if column.kind != "date":
        is_text = column.kind == "text"
        return (
            Key(column, column.as_text, f"left({{}}, {MAX_KEY + 1})") if is_text else Key(column, column.sql)
        )
    moment = column.sql
    if column.type == ZONED:
        moment = f"({moment} AT TIME ZONE {duck.text(column.zone or 'UTC')})"
    if step:
        trunc = f"date_trunc({duck.text(step)}, CAST({moment} AS TIMESTAMP))"
        return Key(column, trunc, f"strftime({{}}, {duck.text(STEPS[step])})")
    return Key(column, moment, "replace(replace(CAST({} AS VARCHAR), ' ', 'T'), 'T00:00:00', '')")


def _measure(entry: dict[str, Any], columns: list[GridColumn]) -> Measure:
    """Return a measure. Values that are not finite are left out of sums and means."""
    name = str(entry["measure"])
    if name == "rows":
        return Measure("count(*)", _number)
    if entry.get("column") is None:
        raise BadView("bad_group", f"The measure {name[:20]!r} needs a column.", "Name one in `values`.")
    column = find_column(entry["column"], columns)
    if name not in MEASURES[column.kind]:
        allowed = ", ".join(MEASURES[column.kind])
        message = f"{column.name[:80]!r} ({column.kind}) has no {name[:20]}."
        raise BadView("bad_group", message, f"Its measures: {allowed}.")
    value = column.sql
    if column.type in ("FLOAT", "DOUBLE"):
        value = f"CASE WHEN isfinite({value}) THEN {value} END"
    if name == "filled":
        return Measure(f"count({column.sql})", _number)
    if name == "distinct":
        return Measure(f"count(DISTINCT {column.sql})", _number)
    if column.kind == "date":
        moment = f"epoch_us({column.sql})" if column.type == ZONED else column.sql
        return Measure(f"{name}({moment})", column.plain)
    function = {"mean": "avg"}.get(name, name)
    if name in ("mean", "median"):
        value = f"CAST({value} AS DOUBLE)"
    return Measure(f"{function}({value})", _number)


def _source(grid: Grid, request: dict[str, Any], cancelled: Callable[[], bool]) -> str:
    """Return a FROM expression of the view's rows, or of those in the `ranges` of it."""
    if request.get("ranges"):
        _, table, _ = grid.source_of(request["view"], cancelled)
        return f"({grid.selection(table, '*', *((begin, end) for begin, end in request['ranges']))})"
    view = read_view(request["view"], grid.columns)
    return f"(SELECT * FROM {grid.reads}{f' WHERE {view.where}' if view.where else ''})"


def _across(
    grid: Grid, across: Key | None, source: str, most: int
) -> tuple[list[Any] | None, list[Any], int]:
    """Return the most frequent values of the column across, in order, as shown and as compared, and the number of all."""
    if across is None:
        return None, [], 0
    limit = max(1, min(MAX_ACROSS, most))
    query = (
        f"WITH counted AS (SELECT {across.sql} AS a, count(*) AS n FROM {source} GROUP BY a), "
        f"first AS (SELECT a, count(*) OVER () AS m FROM counted ORDER BY n DESC, a LIMIT {limit}) "
        f"SELECT {across.text.format('a')}, a, m FROM first ORDER BY a NULLS LAST"
    )
    rows = grid.connection.execute(query).fetchall()
    return [across.plain(row[0]) for row in rows], [row[1] for row in rows], rows[0][2] if rows else 0


def _order(sort: list[dict[str, Any]], names: list[str], keys: int) -> str:
    """Return the order of the groups: as requested, then by their values."""
    orders: list[str] = []
    for entry in sort:
        place = entry["column"]
        if not isinstance(place, int) or not 0 <= place < len(names):
            raise BadView(
                "unknown_column", "The groups have no such column.", f"They have {len(names)} columns."
            )
        orders.append(f"{names[place]} {'DESC' if entry.get('descending') else 'ASC'} NULLS LAST")
    return ", ".join([*orders, *(f"{name} NULLS LAST" for name in names[:keys])])


def _number(value: Any) -> Any:
    """Return a measure for JSON; a large integer keeps its size, not its last digits."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) > 2**53:
        return float(value)
    return duck.cell(value)
