"""Forms that are uploaded, counted while they arrive: a chat's file, a building with its images. JSON is read by models.py."""

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

from smoldesk.buildings.importers.plans import MOST_IMAGES
from smoldesk.chats import Files, Place, StoredFile, Uploads, full_disk_errors
from smoldesk.errors import BadInput
from smoldesk.folders import checked_name
from smoldesk.wires.bodies import read_bounded

# Bytes of a multipart body that are not the file: boundaries, headers, small fields.
FORM_OVERHEAD = 64_000

EXPECTED = "Expected multipart/form-data with one field, `file`, that holds the file."
EXPECTED_BUILDING = "Expected multipart/form-data: one `file`, any number of `image`, and `name` if you like."


# A place in the list of chats, as the `next` of a page tells it: a time, and the id of a chat.
PLACE = r"^[0-9]{1,12}(\.[0-9]{1,9})?_[!-~]{1,200}$"


def read_place(before: str | None) -> Place | None:
    """The place that a text of the form PLACE tells."""
    if before is None:
        return None
    at, _, chat_id = before.partition("_")
    return float(at), chat_id


async def keep_upload(files: Files, uploads: Uploads, chat_id: str, request: Request) -> StoredFile:
    """Store the upload of a request and place it in the chat's folder; raises BadInput, then nothing is kept."""
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise BadInput("This is not a form.", EXPECTED, code="not_a_form")
    limit = uploads.limit
    limited = Request(request.scope, bounded(request.receive, limit + FORM_OVERHEAD, limit))
    try:
        form = await limited.form(max_files=1, max_fields=8)
    except (MultiPartException, HTTPException) as fault:  # which of them depends on whether an app is around
        raise BadInput("The form cannot be read.", EXPECTED, code="not_a_form") from fault
    async with closing(form):
        upload = form.get("file")
        if not isinstance(upload, UploadFile):
            raise BadInput("There is no file in the form.", EXPECTED, code="missing_field")
        if len(form.multi_items()) > 1:
            raise BadInput("There is more than one field in the form.", EXPECTED, code="not_a_form")
        name = checked_name(upload.filename or "")
        with full_disk_errors():
            file_id, size = await files.receive(chunks(upload), limit)
    with full_disk_errors():
        return await uploads.place(chat_id, name, file_id, size)


def announced_size(request: Request) -> int:
    """At least how many bytes a form's file has, by the length of the form; 0 when that is not told."""
    length = request.headers.get("content-length", "")
    return max(0, int(length[:15]) - FORM_OVERHEAD) if length.isdigit() else 0


async def chunks(upload: UploadFile) -> AsyncIterator[bytes]:
    """The bytes of one part of a form, a megabyte at a time."""
    while chunk := await upload.read(1 << 20):
        yield chunk


def bounded(receive: Receive, most: int, limit: int) -> Receive:
    """`receive` that raises BadInput once `most` bytes have come; `limit` is what people are told."""
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
    """Closes a form's temporary files, however the block ends."""

    def __init__(self, form: FormData) -> None:
        self._form = form

    async def __aenter__(self) -> None: ...

    async def __aexit__(self, *_: object) -> None:
        await self._form.close()


FILE_BYTES = 20_000_000

IMAGE_BYTES = 20_000_000

FORM_BYTES = 60_000_000

LONGEST_NAME = 200


@dataclass
class BuildingUpload:
    """Stored bytes of one import: `file_id`, and each image's id by its name. `discard` what is not kept."""

    files: Files
    name: str = ""
    file_id: str = ""
    file_name: str = ""
    images: dict[str, tuple[str, int]] = field(default_factory=dict[str, tuple[str, int]])
    """Name -> (id, bytes)."""

    def discard(self, excluded: frozenset[str] = frozenset()) -> None:
        """Take back everything but the images of these names."""
        if self.file_id:
            self.files.discard(self.file_id)
        for name, (file_id, _) in self.images.items():
            if name not in excluded:
                self.files.discard(file_id)


async def receive_building(files: Files, request: Request) -> BuildingUpload:
    """Store the parts of a request; raises BadInput, then nothing is kept."""
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise BadInput("This is not a form.", EXPECTED_BUILDING, code="not_a_form")
    announced = request.headers.get("content-length", "")
    if announced.isdigit() and int(announced[:20]) > FORM_BYTES + FORM_OVERHEAD:
        raise BadInput(
            f"The form has {announced[:20]} bytes.", f"At most {FORM_BYTES} are taken.", code="too_large"
        )
    limited = Request(request.scope, bounded(request.receive, FORM_BYTES + FORM_OVERHEAD, FORM_BYTES))
    try:
        form = await limited.form(max_files=MOST_IMAGES + 1, max_fields=8)
    except (MultiPartException, HTTPException) as fault:
        detail = "" if isinstance(fault, HTTPException) else f" ({fault.message})"
        raise BadInput(f"The form cannot be read{detail}.", EXPECTED_BUILDING, code="not_a_form") from fault
    upload = BuildingUpload(files)
    async with closing(form):
        try:
            await _take(upload, form)
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
                raise BadInput(f"Two images are called {image[:80]!r}.", "Give each its own name.")
            upload.images[image] = await upload.files.receive(chunks(value), IMAGE_BYTES)
        elif name == "name" and isinstance(value, str):
            if len(value) > LONGEST_NAME:
                raise BadInput(
                    f"The name has {len(value):,} characters.", f"At most {LONGEST_NAME} are taken."
                )
            upload.name = value.strip()
        else:
            raise BadInput(f"There is a field {name[:40]!r} too many.", EXPECTED_BUILDING, code="not_a_form")
    if not upload.file_id:
        raise BadInput("There is no file in the form.", EXPECTED_BUILDING, code="missing_field")


def fallback_name(file_name: str) -> str:
    """What a building is called that nobody named: as its file, without the ending."""
    stem = PurePosixPath(file_name.replace("\\", "/")).stem
    return stem[:LONGEST_NAME].strip() or "Building"


def bounded_route(limit: int) -> type[APIRoute]:
    """A class of routes whose requests may have a body of `limit` bytes; BadInput("too_large") for a longer one."""

    class BoundedRoute(APIRoute):
        def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
            handler = super().get_route_handler()

            async def bounded(request: Request) -> Response:
                body: bytes | None = await read_bounded(request, limit, _too_long)

                async def receive() -> Message:
                    """The body once; after it, that the client has gone, when it has."""
                    nonlocal body
                    content, body = body, None
                    if content is None:
                        return await request.receive()
                    return {"type": "http.request", "body": content, "more_body": False}

                return await handler(Request(request.scope, receive))

            return bounded

    return BoundedRoute


def _too_long(limit: int) -> BadInput:
    return BadInput("The request is too long.", f"Expected at most {limit} bytes.", code="too_large")
