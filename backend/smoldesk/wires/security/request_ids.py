"""An id for every request and socket: the client's own X-Request-ID where it is sane, else one made here.

It stands in the response, and on each line of the log that is written while the request is worked on.
"""

import logging
import re
import secrets

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from smoldesk.logs import request_id, say
from smoldesk.wires.security.tokens import values

HEADER = b"x-request-id"
_SANE = re.compile(r"[A-Za-z0-9._:-]{1,64}")
_STARTS = ("http.response.start", "websocket.accept", "websocket.http.response.start")

log = logging.getLogger(__name__)


class RequestIds:
    """ASGI middleware, around the doors: a refusal has an id, too."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        mine = _given(scope) or secrets.token_hex(8)
        held = request_id.set(mine)
        status: int | None = None

        async def named(message: Message) -> None:
            nonlocal status
            if message["type"] in _STARTS:
                status = message.get("status", 101)
                headers = [(key, value) for key, value in message.get("headers", []) if key.lower() != HEADER]
                message = {**message, "headers": [*headers, (HEADER, mine.encode())]}
            await send(message)

        try:
            await self.app(scope, receive, named)
        finally:
            say(log, "request", logging.DEBUG, method=scope.get("method", "WEBSOCKET"), status=status)
            request_id.reset(held)


def _given(scope: Scope) -> str | None:
    given = values(scope, HEADER)
    return given[0] if len(given) == 1 and _SANE.fullmatch(given[0]) else None
