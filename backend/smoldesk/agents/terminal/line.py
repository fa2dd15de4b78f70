"""One line of a terminal as it is written, overwritten and erased: cells, and the column of the cursor.

A wide character owns its cell and an empty one behind it, a tab those up to the next stop. The line may be longer than the
terminal is wide: it wraps there, so a carriage return goes to the start of the row, not of the line.
"""

from functools import lru_cache

from wcwidth import wcwidth

_TAB = 8
# Columns that a movement can reach; a number a program makes up costs no memory.
_FARTHEST = 4096


@lru_cache(maxsize=4096)
def width(character: str) -> int:
    """Cells of a character: 0 to 2."""
    return max(0, wcwidth(character))


def cells(text: str) -> int:
    """Cells of a text without controls."""
    return len(text) if text.isascii() else sum(map(width, text))


class Line:
    """Cells and a cursor; movements stay within what `columns` and the line's length allow."""

    def __init__(self, columns: int, text: str = "") -> None:
        self.columns = columns
        self.cells: list[str] = []
        self.column = 0
        if text:
            self.write(text)

    @property
    def text(self) -> str:
        return "".join(self.cells)

    @property
    def at_end(self) -> bool:
        return self.column == len(self.cells)

    def write(self, text: str) -> None:
        """Characters without controls (but tabs), at the cursor."""
        if text.isascii() and "\t" not in text:
            self._put(text, len(text))
            return
        for character in text:
            if character == "\t":
                self._tab()
            elif (cell_count := width(character)) == 0:
                self._join(character)
            elif cell_count == 1:
                self._put(character, 1)
            else:
                self._put([character, ""], 2)

    def _put(self, written: "str | list[str]", count: int) -> None:
        start, end = self.column, self.column + count
        if start > len(self.cells):
            self.cells.extend(" " * (start - len(self.cells)))
        elif start < len(self.cells):
            self._part(start)
            self._part(end)
        self.cells[start:end] = written
        self.column = end

    def _part(self, at: int) -> None:
        """A wide character or a tab that reaches over `at` falls apart into blanks."""
        if at >= len(self.cells) or self.cells[at]:
            return
        first = at
        while first > 0 and not self.cells[first]:
            first -= 1
        last = at
        while last < len(self.cells) and not self.cells[last]:
            last += 1
        self.cells[first:last] = " " * (last - first)

    def _join(self, mark: str) -> None:
        """A mark without a width belongs to the character before it; so many at most that memory stays bounded."""
        at = min(self.column, len(self.cells)) - 1
        while at > 0 and not self.cells[at]:
            at -= 1
        if at >= 0 and len(self.cells[at]) < 16:
            self.cells[at] += mark

    def _tab(self) -> None:
        stop = (self.column // _TAB + 1) * _TAB
        if self.column >= len(self.cells):
            self._put(["\t", *[""] * (stop - self.column - 1)], stop - self.column)
        self.column = stop

    def row(self) -> int:
        """The row of the wrapped line in which the cursor stands; behind the last column it has not wrapped yet."""
        return max(0, self.column - 1) // self.columns

    def carriage_return(self) -> None:
        """Go to the first cell."""
        self.column = self.row() * self.columns

    def back(self, count: int) -> None:
        """Go cells to the left, to the first one at most."""
        self.column = max(0, self.column - count)

    def forward(self, count: int) -> None:
        """Go cells to the right, to the last column at most."""
        self.column = min(self.column + count, max(len(self.cells), (self.row() + 1) * self.columns))

    def to(self, column: int) -> None:
        """The column of the row, from 1."""
        self.column = self.row() * self.columns + min(max(column, 1), self.columns) - 1

    def up(self, count: int) -> int:
        """Up within the wrapped line; how many rows are left to go above it."""
        within = min(count, self.row())
        self.column -= within * self.columns
        return count - within

    def erase(self, how: int) -> None:
        """To the end (0), from the start (1), or all (2)."""
        if how == 0:
            self._part(self.column)
            del self.cells[self.column :]
        elif how == 1:
            self._part(self.column + 1)
            count = min(self.column + 1, len(self.cells))
            self.cells[:count] = " " * count
        elif how == 2:
            self.cells.clear()

    def insert(self, count: int) -> None:
        """Put blank cells at the cursor; what stands behind moves right."""
        if self.column < len(self.cells):
            self._part(self.column)
            self.cells[self.column : self.column] = " " * min(count, self.columns)

    def delete(self, count: int) -> None:
        """Take cells away at the cursor; what stands behind moves left."""
        self._part(self.column)
        self._part(self.column + count)
        del self.cells[self.column : self.column + count]

    def blank(self, count: int) -> None:
        """Erase so many cells, moving nothing."""
        end = min(self.column + min(count, _FARTHEST), len(self.cells))
        if end > self.column:
            self._part(self.column)
            self._part(end)
            self.cells[self.column : end] = " " * (end - self.column)

    def cut(self, keep: int) -> str:
        """Take away all but the last `keep` cells, at a character's border; their text."""
        at = max(0, len(self.cells) - keep)
        while at > 0 and at < len(self.cells) and not self.cells[at]:
            at -= 1
        head = "".join(self.cells[:at])
        del self.cells[:at]
        self.column = max(0, self.column - at)
        return head
