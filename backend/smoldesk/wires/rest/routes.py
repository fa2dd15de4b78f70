"""HTTP API under /api: chats, their files, tables and events, runs and asks. Errors: {"error": {code, message, hint}}."""

import asyncio
from collections.abc import Sequence
from functools import cached_property
from typing import Annotated, Any

from fastapi import APIRouter, Body, Query, Request, Response
from fastapi.datastructures import DefaultPlaceholder
from fastapi.responses import FileResponse, StreamingResponse
from fastapi.routing import APIRoute
from starlette.middleware.gzip import DEFAULT_EXCLUDED_CONTENT_TYPES, GZipMiddleware
from starlette.routing import BaseRoute

from smoldesk.desk import Desk, is_private
from smoldesk.errors import BadInput
from smoldesk.runs import IdempotencyKey, RunOptions
from smoldesk.wires.answers import checked_reading, require_files
from smoldesk.wires.audit_trail import note_downloads
from smoldesk.wires.base import Wire
from smoldesk.wires.bodies import check_text
from smoldesk.wires.late_routes import LateRoute
from smoldesk.wires.rest.ask_routes import add_ask_routes
from smoldesk.wires.rest.audit_routes import DOWNLOADS, add_audit_routes
from smoldesk.wires.rest.building_exports import add_export_route
from smoldesk.wires.rest.building_routes import add_building_routes
from smoldesk.wires.rest.chart_routes import add_chart_routes
from smoldesk.wires.rest.chat_models import ChatInfo, ChatList, TagInfo
from smoldesk.wires.rest.closure_routes import add_closure_routes
from smoldesk.wires.rest.composer_routes import add_composer_routes
from smoldesk.wires.rest.conversation_routes import add_conversation_routes, add_project_routes
from smoldesk.wires.rest.encoder import agent_facts, chat_info, chat_list, file_info, log_lines, tag_info
from smoldesk.wires.rest.exam_routes import add_exam_routes
from smoldesk.wires.rest.export_routes import add_export_routes
from smoldesk.wires.rest.file_routes import add_file_routes
from smoldesk.wires.rest.layer_routes import add_layer_routes
from smoldesk.wires.rest.mcp_app_routes import add_mcp_app_routes
from smoldesk.wires.rest.mcp_server_routes import add_mcp_server_routes
from smoldesk.wires.rest.model_routes import add_model_routes
from smoldesk.wires.rest.models import (
    MIDDLEWARE_STATUSES,
    AgentFactsList,
    ChatChange,
    FileList,
    NewChat,
    NewRun,
    RunStarted,
    TagChange,
    UploadInfo,
    refusals,
)
from smoldesk.wires.rest.report_routes import add_report_routes
from smoldesk.wires.rest.requests import (
    FORM_OVERHEAD,
    PLACE,
    announced_size,
    bounded_route,
    keep_upload,
    read_place,
)
from smoldesk.wires.rest.saved_test_routes import add_saved_test_routes
from smoldesk.wires.rest.shared_view_routes import add_shared_view_routes
from smoldesk.wires.rest.source_routes import add_source_routes
from smoldesk.wires.rest.table_routes import add_table_routes
from smoldesk.wires.rest.trace_routes import add_trace_routes
from smoldesk.wires.rest.tus_routes import add_tus_routes
from smoldesk.wires.rest.upload_progress import LINES, Upload, UploadReadings
from smoldesk.wires.rest.watch_routes import add_watch_routes
from smoldesk.wires.security import served_file_headers

# Largest integer that JavaScript represents exactly.
MAX_SEQ = 2**53
# In the query, because some names (`..`) cannot be a part of a path.
TagName = Annotated[str, Query(min_length=1, max_length=200)]
# JSON of at least this many bytes is compressed.
COMPRESSED_FROM = 10_000

# Upload progress is a stream of lines, which compression would delay.
UNCOMPRESSED = (*DEFAULT_EXCLUDED_CONTENT_TYPES, LINES)

FILE: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "The bytes of the file, under its own media type",
        "content": {"*/*": {"schema": {"type": "string", "format": "binary"}}},
    },
    206: {"description": "The requested range"},
    416: {"description": "The range is outside of the file"},
}
FORM: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "additionalProperties": False,
                    "properties": {"file": {"type": "string", "format": "binary", "minLength": 1}},
                }
            }
        },
    }
}
PROGRESS: dict[int | str, dict[str, Any]] = {
    201: {
        "description": "The tables of the file; one line per state of the upload if the client accepts lines",
        "content": {LINES: {"schema": {"type": "string"}}},
    }
}


def streamed_responses(media_type: str, what: str) -> dict[int | str, dict[str, Any]]:
    """Return the `responses` of a route that streams lines."""
    return {200: {"description": what, "content": {media_type: {"schema": {"type": "string"}}}}}


def router(desk: Desk, readings: UploadReadings) -> APIRouter:
    """Return the router of this wire."""
    runs, agents, chats, files = desk.runs, desk.agents, desk.chats, desk.files
    message_limit, private = desk.settings.message_limit, is_private(desk.settings)
    # JSON can escape each character as six bytes. Uploads limit their bodies themselves.
    routes = APIRouter(
        prefix="/api",
        route_class=bounded_route(6 * message_limit + FORM_OVERHEAD),
        responses=refusals(400, *MIDDLEWARE_STATUSES, 413, 422),
    )
    unbounded = APIRouter(
        prefix="/api", route_class=LateRoute, responses=refusals(400, *MIDDLEWARE_STATUSES, 413, 422)
    )

    @routes.post("/chats", status_code=201, responses=refusals(404))
    async def create(body: Annotated[NewChat | None, Body()] = None) -> ChatInfo:
        chat = body or NewChat()
        return chat_info(await chats.create(chat.title, chat.agent))

    @routes.get("/chats")
    async def index(
        q: Annotated[str, Query(max_length=200)] = "",
        before: Annotated[str | None, Query(pattern=PLACE)] = None,
        limit: Annotated[int, Query(ge=1, le=200)] = 200,
        archived: bool = False,
        tag: Annotated[str, Query(max_length=200)] = "",
    ) -> ChatList:
        """List chats, or those of the archive; with `q` all that contain its words; with `tag` those of them that have it.
        `before` the `next` of a page returns the next page.
        """
        return chat_list(await chats.page(q, read_place(before), limit, archived, tag))

    @routes.get("/chats/{chat_id}", responses=refusals(404))
    async def show(chat_id: str) -> ChatInfo:
        return chat_info(await chats.get(chat_id))

    @routes.patch("/chats/{chat_id}", responses=refusals(404))
    async def change(chat_id: str, body: ChatChange) -> ChatInfo:
        """Change all given fields or none. An open run continues with its agent."""
        return chat_info(await chats.change(chat_id, **body.model_dump(exclude_unset=True)))

    @routes.delete("/chats/{chat_id}", status_code=204, responses=refusals(404, 409))
    async def remove(chat_id: str, undo: bool = False) -> Response:
        """Delete a chat. With `undo`, it can be restored for ten minutes."""
        await (chats.hide(chat_id) if undo else chats.delete(chat_id))
        return Response(status_code=204)

    @routes.post("/chats/{chat_id}/restore", responses=refusals(404))
    async def restore(chat_id: str) -> ChatInfo:
        return chat_info(await chats.restore(chat_id))

    @routes.patch("/tags", responses=refusals(404))
    async def rename_tag(tag: TagName, body: TagChange) -> TagInfo:
        """Rename a tag in all chats. If the name is another tag's, they become one."""
        return tag_info(await chats.rename_tag(tag, body.name))

    @routes.delete("/tags", status_code=204, responses=refusals(404))
    async def remove_tag(tag: TagName) -> Response:
        """Remove a tag from all chats."""
        await chats.remove_tag(tag)
        return Response(status_code=204)

    @routes.post("/chats/{chat_id}/runs", status_code=202, responses=refusals(404, 409))
    async def start(chat_id: str, body: NewRun) -> RunStarted:
        if not body.message.strip():
            raise BadInput("`message` is empty.", "Expected text.", code="empty")
        check_text(body.message, message_limit)
        await require_files(files, chat_id, body.attachments)
        options = RunOptions(reading=checked_reading(body.reading), attachments=body.attachments or None)
        if body.client_message_id is None:
            return RunStarted(run_id=await runs.start(chat_id, body.message, options))
        # The page's socket uses the same keys: a message that is repeated over HTTP is the same run.
        key = IdempotencyKey.of("chat", chat_id, body.client_message_id)
        run_id, _ = await runs.start_once(chat_id, body.message, key, options)
        return RunStarted(run_id=run_id)

    @routes.get(
        "/chats/{chat_id}/events",
        response_class=StreamingResponse,
        responses=refusals(404)
        | streamed_responses(
            LINES, "One event a line, as {seq, run_id, at, event}, up to what is committed now"
        ),
    )
    async def events(chat_id: str, after: Annotated[int, Query(ge=0, le=MAX_SEQ)] = 0) -> StreamingResponse:
        await chats.get(chat_id)
        return StreamingResponse(log_lines(chats, chat_id, after), media_type=LINES)

    @routes.get("/chats/{chat_id}/files", response_model_exclude_none=True, responses=refusals(404))
    async def list_files(chat_id: str) -> FileList:
        return FileList(files=[file_info(file) for file in await files.of(chat_id)])

    @unbounded.post(
        "/chats/{chat_id}/files",
        status_code=201,
        response_model=UploadInfo,
        openapi_extra=FORM,
        responses=refusals(404) | PROGRESS,
    )
    async def upload(chat_id: str, request: Request) -> Response | UploadInfo:
        """Upload a file. A child process reads it; the response has its tables and problems."""
        await chats.get(chat_id)
        # Checked before the body is read: a client sends no gigabytes only to hear that the disk is full.
        await desk.uploads.check_room(chat_id, announced_size(request))
        upload = Upload(desk.uploads, await keep_upload(files, desk.uploads, chat_id, request))
        upload.start()
        if LINES in request.headers.get("accept", ""):
            return StreamingResponse(upload.lines(), status_code=201, media_type=LINES)
        return await upload.answer()

    @routes.get(
        "/chats/{chat_id}/files/{name:path}",
        response_class=FileResponse,
        responses=refusals(404) | FILE,
    )
    async def download(chat_id: str, name: str, request: Request, v: str | None = None) -> FileResponse:
        file, path = await files.find(chat_id, name, v)
        headers = served_file_headers(file.name, file.media_type, request.headers.get("sec-fetch-dest"))
        headers["Cache-Control"] = "private, max-age=3600"
        return FileResponse(path, media_type=file.media_type, headers=headers)

    @routes.get("/agents", response_model_exclude_none=True)
    async def listed_agents() -> AgentFactsList:
        """List agents. Each is checked again, so that newly installed programs are found."""
        entries = agents.agent_list.entries.values()
        facts = await asyncio.to_thread(lambda: [agent_facts(agents, entry) for entry in entries])
        return AgentFactsList(agents=facts, default=agents.agent_list.default)

    add_table_routes(routes, chats, desk.result_tables, desk.rows_behind)
    add_export_routes(routes, unbounded, desk)
    add_report_routes(routes, unbounded, desk)
    add_shared_view_routes(routes, desk)
    add_watch_routes(routes, desk)
    add_chart_routes(routes, files, desk.chart_changes)
    add_source_routes(routes, desk.sources, desk.source_files, private)
    add_mcp_server_routes(routes, desk.mcp_servers, private)
    add_mcp_app_routes(routes, desk.mcp_apps)
    add_model_routes(routes, desk.models, agents, private)
    add_exam_routes(routes, desk.exams, desk.models.from_page and private)
    add_saved_test_routes(routes, desk, desk.models.from_page and private)
    add_file_routes(routes, desk.file_changes, agents)
    add_composer_routes(routes, agents, chats, files)
    add_ask_routes(routes, runs, desk.policies)
    add_trace_routes(routes, desk.traces)
    add_project_routes(routes, desk.conversations, desk.agents.agent_list)
    add_conversation_routes(routes, desk.conversations, desk.settings.keep_alive_seconds)
    add_tus_routes(unbounded, desk.resumable_uploads, readings, files)
    add_closure_routes(routes, desk.buildings, desk.closures)
    add_building_routes(routes, unbounded, files, desk.buildings, desk.plans)
    add_export_route(routes, files, desk.buildings)
    add_layer_routes(routes, unbounded, chats, desk.layers)
    add_audit_routes(routes, desk.audit, private)
    routes.routes.extend(unbounded.routes)
    return routes


class RestWire(Wire):
    """Wire of the HTTP API under /api."""

    name = "rest"
    _sweeping: asyncio.Task[None] | None = None

    @cached_property
    def _readings(self) -> UploadReadings:
        return UploadReadings(self.desk.resumable_uploads, self.desk.uploads)

    async def open(self) -> None:
        self._sweeping = asyncio.create_task(self._readings.watch())

    async def close(self) -> None:
        if self._sweeping is not None:
            self._sweeping.cancel()

    def routes(self) -> Sequence[BaseRoute]:
        routes = router(self.desk, self._readings).routes
        note_downloads(self.desk.audit, routes, DOWNLOADS)
        for route in routes:
            # Only JSON responses: streams and files have their own response class.
            if isinstance(route, APIRoute) and isinstance(route.response_class, DefaultPlaceholder):
                route.app = GZipMiddleware(
                    route.app, COMPRESSED_FROM, compresslevel=5, exclude_content_types=UNCOMPRESSED
                )
        return routes
