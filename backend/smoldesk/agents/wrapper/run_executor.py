"""The executor of a run's code: the chat's child, or another one behind the same gate."""

import contextlib
import re
from collections.abc import Callable
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
from smoldesk.sandbox.executors import SANDBOX
from smoldesk.sandbox.foreign_executor import ForeignExecutor
from smoldesk.sandbox.limits import MIB
from smoldesk.sandbox.tool_host import ParquetTable, RowTable
from smoldesk.tables.open_table import StoredTable
from smoldesk.tables.open_tables import OpenTables
from smoldesk.tools.run_context import RunContext

Executor = SandboxExecutor | ForeignExecutor
# The file of the chat's folder that the selected rows of a table come in, until others are selected.
SELECTED = ".table_selection.parquet"
MOST_SELECTED = 64 * MIB
_MAY_DRAW = re.compile(r"\bchart\(|\b(?:altair|plotly)\b")


class _DrawingAhead(SandboxExecutor):
    """Has the picture of a chart prepared while the cell that shows one computes."""

    def __call__(self, code_action: str) -> CodeOutput:
        if _MAY_DRAW.search(code_action):
            prepare_picture()
        return super().__call__(code_action)


def executor_for(
    name: str,
    children: Children,
    ctx: RunContext,
    calls: ToolCalls,
    images: EmbeddedImages,
    within: str | None = None,
) -> Executor:
    """The executor of this name for one run, or for the call `within` one; to be cleaned up at its end."""
    if name != SANDBOX:
        return ForeignExecutor(name, calls, ctx.stop)
    child = children.child(ctx.chat_id, ctx.folder, within or "")
    return _DrawingAhead(child, calls, ctx.stop, image_remover(images))


def image_remover(images: EmbeddedImages) -> Callable[[str], str]:
    """What makes of a text what the model reads: no bytes of images, no drawings of thousands of numbers."""
    return lambda text: without_long_commands(images.replace_images(text))


def variables_of(ctx: RunContext, tables: OpenTables | None = None) -> dict[str, Any]:
    """What a person points at, as code has it: `selection`, and `chart_selection` or `table_selection` for rows.

    `shared_state` is what the front end shares of its own, where it does.
    Without `tables` there is no `table_selection`. Raises DeskError for rows that cannot be had, Stopped.
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
            spec = ""  # of another chat, or gone
        variables["chart_selection"] = RowTable(*selected_rows(spec, ctx.about.ranges))
    return variables


def selected_of_table(ctx: RunContext, about: TableSelection, tables: OpenTables) -> ParquetTable:
    """The rows in a file of the chat's folder, which the process that serves the grid wrote; the server opens it not."""
    table = StoredTable(about.table_id, ctx.chat_id, ctx.stored_path(about.table_id), ctx.folder)
    request = about.view.model_dump(mode="json", by_alias=False) | {
        "columns": about.columns,
        "format": "parquet",
    }
    content = bytearray()
    with contextlib.closing(
        tables.export_now(table, request | {"begin": about.begin, "end": about.end}, ctx.stop)
    ) as pieces:
        for piece in pieces:
            content += piece
            if len(content) > MOST_SELECTED:
                raise BadInput("The selected rows are too large for code.", "Select fewer.", code="too_large")
    folders.write(ctx.folder, SELECTED, bytes(content))
    return ParquetTable(SELECTED)


def selected(ctx: RunContext) -> list[JsonValue]:
    """The rooms selected on the map, as code reads them in `selection`."""
    return [{"floor": room.floor_id, "name": room.name} for room in ctx.selection]
