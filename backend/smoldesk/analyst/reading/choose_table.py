"""Which table a request speaks of."""

import re
from dataclasses import replace

from smoldesk.analyst.intents import Refusal
from smoldesk.analyst.meanings import (
    ColumnRef,
    Mention,
    RowNoun,
    TableRef,
    ValueRef,
)
from smoldesk.analyst.tables.catalogue import Catalogue, TableInfo
from smoldesk.analyst.words.text import key

_OURS = re.compile(r"\b(?:did|do|have|had) (?:i|we)\b|\b(?:my|our)\b", re.IGNORECASE)


def without_bundled(text: str, mentions: tuple[Mention, ...], catalogue: Catalogue) -> Catalogue:
    """`how much did I spend on fares`: who speaks of their own rows asks about their own tables, if they have any."""
    own = [table for table in catalogue.tables if not table.bundled]
    if not own or not _OURS.search(text) or any(_tables_named(mention) for mention in mentions):
        return catalogue
    return replace(catalogue, tables=own)


def choose_table(mentions: tuple[Mention, ...], catalogue: Catalogue, usual: str = "") -> TableInfo | Refusal:
    """The table a request speaks of: named, or covering most of its words; `usual` wins a tie.

    Beside a person's own tables a bundled one has to be named, or to be what was talked about: who asks for the average
    age of customers whose table has no age wants nobody else's.
    """
    named = list(dict.fromkeys(name for mention in mentions for name in _tables_named(mention)))
    if len(named) == 1:
        return catalogue.table(named[0])
    own = any(not table.bundled and not table.produced for table in catalogue.tables)
    scores = {
        table.name: _score(mentions, table.name)
        for table in catalogue.tables
        if (table.name in named if named else not (own and table.bundled) or table.name == usual)
    }
    most = max(covered for covered, _ in scores.values())
    best = [catalogue.table(name) for name, (covered, _) in scores.items() if covered == most]
    if any(mention.says("time", "grain") for mention in mentions):  # only a table with dates can tell
        best = [table for table in best if any(column.kind == "date" for column in table.columns)] or best
    if any(table.name == usual for table in best):
        return catalogue.table(usual)
    best = [table for table in best if table.place == min(one.place for one in best)]
    if len(best) > 1 and most > 0:
        strongest = max(scores[table.name][1] for table in best)
        best = [table for table in best if scores[table.name][1] == strongest]
    if len(best) == 1:
        return best[0]
    return Refusal("which_table", choices=tuple(table.name for table in best))


def _tables_named(mention: Mention) -> list[str]:
    """Tables that a name may mean, those of exactly that name first; none if it is a column or a cell value as well."""
    called = [ref.table for ref in mention.all(TableRef) if key(ref.table) == key(mention.text)]
    if called and all(ref.strength < 2.9 for ref in mention.all(ColumnRef)) and not mention.all(ValueRef):
        return called
    if mention.all(ColumnRef) or mention.all(ValueRef):
        return []
    named = [ref.table for ref in mention.all(TableRef)]
    return [table for table in named if key(table) == key(mention.text)] or named


def _score(mentions: tuple[Mention, ...], table: str) -> tuple[int, float]:
    """How many mentions a table covers and how well."""
    covered, strength = 0, 0.0
    for mention in mentions:
        if mention.says("which"):  # a column called `who` is not asked for by every question
            continue
        here = [ref.strength for ref in mention.all(ColumnRef) if ref.table == table]
        here += [ref.strength for ref in mention.all(ValueRef) if ref.table == table and not ref.needs_column]
        here += [1.0 for noun in mention.all(RowNoun) if noun.table == table]
        covered += bool(here)
        strength += max(here, default=0.0)
    return covered, strength
