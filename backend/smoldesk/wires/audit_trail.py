"""What wires add to the audit log: the name of the wire of each request, and the downloads of an HTTP API."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from starlette.requests import Request
from starlette.routing import BaseRoute, Mount, Route, WebSocketRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from smoldesk.chats import Audit, AuditAction
from smoldesk.errors import DeskError
from smoldesk.logs import current_actor


class Download(NamedTuple):
    """Entry of a download: its action, the parameters of the path with its object and its name.

    `has_format`: the route checks a parameter `format`. `is_counted`: programs poll it, so it is counted by the hour.
    """

    action: AuditAction
    object_id: str = ""
    name: str = ""
    has_format: bool = False
    is_counted: bool = False


def note_wire(name: str, routes: Sequence[BaseRoute]) -> Sequence[BaseRoute]:
    """Have requests of these routes belong to a wire."""
    for route in routes:
        if isinstance(route, Route | WebSocketRoute | Mount):
            route.app = _OfWire(route.app, name)
    return routes


def note_downloads(audit: Audit, routes: Sequence[BaseRoute], downloads: Mapping[str, Download]) -> None:
    """Have the downloads of these paths in the audit log. Raises KeyError for a path without a route."""
    paths = {route.path: route for route in routes if isinstance(route, Route)}
    for path, download in downloads.items():
        paths[path].app = _Downloaded(paths[path].app, audit, download)


class _OfWire:
    """ASGI app that names its wire."""

    def __init__(self, app: ASGIApp, name: str) -> None:
        self._app = app
        self._name = name

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        current_actor.set(replace(current_actor.get(), wire=self._name))
        await self._app(scope, receive, send)


class _Downloaded:
    """ASGI app of a download: its entry is stored before the first byte is sent; without it, nothing is sent."""

    def __init__(self, app: ASGIApp, audit: Audit, download: Download) -> None:
        self._app = app
        self._audit = audit
        self._download = download

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        refusals: list[DeskError] = []

        async def note(message: Message) -> None:
            if message["type"] == "http.response.start" and message["status"] < 400:
                try:
                    await self._add(scope)
                except DeskError as refusal:
                    refusals.append(refusal)
                    raise
            await send(message)

        try:
            await self._app(scope, receive, note)
        except Exception:  # the route takes its response for started, and wraps the refusal
            if not refusals:
                raise
        if refusals:
            raise refusals[0]

    async def _add(self, scope: Scope) -> None:
        download = self._download
        parameters = {key: str(value) for key, value in scope["path_params"].items()}
        # Any other text of the client would be written into the log as it is.
        given = Request(scope).query_params.get("format") if download.has_format else None
        entry = (
            download.action,
            parameters.get(download.object_id, ""),
            parameters.get(download.name, ""),
            parameters.get("chat_id"),
            given or scope["path"].rpartition("/")[2],
        )
        await self._audit.add(*entry, by_hour=download.is_counted)
