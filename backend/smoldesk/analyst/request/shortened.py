"""Words that a header shortens, beside another of its words: the dissolved of `diss_oxygen`, the quality of `air_qlty`."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from smoldesk.analyst.meanings import ColumnRef, Mention, Unknown
from smoldesk.analyst.tables.lexicon import Lexicon
from smoldesk.analyst.words.grammar import grammar
from smoldesk.analyst.words.text import inflections, level, name_words

_MADE = 2.6
"""As strong as a name that is nearly written out."""


def shortened(mentions: Sequence[Mention], text: str, lexicon: Lexicon) -> list[Mention]:
    """The mentions, with an unknown word and the column right beside it as one where its header shortens the word."""
    found: list[Mention] = []
    for mention in mentions:
        before = found[-1] if found else None
        if before is not None and mention.start - before.end == 1:
            word, named = (before, mention) if before.first(Unknown) else (mention, before)
            if word.first(Unknown) and (refs := tuple(_refs(word, named, lexicon))):
                whole = text[before.start : mention.end]
                found[-1] = replace(named, start=before.start, end=mention.end, text=whole, meanings=refs)
                continue
        found.append(mention)
    return found


def _refs(word: Mention, named: Mention, lexicon: Lexicon) -> Iterator[ColumnRef]:
    said = level(word.text)
    if not (said.isascii() and said.isalpha()) or len(said) < 5:
        return
    beside = set(inflections(level(named.text)))
    for ref in {(one.table, one.column): one for one in named.all(ColumnRef)}.values():
        words = name_words(ref.column)
        others = [one for one in words if one not in beside]
        if len(others) < len(words) and any(_shortens(one, said) for one in others):
            yield replace(ref, strength=_MADE)


def _shortens(short: str, said: str) -> bool:
    """`diss` is how dissolved begins, `qlty` are the consonants of quality; words of the grammar shorten nothing."""
    short = short.strip(".")
    if (
        not (short.isascii() and short.isalpha())
        or not 3 <= len(short) <= len(said) - 2
        or short in grammar()
    ):
        return False
    if said.startswith(short):
        return True
    return not set(short) & set("aeiou") and short[0] == said[0] and _within(short, said)


def _within(short: str, said: str) -> bool:
    letters = iter(said)
    return all(letter in letters for letter in short)
