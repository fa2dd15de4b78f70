"""One self-contained HTML page of a chat: without server, script or external resources.

Its content policy is stricter than the desk's: no script, pictures from the page itself, its single style by hash.
"""

import base64
import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib import resources
from pathlib import Path
from typing import Any, BinaryIO

from smoldesk import messages as m
from smoldesk.charts import NoPicture
from smoldesk.export.cell_outputs import MAX_PICTURE, RASTER, cell_text
from smoldesk.export.chat_source import ChatSource
from smoldesk.export.map_svg import MapState
from smoldesk.export.pins import Part, Report, shown_parts
from smoldesk.export.repeated_tables import answer_of
from smoldesk.export.turns import ITS_TURN, NOTHING, Drawn, Step, Turn, app_caption

# Pixels of a plot per CSS pixel: plots are drawn at 144 dpi, CSS has 96.
PLOT_SCALE = 1.5
# Characters of a cell; the log and the notebook have all.
MAX_CELL = 1_100
# Rows above which a table may continue on the next page of paper.
MOST_ROWS = 24
# Classes of tables by their columns: on paper they have smaller letters, or a page across.
WIDTHS = ((24, "crowded wide"), (8, "wide"))
POLICY = (
    "default-src 'none'; style-src 'sha256-{style}'; img-src data:; base-uri 'none'; form-action 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'"
)


@dataclass(frozen=True)
class Rendering:
    """Functions that return safe HTML: of Markdown, of code in a language, and the style of highlighted code."""

    to_html: Callable[[str], str]
    highlight: Callable[[str, str], str]
    code_style: Callable[[], str]


def write_page(
    source: ChatSource, rendering: Rendering, target: BinaryIO, report: Report | None = None
) -> None:
    """Write the page turn by turn, or its report part by part."""
    style = page_style(rendering)
    # The policy allows the style by its hash, over the exact text between the tags (CSP Level 3).
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    for part in _page(source, rendering, style, POLICY.format(style=digest), report):
        # Text from JSON escapes may have lone surrogates, which UTF-8 cannot encode.
        target.write(part.encode("utf-8", "replace"))


def _page(
    source: ChatSource, rendering: Rendering, style: str, policy: str, report: Report | None
) -> Iterator[str]:
    title = escape((report.title if report else "") or source.title)
    note = "<br>A run was going on: the page ends where the chat was then." if source.open_runs else ""
    if report is not None:
        note = f"<br>{escape(report.note)}" if report.note else ""
    yield (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">\n'
        f'<meta name="viewport" content="width=device-width">\n<meta name="referrer" content="no-referrer">\n'
        f"<title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n<header><h1>{title}</h1>"
        f'<p class="quiet">Exported from smoldesk on {source.written_at:%Y-%m-%d %H:%M} UTC.{note}</p></header>\n<main>\n'
    )
    if report is not None:
        MapState.draw_ahead(
            (part.content for part in report.parts if isinstance(part.content, MapState)), True
        )
        for part in shown_parts(report):
            yield from _part(source, rendering, part)
    else:
        is_empty = True
        for turn in source.shown_turns():
            is_empty = False
            yield from _turn(source, rendering, turn)
        if is_empty:
            yield f'<p class="quiet">{NOTHING}</p>\n'
    yield "</main>\n</body>\n</html>\n"


def part_html(source: ChatSource, rendering: Rendering, part: Part) -> str:
    """Return the HTML of one part alone, for a page with the style of this one."""
    return "".join(_part(source, rendering, part)).encode("utf-8", "replace").decode()


@cache
def page_style(rendering: Rendering) -> str:
    """Return the style of the page, as CSS."""
    written = resources.files("smoldesk.export").joinpath("html_page.css").read_text("utf-8")
    return f"\n{rendering.code_style()}\n{written}"


def _part(source: ChatSource, rendering: Rendering, part: Part) -> Iterator[str]:
    yield '<section class="part">\n'
    if part.pin.caption.strip():
        yield f'<h2 class="caption">{escape(part.pin.caption)}</h2>\n'
    match part.content:
        case str():
            yield f'<div class="answer">{rendering.to_html(part.content)}</div>\n'
        case MapState():
            yield from _map(source, part.content)
        case _:
            yield _piece(source, part.content)
    if part.note:
        yield f'<p class="quiet">{escape(part.note)}</p>\n'
    yield "</section>\n"


def _turn(source: ChatSource, rendering: Rendering, turn: Turn) -> Iterator[str]:
    yield '<section class="turn">\n'
    if not turn.is_code:
        attached = (
            f'\n<span class="quiet">{escape(", ".join(turn.attachments))}</span>' if turn.attachments else ""
        )
        if turn.is_talk:
            yield f'<p class="quiet">{ITS_TURN}</p>\n'
        yield f'<h2 class="question">{escape(turn.question)}{attached}</h2>\n'
    map_state = source.empty_map(turn.seq)
    for step in turn.steps:
        yield from _step(source, rendering, turn, step, map_state)
    if turn.asks:
        items = "".join(f"<li>{escape(prompt)}: {escape(outcome)}</li>" for prompt, outcome in turn.asks)
        yield f'<ul class="asks">{items}</ul>\n'
    if answer := answer_of(turn):
        yield f'<div class="answer">{rendering.to_html(answer)}</div>\n'
    for note in filter(None, (turn.seal, turn.note)):
        yield f'<p class="quiet">{escape(note)}</p>\n'
    if turn.fault:
        yield f'<pre class="error">{escape(turn.fault)}</pre>\n'
    if turn.state == "running":
        yield '<p class="quiet">This run was going on when the chat was exported.</p>\n'
    yield "</section>\n"


def _step(
    source: ChatSource, rendering: Rendering, turn: Turn, step: Step, map_state: MapState
) -> Iterator[str]:
    if step.code:
        name = "Code that the person ran" if turn.is_code else f"Step {step.number} · Python"
        is_open = " open" if turn.is_code else ""
        code = rendering.highlight(step.code, "python")
        yield f'<details{is_open}><summary>{name}</summary><pre class="hl"><code>{code}</code></pre></details>\n'
    else:
        for call in step.calls:
            printed_html = f'<pre class="printed">{escape(call.format_call())}</pre>'
            yield f"<details><summary>{escape(call.tool)}</summary>{printed_html}</details>\n"
    for call in step.calls:
        if call.work is not None:
            yield f'<details class="work"><summary>{escape(call.tool)}: {escape(call.work.question)}</summary>\n'
            for inner in call.work.steps:
                yield from _step(source, rendering, call.work, inner, map_state)
            error_html = call.failed and f'<pre class="error">{escape(call.failed)}</pre>'
            yield error_html or f'<div class="answer">{rendering.to_html(call.text)}</div>'
            yield "</details>\n"
    if step.printed.strip():
        yield f'<pre class="printed">{escape(step.printed.rstrip())}</pre>\n'
    is_drawn = False
    for piece in step.shown_pieces:
        if isinstance(piece, m.Table) and _is_earlier(turn, piece):
            continue
        if isinstance(piece, Drawn):
            map_state.take(piece, step.agent)
            is_drawn = True
        else:
            yield _piece(source, piece)
    if is_drawn:
        yield from _map(source, map_state, turn.answer)
    if step.error:
        yield f'<pre class="error">{escape(step.error)}</pre>\n'


def _is_earlier(turn: Turn, table: m.Table) -> bool:
    """Check whether the turn shows the same table before, in the same or an earlier step."""
    pieces = [piece for step in turn.steps for piece in step.shown_pieces if isinstance(piece, m.Table)]
    first = next((piece for piece in pieces if _rows_of(piece) == _rows_of(table)), table)
    return first is not table


def _rows_of(table: m.Table) -> tuple[object, ...]:
    content = table.content
    return content.columns, content.rows, content.row_count


def _piece(source: ChatSource, piece: m.Image | m.Chart | m.Table | m.File | m.Json | m.McpApp) -> str:
    match piece:
        case m.Image():
            width = round(piece.width / PLOT_SCALE) if piece.width else None
            name = source.distinct(piece.path or "Picture")
            return _picture(source.path(piece.file_id), piece.format, name, width)
        case m.Chart(content=chart):
            name = source.distinct(chart.description)
            return _picture(source.path(chart.image_id), "png", name, chart.width)
        case m.Table(content=table):
            return _table(table, source.distinct(_table_name(table)))
        case m.File(content=file):
            return f'<p class="quiet">File {escape(file.name)} ({file.size:,} bytes)</p>\n'
        case m.McpApp():
            return f'<p class="quiet">{escape(app_caption(piece))}</p>\n'
        case m.Json():
            return f'<pre class="printed">{escape(cell_text(piece.content)[:100_000])}</pre>\n'


def _map(source: ChatSource, map_state: MapState, answer: str = "") -> Iterator[str]:
    """Yield every floor with drawings, then the steps of the routes, unless the answer lists them."""
    try:
        for floor in map_state.pictures():
            yield _figure(floor.svg.encode(), "image/svg+xml", source.distinct(floor.caption))
    except NoPicture as fault:
        yield f'<p class="quiet">{escape(fault.message)}</p>\n'
    for route in map_state.routes:
        if all(step.text in answer for step in route.steps):
            continue
        steps = "".join(f"<li>{escape(step.text)}</li>" for step in route.steps)
        yield f'<p class="route">{escape(route.start)} → {escape(route.goal)}</p>\n<ol>{steps}</ol>\n'


def _picture(path: Path | None, kind: str, alt: str, width: int | None) -> str:
    if path is None or path.stat().st_size > MAX_PICTURE:
        return f'<p class="quiet">{escape(alt)} (not here any more)</p>\n'
    return _figure(path.read_bytes(), RASTER.get(kind, "image/svg+xml"), alt, width)


def _figure(data: bytes, media_type: str, alt: str, width: int | None = None) -> str:
    text = base64.b64encode(data).decode()
    label = escape(alt)
    size = f' width="{width}"' if width else ""
    return f'<figure><img alt="{label}"{size} src="data:{media_type};base64,{text}"><figcaption>{label}</figcaption></figure>\n'


def _table_name(table: m.TableContent) -> str:
    """Return a table's name, or "Table" for one named after its columns, which its head shows."""
    heads = ", ".join(column.name for column in table.columns[:3])  # as sandbox/inside/outputs.py names them
    return "Table" if table.name in (heads, f"{heads[:59]}…", "table") else _short(table.name)


def _table(table: m.TableContent, name: str) -> str:
    kinds = [' class="number"' if column.kind == "number" else "" for column in table.columns]
    head = "".join(
        f"<th{kind}>{escape(_short(column.name))}</th>"
        for kind, column in zip(kinds, table.columns, strict=True)
    )
    rows = "".join(f"<tr>{_cells(kinds, row)}</tr>" for row in table.rows)
    more = table.row_count - len(table.rows)
    # The page of shared views translates the parts with data attributes.
    notes = ["<span data-table>Table</span>" if name == "Table" else escape(name)]
    notes += [f'<span data-more="{more}">{more:,} more rows</span>'] if more > 0 else []
    caption = f"<figcaption>{' · '.join(notes)}</figcaption>"
    size = next((name for most, name in WIDTHS if len(table.columns) > most), "")
    size += " long" if len(table.rows) > MOST_ROWS else ""
    return (
        f'<figure class="of-table {size.strip()}"><div class="table"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div>"
        f"{caption}</figure>\n"
    )


def _cells(kinds: list[str], row: list[Any]) -> str:
    return "".join(
        f"<td{kind}>{escape(_short(cell_text(cell)))}</td>" for kind, cell in zip(kinds, row, strict=False)
    )


def _short(text: str) -> str:
    more = len(text) - MAX_CELL
    return text if more <= 0 else f"{text[:MAX_CELL]}… ({more:,} more characters)"
