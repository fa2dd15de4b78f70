"""What the suite expects of any server under fixed names: tools with each kind of content, resources, prompts, and the
methods of the older protocol that our own tools have no use for.

Added to the desk's own server object by the suite's desk only; nothing else ever has them.
"""

import asyncio
import base64
import json
from typing import Annotated, Any

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.prompts.base import UserMessage
from mcp.shared.exceptions import MCPError
from mcp_types import (
    MISSING_REQUIRED_CLIENT_CAPABILITY,
    AudioContent,
    Completion,
    ContentBlock,
    EmbeddedResource,
    EmptyResult,
    ImageContent,
    SetLevelRequestParams,
    SubscribeRequestParams,
    TextContent,
    TextResourceContents,
    UnsubscribeRequestParams,
)
from pydantic import Field

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"  # one red pixel
WAV = base64.b64encode(
    b"RIFF$\0\0\0WAVEfmt \x10\0\0\0\1\0\1\0@\x1f\0\0@\x1f\0\0\1\0\10\0data\0\0\0\0"
).decode()
SCHEMA: dict[str, Any] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}


def text(message: str) -> TextContent:
    return TextContent(type="text", text=message)


def image() -> ImageContent:
    return ImageContent(type="image", data=PNG, mime_type="image/png")


def embedded(uri: str, mime_type: str, message: str) -> EmbeddedResource:
    return EmbeddedResource(
        type="resource", resource=TextResourceContents(uri=uri, mime_type=mime_type, text=message)
    )


async def test_simple_text() -> list[ContentBlock]:
    return [text("This is a simple text response for testing.")]


async def test_image_content() -> list[ContentBlock]:
    return [image()]


async def test_audio_content() -> list[ContentBlock]:
    return [AudioContent(type="audio", data=WAV, mime_type="audio/wav")]


async def test_embedded_resource() -> list[ContentBlock]:
    return [embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")]


async def test_multiple_content_types() -> list[ContentBlock]:
    mixed = embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}')
    return [text("Multiple content types test:"), image(), mixed]


async def test_error_handling() -> list[ContentBlock]:
    from mcp.server.mcpserver.exceptions import ToolError

    raise ToolError("This tool intentionally returns an error for testing")


async def test_tool_with_logging(ctx: Context) -> list[ContentBlock]:
    for message in ("Tool execution started", "Tool processing data", "Tool execution completed"):
        await ctx.log("info", message)  # pyright: ignore[reportDeprecated]
        await asyncio.sleep(0.05)
    return [text("logged")]


async def test_tool_with_progress(ctx: Context) -> list[ContentBlock]:
    for done in (0, 50, 100):
        await ctx.report_progress(done, 100)
        await asyncio.sleep(0.05)
    return [text("done")]


async def test_reconnection(ctx: Context) -> list[ContentBlock]:
    await ctx.close_sse_stream()
    await asyncio.sleep(0.2)
    return [text("Reconnection test completed")]


async def json_schema_2020_12_tool(ctx: Context) -> list[ContentBlock]:
    return [text("validated")]


TOOLS = (
    test_simple_text,
    test_image_content,
    test_audio_content,
    test_embedded_resource,
    test_multiple_content_types,
    test_error_handling,
    test_tool_with_logging,
    test_tool_with_progress,
    test_reconnection,
    json_schema_2020_12_tool,
)


def install(server: MCPServer) -> None:
    """Add them to a server."""
    for tool in TOOLS:
        server.add_tool(tool, description=tool.__name__, structured_output=False)
    listing: Any = server._tool_manager.get_tool("json_schema_2020_12_tool")  # pyright: ignore[reportPrivateUsage]
    listing.parameters = SCHEMA
    _resources(server)
    _prompts(server)
    _older_methods(server)


def _resources(server: MCPServer) -> None:
    @server.resource("test://static-text", mime_type="text/plain")
    async def static_text() -> str:  # pyright: ignore[reportUnusedFunction]
        return "This is the content of the static text resource."

    @server.resource("test://static-binary", mime_type="image/png")
    async def static_binary() -> bytes:  # pyright: ignore[reportUnusedFunction]
        return base64.b64decode(PNG)

    @server.resource("test://watched-resource", mime_type="text/plain")
    async def watched() -> str:  # pyright: ignore[reportUnusedFunction]
        return "watched"

    @server.resource("test://template/{id}/data", mime_type="application/json")
    async def template(id: str) -> str:  # pyright: ignore[reportUnusedFunction]
        return json.dumps({"id": id, "templateTest": True, "data": f"Data for ID: {id}"})


def _prompts(server: MCPServer) -> None:
    @server.prompt(description="for the suite")
    def test_simple_prompt() -> str:  # pyright: ignore[reportUnusedFunction]
        return "This is a simple prompt for testing."

    @server.prompt(description="for the suite")
    def test_prompt_with_arguments(arg1: str, arg2: str) -> str:  # pyright: ignore[reportUnusedFunction]
        return f"Prompt with arguments: arg1='{arg1}', arg2='{arg2}'"

    @server.prompt(description="for the suite")
    def test_prompt_with_embedded_resource(resourceUri: str) -> list[UserMessage]:  # pyright: ignore
        resource = embedded(resourceUri, "text/plain", "Embedded resource content for testing.")
        return [UserMessage(resource), UserMessage("Please process the embedded resource above.")]

    @server.prompt(description="for the suite")
    def test_prompt_with_image() -> list[UserMessage]:  # pyright: ignore[reportUnusedFunction]
        return [UserMessage(image()), UserMessage("Please analyze the image above.")]


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


OLDER = (
    test_missing_capability,
    test_custom_headers,
    test_trigger_tool_change,
    test_trigger_prompt_change,
)


def _older_methods(server: MCPServer) -> None:
    for tool in OLDER:
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
