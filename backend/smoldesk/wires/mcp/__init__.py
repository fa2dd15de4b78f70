"""The wire for agents that talk to each other: an MCP server at /mcp, by the official library, over streamable HTTP.

Both generations of the protocol, resumable. Nothing of the library is imported until the first request (`endpoint`);
`tools` says what an agent can call, `permissions` who may, `shapes` what it gets.
"""

from smoldesk.wires.mcp.routes import Extend, McpEndpoint, route

__all__ = ["Extend", "McpEndpoint", "route"]
