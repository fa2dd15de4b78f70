"""Resumable uploads with tus 1.0.0: core, creation, termination, checksum and expiration.

GET on an upload's address returns its progress and result. Errors have the form of /api, with the statuses and headers of
tus.
"""

import base64
import binascii
import re
from collections.abc import Callable, Coroutine
from email.utils import formatdate
from typing import Any

from fastapi import APIRouter, Request, Response
from fastapi.responses import StreamingResponse
from starlette.requests import ClientDisconnect

from smoldesk.chats import (
    CHECKSUMS,
    EXPIRES_SECONDS,
    Checksum,
    Files,
    PartialFile,
    ResumableUploads,
)
from smoldesk.errors import BadInput, DeskError
from smoldesk.wires.http_errors import error, refusal
from smoldesk.wires.late_routes import LateRoute
from smoldesk.wires.rest.encoder import upload_info
from smoldesk.wires.rest.upload_progress import LINES, UploadReadings, progress, ready

VERSION = "1.0.0"
PIECE = "application/offset+octet-stream"
EXTENSIONS = "creation,termination,checksum,expiration"
OVERRIDE = "x-http-method-override"
_DIGITS = re.compile(r"[0-9]{1,15}")


class TusRoute(LateRoute):
    """Route that requires tus 1.0.0 of requests and adds its header to all responses."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handler = super().get_route_handler()

        async def speak(request: Request) -> Response:
            # tus: OPTIONS must not need the header, as clients learn the version from it. GET is ours.
            if request.method not in ("OPTIONS", "GET") and request.headers.get("tus-resumable") != VERSION:
                response = error(
                    412,
                    "tus_version",
                    f"The server supports tus {VERSION} only.",
                    f"Send Tus-Resumable: {VERSION}.",
                )
                response.headers["Tus-Version"] = VERSION
            else:
                try:
                    response = await handler(request)
                except DeskError as fault:
                    response = refusal(fault)
                except ClientDisconnect:
                    response = Response(
                        status_code=400
                    )  # the client has disconnected; the received bytes are kept
            response.headers["Tus-Resumable"] = VERSION
            return response

        return speak


def add_tus_routes(
    routes: APIRouter, resumable: ResumableUploads, readings: UploadReadings, files: Files
) -> None:
    """Add the routes of this module to a router of /api without a body limit."""

    async def begin(chat_id: str, request: Request) -> Response:
        """Create an upload with the length and name of its file."""
        length = _number(request, "upload-length")
        name = read_metadata(request.headers.get("upload-metadata", "")).get("filename", "")
        part = await resumable.begin(chat_id, name, length)
        headers = {"Location": f"/api/chats/{chat_id}/uploads/{part.id}", **_expiry(part)}
        return Response(status_code=201, headers=headers)

    async def options() -> Response:
        headers = {
            "Tus-Version": VERSION,
            "Tus-Extension": EXTENSIONS,
            "Tus-Max-Size": str(resumable.limit),
            "Tus-Checksum-Algorithm": ",".join(CHECKSUMS),
        }
        return Response(status_code=204, headers=headers)

    async def head(chat_id: str, upload_id: str) -> Response:
        part = await resumable.find(chat_id, upload_id)
        name = base64.b64encode(part.name.encode()).decode()
        length = {"Upload-Length": str(part.length), "Upload-Metadata": f"filename {name}"}
        return Response(headers=_offset(part) | length | {"Cache-Control": "no-store"})

    async def patch(chat_id: str, upload_id: str, request: Request) -> Response:
        if request.headers.get("content-type") != PIECE:
            return error(
                415, "not_a_piece", "The body is not a piece of an upload.", f"Send Content-Type: {PIECE}."
            )
        announced = _number(request, "content-length") if "content-length" in request.headers else None
        checksum = read_checksum(request.headers.get("upload-checksum"))
        offset = _number(request, "upload-offset")
        part, placed = await resumable.write(
            chat_id, upload_id, offset, request.stream(), announced, checksum
        )
        if placed is not None:
            readings.begin(part, placed)  # before other requests can see the complete upload
        return Response(status_code=204, headers=_offset(part))

    async def cancel(chat_id: str, upload_id: str) -> Response:
        await resumable.cancel(chat_id, upload_id)
        return Response(status_code=204)

    async def overridden(chat_id: str, upload_id: str, request: Request) -> Response:
        """Handle PATCH, DELETE and HEAD of clients that can only send POST."""
        match request.headers.get(OVERRIDE, "").upper():
            case "PATCH":
                return await patch(chat_id, upload_id, request)
            case "DELETE":
                return await cancel(chat_id, upload_id)
            case "HEAD":
                return await head(chat_id, upload_id)
            case _:
                methods = "X-HTTP-Method-Override: PATCH, DELETE or HEAD"
                return error(
                    405, "method_not_allowed", "POST needs a method override.", f"Expected {methods}."
                )

    async def show(chat_id: str, upload_id: str) -> Response:
        """Return the progress of an upload; for a complete one, the same lines as for an upload in one request."""
        upload = readings.of(upload_id)
        part = await resumable.find(chat_id, upload_id)
        if upload is not None:
            return StreamingResponse(upload.lines(), media_type=LINES)
        if not part.file_id:
            return Response(progress(part.offset, part.length), media_type=LINES)
        file, _ = await files.find(chat_id, part.name, part.file_id)
        return Response(ready(upload_info(file, None)), media_type=LINES)

    upload_path = "/chats/{chat_id}/uploads/{upload_id}"
    for path, method, endpoint in (
        ("/chats/{chat_id}/uploads", "POST", begin),
        ("/chats/{chat_id}/uploads", "OPTIONS", options),
        (upload_path, "OPTIONS", options),
        (upload_path, "HEAD", head),
        (upload_path, "PATCH", patch),
        (upload_path, "DELETE", cancel),
        (upload_path, "POST", overridden),
        (upload_path, "GET", show),
    ):
        routes.add_api_route(
            path,
            endpoint,
            methods=[method],
            route_class_override=TusRoute,
            include_in_schema=False,
            response_model=None,
        )


def read_metadata(text: str) -> dict[str, str]:
    """Parse Upload-Metadata: comma-separated keys with base64 values. Raises BadInput."""
    metadata: dict[str, str] = {}
    for pair in text.split(",") if text.strip() else ():
        key, _, value = pair.strip().partition(" ")
        try:
            metadata[key] = base64.b64decode(value.strip(), validate=True).decode()
        except (ValueError, binascii.Error) as fault:
            raise BadInput(
                "Upload-Metadata is invalid.", "Expected `filename` and base64 of its UTF-8."
            ) from fault
    return metadata


def read_checksum(text: str | None) -> Checksum | None:
    """Parse Upload-Checksum: an algorithm and a base64 digest. Raises BadInput."""
    if text is None:
        return None
    algorithm, _, digest = text.strip().partition(" ")
    try:
        if algorithm in CHECKSUMS:
            return Checksum(algorithm, base64.b64decode(digest.strip(), validate=True))
    except (ValueError, binascii.Error):
        pass
    raise BadInput(
        "Upload-Checksum is invalid.", f"Expected one of {', '.join(CHECKSUMS)} and a digest in base64."
    )


def _number(request: Request, header: str) -> int:
    text = request.headers.get(header, "")
    if not _DIGITS.fullmatch(text):
        raise BadInput(f"{header.title()} is {text[:40]!r}.", "Expected a whole number of bytes.")
    return int(text)


def _offset(part: PartialFile) -> dict[str, str]:
    # A complete upload does not expire, so it has no Upload-Expires.
    return {"Upload-Offset": str(part.offset), **({} if part.file_id else _expiry(part))}


def _expiry(part: PartialFile) -> dict[str, str]:
    return {"Upload-Expires": formatdate(part.touched + EXPIRES_SECONDS, usegmt=True)}
