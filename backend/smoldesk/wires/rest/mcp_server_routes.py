"""MCP servers over plain HTTP: listed live, added, switched, restarted, let in (OAuth), removed; the text of their prompts."""

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

# As RFC 6749 has them, appendix A; four of them, whatever they hold, still fit a line that the server reads.
Part = Annotated[str, Query(max_length=4_000, pattern="^[ -~]*$")]


def add_mcp_server_routes(routes: APIRouter, servers: DeskServers, private: bool) -> None:
    """Put the routes of this module on the router of /api."""
    allowed = servers.from_page and private

    def check_permission() -> None:
        if not allowed:
            raise Refused(
                "Users of this desk cannot change its MCP servers.",
                "Its operator defines them in agents.toml, or sets SMOLDESK_MCP_SERVERS=page and a token.",
            )

    @routes.get("/mcp-servers")
    async def index() -> McpServerList:
        """Those that nobody needed yet are begun; ask again for what they have."""
        infos = [
            McpServerInfo.model_validate(server, from_attributes=True)
            for server in await servers.list_servers()
        ]
        return McpServerList(servers=infos, may_change=allowed)

    @routes.post("/mcp-servers", status_code=201, responses=refusals(403, 409))
    async def add(body: NewMcpServer) -> McpServerInfo:
        """It is begun at once, and kept even when that fails: the answer says how it went."""
        check_permission()
        values = {key: _reveal_secrets(value) for key, value in body if key != "name" and value is not None}
        return McpServerInfo.model_validate(await servers.add(body.name, values), from_attributes=True)

    @routes.get("/mcp-callback", response_class=Response, responses=refusals(404))
    async def callback(
        state: Part = "", code: Part = "", iss: Part | None = None, error: Part | None = None
    ) -> PlainTextResponse:
        """Where the page of an authorisation sends a person back to."""
        name = servers.come_back(code, state, iss, error)
        text = f"{name}: not let in." if error else f"{name}: done. You can close this page."
        return PlainTextResponse(
            text, headers={"Cache-Control": "no-store", "Referrer-Policy": "no-referrer"}
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
        """Begins to have the desk let in; the person who opens the page comes back to /api/mcp-callback."""
        check_permission()
        return AuthorizationPage(url=await servers.authorize(name, str(request.base_url).rstrip("/")))

    @routes.post("/mcp-servers/{name}/prompts", responses=refusals(404, 503))
    async def prompt(name: str, body: PromptRequest) -> PromptText:
        return PromptText(text=await servers.prompt(name, body.prompt, body.arguments))


def _reveal_secrets(value: Any) -> Any:
    """A value of the body with its hidden texts."""
    if isinstance(value, dict):
        hidden: dict[str, Any] = value  # pyright: ignore[reportUnknownVariableType]
        return {name: text.get_secret_value() for name, text in hidden.items()}
    return value
