"""HTTP routes of export and import: a chat as a file, and a log as a chat."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any, BinaryIO

from fastapi import APIRouter, Query, Request
from fastapi.responses import StreamingResponse

from smoldesk.chats import full_disk_errors
from smoldesk.desk import Desk
from smoldesk.export.exports import MEDIA_TYPES, Format, file_name
from smoldesk.wires.rest.chat_models import ImportedChat
from smoldesk.wires.rest.models import refusals
from smoldesk.wires.security import served_file_headers

# Bytes per piece of a response.
PIECE = 1 << 18
LOG: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "application/octet-stream": {"schema": {"type": "string", "format": "binary", "minLength": 1}}
        },
    }
}


def add_export_routes(routes: APIRouter, unbounded: APIRouter, desk: Desk) -> None:
    """Add the routes of this module to the routers of /api; those of `unbounded` limit their bodies themselves."""

    @routes.get(
        "/chats/{chat_id}/export",
        response_class=StreamingResponse,
        responses=refusals(404)
        | {
            200: {"description": "The chat as a file", "content": {kind: {} for kind in MEDIA_TYPES.values()}}
        },
    )
    async def export(
        chat_id: str,
        format_: Annotated[Format, Query(alias="format")] = "jsonl",
        verify: bool = False,
    ) -> StreamingResponse:
        """Export a chat up to its last committed event. With `verify`, a notebook's cells run again and show the outcome."""
        title = (await desk.chats.get(chat_id)).title
        file = await asyncio.to_thread(
            write_unlinked, desk, lambda path: desk.exports.write(chat_id, format_, path, verify)
        )
        return document_response(file, title, format_)

    @unbounded.post("/imports", status_code=201, openapi_extra=LOG)
    async def import_log(request: Request, partial: bool = False) -> ImportedChat:
        """Import a log from the request body. With `partial`, a truncated log is imported up to its end."""
        with full_disk_errors():
            file_id, _ = await desk.files.receive(request.stream(), desk.uploads.limit)
        try:
            done = await desk.imports.read(desk.files.path(file_id), partial)
        finally:
            await asyncio.to_thread(desk.files.discard, file_id)
        return ImportedChat.model_validate(done, from_attributes=True)


def document_response(file: BinaryIO, title: str, format_: Format) -> StreamingResponse:
    """Return a file response with a name made from the chat's title."""
    media_type = MEDIA_TYPES[format_]
    headers = served_file_headers(file_name(title, format_), media_type)
    headers["Content-Length"] = str(file.seek(0, 2))
    return StreamingResponse(_read(file), media_type=media_type, headers=headers)


def write_unlinked(desk: Desk, write: Callable[[Path], None]) -> BinaryIO:
    """Return the open file that `write` wrote. It is unlinked, so the disk space is freed when it is closed."""
    path = desk.exports.scratch / f"export-{secrets.token_hex(8)}"
    try:
        write(path)
        return path.open("rb")
    finally:
        Path(path).unlink(missing_ok=True)


async def _read(file: BinaryIO) -> AsyncIterator[bytes]:
    with file:
        file.seek(0)
        while piece := await asyncio.to_thread(partial(file.read, PIECE)):
            yield piece
