"""Outputs of a step for a notebook's cell: each kind under its media types, the richest first."""

import base64
import json
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

from smoldesk import messages as m
from smoldesk.charts import NoPicture
from smoldesk.charts.specs import checked_spec
from smoldesk.errors import BadInput
from smoldesk.export.chat_source import ChatSource
from smoldesk.export.map_svg import MapState
from smoldesk.export.turns import Step, app_caption

MAX_PICTURE = 20 * 1024 * 1024
MAX_SPEC = 8 * 1024 * 1024
RASTER = {
    "png": "image/png",
    "jpg": "image/jpeg",
    "jpeg": "image/jpeg",
    "gif": "image/gif",
    "bmp": "image/bmp",
}
_KINDS = {"number": "number", "text": "string", "date": "datetime", "bool": "boolean"}
Output = dict[str, Any]


def outputs_of(source: ChatSource, step: Step, map_state: MapState) -> list[Output]:
    """Return the outputs of a step. Its drawings are one picture of the map, on top of what `map_state` has."""
    outputs: list[Output] = []
    if step.printed:
        outputs.append({"output_type": "stream", "name": "stdout", "text": step.printed})
    is_drawn = False
    for piece in step.shown_pieces:
        if isinstance(piece, m.Image | m.Table | m.Chart | m.File | m.Json | m.McpApp):
            outputs += [display(data) for data in _bundles(source, piece) if data]
        else:
            map_state.take(piece, step.agent)
            is_drawn = True
    if is_drawn:
        outputs += _floors(map_state)
    if step.error is not None:
        outputs.append(_error(step.error))
    return outputs


def _floors(map_state: MapState) -> list[Output]:
    try:
        floors = map_state.pictures()
    except NoPicture as fault:
        return [display({"text/plain": fault.message})]
    return [display({"image/svg+xml": floor.svg, "text/plain": floor.caption}) for floor in floors]


def _bundles(
    source: ChatSource, piece: m.Image | m.Table | m.Chart | m.File | m.Json | m.McpApp
) -> Iterator[dict[str, Any]]:
    match piece:
        case m.Image():
            yield image_bundle(source.path(piece.file_id), piece.format, piece.path or "")
        case m.Table(content=table):
            yield {
                # Tabular Data Resource of Frictionless Data; viewers without it show the HTML.
                "application/vnd.dataresource+json": _resource(table),
                "text/html": table_html(table),
                "text/plain": f"{table.name}: {table.row_count} rows",
            }
        case m.Chart(content=chart):
            bundle = image_bundle(source.path(chart.image_id), "png", chart.description)
            spec = spec_of(source.path(chart.spec_id))
            yield ({"application/vnd.vegalite.v5+json": spec} if spec else {}) | bundle
        case m.File(content=file):
            yield {"text/plain": f"File {file.name} ({file.size} bytes)"}
        case m.McpApp():
            yield {"text/plain": app_caption(piece)}
        case m.Json():
            yield {
                "application/json": piece.content,
                "text/plain": json.dumps(piece.content, ensure_ascii=False)[:2000],
            }


def image_bundle(path: Path | None, kind: str, alt: str) -> dict[str, str]:
    """Return a picture under its media types. An SVG, which may hold a script, only appears in an <img>, where
    scripts do not run.
    """
    plain = {"text/plain": alt or "Picture"}
    if path is None or path.stat().st_size > MAX_PICTURE:
        return {"text/plain": f"{alt or 'Picture'} (not here any more)"}
    data = base64.b64encode(path.read_bytes()).decode()
    if kind in RASTER:
        return {RASTER[kind]: data} | plain
    # In an <img>, an SVG is in "secure animated mode": no scripts, no external resources (SVG 2, 2.2).
    tag = f'<img alt="{escape(alt)}" src="data:image/svg+xml;base64,{data}">'
    return {"text/html": tag} | plain


def spec_of(path: Path | None) -> dict[str, Any] | None:
    """Return a chart's Vega-Lite spec with its rows; None if it is missing, too large or invalid."""
    if path is None or path.stat().st_size > MAX_SPEC:
        return None
    try:
        return json.loads(checked_spec(path.read_bytes()))
    except BadInput:  # an imported log may hold a spec that loads other resources, or any other bytes
        return None


def table_html(table: m.TableContent) -> str:
    """Return the first rows of a table as HTML."""
    head = "".join(f"<th>{escape(column.name)}</th>" for column in table.columns)
    rows = "".join(
        f"<tr>{''.join(f'<td>{escape(cell_text(cell))}</td>' for cell in row)}</tr>" for row in table.rows
    )
    more = table.row_count - len(table.rows)
    footer = f"<p>… {more} more rows</p>" if more > 0 else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>{footer}"


def cell_text(value: Any) -> str:
    """Return a table's value as text."""
    if value is None:
        return ""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list | bool) else str(value)


def _resource(table: m.TableContent) -> dict[str, Any]:
    names = [column.name for column in table.columns]
    fields = [{"name": column.name, "type": _KINDS[column.kind]} for column in table.columns]
    rows = [dict(zip(names, row, strict=False)) for row in table.rows]
    return {"schema": {"fields": fields}, "data": rows}


def display(data: dict[str, Any]) -> Output:
    """Return an output with these media types."""
    return {"output_type": "display_data", "metadata": {}, "data": data}


def _error(traceback: str) -> Output:
    last = traceback.rstrip().splitlines()[-1] if traceback.strip() else "Error"
    name, _, value = last.partition(": ")
    return {"output_type": "error", "ename": name[:80], "evalue": value, "traceback": traceback.splitlines()}
