"""Executors of a run's code: the chat's child, or another one behind the same gate."""

import contextlib
import re
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from pydantic import JsonValue
from smolagents.local_python_executor import CodeOutput

from smoldesk import folders
from smoldesk.agents.wrapper.calls import ToolCalls
from smoldesk.agents.wrapper.embedded_images import EmbeddedImages
from smoldesk.agents.wrapper.observation import without_long_commands
from smoldesk.charts import prepare_picture
from smoldesk.charts.selected import selected_rows
from smoldesk.errors import BadInput, DeskError
from smoldesk.messages import ChartSelection, TableSelection
from smoldesk.sandbox.children import Children
from smoldesk.sandbox.executor import SandboxExecutor
from smoldesk.sandbox.executors import SANDBOX, is_sandbox
from smoldesk.sandbox.foreign_executor import ForeignExecutor
from smoldesk.sandbox.limits import MIB
from smoldesk.sandbox.tool_host import ParquetTable, RowTable
from smoldesk.tables.open_table import StoredTable
from smoldesk.tables.open_tables import OpenTables
from smoldesk.tables.table_profiles import SELECTED
from smoldesk.tools.run_context import RunContext

Executor = SandboxExecutor | ForeignExecutor
MAX_SELECTED = 64 * MIB
# Code that probably shows a chart.
_MAY_DRAW = re.compile(r"\bchart\(|\b(?:altair|plotly)\b")


class _CellExecutor(SandboxExecutor):
    """Executor of a chat's cells, in its folder. Starts the chart renderer while a cell with a chart computes."""

    changing_folder: Callable[[], AbstractContextManager[Path]]

    def __call__(self, code_action: str) -> CodeOutput:
        if _MAY_DRAW.search(code_action):
            prepare_picture()
        with self.changing_folder():
            return super().__call__(code_action)


def executor_for(
    name: str,
    children: Children,
    ctx: RunContext,
    calls: ToolCalls,
    images: EmbeddedImages,
    within: str | None = None,
    imports: Sequence[str] | None = None,
) -> Executor:
    """Return the executor of this name, for one run or for the call `within` one; the caller cleans it up.

    `imports` limits what code in the sandbox may import; None: no limit.
    """
    if not is_sandbox(name):
        return ForeignExecutor(name, calls, ctx.stop)
    child = children.child(ctx.chat_id, ctx.folder, within or "", only_here=name == SANDBOX)
    executor = _CellExecutor(child, calls, ctx.stop, image_remover(images), imports=imports)
    executor.changing_folder = ctx.changing_folder
    return executor


def image_remover(images: EmbeddedImages) -> Callable[[str], str]:
    """Return the function that cuts images and long drawings from texts for the model."""
    return lambda text: without_long_commands(images.replace_images(text))


def variables_of(ctx: RunContext, tables: OpenTables | None = None) -> dict[str, Any]:
    """Return the variables for a person's references: `selection`, and `chart_selection` or `table_selection` for rows.

    `shared_state` is the front end's own state, if it shares any. Without `tables` there is no `table_selection`. Raises
    DeskError for unavailable rows, Stopped.
    """
    variables: dict[str, Any] = {"selection": selected(ctx)}
    if ctx.shared_state:
        variables["shared_state"] = ctx.shared_state
    if isinstance(ctx.about, TableSelection) and tables is not None:
        variables["table_selection"] = selected_of_table(ctx, ctx.about, tables)
    if isinstance(ctx.about, ChartSelection):
        try:
            spec = ctx.stored_path(ctx.about.spec_id).read_text("utf-8")
        except (DeskError, OSError, ValueError):
            spec = ""  # deleted, or a file of another chat
        variables["chart_selection"] = RowTable(*selected_rows(spec, ctx.about.ranges))
    return variables


def selected_of_table(ctx: RunContext, about: TableSelection, tables: OpenTables) -> ParquetTable:
    """Store the selected rows in the chat's folder. The process of the grid writes them; the server does not parse them."""
    table = StoredTable(about.table_id, ctx.chat_id, ctx.stored_path(about.table_id), ctx.folder)
    request = about.view.model_dump(mode="json", by_alias=False) | {
        "columns": about.columns,
        "format": "parquet",
    }
    content = bytearray()
    with contextlib.closing(
        tables.export_now(table, request | {"ranges": about.all_ranges}, ctx.stop)
    ) as pieces:
        for piece in pieces:
            content += piece
            if len(content) > MAX_SELECTED:
                raise BadInput(
                    "The selected rows are too large for code.", "Select fewer rows.", code="too_large"
                )
    folders.write(ctx.folder, SELECTED, bytes(content))
    return ParquetTable(SELECTED)


def selected(ctx: RunContext) -> list[JsonValue]:
    """Return the rooms selected on the map, as code reads them in `selection`."""
    return [{"floor": room.floor_id, "name": room.name} for room in ctx.selection]
