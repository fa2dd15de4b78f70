"""Cells that say how a match ended: `wins`, `did we lose`, `drawn games` of a column that holds W, L and D."""

from collections.abc import Iterator

from smoldesk.analyst.meanings import ValueRef
from smoldesk.analyst.tables.catalogue import ColumnInfo
from smoldesk.analyst.words.text import key

_ENDS = {
    "won": (("w", "win", "won", "victory"), ("win", "wins", "won", "winning", "victory", "victories")),
    "lost": (
        ("l", "loss", "lost", "defeat", "lose"),
        ("lose", "loses", "lost", "loss", "losses", "losing", "defeat", "defeats", "beaten"),
    ),
    "drawn": (("d", "t", "draw", "drawn", "tie", "tied"), ("draws", "drawn", "tie", "ties", "tied")),
}
_STRENGTH = 3.0


def ends_of_matches(table: str, column: ColumnInfo) -> Iterator[tuple[str, ValueRef]]:
    """The words for each cell of such a column; nothing unless its cells are wins and losses, with draws or without."""
    if column.kind != "text" or not 2 <= len(column.values) <= 3:
        return
    found = {value: _end(key(value)) for value in column.values}
    if "" in found.values() or not {"won", "lost"} <= set(found.values()):
        return
    for value, end in found.items():
        yield from ((word, ValueRef(table, column.name, value, _STRENGTH)) for word in _ENDS[end][1])


def _end(cell: str) -> str:
    return next((end for end, (cells, _) in _ENDS.items() if cell in cells), "")
