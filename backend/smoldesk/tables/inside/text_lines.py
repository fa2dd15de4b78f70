"""Lines of a text file: all, or the first ones up to the end of a row, and their cells."""

import csv
import io
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from . import encodings, separators
from .shapes import Unreadable

SAMPLE = 65_536
# Maximum bytes of a file that is inspected completely; of a longer one only the beginning is.
MAX_COMPLETE_BYTES = 2_000_000
LONGEST_LINE = 4_000_000
# A Unicode noncharacter after the text: it is a row of its own unless a quotation is still open.
_END = "\ufffe"

Rows = list[list[str]]


def lines_of(
    file: io.BufferedReader, encoding: encodings.Encoding, is_complete: bool | None
) -> tuple[str, bool, Callable[[], str]]:
    """Return the file's text or its first rows, whether the file is complete, and a function that returns more of
    the text.
    """
    file.seek(0)
    data = file.read(MAX_COMPLETE_BYTES + 1)
    ends = len(data) <= MAX_COMPLETE_BYTES if is_complete is None else is_complete
    file.seek(0)

    def text(part: bytes) -> str:
        return part.decode(encoding.name, "replace" if ends else "ignore").removeprefix("\ufeff")

    if ends:
        return text(data), True, lambda: ""
    first = text(data[:SAMPLE])
    return first[: end_of_a_row(first)], False, lambda: text(data)


def end_of_a_row(head: str) -> int:
    """Return the offset after the last complete row; a cell in quotes may contain line breaks."""
    last = end = head.rfind("\n") + 1 or len(head)
    quotes = head.count('"', 0, end)
    while quotes % 2 and (start := head.rfind("\n", 0, end - 1) + 1):
        quotes -= head.count('"', start, end)
        end = start
    return last if quotes % 2 or 2 * end < last else end  # such marks are ordinary characters


def records(
    text: str, separator: str, longer: Callable[[], str], style: Mapping[str, Any] = MappingProxyType({})
) -> tuple[Rows, bool]:
    """Return the lines as cells, as pandas splits them, and False if quotation marks are ordinary characters because
    one never closes.

    The last row of a beginning may be cut and is dropped, unless its cell does not close in the `longer` text either.
    """
    csv.field_size_limit(2 * LONGEST_LINE)
    rows = _cut(text, separator, style)
    if rows and rows[-1] == [_END]:
        return rows[: -2 if text.endswith("\n") else -1], True
    if beyond := longer():
        more = _cut(beyond, separator, style)
        more_rows = more if len(more) > len(rows) else []
        if more_rows:
            return (rows or more_rows)[:-1] or more_rows[:-1], True
    bare = list(csv.reader(io.StringIO(text, newline=""), delimiter=separator, quoting=csv.QUOTE_NONE))
    widths = [len(row) for row in bare if row]
    alike = widths and max(widths) > 1 and widths.count(max(widths)) >= separators.AGREEING * len(widths)
    return (bare, False) if alike else (rows, True)


def _cut(text: str, separator: str, style: Mapping[str, Any]) -> Rows:
    """Return the lines as cells, then [_END] if the last cell is closed; an empty list if a cell is too long."""
    try:
        source = io.StringIO(f"{text}\n{_END}", newline="")
        return list(csv.reader(source, delimiter=separator, **style))
    except csv.Error:  # a field beyond the csv module's limit, usually an open quotation
        return []


def refuse_long_lines(file: io.BufferedReader) -> None:
    """Raise Unreadable for a line of many megabytes, which would become millions of columns."""
    length = line = 0
    while chunk := file.read(1 << 20):
        first = chunk.find(b"\n")
        if length + (len(chunk) if first < 0 else first) > LONGEST_LINE:
            file.seek(0)
            raise Unreadable("long_line", {"most": LONGEST_LINE}, {"line": line + 1})
        line += chunk.count(b"\n")
        length = length + len(chunk) if first < 0 else len(chunk) - 1 - chunk.rfind(b"\n")
    file.seek(0)
