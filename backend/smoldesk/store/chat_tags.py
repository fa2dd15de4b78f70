"""Tags of chats: set for one chat; counted, renamed and removed for all. A chat has any number of them, in no tree.

Names are compared without case: `tag_key` is what rows are found by. A desk has one spelling of a tag, the first.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter

from sqlalchemy import Connection, delete, func, insert, literal, select, update

from smoldesk.errors import NotFound
from smoldesk.store.chats import EMPTY, IS_THERE
from smoldesk.store.tables import ChatRow, ChatTagRow
from smoldesk.store.transaction import Tx, plain


@dataclass(frozen=True)
class TagCount:
    """A tag, with the number of its chats in the list and in the archive."""

    name: str
    chats: int
    archived: int


def tag_key(name: str) -> str:
    """Return what two spellings of a tag have in common."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", plain(name)).casefold())


def set_tags(tx: Tx, chat_id: str, names: Sequence[str]) -> None:
    """Replace the tags of a chat. A tag that the desk has takes its spelling; a repeated one is left out."""
    tx.hold(chat_id)
    requested = {tag_key(name): plain(name) for name in reversed(names)}
    spelling = select(ChatTagRow.key, func.min(ChatTagRow.name)).where(ChatTagRow.key.in_(requested))
    requested |= dict(tuple(row) for row in tx.execute(spelling.group_by(ChatTagRow.key)))
    tx.execute(delete(ChatTagRow).where(ChatTagRow.chat_id == chat_id))
    if requested:
        rows = [{"chat_id": chat_id, "key": key, "name": name} for key, name in requested.items()]
        tx.execute(insert(ChatTagRow), rows)


def count_tags(connection: Connection) -> list[TagCount]:
    """Return the tags of all chats by name. A tag of deleted chats alone is left out."""
    listed, archived = (func.count(column) for column in (ChatRow.id, ChatRow.archived_at))
    query = select(ChatTagRow.key, func.min(ChatTagRow.name), listed, archived)
    query = query.join(ChatRow, ChatRow.id == ChatTagRow.chat_id).where(~EMPTY, IS_THERE)
    rows = sorted(connection.execute(query.group_by(ChatTagRow.key)), key=itemgetter(0))
    return [TagCount(name, total - shelved, shelved) for _, name, total, shelved in rows]


def rename_tag(tx: Tx, tag: str, name: str) -> TagCount:
    """Rename a tag in all chats, deleted ones included; one that exists absorbs it. Raises NotFound."""
    old, new = tag_key(tag), tag_key(name)
    _require(tx, old, tag)
    if new != old:
        both = select(ChatTagRow.chat_id).where(ChatTagRow.key == new)
        tx.execute(delete(ChatTagRow).where(ChatTagRow.key == old, ChatTagRow.chat_id.in_(both)))
        tx.execute(update(ChatTagRow).where(ChatTagRow.key == old).values(key=new))
    tx.execute(update(ChatTagRow).where(ChatTagRow.key == new).values(name=plain(name)))
    return next((tag for tag in count_tags(tx.connection) if tag_key(tag.name) == new), TagCount(name, 0, 0))


def remove_tag(tx: Tx, tag: str) -> None:
    """Remove a tag from all chats, deleted ones included. Raises NotFound."""
    key = tag_key(tag)
    _require(tx, key, tag)
    tx.execute(delete(ChatTagRow).where(ChatTagRow.key == key))


def copy_tags(tx: Tx, chat_id: str, copy_id: str) -> None:
    """Give a new chat the tags of another one."""
    rows = select(literal(copy_id), ChatTagRow.key, ChatTagRow.name).where(ChatTagRow.chat_id == chat_id)
    tx.execute(insert(ChatTagRow).from_select(["chat_id", "key", "name"], rows))


def _require(tx: Tx, key: str, tag: str) -> None:
    if tx.execute(select(ChatTagRow.key).where(ChatTagRow.key == key).limit(1)).first() is None:
        raise NotFound(
            f"No chat has the tag {tag[:40]!r}.", "Expected a tag of GET /api/chats.", code="unknown_tag"
        )
