"""Export of a stored table or a view of it as CSV, Excel workbook or Parquet, in pieces."""

import contextlib
import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from . import duck_reading as duck
from .table_grid import Grid
from .table_schema import ZONED, GridColumn
from .table_view import BadView

# Rows of one temporary file, which is deleted once it is sent.
ROWS = 250_000
# Maximum bytes of one piece.
PIECE = 4 << 20
# Excel's limit of 2**20 rows, less one for the header.
EXCEL_ROWS = 1_048_575
EXCEL_ROWS_AT_ONCE = 5_000


def export(
    grid: Grid, request: dict[str, Any], place: Path, cancelled: Callable[[], bool]
) -> Iterator[bytes]:
    """Yield the file in pieces; `place` is a folder for temporary files. Raises BadView, Cancelled, duckdb.Error,
    OSError.
    """
    view, table, count = grid.source_of(request, cancelled)
    column_names = [column.name for column in view.columns]
    titles = [str(title) for title in request.get("titles") or column_names]
    if len(titles) != len(column_names):
        titles = column_names
    match request["format"]:
        case "csv":
            return _csv(grid, view.columns, titles, table, count, place)
        case "xlsx":
            if count > EXCEL_ROWS:
                raise BadView(
                    "too_many_rows",
                    f"A sheet of Excel holds {EXCEL_ROWS:,} rows; these are {count:,}.",
                    "Filter the table first, or take CSV or Parquet.",
                )
            return _workbook(grid, view.columns, titles, table, count, place)
        case _:
            ranges = request.get("ranges") or [(0, count)]
            return _parquet(grid, view.columns, table, [(begin, end) for begin, end in ranges], place)


def _csv(
    grid: Grid, columns: list[GridColumn], titles: list[str], table: str, count: int, place: Path
) -> Iterator[bytes]:
    target = place / "part.csv"
    expressions = ", ".join(
        f"{_written(column)} AS {duck.name(f'c{at}')}" for at, column in enumerate(columns)
    )
    yield _csv_line(titles)
    for begin in range(0, count, ROWS):
        query = grid.selection(table, expressions, (begin, min(begin + ROWS, count)))
        grid.connection.execute(f"COPY ({query}) TO {duck.text(str(target))} (FORMAT csv, HEADER false)")
        yield from _stream_and_delete(target)


def _csv_line(cells: list[str]) -> bytes:
    import csv

    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(cells)
    return line.getvalue().encode("utf-8", "replace")


def _parquet(
    grid: Grid, columns: list[GridColumn], table: str, ranges: list[tuple[int, int]], place: Path
) -> Iterator[bytes]:
    target = place / "part.parquet"
    query = grid.selection(
        table, ", ".join(f"{column.sql} AS {duck.name(column.name)}" for column in columns), *ranges
    )
    grid.connection.execute(f"COPY ({query}) TO {duck.text(str(target))} (FORMAT parquet, COMPRESSION zstd)")
    yield from _stream_and_delete(target)


def _workbook(
    grid: Grid, columns: list[GridColumn], titles: list[str], table: str, count: int, place: Path
) -> Iterator[bytes]:
    """Write row by row with openpyxl's write-only workbook."""
    import openpyxl
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    def cell(column: GridColumn, value: Any) -> Any:
        text = column.plain(value)
        # 32,767 is Excel's limit of characters in a cell.
        return ILLEGAL_CHARACTERS_RE.sub("", text)[:32_767] if isinstance(text, str) else text

    book: Any = openpyxl.Workbook(write_only=True)
    sheet = book.create_sheet("Table")
    sheet.append([ILLEGAL_CHARACTERS_RE.sub("", title) for title in titles])
    values = ", ".join(column.value for column in columns)
    for begin in range(0, count, EXCEL_ROWS_AT_ONCE):
        query = grid.selection(table, values, (begin, min(begin + EXCEL_ROWS_AT_ONCE, count)))
        for row in grid.connection.execute(query).fetchall():
            sheet.append([cell(column, value) for column, value in zip(columns, row, strict=True)])
    target = place / "part.xlsx"
    book.save(target)
    yield from _stream_and_delete(target)


def _stream_and_delete(target: Path) -> Iterator[bytes]:
    try:
        with target.open("rb") as file:
            while piece := file.read(PIECE):
                yield piece
    finally:
        with contextlib.suppress(OSError):
            target.unlink()


def _written(column: GridColumn) -> str:
    """Return an expression for a value's text in a CSV: ISO days and times, True and False as in Python."""
    if column.kind == "bool":
        return f"CASE {column.sql} WHEN true THEN 'True' WHEN false THEN 'False' END"
    if column.kind != "date" or column.type == "DATE":
        return column.sql if column.kind != "text" else column.as_text
    if column.type == ZONED:
        return f"replace(CAST({column.sql} AT TIME ZONE 'UTC' AS VARCHAR), ' ', 'T') || '+00:00'"
    text = f"CAST({column.sql} AS VARCHAR)"
    return (
        f"CASE WHEN ends_with({text}, ' 00:00:00') THEN left({text}, 10) ELSE replace({text}, ' ', 'T') END"
    )
