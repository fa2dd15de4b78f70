"""The lines of a text file: all of them, or the first ones, cut where a row ends; and what in them is a cell's end."""

import csv
import io
from collections.abc import Callable

from . import encodings, separators
from .shapes import Unreadable

SAMPLE = 65_536
# Bytes of a file that is looked at as a whole; of a longer one the beginning is.
WHOLE = 2_000_000
LONGEST_LINE = 4_000_000
_END = "\ufffe"

Rows = list[list[str]]


def lines_of(
    file: io.BufferedReader, encoding: encodings.Encoding, is_complete: bool | None
) -> tuple[str, bool, Callable[[], str]]:
    """The text of the file, or its first rows; whether it is the whole file; and as much of it as may be looked at."""
    file.seek(0)
    data = file.read(WHOLE + 1)
    ends = len(data) <= WHOLE if is_complete is None else is_complete
    file.seek(0)

    def text(part: bytes) -> str:
        return part.decode(encoding.name, "replace" if ends else "ignore").removeprefix("\ufeff")

    if ends:
        return text(data), True, lambda: ""
    first = text(data[:SAMPLE])
    return first[: end_of_a_row(first)], False, lambda: text(data)


def end_of_a_row(head: str) -> int:
    """Where the last whole row ends: a cell in quotes may have line ends of its own."""
    last = end = head.rfind("\n") + 1 or len(head)
    quotes = head.count('"', 0, end)
    while quotes % 2 and (start := head.rfind("\n", 0, end - 1) + 1):
        quotes -= head.count('"', start, end)
        end = start
    return last if quotes % 2 or 2 * end < last else end  # a mark that is a letter says nothing


def records(text: str, separator: str, longer: Callable[[], str]) -> tuple[Rows, bool]:
    """The lines cut into cells, as pandas counts them; False when quotation marks are letters, since one never closes.

    Of a beginning the last cell may be cut: its row is not taken, unless it does not close in the `longer` text either.
    """
    csv.field_size_limit(2 * LONGEST_LINE)
    rows = _cut(text, separator)
    if rows and rows[-1] == [_END]:
        return rows[: -2 if text.endswith("\n") else -1], True
    if beyond := longer():
        more = _cut(beyond, separator)
        more_rows = more if len(more) > len(rows) else []
        if more_rows:
            return (rows or more_rows)[:-1] or more_rows[:-1], True
    bare = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, quoting=csv.QUOTE_NONE))
    widths = [len(row) for row in bare if row]
    alike = widths and max(widths) > 1 and widths.count(max(widths)) >= separators.AGREEING * len(widths)
    return (bare, False) if alike else (rows, True)


def _cut(text: str, separator: str) -> Rows:
    """The lines cut into cells, and one more that says that the last cell was closed; none for a cell that is too long."""
    try:
        return list(csv.reader(io.StringIO(f"{text}\n{_END}", newline=""), delimiter=separator))
    except csv.Error:  # a field too long for the module, which an open quotation makes
        return []


def refuse_long_lines(file: io.BufferedReader) -> None:
    """Raises Unreadable: a line of many megabytes is no row, and would become millions of columns."""
    length = line = 0
    while chunk := file.read(1 << 20):
        first = chunk.find(b"\n")
        if length + (len(chunk) if first < 0 else first) > LONGEST_LINE:
            file.seek(0)
            message = f"This line is longer than {LONGEST_LINE:,} bytes: expected a table, one row a line."
            raise Unreadable(message, f"line {line + 1:,}")
        line += chunk.count(b"\n")
        length = length + len(chunk) if first < 0 else len(chunk) - 1 - chunk.rfind(b"\n")
    file.seek(0)
