"""Japanese requests rewritten by what the tables hold, before anything is read.

A column is often said by its cells (済と未で分けると), by what was done on its day (まだ売れていない of 売却日), or by a
span of it (購入年ごと of 購入日). Each is written as the grammar reads it; what no table holds stays as it was.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from weakref import WeakKeyDictionary

from backend.builtin.catalogue import ColumnInfo, TableInfo
from backend.builtin.counted_names import counted_names
from backend.builtin.lexicon import Lexicon
from backend.builtin.meanings import ColumnRef
from backend.builtin.spoken_asks import asks
from backend.builtin.spoken_days import done, spans_of_days, undone
from backend.builtin.spoken_sides import sides
from backend.builtin.spoken_subjects import subjects
from backend.builtin.words import is_japanese, key, tidy

_QUOTED = re.compile(r"((?<!\w)'[^']+'(?!\w)|\"[^\"]+\"|“[^”]+”|「[^」]+」|『[^』]+』)")
Rule = tuple[re.Pattern[str], str]


@dataclass(frozen=True)
class _Rules:
    said: Sequence[Rule]


_KNOWN: "WeakKeyDictionary[Lexicon, _Rules]" = WeakKeyDictionary()


def with_spoken_columns(text: str, lexicon: Lexicon) -> str:
    """A tidied Japanese text with such words written as columns; another text as it is."""
    if not is_japanese(text):
        return text
    rules = _KNOWN.get(lexicon)
    if rules is None:
        rules = _KNOWN[lexicon] = _Rules([rule for table in _own(lexicon) for rule in _rules(table, lexicon)])
    pieces = _QUOTED.split(text)
    for at in range(0, len(pieces), 2):
        for form, written in rules.said:
            pieces[at] = form.sub(written, pieces[at])
    return "".join(pieces)


def _own(lexicon: Lexicon) -> list[TableInfo]:
    return [table for table in lexicon.catalogue.tables if not table.bundled and not table.produced]


def _rules(table: TableInfo, lexicon: Lexicon) -> Iterable[Rule]:
    names = {column.name: spoken_names(table, column, lexicon) for column in table.columns}
    for column in table.columns:
        yield from sides(column, names[column.name])
        yield from spans_of_days(column, names[column.name])
    yield from counted_names(table, names)
    yield from subjects(table)
    yield from asks(table, names)
    yield from undone(table)
    yield from done(table)


def spoken_names(table: TableInfo, column: ColumnInfo, lexicon: Lexicon) -> list[str]:
    """What a column is called in a request, longest first: its header and the Japanese words that mean it alone."""
    found = {key(tidy(column.name))}
    for term, meanings in lexicon.terms.items():
        if not is_japanese(term) or len(term) < 2:
            continue
        refs = [one for one in meanings if isinstance(one, ColumnRef) and one.table == table.name]
        best = max((one.strength for one in refs), default=0.0)
        if best >= 1.9 and [one.column for one in refs if one.strength > best - 0.02] == [column.name]:
            found.add(term)
    return sorted(found, key=len, reverse=True)
