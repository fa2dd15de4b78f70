"""What an MCP server has: its tools, resources and prompts, read page by page and bounded."""

import contextlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mcp import Client

# Tools, resources or prompts of one server.
MOST_LISTED = 500


@dataclass
class ServerFeatures:
    """What a server has, as the SDK's types."""

    tools: list[Any] = field(default_factory=list[Any])
    resources: list[Any] = field(default_factory=list[Any])
    templates: list[Any] = field(default_factory=list[Any])
    prompts: list[Any] = field(default_factory=list[Any])


async def list_all(client: "Client") -> ServerFeatures:
    """All lists of a server, as far as it has them. Patterns of schemas are left out: a hostile one could stop the desk."""
    from mcp import MCPError

    has = client.server_capabilities
    listed = ServerFeatures()
    if has.tools:
        listed.tools = await _pages(client.list_tools, "tools")
        for tool in listed.tools:
            without_patterns(tool.output_schema)
    wanted = [("resources", client.list_resources), ("resource_templates", client.list_resource_templates)]
    for name, read in [
        *(wanted if has.resources else ()),
        *([("prompts", client.list_prompts)] if has.prompts else ()),
    ]:
        with contextlib.suppress(
            MCPError
        ):  # its tools work without; many have no templates, and say so by an error
            setattr(listed, name.removeprefix("resource_"), await _pages(read, name))
    return listed


async def _pages(read: Callable[..., Any], name: str) -> list[Any]:
    found: list[Any] = []
    cursor: str | None = None
    while True:
        page = await read(cursor=cursor)
        found += getattr(page, name)
        cursor = page.next_cursor
        if cursor is None or len(found) >= MOST_LISTED:
            return found[:MOST_LISTED]


def without_patterns(schema: Any) -> None:
    """Take out of a schema, where it stands, what is matched by regular expressions."""
    level = [schema]
    for _ in range(200):
        inner: list[Any] = []
        for one in level:
            if isinstance(one, dict):
                for key in ("pattern", "patternProperties"):
                    if isinstance(one.get(key), str | dict):  # pyright: ignore
                        del one[key]
                inner += one.values()  # pyright: ignore
            elif isinstance(one, list):
                inner += one  # pyright: ignore
        if not inner:
            return
        level = inner
