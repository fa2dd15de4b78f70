"""Cache of the values of chats' tables, read on first use; the least recently used is dropped first."""

from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from threading import Lock

from smoldesk.agents.room_columns import may_have_rooms
from smoldesk.analyst.catalogue import ColumnInfo, ValueIndex
from smoldesk.tables.models import TableProfile
from smoldesk.tables.table_profiles import stamp_of
from smoldesk.tables.value_files import ColumnValues, Stamp, read_values

# Values of all chats together, about 300 bytes each. One file is always cached: its size has a limit of its own.
MAX_CACHED = 300_000


class ValueIndexes:
    """Indexes of table files, by chat. All methods may be called from any thread."""

    def __init__(self, max_values: int = MAX_CACHED) -> None:
        self._most = max_values
        self._lock = Lock()
        self._indexes: OrderedDict[tuple[str, str], tuple[Stamp | None, dict[int, ValueIndex]]] = (
            OrderedDict()
        )

    def of(self, chat_id: str, folder: Path, tables: Sequence[TableProfile], number: int) -> ValueIndex:
        """Return the values of one of a file's `tables`; empty when none are stored for the file's present content."""
        name = tables[number].file
        stamp = stamp_of(folder, name)
        with self._lock:
            cached = self._indexes.get((chat_id, name))
            if cached is not None and cached[0] == stamp:
                self._indexes.move_to_end((chat_id, name))
                return cached[1].get(number) or _NOTHING
        # Outside of the lock: reading may take a while. Two threads that read the same file store equal indexes.
        indexes = _indexed(tables, read_values(folder, name, stamp))
        with self._lock:
            self._indexes[chat_id, name] = stamp, indexes
            self._indexes.move_to_end((chat_id, name))
            while len(self._indexes) > 1 and self.value_count > self._most:
                self._indexes.popitem(last=False)
        return indexes.get(number) or _NOTHING

    @property
    def value_count(self) -> int:
        """Number of cached values."""
        indexes = (index for _, tables in self._indexes.values() for index in tables.values())
        return sum(len(values) for index in indexes for values in index.values())

    def forget(self, chat_id: str) -> None:
        """Drop the indexes of a chat."""
        with self._lock:
            for key in [key for key in self._indexes if key[0] == chat_id]:
                del self._indexes[key]


_NOTHING: ValueIndex = {}


def _indexed(tables: Sequence[TableProfile], stored_values: Sequence[ColumnValues]) -> dict[int, ValueIndex]:
    """Build an index for each table, of its columns of texts and room numbers; the file of values may have others."""
    texts = {
        (number, column.name)
        for number, table in enumerate(tables)
        for column in table.columns
        if (column.kind == "text" and not ColumnInfo(column.name, "text").is_id)
        or (column.kind in ("text", "number") and may_have_rooms(column.name))
    }
    indexes: dict[int, dict[str, Sequence[str]]] = {}
    for stored in stored_values:
        if (stored.table, stored.column) in texts:
            indexes.setdefault(stored.table, {}).setdefault(stored.column, stored.values)
    return dict(indexes)
