"""The portions of `portions sold`, of a column `Sold`: what it counts, by a word for things of any kind.

Such a word is read as the column of numbers whose whole name is the participle that a request says besides, and so are the
birds of `No. of birds`, which are no rows.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from smoldesk.analyst.meanings import (
    ColumnRef,
    Mention,
    RowNoun,
    ValueRef,
)
from smoldesk.analyst.tables.catalogue import Catalogue
from smoldesk.analyst.tables.header_words import written_out
from smoldesk.analyst.words.english_lists import DONE, THINGS
from smoldesk.analyst.words.text import inflections, key, name_words

_STRENGTH = 2.9


def counted_things(mentions: Sequence[Mention], text: str, catalogue: Catalogue) -> tuple[Mention, ...]:
    """The mentions with such words read as the column that is said besides."""
    said = set(key(text).replace(",", " ").replace("?", " ").split())
    found: list[Mention] = []
    columns: set[ColumnRef] = set()
    for mention in mentions:
        word = key(mention.text)
        meant = [
            ColumnRef(table.name, column.name, _STRENGTH)
            for table in catalogue.tables
            for column in table.columns
            if column.kind == "number"
            and (
                (word in THINGS and is_done(column.name) and _is_said(column.name, said))
                or word in counts_of(column.name)
            )
        ]
        known = {one.table for kind in (ColumnRef, ValueRef) for one in mention.all(kind)}
        named = {one.table for one in mention.all(RowNoun)}
        meant = [
            one
            for one in meant
            if one.table not in known | named or (word in counts_of(one.column) and not mention.all(ValueRef))
        ]
        tables = [one.table for one in meant]
        meant = [one for one in meant if tables.count(one.table) == 1]
        columns.update(meant)
        found.append(replace(mention, meanings=tuple(meant)) if meant else mention)
    said_twice = {(one.table, one.column) for one in columns}
    return tuple(one for one in found if not _says_again(one, said_twice))


@lru_cache(maxsize=4096)
def counts_of(name: str) -> frozenset[str]:
    """The birds of `No. of birds` and the parcels of `Parcels handled`, in singular and plural; empty for other headers."""
    said = _NUMBER_OF.match(name.strip())
    if said:
        return frozenset(inflections(key(said[1])))
    words = name_words(name)
    if len(words) == 2 and (thing := _thing(words)):
        return frozenset(inflections(thing))
    if len(words) != 2 or not _PLURAL.fullmatch(words[0]) or words[0] in _TIMES:
        return frozenset()
    handled = words[1] in DONE or words[1].endswith("ed") or words[1] in ("total", "count")
    return frozenset(inflections(words[0])) if handled else frozenset()


def _thing(words: Sequence[str]) -> str:
    """The package of `pkgCount`, the visits of `num_visits`."""
    first, last = words
    if last in ("count", "cnt"):
        return next(iter(written_out([first])), "") if first.isalpha() and first not in _TIMES else ""
    return (
        last
        if first.strip(".") in ("num", "nbr", "cnt") and _PLURAL.fullmatch(last) and last not in _TIMES
        else ""
    )


_PLURAL = re.compile("[a-z]{2,}[a-rt-z]s")
_TIMES = frozenset(("hours", "minutes", "days", "weeks", "months", "seconds", "years", "nights"))


_NUMBER_OF = re.compile(r"(?:no\.?|nr\.?|num\.?|number|count|#) ?of ([A-Za-z]+)$", re.IGNORECASE)


def is_done(name: str) -> bool:
    """Whether a header is a participle, with nothing else in it."""
    words = name_words(name)
    return len(words) == 1 and words[0] in DONE


def _is_said(name: str, said: set[str]) -> bool:
    word = name_words(name)[0]
    return bool({word, _VERBS.get(word, "")} & said)


def _says_again(mention: Mention, columns: set[tuple[str, str]]) -> bool:
    """The `sold` beside the portions that are read as that column."""
    refs = mention.all(ColumnRef)
    done = key(mention.text) in DONE or key(mention.text) in _VERBS.values()
    return done and any((ref.table, ref.column) in columns for ref in refs)


_VERBS = {
    "sold": "sell", "wasted": "waste", "eaten": "eat", "served": "serve", "used": "use", "returned": "return", "made": "make",
    "produced": "produce", "shipped": "ship", "ordered": "order", "left": "remain", "baked": "bake",
}  # fmt: skip
