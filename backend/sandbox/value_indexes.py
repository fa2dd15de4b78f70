"""The values of chats' tables in memory: read when a request first needs them, the longest unused forgotten first."""

from collections import OrderedDict
from pathlib import Path
from threading import Lock

from backend.builtin.catalogue import ColumnInfo
from backend.builtin.value_index import IndexedColumn, ValueIndex
from backend.sandbox.profiles import stamp_of
from backend.sandbox.value_files import ColumnValues, Stamp, read_values

MOST_HELD = 300_000
"""Values of all chats together, about 300 bytes each; one file is held whatever its size, which has a bound of its own."""


class ValueIndexes:
    """Indexes of table files by chat. All methods may be called from any thread."""

    def __init__(self, most_held: int = MOST_HELD) -> None:
        self._most = most_held
        self._lock = Lock()
        self._known: OrderedDict[tuple[str, str], tuple[Stamp | None, dict[int, ValueIndex]]] = OrderedDict()

    def of(self, chat_id: str, folder: Path, name: str, table: int) -> ValueIndex:
        """The values of a file's table of that number; an empty index where none were kept of what the file holds now."""
        stamp = stamp_of(folder, name)
        with self._lock:
            known = self._known.get((chat_id, name))
            if known is not None and known[0] == stamp:
                self._known.move_to_end((chat_id, name))
                return known[1].get(table) or _NOTHING
        tables = _indexed(read_values(folder, name, stamp))
        with self._lock:
            self._known[chat_id, name] = stamp, tables
            self._known.move_to_end((chat_id, name))
            while len(self._known) > 1 and self.held > self._most:
                self._known.popitem(last=False)
        return tables.get(table) or _NOTHING

    @property
    def held(self) -> int:
        """How many values are in memory."""
        return sum(index.size for _, tables in self._known.values() for index in tables.values())

    def forget(self, chat_id: str) -> None:
        """The chat is gone."""
        with self._lock:
            for key in [key for key in self._known if key[0] == chat_id]:
                del self._known[key]


_NOTHING = ValueIndex(())


def _indexed(columns: list[ColumnValues]) -> dict[int, ValueIndex]:
    tables: dict[int, list[IndexedColumn]] = {}
    for one in columns:
        whole = ColumnInfo(one.column, "text").is_id
        tables.setdefault(one.table, []).append(
            IndexedColumn(one.column, one.values, one.counts, one.cut, whole)
        )
    return {number: ValueIndex(columns) for number, columns in tables.items()}
