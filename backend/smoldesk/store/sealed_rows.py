"""All sealed texts of the database: whether a key file opens them, and sealing them anew."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, select, update

from smoldesk.errors import DeskError
from smoldesk.store.postgres import LISTS
from smoldesk.store.sealing import CannotUnseal, Seal
from smoldesk.store.tables import McpServerRow, ModelRow, SourceRow, WatchRow
from smoldesk.store.transaction import Tx

# Columns with sealed texts, each with what a person calls its row.
COLUMNS: Sequence[tuple[str, Any, Any]] = (
    ("database", SourceRow.name, SourceRow.sealed),
    ("model", ModelRow.name, ModelRow.sealed),
    ("MCP server", McpServerRow.name, McpServerRow.sealed),
    ("MCP server", McpServerRow.name, McpServerRow.tokens),
    ("watch", WatchRow.id, WatchRow.sealed),
)
MAX_NAMED = 5


@dataclass(frozen=True)
class SealedText:
    """One sealed text, and the row that has it."""

    kind: str
    name: str
    column: Any
    sealed: str


def sealed_texts(connection: Connection) -> list[SealedText]:
    """Return all sealed texts."""
    return [
        SealedText(kind, name, column, sealed)
        for kind, names, column in COLUMNS
        for name, sealed in connection.execute(select(names, column).where(column.is_not(None), column != ""))
    ]


def unreadable(texts: Sequence[SealedText], seal: Seal) -> list[SealedText]:
    """Return those that no key of the file opens."""
    return [text for text in texts if not _opens(seal, text.sealed)]


def check_key_file(texts: Sequence[SealedText], seal: Seal) -> None:
    """Raise DeskError if a text cannot be opened with the key file."""
    if closed := unreadable(texts, seal):
        names = ", ".join(dict.fromkeys(f"the {text.kind} {text.name!r}" for text in closed[:MAX_NAMED]))
        raise DeskError(
            f"The key file {seal.file.name!r} does not open {len(closed)} of {len(texts)} sealed texts: {names}.",
            "Add the key that sealed them as a further line of the file. To give them up, start without "
            "SMOLDESK_KEY_FILE, remove them on the page, and start again; nothing was changed.",
            code="wrong_key_file",
        )


def reseal(tx: Tx, seal: Seal) -> tuple[int, list[SealedText]]:
    """Seal every text with the first key; return how many, and those that no key opens, which stay as they are."""
    done = 0
    closed: list[SealedText] = []
    for text in sealed_texts(tx.connection):
        try:
            sealed = seal.seal(seal.unseal(text.sealed))
        except CannotUnseal:
            closed.append(text)
            continue
        row = text.column.class_
        name = row.id if row is WatchRow else row.name
        # Only the text that was read: a server may have stored another one meanwhile, with the newest key.
        where = (name == text.name, text.column == text.sealed)
        done += tx.execute(update(row).where(*where).values({text.column.key: sealed})).rowcount
    tx.audit("keys.resealed", outcome=f"{done} texts, {len(closed)} left")
    tx.erased = True
    tx.touched.add(LISTS)
    return done, closed


def _opens(seal: Seal, sealed: str) -> bool:
    try:
        seal.unseal(sealed)
    except CannotUnseal:
        return False
    return True
