"""`flats under 700 and furnished`, of a column furnished with yes, no and part: the rows of which it holds.

A column of exactly yes and no is read in many places as a condition; one with a third answer is, where its name is a participle
that stands with the rows: behind `are` or `and`, or before what a row is.
"""

import re

from smoldesk.analyst.intents import Filter
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.tables.catalogue import ColumnInfo
from smoldesk.analyst.tables.column_names import core_words

_MOST = 5
_SAYS_SO = re.compile(r"(?:\b(?:are|is|was|were|been|that's)|\band) (?:fully |also |already )?$", re.I)
_LISTED = re.compile(
    r"\b(?:by|per|each|every|show|list|column|columns|and the|distribution|breakdown)\b", re.I
)


def read_partly_yes(draft: Draft) -> None:
    """Adds `furnished = yes` for such a column."""
    if draft.language != "en" or draft.says("per", "plot", "share") or _LISTED.search(draft.text):
        return
    for index, column in draft.free():
        answer = _yes(column)
        after = draft.at(index + 1)
        said_of_rows = (
            after is not None and after.rows and after.mention.start - draft.items[index].mention.end == 1
        )
        if answer and (said_of_rows or _SAYS_SO.search(draft.items[index].mention.lead)):
            draft.keep(Filter(column.name, "==", (answer,)), index)
            draft.used.add(index)


def _yes(column: ColumnInfo) -> str:
    """The cell that says yes, of a column of a few answers that is called by a participle; else empty."""
    words = core_words(column.name)
    if column.kind != "text" or column.yes_no or not 2 < len(column.values) <= _MOST or len(words) != 1:
        return ""
    answers = {value.casefold(): value for value in column.values}
    said = answers.get("yes") or answers.get("y")
    denied = "no" in answers or "n" in answers
    return said if said and denied and words[0].endswith(("ed", "en", "able")) else ""
