"""Conversion of the desk's messages and errors for this wire's tools."""

from collections.abc import Generator
from contextlib import contextmanager

from mcp.server.mcpserver.exceptions import ToolError

from smoldesk.conversations import AgentFault, Message
from smoldesk.errors import DeskError
from smoldesk.wires.mcp.models import PendingMessage, PendingMessages, utc_time


class Refusal(ToolError):
    """Refused call; agents get its text unchanged."""


@contextmanager
def translate_errors() -> Generator[None]:
    """Convert DeskError in the block to a Refusal with the text of `format_error`."""
    try:
        yield
    except DeskError as fault:
        raise Refusal(format_error(fault)) from None


def format_error(fault: DeskError) -> str:
    """Return `code`, or `code: hint`. Agents match on the code."""
    # An AgentFault's message repeats its code.
    detail = fault.hint if isinstance(fault, AgentFault) else str(fault)
    return f"{fault.code}: {detail}" if detail else fault.code


def pending(messages: list[Message]) -> PendingMessages:
    """Return messages as the output of get_pending_messages."""
    return PendingMessages(
        messages=[
            PendingMessage(
                message_id=message.id,
                from_agent_id=message.from_id,
                content=message.content,
                conversation_id=message.conversation_id,
                created_at=utc_time(message.created_at),
            )
            for message in messages
        ]
    )
