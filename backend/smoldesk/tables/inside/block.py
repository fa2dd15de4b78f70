"""A table in a grid: its lines of names, its rows and columns, and what of them is not sure."""

from dataclasses import dataclass, field

# Characters of names that pandas is told, so that the expression that loads a table stays short.
LONGEST_NAMES = 8_000


@dataclass
class Block:
    """A table in a grid. `names` are the lines of its names (none for a table without), `body` its rows, `columns` those
    that are kept, `heads` what they are called where a line of the file does not say it by itself, else empty.

    `left_out` are rows that are none of its own, each with the reason; `doubts` what a person should be asked:
    "header", "total", "note", each with the rows in question. `goes_on` beyond the grid, which is only a beginning: what
    its later rows are like nobody knows, so that no row and no column is left out for what the first ones are, and
    `kept` are those that would have been. `beside` says that it has tables beside it, `numbers` which of its codes with
    zeros in front are read as numbers, since they are too many to be told of.
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
