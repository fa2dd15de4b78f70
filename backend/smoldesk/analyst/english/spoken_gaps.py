"""Days between what was done first and then: `how many days from issue to payment`, of two columns of days.

Each deed is written as the name of its column, where one column alone answers to it: by itself a deed is often a cell (paid).
"""

import re
from collections.abc import Iterator
from itertools import permutations

from smoldesk.analyst.tables.catalogue import ColumnInfo, TableInfo
from smoldesk.analyst.tables.column_names import core_words
from smoldesk.analyst.tables.dated_names import deeds
from smoldesk.analyst.words.text import tidy

_TIE = r"(?:(?:being|getting|the|it was|they were|when it was) )*"
_ENDS = "(?: date| day| on)?"
_LASTS = r"(?:(?:number of )?days|time|delay|gap|wait|interval|long|take|takes|took)"


def days_apart(table: TableInfo) -> Iterator[tuple[re.Pattern[str], str]]:
    """A pattern for each pair of columns of days, and the words that stand in its place."""
    dates = [column for column in table.columns if column.kind == "date"]
    said = {column.name: _said(column) for column in dates}
    for first, second in permutations(dates, 2):
        shared = said[first.name] & said[second.name]
        ones, others = (sorted(said[one.name] - shared, key=len, reverse=True) for one in (first, second))
        if not ones or not others:
            continue
        form = (
            rf"\b({_LASTS}\b[^?.!;]{{0,40}}?) (?:from|between) {_TIE}(?:{'|'.join(ones)}){_ENDS}"
            rf" (?:to|and|until|till) {_TIE}(?:{'|'.join(others)}){_ENDS}(?=[?.!, ]|$)"
        )
        named = f"from {_name(first)} to {_name(second)}"
        yield re.compile(form, re.I), rf"\1 {named}"
        yield (
            re.compile(rf"\b(?:time|gap|wait|interval)(?: (?:it )?(?:takes|took|taken))? {re.escape(named)}"),
            f"number of days {named}",
        )


def _said(column: ColumnInfo) -> set[str]:
    return {re.escape(word) for word in deeds(core_words(column.name))}


def _name(column: ColumnInfo) -> str:
    return tidy(column.name).replace("\\", "")
