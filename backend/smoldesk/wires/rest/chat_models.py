"""What /api tells of chats: one, and the list of them."""

from typing import Literal

from smoldesk.messages import Shape


class ChatInfo(Shape):
    """Times in seconds since the epoch."""

    id: str
    title: str
    created_at: float
    updated_at: float
    last_seq: int
    pinned: bool
    building_id: str | None = None
    agent: str | None = None
    model: str | None = None


class ChatSummary(ChatInfo):
    """A chat as the list has it: how its runs stand, when the last of them was closed, and what was found in it."""

    state: Literal["idle", "running", "waiting"]
    answered_at: float | None = None
    found: str | None = None


class ChatList(Shape):
    """Chats, pinned ones first, then the last active; `next` is the `before` of the next page, null at the end."""

    chats: list[ChatSummary]
    next: str | None = None


class ImportedChat(Shape):
    """A chat that was read from a log: how much came with it, what did not, and how many of its runs were closed."""

    chat_id: str
    title: str
    events: int
    files: int
    missing: int
    closed: int
    is_cut: bool
