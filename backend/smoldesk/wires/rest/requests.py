"""Uploaded forms, limited while they arrive: a chat's file, and a building with its images."""

from collections.abc import AsyncIterator, Callable, Coroutine
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import Any

from fastapi import Response
from fastapi.routing import APIRoute
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.requests import Request
from starlette.types import Message, Receive

from smoldesk.buildings.importers.plans import MAX_IMAGES
from smoldesk.chats import Files, Place, StoredFile, Uploads, full_disk_errors
from smoldesk.errors import BadInput
from smoldesk.folders import checked_name
from smoldesk.wires.bodies import read_bounded

# Bytes of a multipart body besides the file: boundaries, headers and small fields.
FORM_OVERHEAD = 64_000

EXPECTED = "Expected multipart/form-data with one field, `file`."
EXPECTED_BUILDING = "Expected multipart/form-data: one `file`, any number of `image`, and optionally `name`."


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


# Limits of a building import: its file, each image, and the complete form.
FILE_BYTES = 20_000_000

IMAGE_BYTES = 20_000_000

FORM_BYTES = 60_000_000

LONGEST_NAME = 200


@dataclass
class BuildingUpload:
    """Stored files of one building import; `discard` deletes those that are not kept."""

    files: Files
    name: str = ""
    file_id: str = ""
    file_name: str = ""
    images: dict[str, tuple[str, int]] = field(default_factory=dict[str, tuple[str, int]])
    """Id and size in bytes, by name."""

    def discard(self, excluded: frozenset[str] = frozenset()) -> None:
        """Delete the stored files, except images with these names."""
        if self.file_id:
            self.files.discard(self.file_id)
        for name, (file_id, _) in self.images.items():
            if name not in excluded:
                self.files.discard(file_id)


async def receive_building(files: Files, request: Request) -> BuildingUpload:
    """Store the files of a building form. Raises BadInput without storing anything."""
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise BadInput("The request is not a form.", EXPECTED_BUILDING, code="not_a_form")
    announced = request.headers.get("content-length", "")
    if announced.isdigit() and int(announced[:20]) > FORM_BYTES + FORM_OVERHEAD:
        raise BadInput(
            f"The form has {announced[:20]} bytes.", f"At most {FORM_BYTES} are accepted.", code="too_large"
        )
    limited = Request(request.scope, bounded(request.receive, FORM_BYTES + FORM_OVERHEAD, FORM_BYTES))
    try:
        form = await limited.form(max_files=MAX_IMAGES + 1, max_fields=8)
    except (MultiPartException, HTTPException) as fault:
        detail = "" if isinstance(fault, HTTPException) else f" ({fault.message})"
        raise BadInput(f"The form cannot be read{detail}.", EXPECTED_BUILDING, code="not_a_form") from fault
    upload = BuildingUpload(files)
    async with closing(form):
        try:
            await _take(upload, form)
        # Cancellation too: a client that disconnects must not leave stored files.
        except BaseException:
            upload.discard()
            raise
    return upload


async def _take(upload: BuildingUpload, form: FormData) -> None:
    for name, value in form.multi_items():
        if name == "file" and isinstance(value, UploadFile) and not upload.file_id:
            upload.file_name = value.filename or ""
            upload.file_id, _ = await upload.files.receive(chunks(value), FILE_BYTES)
        elif name == "image" and isinstance(value, UploadFile):
            image = checked_name(value.filename or "")
            if image in upload.images:
                raise BadInput(f"Two images have the name {image[:80]!r}.", "Give each image its own name.")
            upload.images[image] = await upload.files.receive(chunks(value), IMAGE_BYTES)
        elif name == "name" and isinstance(value, str):
            if len(value) > LONGEST_NAME:
                raise BadInput(
                    f"The name has {len(value):,} characters.", f"At most {LONGEST_NAME} are accepted."
                )
            upload.name = value.strip()
        else:
            raise BadInput(
                f"The form has an unexpected field {name[:40]!r}.", EXPECTED_BUILDING, code="not_a_form"
            )
    if not upload.file_id:
        raise BadInput("The form has no file.", EXPECTED_BUILDING, code="missing_field")


def fallback_name(file_name: str) -> str:
    """Return the default name of a building: its file name without the suffix."""
    stem = PurePosixPath(file_name.replace("\\", "/")).stem
    return stem[:LONGEST_NAME].strip() or "Building"


def bounded_route(limit: int) -> type[APIRoute]:
    """Return a route class that limits request bodies to `limit` bytes. Longer ones raise BadInput("too_large")."""

    class BoundedRoute(APIRoute):
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
