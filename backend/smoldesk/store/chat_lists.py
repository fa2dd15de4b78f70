"""Pages of the list of chats: pinned ones first, then by newest activity; all of them, or those that contain search
terms.

Terms are searched in titles, tags, questions, answers and names of uploaded files. A search reads the chats in
windows, and at most MAX_SEARCHED_CHATS of them per page.
"""

import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import ColumnElement, Connection, Select, case, func, or_, select

from smoldesk.events import RunFinished
from smoldesk.store.chat_tags import TagCount, count_tags, tag_key
from smoldesk.store.chats import CHAT_COLUMNS, EMPTY, IS_THERE, ChatInfo, chat_of
from smoldesk.store.event_log import parsed
from smoldesk.store.run_rows import IS_OPEN
from smoldesk.store.tables import ChatRow, ChatTagRow, EventRow, FileRow, RunRow
from smoldesk.store.transaction import plain

WINDOW = 100
MAX_SEARCHED_CHATS = 2_000
MAX_PINNED = 100
MAX_SEARCH_TERMS = 8
# Characters of a message shown before and after a found term.
AROUND = 60

# Time of a chat's last activity, and its id: a position in the order of unpinned chats.
Place = tuple[float, str]
# Start of an answer's JSON; a test compares it with the event.
ANSWER = '{"type":"run_finished","text":"'


ChatState = Literal["idle", "running", "waiting"]


@dataclass(frozen=True)
class ChatStatus:
    """A chat, and how it stands: `state` of its runs, `answered_at` (None: never), and the words around what was found."""

    chat: ChatInfo
    state: ChatState = "idle"
    """waiting, running (also while its runs are queued) or idle."""
    answered_at: float | None = None
    """When its last run was closed."""
    snippet: str = ""


@dataclass(frozen=True)
class Match:
    """A chat that has all words, and the newest message or file with the first of them that one has: its kind and place."""

    chat: ChatInfo
    word: str = ""
    kind: str = ""
    at: int = 0


@dataclass(frozen=True)
class ChatPage:
    """Chats in order; `next` is the place after which the next page begins, None at the end. A first page has the tags of
    all chats.
    """

    chats: list[ChatStatus]
    next: Place | None
    tags: list[TagCount] | None = None


def list_chats(
    connection: Connection,
    search: str = "",
    before: Place | None = None,
    limit: int = 200,
    archived: bool = False,
    tag: str = "",
) -> ChatPage:
    """Return a page of chats; the first page also has the pinned ones. Unused chats are left out.

    Either those of the archive or the others. With `search`, all that contain each of its terms. Such a page may be
    short, or empty, and still have a next one. With `tag`, those of them that have it.
    """
    terms = plain(search).split()[:MAX_SEARCH_TERMS]
    query = select(*CHAT_COLUMNS).where(~EMPTY, IS_THERE)
    if not terms:
        query = query.where(ChatRow.archived_at.is_not(None) if archived else ChatRow.archived_at.is_(None))
    if tag:
        tagged = select(ChatTagRow.chat_id).where(ChatTagRow.key == tag_key(tag))
        query = query.where(ChatRow.id.in_(tagged))
    pinned: list[Match] = []
    if before is None:
        first = query.where(ChatRow.pinned_at.is_not(None)).order_by(ChatRow.pinned_at.desc())
        pinned = _those_with(terms, connection, _read(connection, first.limit(MAX_PINNED)))
    unpinned, place = _unpinned_matches(
        connection, query.where(ChatRow.pinned_at.is_(None)), terms, before, limit
    )
    tags = count_tags(connection) if before is None else None
    return ChatPage(_as_they_stand(connection, [*pinned, *unpinned]), place, tags)


def _unpinned_matches(
    connection: Connection,
    query: Select[*tuple[Any, ...]],
    terms: Sequence[str],
    before: Place | None,
    limit: int,
) -> tuple[list[Match], Place | None]:
    matches: list[Match] = []
    size = WINDOW if terms else limit + 1
    for _ in range(0, MAX_SEARCHED_CHATS, WINDOW):
        window = _read(connection, _after(query, before).limit(size))
        matches += _those_with(terms, connection, window)
        if len(matches) > limit:
            last = matches[limit - 1].chat
            return matches[:limit], (last.updated_at, last.id)
        if len(window) < size:
            return matches, None
        before = (window[-1].updated_at, window[-1].id)
    return matches, before


def _after(query: Select[*tuple[Any, ...]], before: Place | None) -> Select[*tuple[Any, ...]]:
    """Return the query from a position on, in the order of activity."""
    if before is not None:
        at, chat_id = before
        query = query.where(
            ChatRow.updated_at <= at,  # which an index is entered at, unlike at an or
            or_(ChatRow.updated_at < at, ChatRow.id < chat_id),
        )
    return query.order_by(ChatRow.updated_at.desc(), ChatRow.id.desc())


def _read(connection: Connection, query: Select[*tuple[Any, ...]]) -> list[ChatInfo]:
    return [chat_of(row) for row in connection.execute(query)]


def _as_they_stand(connection: Connection, matches: list[Match]) -> list[ChatStatus]:
    """With the states of their runs, and the words around what was found."""
    ids = [match.chat.id for match in matches]
    rank = func.max(case((RunRow.state == "waiting", 2), else_=1))
    open_ones = select(RunRow.chat_id, rank).where(RunRow.chat_id.in_(ids), IS_OPEN).group_by(RunRow.chat_id)
    states: dict[str, ChatState] = {
        row[0]: "waiting" if row[1] == 2 else "running" for row in connection.execute(open_ones)
    }
    newest = select(RunRow.changed_at).where(RunRow.chat_id == ChatRow.id, ~IS_OPEN)
    newest = newest.order_by(RunRow.position.desc()).limit(1)
    closed = select(ChatRow.id, newest.scalar_subquery()).where(ChatRow.id.in_(ids))
    answered = {row[0]: row[1] for row in connection.execute(closed)}
    return [
        ChatStatus(
            match.chat,
            states.get(match.chat.id, "idle"),
            answered.get(match.chat.id),
            around(_text(connection, match), match.word) if match.word else "",
        )
        for match in matches
    ]


# --- words ---------------------------------------------------------------------------------------------------------------


def _those_with(terms: Sequence[str], connection: Connection, window: list[ChatInfo]) -> list[Match]:
    """Return the chats that contain each term, in their order."""
    remaining = [Match(chat) for chat in window]
    for word in terms:
        if not remaining:
            break
        spoken = _messages_with(connection, word, [match.chat.id for match in remaining])
        remaining = [
            match
            if match.word or match.chat.id not in spoken
            else Match(match.chat, word, *spoken[match.chat.id])
            for match in remaining
            if match.chat.id in spoken or word.casefold() in _labels(match.chat)
        ]
    return remaining


def _labels(chat: ChatInfo) -> str:
    """Return what the row of a chat shows of it, without case: its title, and its tags on lines of their own."""
    return "\n".join([chat.title, *chat.tags]).casefold()


def _messages_with(connection: Connection, word: str, ids: Collection[str]) -> dict[str, tuple[str, int]]:
    """Return the newest message with a word by chat, or that a file has it: its kind, and its position or seq."""
    questions = select(RunRow.chat_id, func.max(RunRow.position)).where(RunRow.chat_id.in_(ids))
    questions = questions.where(RunRow.message.icontains(word, autoescape=True)).group_by(RunRow.chat_id)
    answer_query = select(EventRow.chat_id, func.max(EventRow.seq)).where(EventRow.chat_id.in_(ids))
    answer_query = answer_query.where(EventRow.type == "run_finished", _answer_has(word)).group_by(
        EventRow.chat_id
    )
    answers = {row[0]: ("answer", row[1]) for row in connection.execute(answer_query)}
    uploads = select(FileRow.chat_id).where(FileRow.chat_id.in_(ids), _upload_has(word)).distinct()
    files = {row[0]: ("file", 0) for row in connection.execute(uploads)}
    return files | answers | {row[0]: ("question", row[1]) for row in connection.execute(questions)}


def _upload_has(word: str) -> ColumnElement[bool]:
    return (FileRow.kind == "upload") & FileRow.name.icontains(word, autoescape=True)


def _answer_has(word: str) -> ColumnElement[bool]:
    """Whether the text of an answer has a word: the JSON around the text is left out, and the word written as JSON is."""
    text = func.substr(EventRow.body, len(ANSWER) + 1, func.length(EventRow.body) - len(ANSWER) - 2)
    return text.icontains(json.dumps(word, ensure_ascii=False)[1:-1], autoescape=True)


def _text(connection: Connection, match: Match) -> str:
    """Return the message, or the name of the file, that contains the term."""
    if match.kind == "file":
        files = select(FileRow.name).where(FileRow.chat_id == match.chat.id, _upload_has(match.word))
        return connection.execute(files.order_by(FileRow.created_at.desc()).limit(1)).scalar_one()
    if match.kind == "question":
        query = select(RunRow.message).where(RunRow.chat_id == match.chat.id, RunRow.position == match.at)
        return connection.execute(query).scalar_one()
    query = select(EventRow.body).where(EventRow.chat_id == match.chat.id, EventRow.seq == match.at)
    event = parsed(connection.execute(query).scalar_one())
    return event.text if isinstance(event, RunFinished) else ""


def around(text: str, word: str) -> str:
    """Return the text around a word, on one line; an ellipsis marks each cut."""
    text = " ".join(text.split())
    at = max(text.casefold().find(word.casefold()), 0)
    start, end = max(at - AROUND, 0), at + len(word) + AROUND
    return ("…" if start else "") + text[start:end].strip() + ("…" if end < len(text) else "")
