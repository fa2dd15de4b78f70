"""Nouns of what was done, before a rate: the approval rate of a column with cells `approved`.

Only where one cell of a table says so; a noun that the table knows otherwise stays what it is.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from smoldesk.analyst.meanings import ColumnRef, Mention, ValueRef
from smoldesk.analyst.tables.lexicon import Lexicon
from smoldesk.analyst.words.text import level

_NOUN = re.compile(r"([a-z]{4,}?)(?:ations?|itions?|als?|ures?|ery|y|ions?|ances?|ments?)")
_RATE = re.compile(r"(?:success )?rates?", re.IGNORECASE)


def rate_nouns(mentions: Sequence[Mention], lexicon: Lexicon) -> list[Mention]:
    """The mentions, with such a noun read as the cell that says that it was done; nouns that a table knows stay."""
    found = list(mentions)
    for at in range(len(found) - 1):
        mention, after = found[at], found[at + 1]
        if not _RATE.fullmatch(after.text) or after.start - mention.end != 1 or after.cue("agg") != "share":
            continue
        if mention.all(ValueRef) or any(one.strength >= 1.5 for one in mention.all(ColumnRef)):
            continue
        if cells := tuple(_done(level(mention.text), lexicon)):
            found[at] = replace(mention, meanings=cells, read_as="")
    return found


def _done(noun: str, lexicon: Lexicon) -> Iterator[ValueRef]:
    match = _NOUN.fullmatch(noun)
    if match is None:
        return
    stem = match[1]
    for table in lexicon.catalogue.tables:
        cells = [
            ValueRef(table.name, column.name, value, 3.0)
            for column in table.columns
            if column.kind == "text" and not column.yes_no
            for value in column.values
            if level(value) in _forms(stem)
        ]
        if len(cells) == 1:
            yield cells[0]


def _forms(stem: str) -> tuple[str, ...]:
    """`fail`, `failed` of failure; `completed` of completion; `delivered` of delivery."""
    return stem, f"{stem}e", f"{stem}ed", f"{stem}er", f"{stem}ered", f"{stem}ted", f"{stem}ied"
