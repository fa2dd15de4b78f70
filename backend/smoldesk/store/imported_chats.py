"""Rows of an imported chat: written in batches, and hidden until they are complete."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import delete, insert, update

from smoldesk.events import ChatEvent, PolicySet
from smoldesk.store.chat_choices import policies_of
from smoldesk.store.chats import get_chat
from smoldesk.store.prompt_messages import StoredMessage, keep_messages
from smoldesk.store.run_queue import TITLE_LENGTH
from smoldesk.store.tables import ChatRow, EventRow, FileRow, RunRow
from smoldesk.store.transaction import Tx, plain

_DAY = 86_400.0


@dataclass
class ImportedRows:
    """A batch of rows, as the tables have them, without the chat they belong to."""

    runs: list[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])
    files: list[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])
    events: list[Mapping[str, Any]] = field(default_factory=list[Mapping[str, Any]])
    prompts: list[StoredMessage] = field(default_factory=list[StoredMessage])


def begin_import(tx: Tx) -> str:
    """Create a hidden chat and return its id; what a crash leaves of it is erased a day later."""
    chat_id = f"c_{secrets.token_hex(12)}"
    row = {"id": chat_id, "title": "", "created_at": tx.now, "updated_at": tx.now, "epoch": 0, "last_seq": 0}
    tx.execute(insert(ChatRow), row | {"deleted_at": tx.now + _DAY})
    return chat_id


def add_rows(tx: Tx, chat_id: str, rows: ImportedRows) -> None:
    """Write a batch."""
    for table, some in ((RunRow, rows.runs), (FileRow, rows.files), (EventRow, rows.events)):
        if some:
            tx.execute(insert(table), [{**row, "chat_id": chat_id} for row in some])
    keep_messages(tx, chat_id, rows.prompts)


def take_back_file(tx: Tx, file_id: str) -> None:
    """Forget a file that did not come whole."""
    tx.execute(delete(FileRow).where(FileRow.id == file_id))


def finish_import(
    tx: Tx,
    chat_id: str,
    facts: Mapping[str, Any],
    origin_events: Sequence[ChatEvent],
) -> None:
    """Make the chat visible. `facts` go into its row, `origin_events` record where it comes from.

    Policies that allowed tools are revoked: a log is not a decision of a person at this desk.
    """
    values = {**facts, "title": plain(str(facts["title"]))[:TITLE_LENGTH], "deleted_at": None}
    tx.execute(update(ChatRow).where(ChatRow.id == chat_id).values(**values))
    allowed = [tool for tool, policy in policies_of(tx.connection, chat_id).items() if policy == "allow"]
    events: list[ChatEvent] = [PolicySet(tool=tool, policy="ask") for tool in allowed]
    tx.audit("chat.imported", chat_id=chat_id)
    tx.append(chat_id, [*events, *origin_events])
    get_chat(tx.connection, chat_id)
