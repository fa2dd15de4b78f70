"""What the desk knows, and what it refuses, in the words of this wire's tools."""

from collections.abc import Generator
from contextlib import contextmanager

from mcp.server.mcpserver.exceptions import ToolError

from smoldesk.conversations import AgentFault, Message
from smoldesk.errors import DeskError
from smoldesk.wires.mcp.models import PendingMessage, PendingMessages, utc_time


class Refusal(ToolError):
    """A call that is refused; its text is for the agent, word for word."""


@contextmanager
def translate_errors() -> Generator[None]:
    """What went wrong as a text that an agent goes by: the name alone, or the name and what helps it on."""
    try:
        yield
    except DeskError as fault:
        raise Refusal(format_error(fault)) from None


def format_error(fault: DeskError) -> str:
    """`name`, or `name: what to do about it`."""
    detail = fault.hint if isinstance(fault, AgentFault) else str(fault)
    return f"{fault.code}: {detail}" if detail else fault.code


def pending(messages: list[Message]) -> PendingMessages:
    """Messages as their tool gives them."""
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
