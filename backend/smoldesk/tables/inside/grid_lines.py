"""Rows of a grid: their filled cells, texts and usual widths. Pure."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from .cell_kinds import Grid, Kind, kind_of, line_text, text_of

# First rows, which decide a column's kind and in which header lines are searched.
HEAD = 40


class GridLines:
    """Grid with `filled`, the columns of the cells of each row that are not blank."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.filled = [[at for at, cell in enumerate(row) if stands(cell)] for row in grid]

    def cell(self, row: int, at: int) -> Any:
        """Return a cell; None beyond the end of its row."""
        return self.grid[row][at] if at < len(self.grid[row]) else None

    def within(self, row: int, columns: Sequence[int]) -> list[int]:
        """Return the filled cells of a row among these columns."""
        here = self.filled[row]
        if not here or not columns or (columns[0] <= here[0] and here[-1] <= columns[-1]):
            return here if columns else []
        return [at for at in here if columns[0] <= at <= columns[-1]]

    def within_text(self, row: int, columns: Sequence[int]) -> str:
        """Return the text of a row among these columns."""
        return " ".join(line_text(self.grid[row][at]) for at in self.within(row, columns))

    def texts(self, row: int, columns: Sequence[int] | None = None) -> list[str]:
        """Return the cells of a row as texts."""
        places = range(len(self.grid[row])) if columns is None else columns
        return [text_of(self.cell(row, at)) for at in places]

    def kinds(self, row: int, columns: Sequence[int]) -> list[Kind]:
        """Return the kinds of a row's cells."""
        return [kind_of(self.cell(row, at)) for at in columns]

    def width(self, rows: list[int], columns: Sequence[int] | None = None) -> int:
        """Return the most frequent number of filled cells in a row; the larger of two equally frequent."""
        counts = Counter(
            len(self.filled[row] if columns is None else self.within(row, columns))
            for row in rows[: 5 * HEAD]
        )
        return max(counts, key=lambda count: (counts[count], count), default=0)

    def typed(self, rows: list[int], columns: Sequence[int], expected_kind: str = "") -> list[int]:
        """Return the columns in which most cells are numbers or days, or of the expected kind."""
        typed_columns: list[int] = []
        for at in columns:
            kinds = [kind for row in rows if (kind := kind_of(self.cell(row, at))) != "blank"]
            typed = [
                kind for kind in kinds if kind == expected_kind or (not expected_kind and kind != "words")
            ]
            if len(typed) * 2 > len(kinds):
                typed_columns.append(at)
        return typed_columns


def stands(cell: Any) -> bool:
    """Check whether a cell is not blank."""
    return bool(cell) and not cell.isspace() if isinstance(cell, str) else cell is not None and cell == cell
