"""HTTP routes of MCP Apps views: the page for a frame, and calls to the view's server."""

from typing import Annotated

from fastapi import APIRouter, Response
from pydantic import Field, JsonValue

from smoldesk.chats import McpApps
from smoldesk.messages import Shape
from smoldesk.wires.rest.models import refusals
from smoldesk.wires.security import app_frame_headers

Grant = Annotated[str | None, Field(max_length=100)]


class NewFrame(Shape):
    """Body of POST .../frames: the file id of the view's HTML; `network` if a person allowed its declared domains."""

    page_id: Annotated[str, Field(max_length=100)]
    network: bool = False


class FrameAddress(Shape):
    """Address of a view's page, valid once within a minute; `domains` are the declared ones that the desk accepts."""

    url: str
    domains: dict[str, list[str]]


class ViewCall(Shape):
    """Body of POST .../calls: a tool of the view's server; `grant` if a person approved this call."""

    tool: Annotated[str, Field(min_length=1, max_length=200)]
    arguments: dict[str, JsonValue] = Field(default_factory=dict)
    grant: Grant = None


class ViewRead(Shape):
    """Body of POST .../reads: the URI of a resource of the view's server."""

    uri: Annotated[str, Field(min_length=1, max_length=2_000)]
    grant: Grant = None


class ViewAnswer(Shape):
    """MCP result; without one, a person must approve first, and the same call is sent once more with this `grant`."""

    result: dict[str, JsonValue] | None = None
    grant: str | None = None


def add_mcp_app_routes(routes: APIRouter, apps: McpApps) -> None:
    """Add the routes of this module to the router of /api."""

    @routes.post("/chats/{chat_id}/apps/{facts_id}/frames", responses=refusals(404))
    async def open_frame(chat_id: str, facts_id: str, body: NewFrame) -> FrameAddress:
        """Return the address of the view's page. It works once, so a view that navigates back to it gets nothing."""
        ticket, domains = await apps.open_frame(chat_id, facts_id, body.page_id, body.network)
        return FrameAddress(url=f"/api/app-frames/{ticket}", domains=domains)

    @routes.get(
        "/app-frames/{ticket}",
        response_class=Response,
        responses=refusals(404)
        | {200: {"content": {"text/html": {}}, "description": "The view, sandboxed by response headers"}},
    )
    async def page(ticket: str) -> Response:
        html, domains = await apps.page(ticket)
        return Response(html, headers=app_frame_headers(domains))

    @routes.post(
        "/chats/{chat_id}/apps/{facts_id}/calls",
        response_model_exclude_none=True,
        responses=refusals(403, 404, 503),
    )
    async def call(chat_id: str, facts_id: str, body: ViewCall) -> ViewAnswer:
        """Call a tool of the view's own server that is visible to views, under the desk's approval rules."""
        answer = await apps.call(chat_id, facts_id, body.tool, body.arguments, body.grant)
        return ViewAnswer(result=answer.result, grant=answer.grant)

    @routes.post(
        "/chats/{chat_id}/apps/{facts_id}/reads",
        response_model_exclude_none=True,
        responses=refusals(403, 404, 503),
    )
    async def read(chat_id: str, facts_id: str, body: ViewRead) -> ViewAnswer:
        answer = await apps.read(chat_id, facts_id, body.uri, body.grant)
        return ViewAnswer(result=answer.result, grant=answer.grant)
