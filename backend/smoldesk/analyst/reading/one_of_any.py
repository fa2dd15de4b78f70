"""`to fix a fault`, `did a team score 35`: any one of what a column holds, which cuts nothing by it."""

import re

from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.tables.catalogue import ColumnInfo

_ANY = re.compile(r"\b(?:to [a-z]+|did|does) an? $")
_WITH = re.compile(r"\b(?:have|has|had|with|got|having) (?:an?|any|some) $")


def take_any(draft: Draft) -> list[tuple[int, ColumnInfo]]:
    """Takes the free text columns that a request speaks of as of any one of them, and tells which."""
    found = [
        (index, column)
        for index, column in draft.free()
        if _is_text(column) and _ANY.search(draft.items[index].mention.lead)
    ]
    draft.used.update(index for index, _ in found)
    return found


def held_at_all(draft: Draft) -> tuple[int, ColumnInfo] | None:
    """`what percentage of episodes had a sponsor`: the column that is there or not, whatever it holds."""
    for index, column in draft.free():
        if column.kind != "number" and not column.yes_no and _WITH.search(draft.items[index].mention.lead):
            return index, column
    return None


def _is_text(column: ColumnInfo) -> bool:
    return column.kind == "text" and not column.yes_no
