"""Bodies of requests are read up to a limit, and refused in the usual form beyond it: nobody fills the memory."""

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute
from starlette.types import Message

from backend.errors import BadInput


def bounded_route(limit: int) -> type[APIRoute]:
    """A class of routes whose requests may have a body of `limit` bytes; BadInput("too_large") for a longer one."""

    class BoundedRoute(APIRoute):
        def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
            handler = super().get_route_handler()

            async def bounded(request: Request) -> Response:
                body = await _read(request, limit)

                async def receive() -> Message:
                    return {"type": "http.request", "body": body, "more_body": False}

                return await handler(Request(request.scope, receive))

            return bounded

    return BoundedRoute


async def _read(request: Request, limit: int) -> bytes:
    chunks: list[bytes] = []
    size = 0
    async for chunk in request.stream():
        size += len(chunk)
        if size > limit:
            raise BadInput("The request is too long.", f"Expected at most {limit} bytes.", code="too_large")
        chunks.append(chunk)
    return b"".join(chunks)
