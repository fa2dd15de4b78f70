"""Markdown of a chat with its pictures: a zip of `chat.md` and the files it shows."""

import tempfile
import zipfile
from collections.abc import Iterator
from typing import BinaryIO

from smoldesk import messages as m
from smoldesk.charts import NoPicture
from smoldesk.export.cell_outputs import MAX_PICTURE, RASTER, cell_text
from smoldesk.export.chat_source import ChatSource
from smoldesk.export.map_svg import MapState
from smoldesk.export.pins import Part, Report, shown_parts
from smoldesk.export.repeated_tables import answer_of
from smoldesk.export.safe_markdown import fenced, literal, quoted, safe_markdown
from smoldesk.export.turns import ITS_TURN, NOTHING, Drawn, Step, Turn, app_caption

TEXT = "chat.md"
IN_MEMORY = 1 << 20


def write_pages(source: ChatSource, target: BinaryIO, report: Report | None = None) -> None:
    """Write the zip of a chat or of its report: pictures as they occur, the text last."""
    with (
        zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as pages,
        # A zip file has one open member at a time: the text waits here while pictures are added.
        tempfile.SpooledTemporaryFile(IN_MEMORY) as text,
    ):
        pictures = _InZip(source, pages)
        for part in _parts(source, pictures) if report is None else report_parts(report, pictures):
            text.write(f"{part}\n\n".encode("utf-8", "replace"))
        text.seek(0)
        # zipfile needs `force_zip64` for a member of unknown size, which may exceed 2 GiB.
        with pages.open(TEXT, "w", force_zip64=True) as written:
            while piece := text.read(IN_MEMORY):
                written.write(piece)


class Pictures:
    """Numbered pictures of a chat, stored where its Markdown can refer to them."""

    def __init__(self, source: ChatSource) -> None:
        self._source = source
        self._count = 0

    def keep(self, data: bytes, ending: str, number: int) -> str:
        """Store a picture and return its address."""
        raise NotImplementedError

    def add(self, data: bytes, ending: str, alt: str) -> str:
        """Store a picture and return its Markdown."""
        self._count += 1
        return f"![{literal(alt)}]({self.keep(data, ending, self._count)})"

    def of_file(self, file_id: str, kind: str, alt: str) -> str:
        path = self._source.path(file_id)
        if path is None or path.stat().st_size > MAX_PICTURE:
            return f"*{literal(alt)} (not here any more)*"
        if kind not in RASTER:  # a browser that opens an SVG file runs its scripts
            return f"*{literal(alt)} (an SVG: see the notebook or the HTML page)*"
        return self.add(path.read_bytes(), kind, alt)


class _InZip(Pictures):
    """Pictures stored in the zip."""

    def __init__(self, source: ChatSource, pages: zipfile.ZipFile) -> None:
        super().__init__(source)
        self._pages = pages

    def keep(self, data: bytes, ending: str, number: int) -> str:
        name = f"pictures/{number:03}.{ending}"
        self._pages.writestr(name, data)
        return name


def report_parts(report: Report, pictures: Pictures) -> Iterator[str]:
    """Yield a report as Markdown: its head, then each part."""
    source = report.source
    head = [
        f"# {literal(report.title or source.title)}",
        f"Exported from smoldesk on {source.written_at:%Y-%m-%d %H:%M} UTC.",
    ]
    yield "\n\n".join([*head, *([literal(report.note)] if report.note else [])])
    for part in shown_parts(report):
        yield "\n\n".join(_part(pictures, part))


def _part(pictures: Pictures, part: Part) -> Iterator[str]:
    if caption := " ".join(part.pin.caption.split()):
        yield f"## {literal(caption)}"
    match part.content:
        case str():
            yield safe_markdown(part.content)
        case MapState():
            yield from _map(pictures, part.content)
        case _:
            yield _piece(pictures, part.content)
    if part.note:
        yield f"*{literal(part.note)}*"


def _parts(source: ChatSource, pictures: Pictures) -> Iterator[str]:
    yield f"# {literal(source.title)}"
    yield f"Exported from smoldesk on {source.written_at:%Y-%m-%d %H:%M} UTC."
    if source.open_runs:
        yield "A run was going on: the text ends where the chat was then."
    is_empty = True
    for turn in source.shown_turns():
        is_empty = False
        yield from _turn(source, pictures, turn)
    if is_empty:
        yield NOTHING


def _turn(source: ChatSource, pictures: Pictures, turn: Turn) -> Iterator[str]:
    yield "---"
    if turn.is_talk:
        yield ITS_TURN
    if not turn.is_code:
        yield quoted(turn.question)
    if turn.attachments:
        yield f"With {literal(', '.join(turn.attachments))}"
    map_state = source.empty_map(turn.seq)
    for step in turn.steps:
        yield from _step(pictures, step, map_state)
    if turn.asks:
        yield "\n".join(f"- {literal(prompt)}: {literal(outcome)}" for prompt, outcome in turn.asks)
    if answer := answer_of(turn):
        yield safe_markdown(answer)
    for note in filter(None, (turn.seal, turn.note)):
        yield f"*{literal(note)}*"
    if turn.fault:
        yield f"**{turn.state.capitalize()}.** {literal(turn.fault)}"
    if turn.state == "running":
        yield "*This run was going on when the chat was exported.*"


def _step(pictures: Pictures, step: Step, map_state: MapState) -> Iterator[str]:
    if step.code:
        yield fenced(step.code, "python")
    else:
        for call in step.calls:
            yield f"{literal(call.tool)}\n\n{fenced(call.format_call())}"
    yield from work_parts(pictures, step, map_state)
    if step.printed.strip():
        yield fenced(step.printed)
    is_drawn = False
    for piece in step.shown_pieces:
        if isinstance(piece, Drawn):
            map_state.take(piece, step.agent)
            is_drawn = True
        else:
            yield _piece(pictures, piece)
    if is_drawn:
        yield from _map(pictures, map_state)
    if step.error:
        yield fenced(step.error)


def work_parts(pictures: Pictures, step: Step, map_state: MapState) -> Iterator[str]:
    """Yield the work of managed agents for the calls of a step, and their answers."""
    for call in step.calls:
        if call.work is None:
            continue
        yield f"**{literal(call.tool)}**, a managed agent, worked on:\n\n{quoted(call.work.question)}"
        for inner in call.work.steps:
            yield from _step(pictures, inner, map_state)
        yield f"**{literal(call.tool)}** {'failed' if call.failed is not None else 'answered'}:"
        yield quoted(call.text if call.failed is None else call.failed)


def _piece(pictures: Pictures, piece: m.Image | m.Chart | m.Table | m.File | m.Json | m.McpApp) -> str:
    match piece:
        case m.Image():
            return pictures.of_file(piece.file_id, piece.format, piece.path or "Picture")
        case m.Chart(content=chart):
            return pictures.of_file(chart.image_id, "png", chart.description)
        case m.Table(content=table):
            return markdown_table(table)
        case m.File(content=file):
            return f"File {literal(file.name)} ({file.size} bytes)"
        case m.McpApp():
            return literal(app_caption(piece))
        case m.Json():
            return fenced(cell_text(piece.content)[:100_000], "json")


def _map(pictures: Pictures, map_state: MapState) -> Iterator[str]:
    """Yield every floor with drawings, then the steps of the routes."""
    try:
        for floor in map_state.pictures():
            yield pictures.add(floor.svg.encode(), "svg", floor.caption)
    except NoPicture as fault:
        yield f"*{literal(fault.message)}*"
    for route in map_state.routes:
        yield f"{literal(route.start)} → {literal(route.goal)}"
        yield "\n".join(f"{number}. {literal(step.text)}" for number, step in enumerate(route.steps, 1))


def markdown_table(table: m.TableContent) -> str:
    """Return the first rows of a table and the number of further rows."""
    rule = ["---:" if column.kind == "number" else "---" for column in table.columns]
    lines = [
        [_cell(column.name) for column in table.columns],
        rule,
        *([_cell(cell) for cell in row] for row in table.rows),
    ]
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    more = table.row_count - len(table.rows)
    return f"{text}\n\n… {more} more rows" if more > 0 else text


def _cell(value: object) -> str:
    return literal(" ".join(cell_text(value).split()))
