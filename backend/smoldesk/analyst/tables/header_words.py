"""Japanese for the words of English headers, read once from the files in `headers/`, one for each field of life.

[words]
freight = "運賃, 送料, 貨物"          the usual word first; a word that stands in two files has the words of both
"lead time" = "リードタイム, 納期"     words that mean something only together
[short]
emp = "employee"                     abbreviations: what they stand for is looked up in its place
"""

import tomllib
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from smoldesk.analyst.words import glossary
from smoldesk.analyst.words.japanese import words_of
from smoldesk.analyst.words.text import inflections

FOLDER = Path(__file__).with_name("headers")
Words = tuple[str, ...]


@cache
def _sections() -> list[dict[str, Any]]:
    files = sorted(FOLDER.glob("*.toml"), key=lambda file: (file.stem != "general", file.name))
    return [tomllib.loads(file.read_text(encoding="utf-8")) for file in files]


@cache
def header_words() -> dict[str, Words]:
    """The Japanese words of each English word or phrase, the usual one first."""
    found: dict[str, Words] = {}
    for section in _sections():
        for word, text in section.get("words", {}).items():
            found[word] = tuple(dict.fromkeys((*found.get(word, ()), *words_of(text))))
    return found


@cache
def short_words() -> dict[str, str]:
    """What each abbreviation of a header stands for."""
    return {short: long for section in _sections() for short, long in section.get("short", {}).items()}


@cache
def _longest() -> int:
    return max(phrase.count(" ") for phrase in header_words()) + 1


def written_out(words: Sequence[str]) -> list[str]:
    """The words with their abbreviations written out: `emp no.` is employee number."""
    said = (word.strip(".") or word for word in words)
    known = header_words()
    longs = (word if word in known else short_words().get(word, word) for word in said)
    return [part for long in longs for part in long.split(" ")]


@cache
def japanese_of(word: str) -> Words:
    """The Japanese of an English word or phrase in singular or plural; nothing when it is not known."""
    *rest, last = word.split(" ")
    forms = [" ".join([*rest, form]) for form in inflections(last)]
    longs = glossary.ABBREVIATIONS.get(word, ())
    return next((found for form in (*forms, *longs) if (found := header_words().get(form))), ())


def segments(words: Sequence[str]) -> Iterator[tuple[str, Words]]:
    """The words in known pieces, the longest first, with the Japanese of each; one that is not known has none."""
    at = 0
    while at < len(words):
        ends = range(min(len(words), at + _longest()), at, -1)
        end = next((end for end in ends if japanese_of(" ".join(words[at:end]))), at + 1)
        piece = " ".join(words[at:end])
        yield piece, japanese_of(piece)
        at = end
