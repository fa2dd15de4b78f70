"""Japanese requests rewritten by what the tables hold, before anything is read.

A column is often said by its cells (済と未で分けると), by what was done on its day (まだ売れていない of 売却日), or by a
span of it (購入年ごと of 購入日). Each is written as the grammar reads it; what no table holds stays as it was.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from smoldesk.analyst.japanese.allowed_columns import allowed
from smoldesk.analyst.japanese.amounts_of_rows import amounts_of_rows
from smoldesk.analyst.japanese.average_steps import average_steps
from smoldesk.analyst.japanese.both_columns import both_columns
from smoldesk.analyst.japanese.cells_in_heads import cells_in_heads
from smoldesk.analyst.japanese.counted_deals import counted_deals
from smoldesk.analyst.japanese.counted_names import counted_names
from smoldesk.analyst.japanese.extreme_rows import extreme_rows
from smoldesk.analyst.japanese.flag_verbs import flags_like_rows
from smoldesk.analyst.japanese.held_words import shared_endings
from smoldesk.analyst.japanese.last_words import last_words
from smoldesk.analyst.japanese.level_cells import level_cells
from smoldesk.analyst.japanese.most_sold import cells_of_rows, sold_by, tickets_sold
from smoldesk.analyst.japanese.not_once import not_once
from smoldesk.analyst.japanese.numbers_of_rows import numbers_of_rows
from smoldesk.analyst.japanese.numbers_of_things import numbers_of_things
from smoldesk.analyst.japanese.numbers_said import numbers_said
from smoldesk.analyst.japanese.ones_among import ones_among
from smoldesk.analyst.japanese.orders_of_days import orders_of_days
from smoldesk.analyst.japanese.priced_per import priced_per
from smoldesk.analyst.japanese.spoken_asks import asks
from smoldesk.analyst.japanese.spoken_blanks import spoken_blanks
from smoldesk.analyst.japanese.spoken_days import done, spans_of_days, undone
from smoldesk.analyst.japanese.spoken_headers import spoken_headers
from smoldesk.analyst.japanese.spoken_parts import spoken_parts
from smoldesk.analyst.japanese.spoken_sides import sides
from smoldesk.analyst.japanese.spoken_subjects import subjects
from smoldesk.analyst.japanese.spoken_years import ends_by, years_of_deeds
from smoldesk.analyst.meanings import ColumnRef
from smoldesk.analyst.tables.catalogue import TableInfo
from smoldesk.analyst.tables.lexicon import Lexicon, Vocabulary
from smoldesk.analyst.words.text import (
    is_japanese,
    key,
    rewritten,
    tidy,
)

_QUOTED = re.compile(r"((?<!\w)'[^']+'(?!\w)|\"[^\"]+\"|“[^”]+”|「[^」]+」|『[^』]+』)")
Rule = tuple[re.Pattern[str], str]


@dataclass(frozen=True)
class _Rules:
    said: Sequence[Rule]


_KNOWN: "WeakKeyDictionary[Vocabulary, _Rules]" = WeakKeyDictionary()


def with_spoken_columns(text: str, lexicon: Lexicon) -> str:
    """A tidied Japanese text with such words written as columns; another text as it is."""
    if not is_japanese(text):
        return text
    rules = _KNOWN.get(lexicon.vocabulary)
    if rules is None:
        named = _names(lexicon)
        own = _own(lexicon)
        said = [rule for table in own for rule in (*flags_like_rows(table, lexicon), *_rules(table, named))]
        rules = _Rules(said)
        _KNOWN[lexicon.vocabulary] = rules
    pieces = _QUOTED.split(text)
    for at in range(0, len(pieces), 2):
        pieces[at] = rewritten(pieces[at], rules.said)
    return "".join(pieces)


def _own(lexicon: Lexicon) -> list[TableInfo]:
    return [table for table in lexicon.catalogue.tables if not table.bundled and not table.produced]


def _rules(table: TableInfo, named: Mapping[tuple[str, str], set[str]]) -> Iterable[Rule]:
    names = {
        column.name: sorted(
            {key(tidy(column.name)), *named.get((table.name, column.name), ())}, key=len, reverse=True
        )
        for column in table.columns
    }
    for column in table.columns:
        yield from spoken_blanks(column, names[column.name])
        yield from spoken_parts(column, names[column.name])
        yield from allowed(column, names[column.name])
        yield from sides(column, names[column.name])
        yield from not_once(column, names[column.name])
        yield from spans_of_days(column, names[column.name])
        yield from years_of_deeds(column)
        yield from ends_by(column)
    yield from priced_per(table)
    yield from both_columns(table, names)
    yield from level_cells(table, names)
    yield from last_words(table, names)
    yield from numbers_of_things(table)
    yield from numbers_said(table, names)
    yield from cells_in_heads(table)
    yield from cells_of_rows(table)
    yield from tickets_sold(table)
    yield from sold_by(table)
    yield from average_steps(table)
    yield from extreme_rows(table, names)
    yield from ones_among(table, names)
    yield from counted_deals(table)
    yield from numbers_of_rows(table)
    yield from amounts_of_rows(table)
    yield from spoken_headers(table, names)
    yield from counted_names(table, names)
    yield from shared_endings(table)
    yield from subjects(table)
    yield from asks(table, names)
    yield from orders_of_days(table, names)
    yield from undone(table)
    yield from done(table)


def _names(lexicon: Lexicon) -> dict[tuple[str, str], set[str]]:
    """The Japanese words that mean one column of a table alone, by table and column; in one pass, for there are many words."""
    found: dict[tuple[str, str], set[str]] = {}
    for term, meanings in lexicon.terms.items():
        refs = [one for one in meanings if isinstance(one, ColumnRef)]
        if not refs or len(term) < 2 or not is_japanese(term):
            continue
        for table in {one.table for one in refs}:
            own = [one for one in refs if one.table == table]
            best = max(one.strength for one in own)
            meant = [one.column for one in own if one.strength > best - 0.02]
            if best >= 1.9 and len(meant) == 1:
                found.setdefault((table, meant[0]), set()).add(term)
    return found
