"""The executor of a run's code: the chat's child, or another one behind the same gate."""

from collections.abc import Callable
from typing import Any

from pydantic import JsonValue

from smoldesk.agents.wrapper.calls import ToolCalls
from smoldesk.agents.wrapper.embedded_images import EmbeddedImages
from smoldesk.agents.wrapper.observation import without_long_commands
from smoldesk.charts.selected import selected_rows
from smoldesk.errors import DeskError
from smoldesk.sandbox.children import Children
from smoldesk.sandbox.executor import SandboxExecutor
from smoldesk.sandbox.executors import SANDBOX
from smoldesk.sandbox.foreign_executor import ForeignExecutor
from smoldesk.sandbox.tool_host import RowTable
from smoldesk.tools.run_context import RunContext

Executor = SandboxExecutor | ForeignExecutor


def executor_for(
    name: str, children: Children, ctx: RunContext, calls: ToolCalls, images: EmbeddedImages
) -> Executor:
    """The executor of this name for one run; to be cleaned up at the run's end."""
    if name != SANDBOX:
        return ForeignExecutor(name, calls, ctx.stop)
    return SandboxExecutor(children.child(ctx.chat_id, ctx.folder), calls, ctx.stop, told_by(images))


def told_by(images: EmbeddedImages) -> Callable[[str], str]:
    """What makes of a text what the model reads: no bytes of images, no drawings of thousands of numbers."""
    return lambda text: without_long_commands(images.taken_from(text))


def variables_of(ctx: RunContext) -> dict[str, Any]:
    """What a person points at, as code has it: `selection`, and `chart_selection` when it is rows of a chart."""
    variables: dict[str, Any] = {"selection": selected(ctx)}
    if ctx.about is not None:
        try:
            spec = ctx.stored_path(ctx.about.spec_id).read_text("utf-8")
        except (DeskError, OSError, ValueError):
            spec = ""  # of another chat, or gone
        variables["chart_selection"] = RowTable(*selected_rows(spec, ctx.about.ranges))
    return variables


def selected(ctx: RunContext) -> list[JsonValue]:
    """The rooms selected on the map, as code reads them in `selection`."""
    return [{"floor": room.floor_id, "name": room.name} for room in ctx.selection]
