"""HTTP routes of MCP servers: list, add, switch, restart, authorise (OAuth), remove, and the text of prompts."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import PlainTextResponse

from smoldesk.connections import DeskServers
from smoldesk.errors import Refused
from smoldesk.wires.rest.mcp_server_models import (
    AuthorizationPage,
    McpServerChange,
    McpServerInfo,
    McpServerList,
    NewMcpServer,
    PromptRequest,
    PromptText,
)
from smoldesk.wires.rest.models import refusals

# Characters of OAuth parameters by RFC 6749, appendix A. Four values of this length fit into a request line.
Part = Annotated[str, Query(max_length=4_000, pattern="^[ -~]*$")]


def add_mcp_server_routes(routes: APIRouter, servers: DeskServers, private: bool) -> None:
    """Add the routes of this module to the router of /api."""
    # Only on a private desk: a server can be a program that the desk starts.
    allowed = servers.from_page and private

    def check_permission() -> None:
        if not allowed:
            raise Refused(
                "Users of this desk cannot change its MCP servers.",
                "Its operator defines them in agents.toml, or sets SMOLDESK_MCP_SERVERS=page and a token.",
            )

    @routes.get("/mcp-servers")
    async def index() -> McpServerList:
        """List servers and start the idle ones; a later request has their tools."""
        infos = [
            McpServerInfo.model_validate(server, from_attributes=True)
            for server in await servers.list_servers()
        ]
        return McpServerList(servers=infos, may_change=allowed)

    @routes.post("/mcp-servers", status_code=201, responses=refusals(403, 409))
    async def add(body: NewMcpServer) -> McpServerInfo:
        """Add a server and start it. It is kept if the start fails; the response has its state."""
        check_permission()
        values = {key: _reveal_secrets(value) for key, value in body if key != "name" and value is not None}
        return McpServerInfo.model_validate(await servers.add(body.name, values), from_attributes=True)

    @routes.get("/mcp-callback", response_class=Response, responses=refusals(404))
    async def callback(
        state: Part = "", code: Part = "", iss: Part | None = None, error: Part | None = None
    ) -> PlainTextResponse:
        """Complete an authorisation: the redirect target for the person's browser."""
        name = await servers.authorizations.come_back(code, state, iss, error)
        text = f"{name}: not authorised." if error else f"{name}: authorised. You can close this page."
        return PlainTextResponse(
            # The address has the authorisation code: no cache and no Referer may keep it.
            text,
            headers={"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"},
        )

    @routes.delete("/mcp-servers/{name}", status_code=204, responses=refusals(403, 404))
    async def remove(name: str) -> Response:
        check_permission()
        await servers.remove(name)
        return Response(status_code=204)

    @routes.patch("/mcp-servers/{name}", status_code=204, responses=refusals(403, 404))
    async def switch(name: str, body: McpServerChange) -> Response:
        check_permission()
        await servers.switch(name, body.enabled)
        return Response(status_code=204)

    @routes.post("/mcp-servers/{name}/restart", status_code=204, responses=refusals(403, 404, 409))
    async def restart(name: str) -> Response:
        check_permission()
        await servers.restart(name)
        return Response(status_code=204)

    @routes.post("/mcp-servers/{name}/authorize", responses=refusals(403, 404, 503))
    async def authorize(name: str, request: Request) -> AuthorizationPage:
        """Start an authorisation. The page of the response redirects the person to /api/mcp-callback."""
        check_permission()
        return AuthorizationPage(url=await servers.authorize(name, str(request.base_url).rstrip("/")))

    @routes.post("/mcp-servers/{name}/prompts", responses=refusals(404, 503))
    async def prompt(name: str, body: PromptRequest) -> PromptText:
        return PromptText(text=await servers.prompt(name, body.prompt, body.arguments))


def _reveal_secrets(value: Any) -> Any:
    """Return a value of the body with its secrets as plain text."""
    if isinstance(value, dict):
        hidden: dict[str, Any] = value  # pyright: ignore[reportUnknownVariableType]
        return {name: text.get_secret_value() for name, text in hidden.items()}
    return value
