"""Agent-to-agent conversations: projects, their members, and what two of them say to each other.

Begin with `rules` (what a conversation is, pure), then `service` (what others may ask of this room).
"""

from backend.conversations.service import Conversations
from backend.conversations.shapes import Kind, Member, Project

__all__ = ["Conversations", "Kind", "Member", "Project"]
