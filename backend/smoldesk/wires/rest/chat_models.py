"""Response models of chats."""

from typing import Literal

from smoldesk.messages import Shape


class ChatInfo(Shape):
    """Chat; times are in seconds since the epoch."""

    id: str
    title: str
    created_at: float
    updated_at: float
    last_seq: int
    pinned: bool
    archived: bool
    tags: list[str]
    building_id: str | None = None
    agent: str | None = None
    model: str | None = None


class ChatSummary(ChatInfo):
    """Chat of the list, with the state of its runs, the end of the last one, and the text found by a search."""

    state: Literal["idle", "running", "waiting"]
    answered_at: float | None = None
    found: str | None = None


class TagInfo(Shape):
    """Tag of chats, with the number of its chats in the list and in the archive."""

    name: str
    chats: int
    archived: int


class ChatList(Shape):
    """Chats, pinned ones first, then by last activity; `next` is the `before` of the next page, null at the end. A first
    page has the tags of all chats.
    """

    chats: list[ChatSummary]
    next: str | None = None
    tags: list[TagInfo] | None = None


class ImportedChat(Shape):
    """Chat imported from a log: counts of events and files, of missing files, and of runs that the import closed."""

    chat_id: str
    title: str
    events: int
    files: int
    missing: int
    closed: int
    is_cut: bool
