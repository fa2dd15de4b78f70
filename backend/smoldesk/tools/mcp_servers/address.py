"""MCP over HTTP (streamable) by the SDK, with bounds on what comes, a token or headers of the entry, or OAuth."""

import os
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx2
from mcp.client.streamable_http import streamable_http_client
from pydantic import SecretStr

from smoldesk.logs import hide_from_now_on
from smoldesk.tools.mcp_servers.entries import ServerEntry
from smoldesk.tools.mcp_servers.failures import McpFailed
from smoldesk.tools.mcp_servers.stdio import MAX_BYTES

CONNECT_SECONDS = 15.0
# Maximum pause between two bytes of an open stream; the caller limits the whole call.
READ_SECONDS = 300.0


class _Bounded(httpx2.AsyncByteStream):
    """The body of one answer, of which no more than the most is read; its fault ends no session."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    async def __aiter__(self) -> AsyncIterator[bytes]:
        count = 0
        async for piece in self._inner:
            count += len(piece)
            if count > MAX_BYTES:
                raise httpx2.StreamError(
                    f"the result has more than {MAX_BYTES // 1024**2} MB and was not taken"
                )
            yield piece

    async def aclose(self) -> None:
        await self._inner.aclose()


class _Refused(_Bounded):
    """Compressed body that was not requested: a few bytes may unpack to more than the memory."""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        raise httpx2.StreamError(
            "the server's answer is compressed, which was not asked for, and was not taken"
        )
        yield b""


class _Transport(httpx2.AsyncHTTPTransport):
    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Streams of events that were asked for are the SDK's to bound, event by event; also what OAuth asks comes by here."""
        request.headers["Accept-Encoding"] = "identity"
        response = await super().handle_async_request(request)
        kind = response.headers.get("content-type", "").lower()
        if response.headers.get("content-encoding", "identity").lower() != "identity":
            response.stream = _Refused(response.stream)
        elif (
            response.status_code != 200
            or not kind.startswith("text/event-stream")
            or "text/event-stream" not in request.headers.get("accept", "")
        ):
            response.stream = _Bounded(response.stream)
        return response


@asynccontextmanager
async def streams_at(entry: ServerEntry, make_auth: Callable[[], Any] | None) -> AsyncGenerator[Any]:
    """Yield the SDK's message streams to an address. `make_auth` returns httpx2's Auth, for entries without a token."""
    headers = dict(entry.headers)
    if entry.token_env:
        token = os.environ.get(entry.token_env)
        if not token:
            raise McpFailed(f"The variable {entry.token_env} with its token is not set.")
        headers["Authorization"] = f"Bearer {token}"
        hide_from_now_on(SecretStr(token))
    has_own = any(name.lower() == "authorization" for name in headers)
    async with (
        httpx2.AsyncClient(
            headers=headers,
            auth=None if has_own or make_auth is None else make_auth(),
            timeout=httpx2.Timeout(CONNECT_SECONDS, read=READ_SECONDS),
            transport=_Transport(),
        ) as client,
        streamable_http_client(entry.url, http_client=client, max_sse_event_size=MAX_BYTES) as streams,
    ):
        yield streams
