"""Agent-to-agent conversations: projects, their members, and the messages between two members.

Start with `rules` (states of a conversation, pure), then `service` (the API of this room).
"""

from smoldesk.conversations.errors import AgentFault
from smoldesk.conversations.models import (
    Action,
    AgentSession,
    Followed,
    Kind,
    Login,
    Member,
    Message,
    PendingAgentPurpose,
    Project,
)
from smoldesk.conversations.rules import Conversation, State, Timeouts
from smoldesk.conversations.service import Conversations

__all__ = [
    "Action",
    "AgentFault",
    "AgentSession",
    "Conversation",
    "Conversations",
    "Followed",
    "Kind",
    "Login",
    "Member",
    "Message",
    "PendingAgentPurpose",
    "Project",
    "State",
    "Timeouts",
]
