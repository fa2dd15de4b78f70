"""Rows behind a cell of a shown table: those of a variable from which the chat's code computed its value."""

import asyncio
import json
import threading
from typing import Literal

from pydantic import JsonValue, ValidationError

from smoldesk.errors import NotFound, Stopped
from smoldesk.evidence.run_values import is_number, table_source
from smoldesk.messages import Column, EvidencePlace, Shape, TableContent
from smoldesk.sandbox.cell import CellFailed, CellResult, CellTable
from smoldesk.sandbox.children import Children
from smoldesk.sandbox.limits import Limits
from smoldesk.stopping import StopFlag
from smoldesk.store import event_log
from smoldesk.store.files import StoredFile, add_file, media_type_of
from smoldesk.store.store import Store

# Time to wait for a cell that runs, and for the rows.
SECONDS = 10.0
MAX_KEPT = 256


class RowFacts(Shape):
    """Operation on `count` rows that gives a cell's value; `column` is empty for their number."""

    how: str
    column: str
    count: int


class CellRows(Shape):
    """Rows behind a cell: those of a variable from which its value was computed, at most 1,000 of them in `table`.

    `labels` name the cell's row. Without a table, `reason` says why: the chat's process ended, or no rows give the value.
    """

    labels: dict[str, JsonValue]
    facts: RowFacts | None = None
    table: TableContent | None = None
    reason: Literal["variables_gone", "rows_unknown"] | None = None


class RowsBehind:
    """Rows behind cells. They are taken from the variables of the chat's process, which must still be there."""

    def __init__(self, store: Store, children: Children) -> None:
        self._store = store
        self._children = children
        self._cached: dict[tuple[str, str, int, str], CellRows] = {}

    async def find(self, chat_id: str, table_id: str, row: int, column: str) -> CellRows:
        """Return the rows. Raises NotFound for a cell without a number."""
        table = await self._store.aread(lambda c: event_log.read_table(c, chat_id, table_id))
        labels, value = _cell(table, row, column)
        key = (chat_id, table_id, row, column)
        if key not in self._cached:
            request = {"value": value, "column": column, "labels": labels, "row_count": table.row_count}
            cell_rows = await asyncio.to_thread(self._compute, chat_id, json.dumps(request), labels)
            if cell_rows.table is None:
                return cell_rows
            while len(self._cached) >= MAX_KEPT:
                del self._cached[next(iter(self._cached))]
            self._cached[key] = cell_rows
        return self._cached[key]

    def _compute(self, chat_id: str, request: str, labels: dict[str, JsonValue]) -> CellRows:
        result = self._call(chat_id, f"_rows_behind({request!r})")
        if result is None:
            return CellRows(labels=labels, reason="variables_gone")
        shown = next((item for item in result.output_items if isinstance(item, CellTable)), None)
        try:
            facts = RowFacts.model_validate_json(result.printed) if shown else None
        except ValidationError:
            facts = None
        if facts is None or shown is None:
            return CellRows(labels=labels, reason="rows_unknown")
        return CellRows(labels=labels, facts=facts, table=self._stored(chat_id, shown))

    def _call(self, chat_id: str, code: str) -> CellResult | None:
        """Run a cell beside the log; return None if the chat's process is gone or ends."""
        # Here, not above: it imports smolagents, which would slow the server's start.
        from smoldesk.sandbox.executor import SandboxExecutor

        if not self._children.alive(chat_id):
            return None
        folder = self._store.data_dir.chat_folder(chat_id)
        stop = StopFlag()
        timer = threading.Timer(SECONDS, stop.set, ("The rows took too long",))
        executor = SandboxExecutor(self._children.child(chat_id, folder), stop=stop)
        timer.start()
        try:
            executor(code)
        except (CellFailed, Stopped):
            return None
        finally:
            timer.cancel()
            executor.cleanup()
            stop.close()
        return executor.last

    def _stored(self, chat_id: str, shown: CellTable) -> TableContent:
        folder = self._store.data_dir.chat_folder(chat_id)
        file_id, size = self._store.files.keep(folder, shown.path, Limits().file)
        name = f"{shown.name}.parquet"
        file = StoredFile(file_id, chat_id, "table", name, size, media_type_of(name))
        self._store.submit(lambda tx: add_file(tx, file)).result()
        columns = [Column.model_validate(column) for column in shown.columns]
        return TableContent(
            table_id=file_id, name=shown.name, columns=columns, rows=shown.rows, row_count=shown.row_count
        )


def _cell(table: TableContent, row: int, column: str) -> tuple[dict[str, JsonValue], JsonValue]:
    """Return the values that name a row of a table, and the number in one of its columns."""
    names = [column.name for column in table.columns]
    values = table.rows[row] if row < len(table.rows) else []
    value = values[names.index(column)] if values and column in names else None
    if not is_number(value):
        raise NotFound(f"Row {row} has no number in a column {column[:80]!r} among the table's first rows.")
    source = table_source(table, EvidencePlace(kind="cell"))
    return {name: values[names.index(name)] for name, _ in source.rows[row].labels if name != column}, value
