"""Operations on the values of one table, and their results. Pure; bounded by the table's rows."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations

from smoldesk import messages as m
from smoldesk.evidence.clauses import Clause
from smoldesk.evidence.figure_finder import Figure
from smoldesk.evidence.matching import SHARE
from smoldesk.evidence.row_names import tokens_of
from smoldesk.evidence.run_values import NumberCell, ValueSource

_ROWS = re.compile(
    r"(?i)^\W*(?:[a-z]+\s+){0,2}?(?:rows?|records?|entries|groups?|categories|items?|values?|observations?|lines?)\b"
    r"|^\s*(?:件|行|種類|グループ|個|つ|カテゴリ|区分)"
)
_THRESHOLD = re.compile(
    r"(?i)\b(?:(?P<above>above|over|more than|at least|exceed\w*|greater than)"
    r"|(?P<below>below|under|less than|fewer than|at most))\b"
)
# Position of a row in its source, and a value in it.
Value = tuple[int, NumberCell]


@dataclass(frozen=True, slots=True)
class Result:
    """Result of an operation on `values`. It `is_named` if the sentence names the rows and columns that it depends on."""

    operation: m.Operation
    value: float
    values: tuple[Value, ...]
    is_named: bool = False
    is_percent: bool = False

    @property
    def error(self) -> float:
        """Largest effect of the values' own rounding."""
        errors = [rounding_of(cell) for _, cell in self.values]
        if not self.is_percent and self.operation != "ratio":
            return sum(errors) / (len(errors) if self.operation == "mean" else 1)
        relative = [
            error / abs(cell.value)
            for error, (_, cell) in zip(errors, self.values, strict=True)
            if cell.value
        ]
        return (abs(self.value) + 100 * (self.operation == "change")) * max(relative, default=0.0) * 2


def rounding_of(cell: NumberCell) -> float:
    """Return half a unit of a value's last place; 0 for whole and for computed numbers."""
    if cell.places is not None:
        return 0.5 * 10.0**-cell.places if cell.places else 0.0
    places = len(repr(cell.value).partition(".")[2]) if not cell.value.is_integer() else 0
    return 0.5 * 10.0**-places if 0 < places <= 6 else 0.0


@dataclass(frozen=True)
class RowGrid:
    """Values of a source by column and row, as far as the sentence of a figure concerns them.

    `owner` are the rows that the figure belongs to, `named` all single rows that the sentence names.
    """

    source: ValueSource
    columns: dict[str, dict[int, NumberCell]]
    owner: tuple[int, ...]
    named: tuple[int, ...]
    is_column_named: bool
    complete: dict[str, dict[int, NumberCell]]
    """Values of all columns, also of those that the sentence does not name."""

    def pairs(self) -> Iterator[tuple[int, int, bool]]:
        """Yield the pairs of rows that can be compared, and whether the sentence names them."""
        if len(self.named) > 1:
            yield from ((first, second, True) for first, second in permutations(self.named[:5], 2))
            return
        last = len(self.source.rows) - 1
        for row in self.owner[:1] or self.named[:1]:
            yield from (
                (row, other, True) for other in dict.fromkeys((row - 1, 0, last)) if 0 <= other != row
            )
        if not self.named and last > 0:
            yield from ((last, 0, False), (0, last, False))


def results_of(
    grid: RowGrid, operations: Sequence[m.Operation], figure: Figure, clause: Clause, index: int
) -> Iterator[Result]:
    """Yield the results of operations on a grid's values."""
    if figure.kind == "rank":
        yield from _ranks(grid)
        return
    if "count" in operations and figure.value.is_integer() and figure.unit[0] in ("", "time"):
        yield from _counts(grid, clause, index)
    for name, cells in grid.columns.items():
        is_share = bool(SHARE.search(name)) or any(cell.unit[0] == "percent" for cell in cells.values())
        yield from _totals(grid, [o for o in operations if o != "sum" or not is_share], cells)
        yield from _pairs(grid, operations, cells)
        if "share" in operations and not is_share:
            yield from _shares(grid, cells)
    if {"difference", "ratio", "share"} & {*operations}:
        yield from _across(grid, operations)


def _totals(
    grid: RowGrid, operations: Sequence[m.Operation], cells: dict[int, NumberCell]
) -> Iterator[Result]:
    groups = [(_data_rows(grid, cells), grid.is_column_named)] if grid.source.is_complete else []
    groups += (
        [([(row, cells[row]) for row in grid.owner if row in cells], True)] if len(grid.owner) > 1 else []
    )
    groups += (
        [([(row, cells[row]) for row in grid.named if row in cells], True)] if len(grid.named) > 1 else []
    )
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
            ordered = sorted(values, key=lambda value: value[1].value)
            extremes = (ordered[-1], ordered[0])
            yield Result("difference", extremes[0][1].value - extremes[1][1].value, extremes, is_named)


_TOTAL = re.compile(r"(?i)^(?:grand )?total|^all\b|^sum|合計|総計|^計$")


def _data_rows(grid: RowGrid, cells: dict[int, NumberCell]) -> list[Value]:
    """Return a column's values without those of rows that are totals."""
    return [
        (row, cell)
        for row, cell in cells.items()
        if not any(_TOTAL.search(label) for _, label in grid.source.rows[row].labels)
    ]


def _pairs(
    grid: RowGrid, operations: Sequence[m.Operation], cells: dict[int, NumberCell]
) -> Iterator[Result]:
    for first, second, are_named in grid.pairs():
        if first not in cells or second not in cells:
            continue
        values = ((first, cells[first]), (second, cells[second]))
        yield from _compared(operations, values, are_named and grid.is_column_named)


def _compared(
    operations: Sequence[m.Operation], values: tuple[Value, Value], is_named: bool
) -> Iterator[Result]:
    first, second = values[0][1].value, values[1][1].value
    if "difference" in operations:
        yield Result("difference", first - second, values, is_named)
    if second and "change" in operations:
        yield Result("change", 100 * (first - second) / abs(second), values, is_named, True)
    if second and "ratio" in operations:
        yield Result("ratio", first / second, values, is_named)


def _shares(grid: RowGrid, cells: dict[int, NumberCell]) -> Iterator[Result]:
    values = _data_rows(grid, cells)
    total = sum(cell.value for _, cell in values)
    if not grid.source.is_complete or len(values) < 2 or total <= 0:
        return
    groups = [[row] for row in grid.owner[:20]] + ([[*grid.named]] if len(grid.named) > 1 else [])
    for rows in groups or [[row] for row, _ in values[:50]]:
        part = [(row, cells[row]) for row in rows if row in cells]
        share = 100 * sum(cell.value for _, cell in part) / total
        yield Result("share", share, (*part, *values), bool(groups), True)


def _across(grid: RowGrid, operations: Sequence[m.Operation]) -> Iterator[Result]:
    """Yield comparisons of two columns in the figure's row, or of their totals."""
    names = [*grid.complete][:6]
    rows = grid.owner[:1] or (tuple(range(len(grid.source.rows)))[:20] if len(grid.source.rows) == 1 else ())
    for numerator, other in permutations(names, 2):
        first, second = grid.complete[numerator], grid.complete[other]
        for row in rows:
            if row not in first or row not in second:
                continue
            values = ((row, first[row]), (row, second[row]))
            yield from _compared([o for o in operations if o != "change"], values, False)
            if "share" in operations and 0 <= first[row].value <= second[row].value and second[row].value:
                share = 100 * first[row].value / second[row].value
                yield Result("share", share, values, bool(grid.owner), True)


def _ranks(grid: RowGrid) -> Iterator[Result]:
    for cells in grid.columns.values():
        for row in grid.owner[:1]:
            if row in cells:
                above = sum(cell.value > cells[row].value for cell in cells.values())
                below = sum(cell.value < cells[row].value for cell in cells.values())
                for rank in {above + 1, below + 1}:
                    yield Result("rank", rank, ((row, cells[row]),), True)


def _counts(grid: RowGrid, clause: Clause, index: int) -> Iterator[Result]:
    """Yield numbers of rows and of different names, if the words after the figure say what is counted."""
    end = clause.spans[index][1]
    after = clause.text[end : min(end + 60, clause.end)]
    source = grid.source
    count = len(source.rows) if source.row_count is None else source.row_count
    if _ROWS.search(after) and len(source.rows) > 1:
        yield Result("count", count, (), True)
    near = {*tokens_of(re.split(r"[,.;:、。(（]", after)[0])}
    labels: dict[str, set[str]] = {}
    for row in source.rows if source.is_complete else ():
        for dimension, label in row.labels:
            labels.setdefault(dimension, set()).add(label)
    for dimension, names in labels.items():
        if {*tokens_of(dimension)} & near:
            yield Result("count", len(names), (), True)
    yield from _threshold_counts(grid, clause.sentence)


def _threshold_counts(grid: RowGrid, sentence: str) -> Iterator[Result]:
    """Yield the numbers of rows above or below a value that the sentence names."""
    for match in _THRESHOLD.finditer(sentence):
        number = re.match(r"\s*[$€£¥]?(-?[\d,]+(?:\.\d+)?)", sentence[match.end() :])
        if number is None or not grid.source.is_complete:
            continue
        limit = float(number[1].replace(",", "") or 0)
        for cells in grid.columns.values():
            chosen = [
                (row, cell)
                for row, cell in cells.items()
                if (cell.value > limit if match["above"] else cell.value < limit)
            ]
            yield Result("count", len(chosen), tuple(chosen), grid.is_column_named)
