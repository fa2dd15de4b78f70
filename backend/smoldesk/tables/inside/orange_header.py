"""Header of three lines in a file of the program Orange: names, then a word for each type, then flags. Pure."""

from collections.abc import Sequence

_TYPES = frozenset({*("c", "d", "s", "t", "continuous", "discrete", "string", "time", "basket")})
_FLAGS = frozenset({"", "class", "meta", "ignore", "blank", "weight", "i", "m", "b", "w"})


def orange_lines(rows: Sequence[Sequence[str]]) -> list[int]:
    """Return the rows with types and flags, which are no rows of the table; empty for other files."""
    if len(rows) < 4 or len(rows[0]) < 2 or len(rows[1]) != len(rows[0]):
        return []
    is_header = _only(rows[1], _TYPES) and _only(rows[2], _FLAGS)
    return [1, 2] if is_header else []


def _only(row: Sequence[str], words: frozenset[str]) -> bool:
    return all(cell.strip().lower() in words for cell in row)
