"""The bilingual glossary: what people call columns, cell values, units and rows, in English and Japanese.

The words are in glossary.toml beside this file; to teach the analyst a word, add it there.
"""

import tomllib
from pathlib import Path
from typing import Any

from smoldesk.analyst.words.japanese import added, words_of

Words = tuple[str, ...]


def _each(lists: list[str]) -> tuple[Words, ...]:
    return tuple(map(words_of, lists))


def _with_japanese(lists: list[str], section: str) -> tuple[Words, ...]:
    """Each list with the words that japanese.toml adds to the one of that first word, then its new lists."""
    more = added(section)
    both = [(*words, *more.pop(words[0], ())) for words in _each(lists)]
    new = ((*words_of(name), *words) for name, words in more.items())
    return tuple(tuple(dict.fromkeys(words)) for words in (*both, *new))


def _table(named: dict[str, str]) -> dict[str, Words]:
    return {name: words_of(text) for name, text in named.items()}


_DATA: dict[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))

_TRADES: dict[str, list[str]] = tomllib.loads(
    Path(__file__).with_name("trades.toml").read_text(encoding="utf-8")
)


def _with_trades(lists: tuple[Words, ...]) -> tuple[Words, ...]:
    """Those lists and the ones of everyday tables; one of the same first word adds to it."""
    more = {words[0]: words for kind in _TRADES.values() for words in _each(kind)}
    both = [(*words, *more.pop(words[0], ())) for words in lists]
    return tuple(tuple(dict.fromkeys(words)) for words in (*both, *more.values()))


def _named(*kinds: str) -> frozenset[str]:
    """The names of the concepts of everyday tables of these kinds."""
    return frozenset(words_of(one)[0] for kind in kinds for one in _TRADES[kind])


COLUMNS: tuple[Words, ...] = _with_trades(_with_japanese(_DATA["columns"], "columns"))
VALUES: tuple[Words, ...] = _each(_DATA["values"])
"""Cell values and their words; those of `cells` are many, and are looked up by the cell."""
NOUNS: tuple[Words, ...] = _with_japanese(_DATA["nouns"], "nouns")
"""What rows are called in both languages, by the noun of their id or table."""
ENDINGS = words_of(_DATA["endings"])
VALUE_ENDINGS = (*words_of(_DATA["value_endings"]), *added("endings")["values"])
HEADS = added("endings")["heads"]
"""Kanji that a column whose name ends so may be called by alone: 駅 for 最寄り駅."""
LOW_ADJECTIVES = frozenset(words_of(_DATA["low_adjectives"]))
CATEGORIES = frozenset(words_of(_DATA["categories"])) | _named("categories")
MEASURES = frozenset(words_of(_DATA["measures"])) | _named("additive", "measures")
WORSE_WHEN_HIGH = frozenset(words_of(_DATA["worse_when_high"]))
BETTER_WHEN_HIGH = frozenset(words_of(_DATA["better_when_high"]))
ADDITIVE = frozenset(words_of(_DATA["additive"])) | _named("additive")
COUNTED_PEOPLE = words_of(_DATA["counted_people"])
OPPOSITES = _table(_DATA["opposites"])
RATE_NAMES = _table(_DATA["rate_names"])
ROW_NOUNS = _table(_DATA["row_nouns"])
ROW_NOUNS[""] = (*ROW_NOUNS[""], *added("rows")["words"])
TABLE_NAMES = _table(_DATA["table_names"])
ABBREVIATIONS = _table(_DATA["abbreviations"])
UNITS = _table(_DATA["units"])
for _unit, _words in added("units").items():
    UNITS[_unit] = (*UNITS.get(_unit, ()), *_words)
UNIT_CONCEPTS: dict[str, str] = _DATA["unit_concepts"] | {u: c[0] for u, c in added("unit_concepts").items()}
ADJECTIVES = _table(_DATA["adjectives"])
IDIOMS = _table(_DATA["idioms"])
"""Words that compare a figure with nought, by `concept comparison number`."""
VERBS: dict[str, Words] = _table(_DATA["verbs"])
"""Verbs that say no more than that the rows are there, by the nouns of tables in which that is so."""
