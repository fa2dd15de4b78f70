"""Taking in an uploaded file: multipart field `file`, counted while it arrives, put into the chat's folder by name."""

import asyncio
import threading
from collections.abc import AsyncIterator
from pathlib import Path

from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException
from starlette.formparsers import MultiPartException
from starlette.requests import Request
from starlette.types import Message, Receive

from backend.errors import BadInput
from backend.folders import checked_name, place
from backend.store.files import StoredFile, free_name, media_type_of, remove_tree
from backend.store.store import Store

FORM_OVERHEAD = 64_000
"""Bytes of a multipart body that are not the file: boundaries, headers, small fields."""
_placing = threading.Lock()
EXPECTED = "Expected multipart/form-data with one field, `file`, that holds the file."


async def keep_upload(store: Store, chat_id: str, request: Request, limit: int) -> StoredFile:
    """Store the upload of a request and place it in the chat's folder; raises BadInput, then nothing is kept."""
    if not request.headers.get("content-type", "").startswith("multipart/form-data"):
        raise BadInput("This is not a form.", EXPECTED, code="not_a_form")
    bounded = Request(request.scope, _bounded(request.receive, limit + FORM_OVERHEAD, limit))
    try:
        form = await bounded.form(max_files=1, max_fields=8)
    except (MultiPartException, HTTPException) as fault:  # which of them depends on whether an app is around
        raise BadInput("The form cannot be read.", EXPECTED, code="not_a_form") from fault
    async with _closing(form):
        upload = form.get("file")
        if not isinstance(upload, UploadFile):
            raise BadInput("There is no file in the form.", EXPECTED, code="missing_field")
        if len(form.multi_items()) > 1:
            raise BadInput("There is more than one field in the form.", EXPECTED, code="not_a_form")
        name = checked_name(upload.filename or "")
        file_id, size = await store.files.receive(_chunks(upload), limit)
    folder = store.data_dir.chat_folder(chat_id)
    try:
        name = await asyncio.to_thread(_place, folder, name, store.files.path(file_id))
    except BaseException:
        store.files.discard(file_id)
        raise
    return StoredFile(file_id, chat_id, "upload", name, size, media_type_of(name))


def discard(store: Store, file: StoredFile, chat_is_gone: bool) -> None:
    """Take back an upload that could not be told of; with its folder when the chat was deleted meanwhile."""
    store.files.discard(file.id)
    folder = store.data_dir.chats / file.chat_id
    if chat_is_gone:
        remove_tree(folder)
    else:
        (folder / file.name).unlink(missing_ok=True)


def _place(folder: Path, wanted: str, source: Path) -> str:
    with _placing:  # two uploads of one name at once each get their own
        name = free_name(folder, wanted)
        place(folder, name, source)
    return name


async def _chunks(upload: UploadFile) -> AsyncIterator[bytes]:
    while chunk := await upload.read(1 << 20):
        yield chunk


def _bounded(receive: Receive, most: int, limit: int) -> Receive:
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


class _closing:
    """Closes a form's temporary files, however the block ends."""

    def __init__(self, form: FormData) -> None:
        self._form = form

    async def __aenter__(self) -> None: ...

    async def __aexit__(self, *_: object) -> None:
        await self._form.close()
