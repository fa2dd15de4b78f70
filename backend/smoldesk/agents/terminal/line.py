"""One line of a terminal as it is written, overwritten and erased: its cells, and the column of the cursor.

A wide character takes its cell and an empty one after it, a tab the cells up to the next stop. The line may be longer than
the terminal is wide: it wraps, so a carriage return goes to the start of the row, not of the line.
"""

from functools import lru_cache

from wcwidth import wcwidth

_TAB = 8
# Columns that a movement can reach: parameters come from the program and must not allocate memory at will.
_FARTHEST = 4096


@lru_cache(maxsize=4096)
def width(character: str) -> int:
    """Return the cells of a character: 0 to 2."""
    return max(0, wcwidth(character))


def cells(text: str) -> int:
    """Return the cells of a text without control characters."""
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
        """Write characters without controls (except tabs) at the cursor."""
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
            self._break_wide_character(start)
            self._break_wide_character(end)
        self.cells[start:end] = written
        self.column = end

    def _break_wide_character(self, at: int) -> None:
        """Replace a wide character or tab that crosses `at` by blanks."""
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
        """Add a combining mark to the character before it, up to a bounded length."""
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
        """Return the cursor's row within the wrapped line."""
        # a cursor behind the last column wraps only when the next character comes ("pending wrap" of VT100)
        return max(0, self.column - 1) // self.columns

    def carriage_return(self) -> None:
        """Go to the first cell of the row."""
        self.column = self.row() * self.columns

    def back(self, count: int) -> None:
        """Go left, at most to the first cell."""
        self.column = max(0, self.column - count)

    def forward(self, count: int) -> None:
        """Go right, at most to the last column."""
        self.column = min(self.column + count, max(len(self.cells), (self.row() + 1) * self.columns))

    def to(self, column: int) -> None:
        """Go to a column of the row, counted from 1."""
        self.column = self.row() * self.columns + min(max(column, 1), self.columns) - 1

    def up(self, count: int) -> int:
        """Go up within the wrapped line; return the number of rows that remain above it."""
        within = min(count, self.row())
        self.column -= within * self.columns
        return count - within

    def erase(self, how: int) -> None:
        """Erase to the end (0), from the start (1), or all (2), as in ECMA-48 EL."""
        if how == 0:
            self._break_wide_character(self.column)
            del self.cells[self.column :]
        elif how == 1:
            self._break_wide_character(self.column + 1)
            count = min(self.column + 1, len(self.cells))
            self.cells[:count] = " " * count
        elif how == 2:
            self.cells.clear()

    def insert(self, count: int) -> None:
        """Insert blank cells at the cursor; the cells behind it move right."""
        if self.column < len(self.cells):
            self._break_wide_character(self.column)
            self.cells[self.column : self.column] = " " * min(count, self.columns)

    def delete(self, count: int) -> None:
        """Delete cells at the cursor; the cells behind it move left."""
        self._break_wide_character(self.column)
        self._break_wide_character(self.column + count)
        del self.cells[self.column : self.column + count]

    def blank(self, count: int) -> None:
        """Erase cells at the cursor without moving others."""
        end = min(self.column + min(count, _FARTHEST), len(self.cells))
        if end > self.column:
            self._break_wide_character(self.column)
            self._break_wide_character(end)
            self.cells[self.column : end] = " " * (end - self.column)

    def cut(self, keep: int) -> str:
        """Remove all but the last `keep` cells, at a character's boundary; return the removed text."""
        at = max(0, len(self.cells) - keep)
        while at > 0 and at < len(self.cells) and not self.cells[at]:
            at -= 1
        head = "".join(self.cells[:at])
        del self.cells[:at]
        self.column = max(0, self.column - at)
        return head
