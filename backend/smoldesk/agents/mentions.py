"""Mentions for an `@`: tables, columns, rooms, files and agents of a chat that match the typed text. Pure.

A list has at most MOST entries of each kind, and counts the others. Columns are those of a table's profile, the first
MAX_COLUMNS (`tables.inside.shapes`), which the built-in analyst reads as well.
"""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from types import MappingProxyType

from smoldesk.agents.composer_kinds import MentionKind
from smoldesk.agents.entries import AgentEntry
from smoldesk.analyst.catalogue import Catalogue, TableInfo
from smoldesk.analyst.complete import quoted_name
from smoldesk.analyst.language import Language, localize

KINDS: tuple[MentionKind, ...] = ("table", "column", "room", "file", "agent")
# Entries of each kind in one list.
MOST = 8
# Characters of a name: tables of databases may have names of any length.
LONGEST = 200


@dataclass(frozen=True)
class Mention:
    """One entry: `name` is listed, `insert` goes into the message, `detail` says where it belongs."""

    kind: MentionKind
    name: str
    insert: str
    detail: str = ""


@dataclass(frozen=True)
class MentionList:
    """Mentions by kind, best matches first; `more` counts the entries of a kind that were left out."""

    mentions: list[Mention]
    more: dict[MentionKind, int]


# Databases by name, each with its tables and their columns.
DatabaseTables = Sequence[tuple[str, Sequence[tuple[str, Sequence[str]]]]]


def mentions(
    typed: str,
    catalogue: Catalogue,
    files: Sequence[str],
    agents: Iterable[AgentEntry],
    language: Language,
    databases: DatabaseTables = (),
    shared: Mapping[str, str] = MappingProxyType({}),
) -> MentionList:
    """List matches: names that begin with the typed text, then names with a word that does, then names that contain it.

    `shared` has the details of files of shared folders, by their names.
    """
    candidates = {
        "table": chain(_tables(catalogue, shared), _tables_of(databases, language)),
        "column": chain(_columns(catalogue), _columns_of(databases)),
        "room": _rooms(catalogue, language),
        "file": (Mention("file", name, name) for name in files),
        "agent": (Mention("agent", agent.name, agent.name, agent.description) for agent in agents),
    }
    query = _plain(typed)
    selected: list[Mention] = []
    more: dict[MentionKind, int] = {}
    for kind in KINDS:
        rated = [
            (rank, mention)
            for mention in candidates[kind]
            if (rank := _rank(_plain(mention.name), query)) is not None
        ]
        best = [mention for _, mention in sorted(rated, key=lambda pair: pair[0])]
        selected += best[:MOST]
        if len(best) > MOST:
            more[kind] = len(best) - MOST
    return MentionList(selected, more)


def _tables(catalogue: Catalogue, shared: Mapping[str, str]) -> Iterator[Mention]:
    for table in sorted(catalogue.tables, key=lambda table: table.place):
        file = table.file if table.file != table.name else ""
        detail = shared.get(file, file) if table.place == 0 else file
        yield Mention("table", table.name, quoted_name(table.name), detail[:LONGEST])


def _columns(catalogue: Catalogue) -> Iterator[Mention]:
    """Yield columns of the chat's own tables, or of the bundled ones if the chat has none."""
    chat_tables = [table for table in catalogue.tables if table.place == 0]
    tables: list[TableInfo] = chat_tables or catalogue.tables
    for table in tables:
        for column in table.columns:
            yield Mention("column", column.name[:LONGEST], quoted_name(column.name[:LONGEST]), table.name)


def _tables_of(databases: DatabaseTables, language: Language) -> Iterator[Mention]:
    """Yield tables of databases; the inserted text names the database, because models need it."""
    for database, tables in databases:
        for table, _ in tables:
            name = table[:LONGEST]
            insert = localize(
                language, f"{quoted_name(name)} in {database}", f"{database}の{quoted_name(name)}"
            )
            yield Mention("table", name, insert, database)


def _columns_of(databases: DatabaseTables) -> Iterator[Mention]:
    for database, tables in databases:
        for table, columns in tables:
            for column in columns:
                yield Mention(
                    "column",
                    column[:LONGEST],
                    quoted_name(column[:LONGEST]),
                    f"{database}: {table}"[:LONGEST],
                )


def _rooms(catalogue: Catalogue, language: Language) -> Iterator[Mention]:
    """Yield rooms; a name on several floors is inserted with its floor."""
    for floor, rooms in catalogue.rooms.items():
        rooms_elsewhere = {
            room for other, names in catalogue.rooms.items() if other != floor for room in names
        }
        called = catalogue.floor_names.get(floor) or floor
        for room in dict.fromkeys(rooms):
            insert = (
                localize(language, f"{room} on {floor}", f"{floor}の{room}")
                if room in rooms_elsewhere
                else room
            )
            yield Mention("room", room, insert, called)


def _plain(text: str) -> str:
    # NFKC makes full-width letters and half-width kana match what a Japanese keyboard types.
    return unicodedata.normalize("NFKC", text).casefold().strip()


def _rank(name: str, typed: str) -> int | None:
    if name.startswith(typed):
        return 0
    if any(sign + typed in name for sign in " _-./"):
        return 1
    return 2 if typed in name else None
