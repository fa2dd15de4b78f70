"""A chart that a cell showed, kept as two files of the chat: its spec with its rows, and its picture."""

import os

from pydantic import JsonValue

from smoldesk.charts import checked_spec, picture_of
from smoldesk.folders import opened_inside
from smoldesk.sandbox.cell import CellChart
from smoldesk.sandbox.inside.chart_rules import MAX_BYTES
from smoldesk.tools.run_context import RunContext


def kept_chart(ctx: RunContext, chart: CellChart) -> JsonValue:
    """The chart as a step's response lists it. Raises DeskError, in words, for one that cannot be shown."""
    with (
        opened_inside(ctx.folder, chart.path, MAX_BYTES) as descriptor,
        os.fdopen(os.dup(descriptor), "rb") as file,
    ):
        spec = checked_spec(file.read(MAX_BYTES + 1))
    picture = picture_of(spec, ctx.stop)
    name = f"chart-{ctx.next_figure()}"
    image = ctx.keep_bytes(picture.png, "figure", f"{name}.png")
    kept = ctx.keep_bytes(spec.encode(), "chart", f"{name}.json")
    return {
        "spec_id": kept.id,
        "image_id": image.id,
        "name": name,
        "description": chart.title,
        "width": picture.width,
        "height": picture.height,
        "rows": chart.rows,
        "shown": chart.shown,
        "reduced": chart.reduced or None,
    }
