"""An ASGI app that is built when it is first asked for, off the event loop: what it imports costs start-up nothing."""

import asyncio
from collections.abc import Callable

from starlette.types import ASGIApp, Receive, Scope, Send


class Lazy:
    """Serves what `build` makes; a build that failed is tried again by the next request."""

    def __init__(self, build: Callable[[], ASGIApp]) -> None:
        self._build = build
        self._app: ASGIApp | None = None
        self._turn = asyncio.Lock()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self._app is None:
            async with self._turn:
                if self._app is None:
                    self._app = await asyncio.to_thread(self._build)
        await self._app(scope, receive, send)
