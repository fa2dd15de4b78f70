"""A shared view alone: a page that shows one object of a chat, live, to who has the view's key.

The key comes in the address behind `#`, which browsers do not send, and then in a header: it is in no server's log. These
addresses need no session and no token; the key gives read access to this one object until it expires or is revoked.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing, suppress
from functools import cached_property

from fastapi import APIRouter, Request
from fastapi.responses import FileResponse, JSONResponse
from starlette.responses import Response
from starlette.routing import BaseRoute

from smoldesk.assets import FRONTEND
from smoldesk.export.html_page import page_style
from smoldesk.export.shared_views import SharedView, SharedViews, ViewContent
from smoldesk.wires.base import Wire
from smoldesk.wires.event_stream import events_of_chat
from smoldesk.wires.page_files import media_type
from smoldesk.wires.security import VIEW_PAGE

KEY_HEADER = "x-smoldesk-view"
# Seconds that a request waits for a change: the longest time for which a revoked view stays on a screen.
WAIT_SECONDS = 10.0
# Seconds between two readings of a chat that changes all the time, and readings at once: each reads the complete chat.
PAUSE_SECONDS, AT_ONCE = 0.3, 2
_FILES = ("view.js", "view.css")


class ViewReadings:
    """Contents of views: each is read once for all its viewers, and serves for at most WAIT_SECONDS."""

    def __init__(self, views: SharedViews) -> None:
        self._views = views
        self._tasks: dict[str, asyncio.Task[ViewContent]] = {}
        self._at_once = asyncio.Semaphore(AT_ONCE)

    async def read(self, view: SharedView, seq: int = 0) -> ViewContent:
        """Return what a view shows, with its chat's events up to `seq`."""
        while True:
            task = self._tasks.get(view.id) or self._start(view)
            # Shielded: a viewer that disconnects does not end the reading of the others.
            content = await asyncio.shield(task)
            if content.seq >= seq:
                return content
            self._forget(view.id, task)  # it began before the event was committed

    def _start(self, view: SharedView) -> asyncio.Task[ViewContent]:
        task = self._tasks[view.id] = asyncio.create_task(self._read(view))
        task.add_done_callback(lambda _: self._finished(view.id, task))
        return task

    async def _read(self, view: SharedView) -> ViewContent:
        async with self._at_once:
            return await asyncio.to_thread(self._views.content, view)

    def _finished(self, view_id: str, task: asyncio.Task[ViewContent]) -> None:
        failed = task.cancelled() or task.exception() is not None
        asyncio.get_running_loop().call_later(0 if failed else WAIT_SECONDS, self._forget, view_id, task)

    def _forget(self, view_id: str, task: asyncio.Task[ViewContent]) -> None:
        if self._tasks.get(view_id) is task:
            del self._tasks[view_id]


class SharedViewWire(Wire):
    """Wire of the page of shared views, and of what it shows."""

    name = "shared_view"

    @cached_property
    def _readings(self) -> ViewReadings:
        return ViewReadings(self.desk.shared_views)

    def routes(self) -> Sequence[BaseRoute]:
        routes = APIRouter()

        @routes.get(VIEW_PAGE, include_in_schema=False)
        async def page() -> FileResponse:
            return FileResponse(FRONTEND / "view" / "view.html", headers={"Cache-Control": "no-cache"})

        @routes.get(f"{VIEW_PAGE}/style.css", include_in_schema=False)
        async def style() -> Response:
            """Style of the HTML that views show, as in an exported page."""
            return Response(page_style(self.desk.exports.rendering), media_type=media_type("style.css"))

        for name in _FILES:
            routes.add_api_route(f"{VIEW_PAGE}/{name}", _file(name), methods=["GET"], include_in_schema=False)

        @routes.get(f"{VIEW_PAGE}/content", include_in_schema=False)
        async def content(request: Request, after: str = "") -> Response:
            """Return what a view shows once it differs from version `after`; 204 if it does not soon."""
            key = request.headers.get(KEY_HEADER, "")
            view = await asyncio.to_thread(self.desk.shared_views.find, key)
            shown = await self._changed(view, after)
            await asyncio.to_thread(self.desk.shared_views.find, key)  # it may have ended meanwhile
            if shown is None:
                return Response(status_code=204)
            facts = {"html": shown.html, "version": shown.version, "kind": view.pin.kind}
            return JSONResponse(
                {**facts, "caption": view.pin.caption, "expiresAt": view.expires_at},
                headers={"Cache-Control": "no-store"},
            )

        return routes.routes

    async def _changed(self, view: SharedView, after: str) -> ViewContent | None:
        """Return what a view shows once its version is not `after`, or None after WAIT_SECONDS, or when it expires."""
        shown = await self._readings.read(view)
        if shown.version != after:
            return shown
        with suppress(TimeoutError):
            async with (
                asyncio.timeout(min(WAIT_SECONDS, view.expires_at - time.time())),
                aclosing(events_of_chat(self.desk.runs, view.chat_id, shown.seq)) as batches,
            ):
                async for batch in batches:
                    if not any(view.is_changed_by(stored.event) for stored in batch):
                        continue
                    await asyncio.sleep(PAUSE_SECONDS)
                    shown = await self._readings.read(view, batch[-1].seq)
                    if shown.version != after:
                        return shown
        return None


def _file(name: str) -> Callable[[], Awaitable[FileResponse]]:
    async def file() -> FileResponse:
        return FileResponse(
            FRONTEND / "view" / name, media_type=media_type(name), headers={"Cache-Control": "no-cache"}
        )

    return file
