"""Agent-to-agent conversations: projects, their members, and what two of them say to each other.

Begin with `rules` (what a conversation is, pure), then `service` (what others may ask of this room).
"""

from backend.conversations.faults import AgentFault
from backend.conversations.rules import Conversation, State, Timeouts
from backend.conversations.service import Conversations
from backend.conversations.shapes import (
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
