"""What can go wrong with an MCP server."""

from smoldesk.errors import DeskError


class McpFailed(DeskError):
    """A server could not be reached, ended, or answered with a fault; said in words for model and person."""

    code = "mcp_failed"


class NotAuthorized(McpFailed):
    """It wants a person to let the desk in (OAuth), and none has."""

    code = "mcp_not_authorized"
