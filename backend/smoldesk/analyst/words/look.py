"""A request to look at a table as it stands: its rows, a sample, what comes again, its types, a file of it.

English and Japanese readers make it (looks_english, looks_japanese); talk/read_looks.py turns it into an intent.
"""

from dataclasses import dataclass
from typing import Literal

from smoldesk.analyst.intents import ColumnSort, Operation


@dataclass(frozen=True)
class Look:
    """What is done with the rows that `said` means; `said` is a request for their first or last rows, in the grammar's words.

    `columns` are the columns as they were named, `word` is what the look was known by: where a table has such a word of its
    own, it means that. A look that is `sure` is refused for its own words, others are read as if they were none.
    """

    operation: Operation
    said: str
    word: str = ""
    columns: tuple[str, ...] = ()
    limit: int = 0
    sort: ColumnSort = ""
    seed: int = 0
    ends: Literal["head", "tail"] = "head"
    sure: bool = False
    whole: bool = False
    """The request says more of all rows (sorted by age), and is read as `said` says it."""
    bare: bool = False
    """Names nothing that is to be saved: `save as csv`."""
