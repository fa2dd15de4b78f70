"""Features of an MCP server: its tools, resources and prompts, read page by page up to limits."""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcp import Client

# Maximum tools, resources or prompts of one server.
MAX_LISTED = 500


@dataclass
class ServerFeatures:
    """Features of a server, as the SDK's types."""

    tools: list[Any] = field(default_factory=list[Any])
    resources: list[Any] = field(default_factory=list[Any])
    templates: list[Any] = field(default_factory=list[Any])
    prompts: list[Any] = field(default_factory=list[Any])


async def list_all(client: "Client") -> ServerFeatures:
    """All lists of a server, as far as it has them. Patterns of schemas are left out: a hostile one could stop the desk."""
    from mcp import MCPError

    has = client.server_capabilities
    features = ServerFeatures()
    if has.tools:
        features.tools = await _pages(client.list_tools, "tools")
        for tool in features.tools:
            without_patterns(tool.output_schema)
    listings = [("resources", client.list_resources), ("resource_templates", client.list_resource_templates)]
    for name, read in [
        *(listings if has.resources else ()),
        *([("prompts", client.list_prompts)] if has.prompts else ()),
    ]:
        # its tools work without; many servers have no templates and answer with an error
        with contextlib.suppress(MCPError):
            setattr(features, name.removeprefix("resource_"), await _pages(read, name))
    return features


async def _pages(read: Callable[..., Any], name: str) -> list[Any]:
    items: list[Any] = []
    cursor: str | None = None
    while True:
        page = await read(cursor=cursor)
        items += getattr(page, name)
        cursor = page.next_cursor
        if cursor is None or len(items) >= MAX_LISTED:
            return items[:MAX_LISTED]


def without_patterns(schema: Any) -> None:
    """Take out of a schema, where it stands, what is matched by regular expressions."""
    level = [schema]
    for _ in range(200):
        inner: list[Any] = []
        for node in level:
            if isinstance(node, dict):
                for key in ("pattern", "patternProperties"):
                    if isinstance(node.get(key), str | dict):  # pyright: ignore
                        del node[key]
                inner += node.values()  # pyright: ignore
            elif isinstance(node, list):
                inner += node  # pyright: ignore
        if not inner:
            return
        level = inner
