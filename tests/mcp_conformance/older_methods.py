"""Methods of the older protocol that our own tools have no use for, and parameters that the newer one mirrors in headers."""

from typing import Annotated, Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.shared.exceptions import MCPError
from mcp_types import (
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    Completion,
    ContentBlock,
    EmptyResult,
    SetLevelRequestParams,
    SubscribeRequestParams,
    TextContent,
    UnsubscribeRequestParams,
)
from pydantic import Field


async def test_missing_capability(ctx: Context) -> list[ContentBlock]:
    """Needs sampling."""
    able = ctx.client_capabilities
    if able is None or able.sampling is None:
        needed: Any = {"requiredCapabilities": {"sampling": {}}}
        raise MCPError(MISSING_REQUIRED_CLIENT_CAPABILITY, "sampling is needed", needed)
    return [TextContent(type="text", text="able")]


async def test_custom_headers(
    region: Annotated[str, Field(json_schema_extra={"x-mcp-header": "Region"})],
) -> list[ContentBlock]:
    """Says the region that it was given."""
    return [TextContent(type="text", text=region)]


async def test_trigger_tool_change(ctx: Context) -> list[ContentBlock]:
    """Says that the list of tools changed."""
    await ctx.notify_tools_changed()
    return [TextContent(type="text", text="changed")]


async def test_trigger_prompt_change(ctx: Context) -> list[ContentBlock]:
    """Says that the list of prompts changed."""
    await ctx.notify_prompts_changed()
    return [TextContent(type="text", text="changed")]


TOOLS = (
    test_missing_capability,
    test_custom_headers,
    test_trigger_tool_change,
    test_trigger_prompt_change,
)


def install(server: MCPServer) -> None:
    """Add them to a server."""
    for tool in TOOLS:
        server.add_tool(tool, structured_output=False)

    @server.completion()
    async def complete(*_: Any) -> Completion:  # pyright: ignore[reportUnusedFunction]
        return Completion(values=["paris", "park"], total=2, has_more=False)

    async def nothing(*_: Any) -> EmptyResult:
        return EmptyResult()

    lowlevel = server._lowlevel_server  # pyright: ignore[reportPrivateUsage]
    lowlevel.add_request_handler("logging/setLevel", SetLevelRequestParams, nothing)
    lowlevel.add_request_handler("resources/subscribe", SubscribeRequestParams, nothing)
    lowlevel.add_request_handler("resources/unsubscribe", UnsubscribeRequestParams, nothing)
