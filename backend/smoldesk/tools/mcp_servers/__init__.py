"""MCP servers whose tools the agents of this desk use. Start with servers.py; connection.py is one of them,
listing.py what it has, server_calls.py what it is asked and asks."""

from smoldesk.tools.mcp_servers.entries import ServerEntry
from smoldesk.tools.mcp_servers.servers import McpServers

__all__ = ["McpServers", "ServerEntry"]
