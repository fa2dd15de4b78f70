"""Uploaded forms, limited while they arrive; building_uploads.py has those of buildings."""

from collections.abc import AsyncIterator, Callable, Coroutine
from typing import Any

from fastapi import Response
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.requests import Request
from starlette.types import Message, Receive

from smoldesk.chats import Files, Place, StoredFile, Uploads, full_disk_errors
from smoldesk.errors import BadInput
from smoldesk.folders import checked_name
from smoldesk.wires.bodies import read_bounded
from smoldesk.wires.late_routes import LateRoute

# Bytes of a multipart body besides the file: boundaries, headers and small fields.
FORM_OVERHEAD = 64_000

EXPECTED = "Expected multipart/form-data with one field, `file`."


# Position in the list of chats, the `next` of a page: a time and the id of a chat.
PLACE = r"^[0-9]{1,12}(\.[0-9]{1,9})?_[!-~]{1,200}$"


def read_place(before: str | None) -> Place | None:
    """Parse a position in the list of chats (see PLACE)."""
    if before is None:
        return None
    at, _, chat_id = before.partition("_")
    return float(at), chat_id


async def keep_upload(files: Files, uploads: Uploads, chat_id: str, request: Request) -> StoredFile:
    """Store the file of a form in the chat's folder. Raises BadInput without storing anything."""
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise BadInput("The request is not a form.", EXPECTED, code="not_a_form")
    limit = uploads.limit
    # Limited below the form parser, which writes files to disk while they arrive.
    limited = Request(request.scope, bounded(request.receive, limit + FORM_OVERHEAD, limit))
    try:
        form = await limited.form(max_files=1, max_fields=8)
    except (
        MultiPartException,
        HTTPException,
    ) as fault:  # Starlette raises HTTPException if the scope has an app, else the other
        raise BadInput("The form cannot be read.", EXPECTED, code="not_a_form") from fault
    async with closing(form):
        upload = form.get("file")
        if not isinstance(upload, UploadFile):
            raise BadInput("The form has no file.", EXPECTED, code="missing_field")
        if len(form.multi_items()) > 1:
            raise BadInput("The form has more than one field.", EXPECTED, code="not_a_form")
        name = checked_name(upload.filename or "")
        with full_disk_errors():
            file_id, size = await files.receive(chunks(upload), limit)
    with full_disk_errors():
        return await uploads.place(chat_id, name, file_id, size)


def announced_size(request: Request) -> int:
    """Return the smallest size in bytes that a form's file can have, from Content-Length; 0 without that header."""
    length = request.headers.get("content-length", "")
    return max(0, int(length[:15]) - FORM_OVERHEAD) if length.isdigit() else 0


async def chunks(upload: UploadFile) -> AsyncIterator[bytes]:
    """Yield the bytes of a form's file, a megabyte at a time."""
    while chunk := await upload.read(1 << 20):
        yield chunk


def bounded(receive: Receive, most: int, limit: int) -> Receive:
    """Return a `receive` that raises BadInput after `most` bytes; `limit` is the number in the error text."""
    received = 0

    async def counted() -> Message:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        if received > most:
            raise BadInput(
                f"The file is larger than {limit} bytes.", "Upload a smaller file.", code="too_large"
            )
        return message

    return counted


class closing:
    """Context manager that closes a form's temporary files."""

    def __init__(self, form: FormData) -> None:
        self._form = form

    async def __aenter__(self) -> None: ...

    async def __aexit__(self, *_: object) -> None:
        await self._form.close()


def bounded_route(limit: int) -> type[LateRoute]:
    """Return a route class that limits request bodies to `limit` bytes. Longer ones raise BadInput("too_large")."""

    class BoundedRoute(LateRoute):
        def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
            handler = super().get_route_handler()

            async def bounded(request: Request) -> Response:
                # FastAPI itself reads bodies without a limit.
                body: bytes | None = await read_bounded(request, limit, _too_long)

                async def receive() -> Message:
                    """Return the body once, then wait for the disconnect."""
                    nonlocal body
                    content, body = body, None
                    if content is None:
                        # Starlette waits here to notice a disconnect.
                        return await request.receive()
                    return {"type": "http.request", "body": content, "more_body": False}

                return await handler(Request(request.scope, receive))

            return bounded

    return BoundedRoute


def _too_long(limit: int) -> BadInput:
    return BadInput("The request is too long.", f"Expected at most {limit} bytes.", code="too_large")
