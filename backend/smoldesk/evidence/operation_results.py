"""Results of operations, and the values of a source that one concerns. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import permutations

from smoldesk import messages as m
from smoldesk.evidence.run_values import NumberCell, ValueSource

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
        if not self.values or (self.values[0][1].is_whole and self.values[-1][1].is_whole):
            return 0.0
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
    spoken: frozenset[str] = frozenset()
    """All columns that the sentence names."""
    source_at: int = 0
    memo: dict[tuple[str, int], list[Value]] = field(default_factory=dict[tuple[str, int], list[Value]])
    """Values of columns without totals, for all figures of an answer."""

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


def data_cells(grid: RowGrid, cells: dict[int, NumberCell]) -> list[Value]:
    """Return a column's values without those of rows that are totals."""
    key = (next((cell.column for cell in cells.values()), ""), len(cells))
    if key not in grid.memo:
        totals = grid.source.total_rows
        grid.memo[key] = [(row, cell) for row, cell in cells.items() if row not in totals]
    return grid.memo[key]
