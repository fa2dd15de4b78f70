"""Reading of stored tables, one JSON array per line: pages and CSV, without loading the complete file."""

import csv
import io
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, cast

from smoldesk.errors import BadInput
from smoldesk.messages.strict_json import read_strict_json

# Longest row in bytes; the file was written by untrusted code.
LINE_LIMIT = 1_000_000
# Maximum bytes of rows in one page; pages of long rows have fewer.
PAGE_LIMIT = 16_000_000


def read_page(path: Path, offset: int, limit: int) -> tuple[list[Any], int]:
    """Return at most `limit` rows from `offset`, and the number of all rows. Raises BadInput for an invalid file."""
    rows: list[Any] = []
    count = size = 0
    try:
        with path.open("rb") as file:
            # A longer line comes in pieces, which are not valid JSON and refused.
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
    """Yield the table as CSV with its header. An invalid line ends it, since the response has started already."""
    yield _csv_line(header)
    with path.open("rb") as file:
        while line := file.readline(LINE_LIMIT):
            try:
                row = _row(line)
            except (ValueError, RecursionError):
                return
            yield _csv_line(row)


def _row(line: bytes) -> list[Any]:
    """Parse a row. Raises ValueError or RecursionError if the line is not a JSON array."""
    row = read_strict_json(line)
    if not isinstance(row, list):
        raise ValueError("not an array")
    return cast(list[Any], row)


def _csv_line(cells: Sequence[Any]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue()
