"""Tables of databases as files to take along: what a person sees of one, up to a bound, as CSV, Excel or Parquet.

The database filters and sorts, we take the rows, and a jailed process makes the file of them, as it does of shown tables.
"""

import json
import re
import tempfile
from collections.abc import AsyncIterator, Generator, Sequence
from concurrent.futures import Future
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from smoldesk.chats.pieces import stream_pieces
from smoldesk.messages import Column
from smoldesk.stopping import StopFlag, start_thread
from smoldesk.tables.open_table import StoredTable
from smoldesk.tables.open_tables import OpenTables
from smoldesk.tables.results import Rows
from smoldesk.tools.databases import AnswerBounds, ConnectedDatabases, Database, Page

BOUNDS = AnswerBounds(rows=100_000, bytes=32_000_000, seconds=60.0)
_INT64_LIMIT = 2**63
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


@dataclass(frozen=True)
class ExportRows:
    """Rows for a file, and the kinds of their columns; `is_cut` when the table has more."""

    rows: Rows
    kinds: list[str]
    is_cut: bool


class SourceFiles:
    """Makes the files; `cache` is a folder for what stands there while one is made."""

    def __init__(self, databases: ConnectedDatabases, tables: OpenTables, cache: Path) -> None:
        self._databases = databases
        self._tables = tables
        self._cache = cache

    def take(self, name: str, page: Page, stop: StopFlag) -> "Future[ExportRows]":
        """Fetch the rows of a file. The future fails as that of `Sources.rows` does."""
        file_page = replace(page, offset=0, limit=BOUNDS.rows)

        def read(database: Database) -> ExportRows:
            columns = {column.name: column for column in database.columns(page.schema, page.table)}
            rows = Rows(*database.page(file_page, stop, BOUNDS))
            kinds = [columns.get(column, Column(name=column, kind="text")).kind for column in rows.columns]
            return ExportRows(rows, [str(kind) for kind in kinds], rows.truncated)

        return start_thread(lambda: self._databases.inspect(name, read))

    async def file(self, export_rows: ExportRows, form: str) -> AsyncIterator[bytes]:
        """Return the file in pieces, the first of them ready. Raises BadInput, TableUnread."""

        def make(stop: StopFlag) -> Generator[bytes]:
            with tempfile.TemporaryDirectory(dir=self._cache, prefix="source-") as place:
                table = _written(export_rows, Path(place))
                question = {"format": form, "titles": export_rows.rows.columns}
                with closing(self._tables.export(table, question, stop)) as pieces:
                    yield from pieces

        return await stream_pieces(make)


def _written(export_rows: ExportRows, place: Path) -> StoredTable:
    path, folder = place / "rows.jsonl", place / "work"
    folder.mkdir(mode=0o700)
    names, rows = export_rows.rows.columns, export_rows.rows.rows
    types = [_type(kind, [row[at] for row in rows]) for at, kind in enumerate(export_rows.kinds)]
    with path.open("w", encoding="utf-8") as file:
        for row in rows:
            file.write(json.dumps({f"c{at}": _plain(cell) for at, cell in enumerate(row)}) + "\n")
    return StoredTable(place.name, "", path, folder, tuple(zip(names, types, strict=True)))


def _plain(cell: Any) -> Any:
    return json.dumps(cell, ensure_ascii=False) if isinstance(cell, list | dict) else cell


def _type(kind: str, cells: Sequence[Any]) -> str:
    """DuckDB's type for a column by what stands in it; text where that is not of one kind."""
    filled = [cell for cell in cells if cell is not None]
    if not filled:
        return "VARCHAR"
    if all(isinstance(cell, bool) for cell in filled):
        return "BOOLEAN"
    if all(isinstance(cell, int | float) and not isinstance(cell, bool) for cell in filled):
        is_whole = all(isinstance(cell, int) for cell in filled)
        return (
            "DOUBLE"
            if not is_whole
            else "BIGINT"
            if all(-_INT64_LIMIT <= cell < _INT64_LIMIT for cell in filled)
            else "VARCHAR"
        )
    if kind == "date" and all(isinstance(cell, str) for cell in filled):
        if all(_DAY.fullmatch(cell) for cell in filled):
            return "DATE"
        return "TIMESTAMP" if all(_TIME.fullmatch(cell) for cell in filled) else "VARCHAR"
    return "VARCHAR"
