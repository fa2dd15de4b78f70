"""`slow chargers` of a yes/no column `fast charger`: the opposite of a word in its name asks for the other rows."""

from smoldesk.analyst.tables.catalogue import ColumnInfo
from smoldesk.analyst.tables.column_names import name_words
from smoldesk.analyst.words.text import key

_PAIRS = """
slow fast, slow quick, slow express, cheap expensive, new old, open closed, indoor outdoor, indoors outdoors, hot cold,
dry wet, early late, large small, big small, long short, high low, heavy light, old young, public private, single married,
domestic international, full empty, left right, manual automatic, hard easy, clean dirty, safe unsafe, new used, new returning,
part full, temporary permanent, minor major, good bad, healthy sick, alive dead, inside outside, online offline"""
_OPPOSITES = {frozenset(pair.split()) for pair in _PAIRS.replace("\n", " ").split(",")}


def is_opposed(lead: str, column: ColumnInfo) -> bool:
    """Whether the last word before the column's mention is the opposite of one in its name that does not stand there."""
    before = lead.split()
    if not before or not lead.endswith((" ", "-")):
        return False
    said = key(before[-1].strip("-"))
    words = {key(word) for word in name_words(column.name)}
    return said not in words and any(frozenset((said, word)) in _OPPOSITES for word in words)
