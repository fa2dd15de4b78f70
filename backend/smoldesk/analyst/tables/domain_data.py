"""The fields of life that small tables are about, read from the files in `domains/`: one table each, with a half per language.

    [race]
    label = "name"                      the concept of the column that names one of its records, where they come again
    [race.en]
    sure = "bib, chip time"             words of a column's name that only such tables have (or pairs of words)
    clues = "club, finish, category"    words of names or cells of which three together say as much as a sure one
    rows = "runner, entrant, result"    what one row may be called, short forms too; plurals are made from these
    deeds = "ran, took part, finished"  verbs that are true of every row: they change no count
    verbs = "走る, 完走する"             the same in Japanese, in their plain form: all positive forms are made from it
    pads = "race"                       words that say nothing more right beside the name of a column
    names = ["finish, finish time, chip time"]    what a column so called is called in speech: one list, one meaning
    ranks = ["low finish: won, winner"] which column such words rank the rows by, and from which end
    [race.ja]
    ...

Lists of `names` in both halves with the same first word are one list. A verb that picks some of the rows (refunded,
cancelled, released) is no deed.
"""

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from smoldesk.analyst.words.glossary import Words, words_of
from smoldesk.analyst.words.japanese_verbs import positive_forms
from smoldesk.analyst.words.text import inflections, key

FOLDER = Path(__file__).with_name("domains")
LANGUAGES = ("en", "ja")
PARTS = ("sure", "clues", "rows", "deeds", "verbs", "pads", "names", "ranks")


@dataclass(frozen=True)
class Rank:
    """Words that rank rows by the column called `column`, from its lowest or highest end."""

    column: str
    lowest: bool
    words: Words


@dataclass(frozen=True)
class Domain:
    """The clues of one field of life, what its records are called, what is done with them, and what names one of them."""

    name: str
    sure: frozenset[str]
    clues: frozenset[str]
    rows: Words
    deeds: Words
    pads: Words
    names: tuple[Words, ...]
    ranks: tuple[Rank, ...]
    label: str


@cache
def all_domains() -> tuple[Domain, ...]:
    """All domains, in the order of the files' names and of each file."""
    files = sorted(FOLDER.glob("*.toml"))
    return tuple(
        _domain(name, one)
        for file in files
        for name, one in tomllib.loads(file.read_text(encoding="utf-8")).items()
    )


@cache
def vocabulary() -> frozenset[str]:
    """All English words of five letters and more in any domain: whoever writes one has not misspelt another."""
    said = (
        words
        for one in all_domains()
        for words in (one.rows, one.deeds, one.pads, *one.names, tuple(one.sure), tuple(one.clues))
    )
    words = {key(word) for each in said for phrase in each for word in phrase.split()}
    return frozenset(
        form for word in words if len(word) >= 5 and word.isascii() for form in inflections(word)
    )


def _domain(name: str, one: dict[str, Any]) -> Domain:
    halves: list[dict[str, Any]] = [one.get(language, {}) for language in LANGUAGES]

    def words(part: str) -> Words:
        return tuple(dict.fromkeys(word for half in halves for word in words_of(half.get(part, ""))))

    return Domain(
        name,
        _forms(words("sure")),
        _forms(words("clues")),
        words("rows"),
        tuple(
            dict.fromkeys(
                (*words("deeds"), *(form for verb in words("verbs") for form in positive_forms(verb)))
            )
        ),
        words("pads"),
        _together(words_of(text) for half in halves for text in half.get("names", ())),
        tuple(rank_of(text) for half in halves for text in half.get("ranks", ())),
        one.get("label", ""),
    )


def _forms(words: Words) -> frozenset[str]:
    return frozenset(form for word in words for form in inflections(key(word)))


def _together(lists: Iterable[Words]) -> tuple[Words, ...]:
    found: dict[str, Words] = {}
    for words in lists:
        found[words[0]] = (*found.get(words[0], ()), *words)
    return tuple(tuple(dict.fromkeys(words)) for words in found.values())


def rank_of(text: str) -> Rank:
    """`low finish: won, winner`; raises ValueError when it does not say low or high first."""
    head, _, words = text.partition(":")
    way, _, column = head.strip().partition(" ")
    if way not in ("low", "high") or not column or not words_of(words):
        raise ValueError(f"a rank is `low COLUMN: words` or `high COLUMN: words`, not {text!r}")
    return Rank(key(column), way == "low", words_of(words))
