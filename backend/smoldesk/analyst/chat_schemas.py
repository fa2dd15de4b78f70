"""Schemas of a chat's tables, cached until the table's description changes."""

from collections import Counter, OrderedDict
from dataclasses import dataclass, replace
from functools import cached_property

from smoldesk.analyst.catalogue import Catalogue, TableInfo
from smoldesk.analyst.joins import joined_tables
from smoldesk.analyst.names import schema_of
from smoldesk.analyst.schema import TableSchema


@dataclass
class ChatSchemas:
    """Schemas of all tables that a request of one chat may name."""

    catalogue: Catalogue
    tables: list[TableSchema]
    # Names of the files that came with the request.
    attachments: tuple[str, ...] = ()

    @cached_property
    def joined(self) -> list[TableSchema]:
        """The chat's tables with the columns of others that belong to their rows."""
        return _joined(tuple(table for table in self.tables if table.info.place == 0))

    @property
    def chat_tables(self) -> list[TableSchema]:
        """The tables that came with the request; without any, the chat's uploaded tables, or all tables."""
        return self.attached or [table for table in self.tables if table.info.place == 0] or self.tables

    @property
    def attached(self) -> list[TableSchema]:
        """The tables of the files that came with the request."""
        return [table for table in self.tables if table.info.file and table.info.file in self.attachments]

    @property
    def unread(self) -> tuple[str, ...]:
        """Names of the files that came with the request and contain no table, such as pictures."""
        files = {table.info.file for table in self.tables}
        return tuple(name for name in self.attachments if name not in files)


_CACHE: OrderedDict[tuple[object, ...], tuple[object, TableSchema]] = OrderedDict()
# Maximum cached schemas; the least recently used one is dropped.
MAX_CACHED = 64


def _schema(table: TableInfo, catalogue: Catalogue) -> TableSchema:
    """Return the schema of a table, from the cache if its description and index are unchanged."""
    columns = tuple(
        (*(column.name, column.kind, tuple(column.values), column.form, column.span, column.role),
         *(column.has_blanks, column.step, column.whole, column.divisions, column.latest, column.traits),
         tuple(column.explained.items()))
        for column in table.columns
    )  # fmt: skip
    totals = (table.total_rows, table.load_with_totals)
    key = (table.name, table.load, table.rows, table.place, totals, columns, catalogue.places)
    index = table.index() if table.index is not None else None
    # The index is a large mapping, so it is compared by identity instead of being part of the key.
    cached = _CACHE.get(key)
    if cached is None or cached[0] is not index:
        schema = schema_of(table)
        schema.floor, schema.room_column, schema.rooms = _rooms(schema, catalogue)
        _CACHE[key] = cached = (index, schema)
        while len(_CACHE) > MAX_CACHED:
            _CACHE.popitem(last=False)
    _CACHE.move_to_end(key)
    return cached[1]


_JOINED: OrderedDict[tuple[TableSchema, ...], list[TableSchema]] = OrderedDict()


def _joined(tables: tuple[TableSchema, ...]) -> list[TableSchema]:
    """Return the schemas of joined tables, from the cache if the tables are the same."""
    if len(tables) < 2:
        return []
    if tables not in _JOINED:
        _JOINED[tables] = [schema_of(info) for info in joined_tables([table.info for table in tables])]
        while len(_JOINED) > MAX_CACHED:
            _JOINED.popitem(last=False)
    _JOINED.move_to_end(tables)
    return _JOINED[tables]


def _rooms(schema: TableSchema, catalogue: Catalogue) -> tuple[str, str, tuple[str, ...]]:
    """Return the floor with most rooms of a column, the column's name, and its values that are rooms; empty without one."""
    if (places := catalogue.places) is None:
        return "", "", ()
    for column in schema.columns:
        values = schema.values_of(column) if column.info.kind == "text" else []
        spots = {value: found for value in values if (found := places.named(value))}
        # At least half of the values must be names of rooms.
        if values and 2 * len(spots) >= len(values):
            floors = Counter(floor for found in spots.values() for floor, _ in found)
            return max(floors, key=lambda floor: floors[floor]), column.name, tuple(spots)
    return "", "", ()


def build_schemas(
    catalogue: Catalogue, selected: tuple[tuple[str, str], ...] = (), attachments: tuple[str, ...] = ()
) -> ChatSchemas:
    """Return the schemas of a catalogue's tables, with the selected rooms and the attached files."""
    schemas = [_schema(table, catalogue) for table in catalogue.tables]
    if selected:
        schemas = [replace(schema, selected=selected) for schema in schemas]
    return ChatSchemas(catalogue, schemas, attachments)
