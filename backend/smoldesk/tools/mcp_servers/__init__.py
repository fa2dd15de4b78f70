"""MCP servers whose tools the agents of this desk use. Start with servers.py; connection.py is one server, listing.py
its features, server_calls.py its calls and requests.
"""

from smoldesk.tools.mcp_servers.entries import ServerEntry
from smoldesk.tools.mcp_servers.servers import McpServers

__all__ = ["McpServers", "ServerEntry"]
