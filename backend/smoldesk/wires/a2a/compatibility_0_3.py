"""Adapter around the SDK's routes: limits of a body, and the media types of requests and answers.

Pure ASGI, so that responses are not buffered. Bodies are read here, complete and limited, before the SDK reads them.
"""

import asyncio
import json
import re
from typing import Any, cast

from a2a.server.request_handlers.response_helpers import build_error_response
from a2a.utils.error_handlers import build_rest_error_payload
from a2a.utils.errors import A2AError, ContentTypeNotSupportedError, InvalidRequestError
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from smoldesk.logs import log_refusal

# Maximum bytes of a message with its files.
BODY_LIMIT = 16 * 1024 * 1024
# Seconds without a byte after which a body is given up.
STALL_SECONDS = 30.0
# Maximum values in a body: the SDK visits each, on the event loop.
MAX_VALUES = 20_000
DEEPEST = 100
# Escapes of surrogates, most of them in pairs.
HALF = re.compile(rb"\\u[dD][89a-fA-F]")
OURS = "application/a2a+json"
JSON_TYPES = ("application/json", OURS)


class Shim:
    """Stands before the routes of one binding."""

    def __init__(self, app: ASGIApp, is_rpc: bool) -> None:
        """`is_rpc`: errors have the form of JSON-RPC; else that of HTTP+JSON."""
        self._app = app
        self._is_rpc = is_rpc

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        headers = request.headers
        if request.method == "POST":
            try:
                body = await bounded(request)
            except ClientDisconnect:
                return  # the client is gone
            except TimeoutError:
                await self._stalled()(scope, receive, send)
                return
            refusal = self._wrong_type(headers, body) if body is not None else self._too_large()
            if refusal is None and not self._is_rpc and not _is_text(body or b""):
                refusal = self._refused(400, InvalidRequestError("The body is not UTF-8."))
            if refusal is None and body and await asyncio.to_thread(is_too_much, body):
                refusal = self._refused(
                    413, InvalidRequestError(f"The body has more than {MAX_VALUES} values.")
                )
            if refusal is None and body and HALF.search(body):
                refusal = await asyncio.to_thread(self._half_character, body)
            if refusal is not None:
                await refusal(scope, receive, send)
                return
            receive = _replayed(body or b"", receive)
        wants_ours = OURS in headers.get("accept", "")
        await self._app(scope, receive, send if wants_ours else _as_json(send))

    def _wrong_type(self, headers: Headers, body: bytes) -> Response | None:
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind in JSON_TYPES or (not body and not kind):
            return None
        fault = ContentTypeNotSupportedError(f"Expected application/json, not {kind[:80]!r}.")
        return self._refused(200 if self._is_rpc else 415, fault)

    def _half_character(self, body: bytes) -> Response | None:
        """Refuse a lone surrogate, also in a request's id: no response could contain it."""
        try:
            content = json.loads(body)
        except (ValueError, RecursionError):
            return None  # the SDK reports it
        try:
            json.dumps(content, ensure_ascii=False).encode()
        except UnicodeEncodeError:
            fault = InvalidRequestError("A text holds half of a surrogate pair: expected Unicode characters.")
            return self._refused(200 if self._is_rpc else 400, fault)
        return None

    def _too_large(self) -> Response:
        return self._refused(413, InvalidRequestError(f"The body is too large. At most {BODY_LIMIT} bytes."))

    def _stalled(self) -> Response:
        fault = InvalidRequestError(f"Nothing of the body came for {STALL_SECONDS:g} s.")
        answer = self._refused(408, fault)
        answer.headers["connection"] = "close"  # else the server would wait for the rest
        return answer

    def _refused(self, status: int, fault: A2AError) -> Response:
        log_refusal("a2a_body", status=status)
        if self._is_rpc:
            return JSONResponse(build_error_response(None, fault), status_code=status)
        payload = build_rest_error_payload(fault)
        payload["error"]["code"] = status
        return JSONResponse(payload, status_code=status)


def _is_text(body: bytes) -> bool:
    try:
        body.decode()
    except UnicodeDecodeError:
        return False
    return True


def is_too_much(body: bytes) -> bool:
    """Return whether a body has too many values, or nests them too deep. Takes time in proportion to its length."""
    if sum(body.count(mark) for mark in (b",", b"[", b"{")) < MAX_VALUES and not _may_be_deep(body):
        return False
    try:
        level: list[Any] = [json.loads(body)]
    except RecursionError:
        return True
    except ValueError:
        return False  # which the SDK says in words
    count = 0
    for _ in range(DEEPEST):
        count += len(level)
        if not level or count > MAX_VALUES:
            return count > MAX_VALUES
        level = [inner for item in level for inner in _inside(item)]
    return True


def _may_be_deep(body: bytes) -> bool:
    return body.count(b"[") + body.count(b"{") > DEEPEST


def _inside(item: object) -> list[Any]:
    if isinstance(item, dict):
        return list(cast("dict[str, Any]", item).values())
    return cast("list[Any]", item) if isinstance(item, list) else []


async def bounded(request: Request) -> bytes | None:
    """Return the body, or None if it is too large. Raises TimeoutError if it stalls, ClientDisconnect."""
    pieces: list[bytes] = []
    size = 0
    chunks = request.stream()
    while True:
        async with asyncio.timeout(STALL_SECONDS):
            piece = await anext(chunks, None)
        if piece is None:
            break
        size += len(piece)
        if size > BODY_LIMIT:
            return None
        pieces.append(piece)
    return b"".join(pieces)


def _replayed(body: bytes, receive: Receive) -> Receive:
    """Return a `receive` that repeats the body, then continues with the real one."""
    is_given = False

    async def again() -> Message:
        nonlocal is_given
        if is_given:
            return await receive()
        is_given = True
        return {"type": "http.request", "body": body, "more_body": False}

    return again


def _as_json(send: Send) -> Send:
    """Return a `send` that replaces the SDK's media type by application/json, which every client knows."""

    async def renamed(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = [
                (
                    key,
                    b"application/json"
                    if key == b"content-type" and value.startswith(OURS.encode())
                    else value,
                )
                for key, value in message.get("headers", [])
            ]
            message = {**message, "headers": headers}
        await send(message)

    return renamed
