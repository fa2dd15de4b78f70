"""Bodies of requests are read up to a limit, and refused in the usual form beyond it: nobody fills the memory."""

from collections.abc import Callable, Coroutine
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute
from starlette.types import Message

from smoldesk.errors import BadInput
from smoldesk.wires.bodies import read_bounded


def bounded_route(limit: int) -> type[APIRoute]:
    """A class of routes whose requests may have a body of `limit` bytes; BadInput("too_large") for a longer one."""

    class BoundedRoute(APIRoute):
        def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
            handler = super().get_route_handler()

            async def bounded(request: Request) -> Response:
                body = await read_bounded(request, limit, _too_long)

                async def receive() -> Message:
                    return {"type": "http.request", "body": body, "more_body": False}

                return await handler(Request(request.scope, receive))

            return bounded

    return BoundedRoute


def _too_long(limit: int) -> BadInput:
    return BadInput("The request is too long.", f"Expected at most {limit} bytes.", code="too_large")
