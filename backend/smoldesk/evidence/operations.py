"""Operations on the values of one table, and their results. Pure; bounded by the table's rows."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice, permutations

from smoldesk import messages as m
from smoldesk.evidence.clauses import Clause
from smoldesk.evidence.operation_results import Result, RowGrid, Value, data_cells
from smoldesk.evidence.row_counts import counts_of
from smoldesk.evidence.run_values import TOTAL, NumberCell
from smoldesk.evidence.text_figure import Figure
from smoldesk.evidence.units import SHARE


def results_of(
    grid: RowGrid, operations: Sequence[m.Operation], figure: Figure, clause: Clause, index: int
) -> Iterator[Result]:
    """Yield the results of operations on a grid's values."""
    if figure.kind == "rank":
        yield from _ranks(grid, clause, index)
        return
    if "count" in operations and figure.value.is_integer() and figure.unit[0] in ("", "time"):
        yield from counts_of(grid, figure, clause, index)
    for name, cells in grid.columns.items():
        is_share = bool(SHARE.search(name)) or any(
            cell.unit[0] == "percent" for cell in islice(cells.values(), 20)
        )
        yield from _totals(grid, [o for o in operations if o != "sum" or not is_share], cells)
        yield from _pairs(grid, operations, cells)
        if "share" in operations and not is_share:
            yield from _shares(grid, cells)
    if {"difference", "ratio", "share", "change"} & {*operations}:
        yield from _across(grid, operations)
    if "sum" in operations and grid.owner:
        yield from _row_sums(grid)


def _totals(
    grid: RowGrid, operations: Sequence[m.Operation], cells: dict[int, NumberCell]
) -> Iterator[Result]:
    is_named = grid.is_column_named or any(TOTAL.search(cell.column) for cell in islice(cells.values(), 1))
    groups = [(data_cells(grid, cells), is_named)] if grid.source.is_complete else []
    for rows in {grid.owner, grid.named}:
        groups += [([(row, cells[row]) for row in rows if row in cells], True)] if len(rows) > 1 else []
    for values, is_named in groups:
        numbers = [cell.value for _, cell in values]
        if len(numbers) < 2:
            continue
        results: tuple[tuple[m.Operation, float], ...] = (
            ("sum", sum(numbers)),
            ("mean", sum(numbers) / len(numbers)),
            ("maximum", max(numbers)),
            ("minimum", min(numbers)),
        )
        yield from (
            Result(operation, value, tuple(values), is_named)
            for operation, value in results
            if operation in operations
        )
        if "difference" in operations:
            extremes = (values[numbers.index(max(numbers))], values[numbers.index(min(numbers))])
            yield Result("difference", extremes[0][1].value - extremes[1][1].value, extremes, is_named)


def _pairs(
    grid: RowGrid, operations: Sequence[m.Operation], cells: dict[int, NumberCell]
) -> Iterator[Result]:
    for first, second, are_named in grid.pairs():
        if first not in cells or second not in cells:
            continue
        values = ((first, cells[first]), (second, cells[second]))
        yield from compared_values(operations, values, are_named and grid.is_column_named)
        # Two names and `times` are enough, unless columns are times of one quantity.
        if (
            are_named
            and "ratio" in operations
            and not (grid.spoken or any(map(_PERIOD.search, grid.complete)))
        ):
            yield from compared_values(("ratio",), values, True)


def compared_values(
    operations: Sequence[m.Operation], values: tuple[Value, Value], is_named: bool
) -> Iterator[Result]:
    """Yield the results of comparing two values."""
    first, second = values[0][1].value, values[1][1].value
    if "difference" in operations:
        yield Result("difference", first - second, values, is_named)
    if second and "change" in operations:
        yield Result("change", 100 * (first - second) / abs(second), values, is_named, True)
    if second and "ratio" in operations:
        yield Result("ratio", first / second, values, is_named)


def _shares(grid: RowGrid, cells: dict[int, NumberCell]) -> Iterator[Result]:
    values = data_cells(grid, cells)
    total = sum(cell.value for _, cell in values)
    if not grid.source.is_complete or len(values) < 2 or total <= 0:
        return
    groups = [[row] for row in grid.owner[:20]] + ([[*grid.named]] if len(grid.named) > 1 else [])
    for rows in groups or [[row] for row, _ in values[:50]]:
        part = [(row, cells[row]) for row in rows if row in cells]
        share = 100 * sum(cell.value for _, cell in part) / total
        yield Result("share", share, (*part, *values), bool(groups), True)


def _across(grid: RowGrid, operations: Sequence[m.Operation]) -> Iterator[Result]:
    """Yield comparisons of two columns in the figure's row; without one, in the row of totals, or of their totals."""
    names = [name for name in grid.complete if name in grid.spoken] + [*grid.complete]
    periods = {name for name in grid.complete if _PERIOD.search(name)}
    rows = grid.owner[:1] or grid.source.total_rows[:1] or ([0] if len(grid.source.rows) == 1 else [])
    for first, second in permutations([*dict.fromkeys(names)][:6], 2):
        are_named = {first, second} <= grid.spoken
        are_periods = periods == {first, second}
        cells, bases = grid.complete[first], grid.complete[second]
        for row in rows:
            if row not in cells or row not in bases:
                continue
            values = ((row, cells[row]), (row, bases[row]))
            possible: list[m.Operation] = [o for o in operations if o != "change" or are_named or are_periods]
            yield from compared_values(possible, values, are_named or (are_periods and bool(grid.owner)))
            if "share" in operations and 0 <= cells[row].value <= bases[row].value and bases[row].value:
                share = 100 * cells[row].value / bases[row].value
                yield Result("share", share, values, are_named or first in grid.spoken, True)
        if not rows and "share" in operations and grid.source.is_complete:
            columns = data_cells(grid, cells), data_cells(grid, bases)
            part, base = (sum(cell.value for _, cell in values) for values in columns)
            if 0 < part < base:
                yield Result("share", 100 * part / base, (*columns[0], *columns[1]), are_named, True)


def _row_sums(grid: RowGrid) -> Iterator[Result]:
    """Yield the sum of the figure's row over columns of one kind: all of them, or those with the same first word."""
    names = [*grid.complete]
    first_words = {re.split(r"[\s_/]", name)[0] for name in names}
    if len(first_words) > 1 or len(names) < 2:
        return
    values = tuple(
        (row, grid.complete[name][row])
        for row in grid.owner[:1]
        for name in names
        if row in grid.complete[name]
    )
    yield Result("sum", sum(cell.value for _, cell in values), values, True)


# Columns with the same quantity at two times.
_PERIOD = re.compile(
    r"(?i)(?:^|[_ ])(?:(?:19|20)\d\d|before|after|old|new|start|end|previous|current)(?:[_ ]|$)|\d年|前年|当年|今年"
)
_FROM_BELOW = re.compile(
    r"(?i)\b(?:lowest|smallest|least|fewest|worst|bottom|cheapest|shortest)\b|低|少な|短|安"
)


def _ranks(grid: RowGrid, clause: Clause, index: int) -> Iterator[Result]:
    """Yield the rank of the figure's row in the columns that the sentence names, else in those that the rows are sorted by."""
    rows = clause.named_after(index, grid.source_at) or grid.owner
    is_from_below = bool(_FROM_BELOW.search(clause.segment(index)[0]))
    names = {dimension for row in rows[:1] for dimension, _ in grid.source.rows[row].labels}
    for cells in (cells for column, cells in grid.columns.items() if column not in names):
        values = [cell.value for cell in cells.values()]
        ascending = values == sorted(values)
        is_sorted = (ascending or values == sorted(values, reverse=True)) and len({*values}) > 1
        for row in rows[:1] if grid.is_column_named or is_sorted else ():
            if row in cells:
                value = cells[row].value
                is_below = is_from_below or (ascending and is_sorted)
                before = sum(other < value if is_below else other > value for other in values)
                yield Result("rank", before + 1, ((row, cells[row]),), True)
