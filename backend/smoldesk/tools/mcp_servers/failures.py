"""Errors of MCP servers."""

from typing import Any, cast

from smoldesk.errors import DeskError
from smoldesk.logs import hider


class McpFailed(DeskError):
    """A server could not be reached, ended, or answered with a fault; said in words for model and person."""

    code = "mcp_failed"


class NotAuthorized(McpFailed):
    """Server that needs a person's authorization (OAuth) first."""

    code = "mcp_not_authorized"


def format_error(fault: BaseException) -> str:
    """Return the innermost cause on one line, without class names of the SDK if the message is clear."""
    inner: Any = fault
    while isinstance(inner, BaseExceptionGroup):
        inner = cast("Any", inner).exceptions[0]
    if isinstance(inner, DeskError):
        return inner.message
    message = hider(())(str(inner)).partition("\n\n")[0][:500]  # the whole of what was checked follows
    plain = type(inner).__name__ in ("MCPError", "RuntimeError")
    return (
        message
        if plain and message
        else f"{type(inner).__name__}: {message}"
        if message
        else type(inner).__name__
    )
