"""Taking in an uploaded file: multipart field `file`, counted while it arrives, put into the chat's folder by name."""

from collections.abc import AsyncIterator

from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.requests import Request
from starlette.types import Message, Receive

from smoldesk.chats import Files, StoredFile, Uploads
from smoldesk.errors import BadInput
from smoldesk.folders import checked_name

FORM_OVERHEAD = 64_000
"""Bytes of a multipart body that are not the file: boundaries, headers, small fields."""
EXPECTED = "Expected multipart/form-data with one field, `file`, that holds the file."


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
        file_id, size = await files.receive(chunks(upload), limit)
    return await uploads.place(chat_id, name, file_id, size)


async def chunks(upload: UploadFile) -> AsyncIterator[bytes]:
    """The bytes of one part of a form, a megabyte at a time."""
    while chunk := await upload.read(1 << 20):
        yield chunk


def bounded(receive: Receive, most: int, limit: int) -> Receive:
    """`receive` that raises BadInput once `most` bytes have come; `limit` is what people are told."""
    taken = 0

    async def counted() -> Message:
        nonlocal taken
        message = await receive()
        taken += len(message.get("body", b""))
        if taken > most:
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
