"""HTTP routes of a chat's report: read, replace, export, and run on other files."""

import asyncio
import base64
import shutil
import tempfile
from pathlib import Path
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi import Path as PathOf
from fastapi.responses import StreamingResponse
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException

from smoldesk import messages as m
from smoldesk.charts import NoPicture
from smoldesk.desk import Desk
from smoldesk.errors import BadInput
from smoldesk.export.exports import MEDIA_TYPES
from smoldesk.export.map_svg import MapState
from smoldesk.export.other_files import Language
from smoldesk.export.pins import Content, Part
from smoldesk.export.reports import OtherFile, ReportRun, title_of
from smoldesk.export.run_again import Again, changed_cells
from smoldesk.stopping import StopFlag, start_thread
from smoldesk.wires.disconnects import while_connected
from smoldesk.wires.rest.export_routes import document_response, write_unlinked
from smoldesk.wires.rest.models import refusals
from smoldesk.wires.rest.report_models import (
    PartAgain,
    Preview,
    PreviewedPin,
    ReportChanged,
    ReportFormat,
    ReportInfo,
    ReportRequest,
    RunCreated,
    RunFile,
    RunInfo,
    RunSummary,
)
from smoldesk.wires.rest.requests import FORM_OVERHEAD, bounded, closing
from smoldesk.wires.serialization import file_url

# Rows and characters of a preview, and rows that are compared with another run.
PREVIEWED_ROWS = 5
PREVIEWED_TEXT = 600
COMPARED_ROWS = 50
# Run numbers are integer columns, which PostgreSQL limits to 32 bits.
MAX_NUMBER = 2**31 - 1
MAX_FILES = 50
EXPECTED = "Expected multipart/form-data: one field per new file, named like the file that it replaces."
FILES: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {"multipart/form-data": {"schema": {"type": "object", "minProperties": 1}}},
    }
}
REPORT_FILE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The report as a file",
        "content": {MEDIA_TYPES[format_]: {} for format_ in ("html", "markdown", "notebook")},
    }
}


def add_report_routes(routes: APIRouter, unbounded: APIRouter, desk: Desk) -> None:
    """Add the routes of this module to the routers of /api; those of `unbounded` limit their bodies themselves."""

    @routes.get("/chats/{chat_id}/report", response_model_exclude_none=True, responses=refusals(404))
    async def show(chat_id: str) -> ReportInfo:
        return await asyncio.to_thread(_info, desk, chat_id)

    @routes.put("/chats/{chat_id}/report", responses=refusals(404, 409))
    async def put(chat_id: str, body: ReportRequest) -> ReportChanged:
        """Replace the report; 409 if it changed after the client read it."""
        version = await asyncio.to_thread(desk.reports.put, chat_id, body.version, body.pins, body.title)
        return ReportChanged(version=version)

    @routes.get(
        "/chats/{chat_id}/report/export",
        response_class=StreamingResponse,
        responses=refusals(404) | REPORT_FILE,
    )
    async def export(
        chat_id: str,
        format_: Annotated[ReportFormat, Query(alias="format")] = "html",
        run: Annotated[int, Query(ge=0, le=MAX_NUMBER)] = 0,
    ) -> StreamingResponse:
        """Export the report, or its `run` on other files."""
        chat = await desk.chats.get(chat_id)
        title = title_of(chat.title, run, await asyncio.to_thread(desk.reports.title, chat_id))
        file = await asyncio.to_thread(
            write_unlinked, desk, lambda path: desk.reports.write(chat_id, format_, path, run)
        )
        return document_response(file, title, format_)

    @unbounded.post(
        "/chats/{chat_id}/report/runs", status_code=201, openapi_extra=FILES, responses=refusals(404, 409)
    )
    async def run_again(
        chat_id: str, request: Request, confirm: bool = False, language: Language = "en"
    ) -> RunCreated:
        """Run each code cell again with new files under the old names; 409 `other_shape` without `confirm`.

        That error lists the differences in columns, in the given language.
        """
        await desk.chats.get(chat_id)
        with tempfile.TemporaryDirectory(dir=desk.exports.scratch, prefix="report-") as folder:
            new_files = await _received(desk, chat_id, request, Path(folder))
            stop = StopFlag()
            run = start_thread(
                lambda: desk.reports.run_again(chat_id, new_files, confirm, stop, language), "report"
            )
            return RunCreated(number=await while_connected(request, stop, run))

    @routes.get(
        "/chats/{chat_id}/report/runs/{number}", response_model_exclude_none=True, responses=refusals(404)
    )
    async def show_run(chat_id: str, number: Annotated[int, PathOf(ge=1, le=MAX_NUMBER)]) -> RunInfo:
        return await asyncio.to_thread(_run, desk, chat_id, number)


async def _received(desk: Desk, chat_id: str, request: Request, folder: Path) -> dict[str, OtherFile]:
    """Read a form: file fields are new files, text fields name files of the chat; keys are the replaced names."""
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise BadInput("The request is not a form.", EXPECTED, code="not_a_form")
    limit = desk.uploads.limit
    limited = Request(request.scope, bounded(request.receive, limit + FORM_OVERHEAD, limit))
    try:
        form = await limited.form(max_files=MAX_FILES, max_fields=MAX_FILES)
    except (MultiPartException, HTTPException) as fault:
        raise BadInput("The form cannot be read.", EXPECTED, code="not_a_form") from fault
    received: dict[str, OtherFile] = {}
    async with closing(form):
        for number, (name, value) in enumerate(form.multi_items()):
            if isinstance(value, str):
                file, path = await desk.files.find(chat_id, value)
                received[name] = OtherFile(file.name, path)
                continue
            # Numbered, since a name from the form could point outside of the folder.
            path = folder / str(number)
            with path.open("xb") as target:
                await asyncio.to_thread(shutil.copyfileobj, value.file, target, 1 << 20)
            received[name] = OtherFile((value.filename or name)[:200], path)
    if not received:
        raise BadInput("The form has no file.", EXPECTED, code="missing_field")
    return received


def _info(desk: Desk, chat_id: str) -> ReportInfo:
    version, parts = desk.reports.read(chat_id)
    MapState.draw_ahead(
        (part.content for part in parts if isinstance(part.content, MapState)), all_floors=False
    )
    ran = [(run, ReportRun.model_validate_json(run.body)) for run in desk.reports.runs(chat_id)]
    return ReportInfo(
        version=version,
        title=desk.reports.title(chat_id),
        pins=[_previewed_pin(chat_id, part) for part in parts],
        inputs=desk.reports.inputs(chat_id) if parts else [],
        runs=[
            RunSummary(number=record.number, made_at=record.created_at, files=_files(run))
            for record, run in ran
        ],
    )


def _files(run: ReportRun) -> list[RunFile]:
    return [RunFile(name=file.name, source=file.source) for file in run.files]


def _run(desk: Desk, chat_id: str, number: int) -> RunInfo:
    run = desk.reports.run(chat_id, number)
    parts = [_part_again(chat_id, *pair) for pair in desk.reports.compared(chat_id, run)]
    return RunInfo(number=number, files=_files(run), parts=parts)


def _part_again(chat_id: str, part: Part, again: Again) -> PartAgain:
    cells = None
    if isinstance(part.content, m.Table) and again.table:
        cells = list(changed_cells(part.content.content, again.table.content))
    return PartAgain(
        **part.pin.model_dump(by_alias=False),
        preview=preview(chat_id, part.content, COMPARED_ROWS),
        state=again.state,
        why=again.why,
        gave_nothing=again.gave_nothing,
        after=preview(chat_id, again.content, COMPARED_ROWS) if again.content else None,
        cells=cells,
    )


def _previewed_pin(chat_id: str, part: Part) -> PreviewedPin:
    return PreviewedPin(**part.pin.model_dump(by_alias=False), preview=preview(chat_id, part.content))


def preview(chat_id: str, content: Content, most: int = PREVIEWED_ROWS) -> Preview:
    """Return the preview of a part."""
    match content:
        case str():
            return Preview(text=content[:PREVIEWED_TEXT])
        case m.Table(content=table):
            rows = table.rows[:most]
            return Preview(columns=table.columns, rows=rows, row_count=table.row_count, name=table.name)
        case m.Chart(content=chart):
            return Preview(picture=file_url(chat_id, "chart.png", chart.image_id), name=chart.description)
        case m.Image():
            name = (content.path or "picture").rpartition("/")[2]
            return Preview(picture=file_url(chat_id, name, content.file_id), name=name)
        case MapState():
            try:
                svg = base64.b64encode(content.svg().encode()).decode()
            except NoPicture as fault:
                return Preview(text=fault.message)
            return Preview(picture=f"data:image/svg+xml;base64,{svg}", name=content.floor.floor_name)
