"""The values of a table's columns of text, the most frequent first, as the child that read the file kept them."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class IndexedColumn:
    """The distinct texts of a column with how often each occurs; `cut` when some are left out, `whole` for ids."""

    name: str
    values: Sequence[str]
    counts: Sequence[int]
    cut: bool = False
    whole: bool = False


class ValueIndex:
    """The values of one table. `size` is how many; `cut` names the columns of which some are left out."""

    def __init__(self, columns: Sequence[IndexedColumn]) -> None:
        self.columns = tuple(columns)
        self.size = sum(len(column.values) for column in columns)
        self.cut = [column.name for column in columns if column.cut]

    def values_of(self, column: str) -> list[str]:
        """The values of a column that are known, most frequent first; none of a column that is not indexed."""
        return [value for one in self.columns if one.name == column for value in one.values]
