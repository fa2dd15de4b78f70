"""Table in a grid: its header lines, rows and columns, and the uncertain parts."""

from dataclasses import dataclass, field

# Maximum characters of column names in pandas' options, so that the load expression stays short.
LONGEST_NAMES = 8_000


@dataclass
class Block:
    """Table in a grid, by row and column numbers.

    `names` are the header lines (empty for a table without), `body` its rows, `columns` those it has. `heads` are the
    column names if no single line of the file has them as they are, else empty. `skipped_rows` maps rows that do not
    belong to it to the reason. `doubts` are rows to ask a person about, under "header", "total" and "note".

    `goes_on` is true if the grid is only the beginning of a file. Later rows are unknown then, so no row or column is
    skipped; `retained_rows` are those that would have been. `has_neighbours` is true if other tables stand beside it.
    `numbers` names the columns of zero-padded codes that are read as numbers, because pandas' options have no room
    for more.
    """

    names: list[int]
    body: list[int]
    columns: list[int]
    heads: list[str] = field(default_factory=list[str])
    skipped_rows: dict[int, str] = field(default_factory=dict[int, str])
    doubts: dict[str, list[int]] = field(default_factory=dict[str, list[int]])
    caption: str = ""
    goes_on: bool = False
    retained_rows: list[int] = field(default_factory=list[int])
    has_neighbours: bool = False
    numbers: list[str] = field(default_factory=list[str])
