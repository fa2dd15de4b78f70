"""Middleware of a read-only desk: only requests that read data pass."""

import re

from starlette.types import ASGIApp, Receive, Scope, Send

from smoldesk.wires.security.refusals import Refusal, refuse

READ_METHODS = frozenset(("GET", "HEAD"))
# POST requests that only read: rows of a table, and frames for views.
QUERIES = re.compile(r"/api/chats/[^/]+/(tables/[^/]+/rows|apps/[^/]+/frames)")
READ_ONLY = Refusal(
    *(403, 403, "read_only", "This desk replays a log and accepts no messages or changes."),
    "Import the log into a desk (smoldesk import) to continue the chat.",
)


class ReadOnly:
    """ASGI middleware, inside of SecurityMiddleware."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_http = scope["type"] == "http"
        asks = is_http and scope["method"] == "POST" and QUERIES.fullmatch(scope["path"])
        if scope["type"] == "lifespan" or asks or (is_http and scope["method"] in READ_METHODS):
            await self.app(scope, receive, send)
        else:
            await refuse(scope, send, READ_ONLY)
