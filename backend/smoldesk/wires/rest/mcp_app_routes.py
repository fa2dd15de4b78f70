"""Views of MCP servers over plain HTTP: their page, for a frame of the desk's page, and what they ask of their server."""

from typing import Annotated

from fastapi import APIRouter, Response
from pydantic import Field, JsonValue

from smoldesk.chats import McpApps
from smoldesk.messages import Shape
from smoldesk.wires.rest.models import refusals
from smoldesk.wires.security import app_frame_headers

Grant = Annotated[str | None, Field(max_length=100)]


class NewFrame(Shape):
    """Body of POST .../frames: the view's HTML by its file's id; with `network` a person let it reach what it declares."""

    page_id: Annotated[str, Field(max_length=100)]
    network: bool = False


class FrameAddress(Shape):
    """Where a frame gets the view, once, within a minute; `domains` are those of its declared ones that the desk takes."""

    url: str
    domains: dict[str, list[str]]


class ViewCall(Shape):
    """Body of POST .../calls: a tool of the view's server by its own name; `grant` where a person agreed to this call."""

    tool: Annotated[str, Field(min_length=1, max_length=200)]
    arguments: dict[str, JsonValue] = Field(default_factory=dict)
    grant: Grant = None


class ViewRead(Shape):
    """Body of POST .../reads: the address of a resource of the view's server."""

    uri: Annotated[str, Field(min_length=1, max_length=2_000)]
    grant: Grant = None


class ViewAnswer(Shape):
    """`result` as MCP has it; without it a person must agree first, which the same call with this `grant` tells, once."""

    result: dict[str, JsonValue] | None = None
    grant: str | None = None


def add_mcp_app_routes(routes: APIRouter, apps: McpApps) -> None:
    """Put the routes of this module on the router of /api."""

    @routes.post("/chats/{chat_id}/apps/{facts_id}/frames", responses=refusals(404))
    async def open_frame(chat_id: str, facts_id: str, body: NewFrame) -> FrameAddress:
        """The address of the view's page, for one frame: a view can lead its frame there again, and gets nothing."""
        ticket, domains = await apps.open_frame(chat_id, facts_id, body.page_id, body.network)
        return FrameAddress(url=f"/api/app-frames/{ticket}", domains=domains)

    @routes.get(
        "/app-frames/{ticket}",
        response_class=Response,
        responses=refusals(404)
        | {200: {"content": {"text/html": {}}, "description": "The view, sandboxed by its headers"}},
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
        """Of the view's own server, a tool that is for views, by the desk's rules of approval."""
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
