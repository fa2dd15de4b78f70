"""An MCP server of the tests with views, on the SDK's own extension for them (`mcp.server.apps`).

The view speaks plain JSON-RPC (app_view.html). Its argument is a host that its second view declares.
"""

import sys
import time
from pathlib import Path

from mcp.server.apps import Apps, ResourceCsp, ResourcePermissions, client_supports_apps
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.resources import TextResource
from mcp_types import ToolAnnotations

READS = ToolAnnotations(read_only_hint=True)
VIEW = Path(__file__).with_name("app_view.html").read_text("utf-8")

apps = Apps()


@apps.tool(resource_uri="ui://weather/view", title="The weather", annotations=READS)
def forecast(city: str) -> str:
    """The weather of a city."""
    return f"It rains in {city}."


@apps.tool(resource_uri="ui://weather/view", annotations=READS)
def slowly(city: str) -> str:
    """The weather, after a long while."""
    time.sleep(120)
    return "never"


@apps.tool(resource_uri="ui://weather/reaching", annotations=READS)
def reaching(city: str) -> str:
    """The weather, in a view that declares a host."""
    return "It reaches."


@apps.tool(resource_uri="ui://weather/view", visibility=["app"], annotations=READS)
def refresh(ctx: Context) -> str:
    return "Now it snows." if client_supports_apps(ctx) else "The client shows no views."


@apps.tool(resource_uri="ui://weather/view", visibility=["app", "model"])
def order(what: str) -> str:
    return f"Ordered {what}."


@apps.tool(resource_uri="ui://weather/view", visibility=["model"], annotations=READS)
def secret() -> str:
    return "for models alone"


@apps.tool(resource_uri="ui://weather/huge", annotations=READS)
def huge() -> str:
    return "huge"


@apps.tool(resource_uri="ui://weather/large", annotations=READS)
def large() -> str:
    return "large"


apps.add_html_resource("ui://weather/view", VIEW)
apps.add_html_resource(
    "ui://weather/reaching",
    VIEW,
    csp=ResourceCsp(
        connect_domains=[*sys.argv[1:2], "*", "https:", "https://a.example; sandbox allow-same-origin"],
        resource_domains=["https://cdn.example.com/"],
    ),
    permissions=ResourcePermissions(camera={}),
)
apps.add_html_resource("ui://weather/huge", "x" * 100_000_000)
apps.add_html_resource("ui://weather/large", "x" * 9_000_000)
server = MCPServer("weather", extensions=[apps])
NOT_HTML = {"ui": {"resourceUri": "ui://weather/text"}}
server.add_resource(
    TextResource(uri="ui://weather/text", name="text", mime_type="text/html", text="<h1>hi</h1>")
)
server.add_resource(TextResource(uri="weather://today", name="today", mime_type="text/plain", text="rain"))


@server.tool(meta=NOT_HTML, annotations=READS)
def plain() -> str:
    return "plain"


if __name__ == "__main__":
    server.run()
