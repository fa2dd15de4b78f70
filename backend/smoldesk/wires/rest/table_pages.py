"""A stored table, one JSON array a line: cut into pages without keeping more than asked, or as CSV line by line."""

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

from smoldesk.errors import BadInput
from smoldesk.messages.strict_json import read_strict_json

# Longest row in bytes; the file was written by code nobody trusts.
LINE_LIMIT = 1_000_000
# Most bytes of rows in one page; a page of longer ones has fewer.
PAGE_LIMIT = 16_000_000


def read_page(path: Path, offset: int, limit: int) -> tuple[list[Any], int]:
    """(rows from `offset`, at most `limit`; how many rows there are). Raises BadInput when it is no such table."""
    rows: list[Any] = []
    count = size = 0
    try:
        with path.open("rb") as file:
            while line := file.readline(LINE_LIMIT):
                if offset <= count < offset + limit and (size := size + len(line)) <= PAGE_LIMIT:
                    rows.append(_row(line))
                count += 1
    except (ValueError, RecursionError, OSError) as fault:
        raise BadInput(
            "This table cannot be read.", "Show it again to make a new one.", code="broken_table"
        ) from fault
    return rows, count


def csv_lines(path: Path, header: Sequence[str]) -> Iterator[str]:
    """The table as CSV, its header first. It ends before a line that is no row: what was sent cannot be taken back."""
    yield _csv_line(header)
    with path.open("rb") as file:
        while line := file.readline(LINE_LIMIT):
            try:
                row = _row(line)
            except (ValueError, RecursionError):
                return
            yield _csv_line(row)


def _row(line: bytes) -> list[Any]:
    """Raises ValueError or RecursionError when the line is no row."""
    row = read_strict_json(line)
    if not isinstance(row, list):
        raise ValueError("not an array")
    return cast(list[Any], row)


def _csv_line(cells: Sequence[Any]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue()
