"""A grid by its rows: which cells of a row are filled, what they say, and how most rows are. Pure."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from .cell_kinds import Grid, Kind, kind_of, line_text, text_of

# Rows by which columns are judged, and among which the names of a table are looked for.
HEAD = 40


class GridLines:
    """A grid, and `filled`: the places of the cells of each row that are not blank."""

    def __init__(self, grid: Grid) -> None:
        self.grid = grid
        self.filled = [[at for at, cell in enumerate(row) if stands(cell)] for row in grid]

    def cell(self, row: int, at: int) -> Any:
        """A cell, None beyond the end of its row."""
        return self.grid[row][at] if at < len(self.grid[row]) else None

    def within(self, row: int, columns: Sequence[int]) -> list[int]:
        """The places of the filled cells of a row among these columns."""
        here = self.filled[row]
        if not here or not columns or (columns[0] <= here[0] and here[-1] <= columns[-1]):
            return here if columns else []
        return [at for at in here if columns[0] <= at <= columns[-1]]

    def within_text(self, row: int, columns: Sequence[int]) -> str:
        """What a row says among these columns."""
        return " ".join(line_text(self.grid[row][at]) for at in self.within(row, columns))

    def texts(self, row: int, columns: Sequence[int] | None = None) -> list[str]:
        """The cells of a row as texts."""
        places = range(len(self.grid[row])) if columns is None else columns
        return [text_of(self.cell(row, at)) for at in places]

    def kinds(self, row: int, columns: Sequence[int]) -> list[Kind]:
        """The kinds of a row's cells."""
        return [kind_of(self.cell(row, at)) for at in columns]

    def width(self, rows: list[int], columns: Sequence[int] | None = None) -> int:
        """How many cells a row of the table has, as most have; of equal numbers the larger one."""
        counts = Counter(
            len(self.filled[row] if columns is None else self.within(row, columns))
            for row in rows[: 5 * HEAD]
        )
        return max(counts, key=lambda count: (counts[count], count), default=0)

    def typed(self, rows: list[int], columns: Sequence[int], wanted: str = "") -> list[int]:
        """The columns in which most cells are numbers or days."""
        columns_: list[int] = []
        for at in columns:
            kinds = [kind for row in rows if (kind := kind_of(self.cell(row, at))) != "blank"]
            typed = [kind for kind in kinds if kind == wanted or (not wanted and kind != "words")]
            if len(typed) * 2 > len(kinds):
                columns_.append(at)
        return columns_


def stands(cell: Any) -> bool:
    """Whether there is anything in a cell."""
    return bool(cell) and not cell.isspace() if isinstance(cell, str) else cell is not None and cell == cell
