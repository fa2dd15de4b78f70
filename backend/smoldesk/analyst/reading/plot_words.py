"""Words for plots that name a column: the line of `scrap by line`, of a column `Production line`."""

import re

from smoldesk.analyst.meanings import Mention
from smoldesk.analyst.tables.catalogue import ColumnInfo
from smoldesk.analyst.words.text import inflections, key, name_words

_CUT = re.compile(
    r"\b(?:by|per|each|every|which|what|any|different|and|the|of|many|same|between|across|for|on|in|most|distinct|unique"
    r"|all) $",
    re.IGNORECASE,
)
"""What stands before a word that asks for a column and no drawing; `as a line` does."""


def names_no_plot(mention: Mention, column: ColumnInfo, after: Mention | None) -> bool:
    """Whether one word for a plot is a column of texts here, by a word of the column's own name."""
    if mention.cue("plot") is None or column.kind != "text" or " " in mention.text:
        return False
    if not set(inflections(key(mention.text))) & set(name_words(column.name)):
        return False
    drawn = after is not None and after.says("plot") and after.start - mention.end <= 1
    return bool(_CUT.search(mention.lead)) and not drawn
