"""Arguments of agents' calls, and permissions for tools. Tests compare the table with the tools."""

from dataclasses import dataclass
from typing import Annotated

from pydantic import Field

from smoldesk.conversations import AgentFault, AgentSession
from smoldesk.conversations.errors import INVALID_SESSION, NOT_AUTHORIZED
from smoldesk.conversations.messages import CONTENT_LIMIT
from smoldesk.conversations.models import Purpose


@dataclass(frozen=True)
class Permission:
    """Requirement of a tool: a session, and the session's purpose (None for any)."""

    authenticated: bool
    purpose: Purpose | None = None


PERMISSIONS: dict[str, Permission] = {
    "authenticate": Permission(authenticated=False),
    "start_conversation": Permission(authenticated=True),
    "end_conversation": Permission(authenticated=True),
    "send_message": Permission(authenticated=True),
    "respond_chat": Permission(authenticated=True, purpose="chat"),
    "get_pending_messages": Permission(authenticated=True, purpose="chat"),
    "get_next_action": Permission(authenticated=True),
}


def authorize(tool: str, session: AgentSession | None) -> None:
    """Raise invalid_session for a missing session, not_authorized for a wrong purpose or an unknown tool."""
    permission = PERMISSIONS.get(tool)
    if permission is None:
        raise AgentFault(NOT_AUTHORIZED, f"There is no tool {tool[:40]!r}.")
    if not permission.authenticated:
        return
    if session is None:
        raise AgentFault(INVALID_SESSION)
    if permission.purpose is not None and session.purpose != permission.purpose:
        raise AgentFault(NOT_AUTHORIZED, f"{tool} needs a session for {permission.purpose}.")


Token = Annotated[str, Field(description="What authenticate answered.")]

Target = Annotated[str, Field(description="The other agent of your project.")]

Content = Annotated[str, Field(description=f"Text of at most {CONTENT_LIMIT} bytes.")]
