"""A header as it was meant where a word of it is misspelt: length of `Lenght_cm`, customer of `custommer name`.

Only slips that hardly make another word: two neighbours swapped, a letter doubled or not in a word of six letters and more, and
in longer ones a letter too few or too many or a vowel for another; or vowels left out. Only one known word may be that near.
"""

from functools import cache, lru_cache

from smoldesk.analyst.tables.domain_data import vocabulary
from smoldesk.analyst.tables.header_words import header_words, short_words
from smoldesk.analyst.words import glossary
from smoldesk.analyst.words.grammar import grammar
from smoldesk.analyst.words.slips import one_slip
from smoldesk.analyst.words.text import inflections

_LEAST, _LONG = 6, 7
_BONES = 4
_VOWELS = frozenset("aeiouy")


@lru_cache(maxsize=4096)
def as_meant(word: str) -> str:
    """The word that a misspelt word of a header was meant to be; itself where it is known or no known word is near."""
    if len(word) < _BONES or not (word.isascii() and word.isalpha()) or word in _known():
        return word
    nouns = _nouns().get(word[0], frozenset[str]())
    for near in (
        {known for known in nouns if one_slip(word, known) and _is_slip(word, known)},
        {known for known in nouns if _bones(known) == _bones(word) and _within(word, known)},
    ):
        if len({min(inflections(one), key=len) for one in near}) == 1:
            return min(near, key=len)
    return word


def _bones(word: str) -> str:
    """A word's first letter and its consonants: header writers leave out vowels, `Drvr`, `Ratng`, `Athr`."""
    return word[0] + "".join(letter for letter in word[1:] if letter not in _VOWELS)


def _within(word: str, known: str) -> bool:
    letters = iter(known)
    return (
        len(word) < len(known) and len(_bones(word)) >= _BONES and all(letter in letters for letter in word)
    )


def _is_slip(word: str, known: str) -> bool:
    if len(word) != len(known) and max(len(word), len(known)) < _LEAST:
        return False
    if len(word) == len(known):
        off = [n for n, (a, b) in enumerate(zip(word, known, strict=True)) if a != b]
        vowels = len(off) == 1 and {word[off[0]], known[off[0]]} <= _VOWELS
        return len(off) == 2 or (vowels and len(known) > _LONG)
    short, long = sorted((word, known), key=len)
    at = next((n for n, letter in enumerate(short) if letter != long[n]), len(short))
    doubled = at > 0 and long[at] == long[at - 1]
    return doubled or len(known) > _LONG or (len(word) < len(known) and len(known) == _LONG)


@cache
def _nouns() -> dict[str, frozenset[str]]:
    """English words that headers are made of, by their first letter."""
    said = {word for phrase in header_words() for word in phrase.split()}
    said |= {word for words in glossary.COLUMNS for phrase in words for word in phrase.split()}
    plain = {form for word in said if word.isascii() and word.isalpha() for form in inflections(word)}
    firsts = {word[0] for word in plain}
    return {first: frozenset(w for w in plain if w[0] == first and len(w) >= _LEAST - 1) for first in firsts}


@cache
def _known() -> frozenset[str]:
    """Words that nobody has misspelt."""
    of_headers = (word for words in _nouns().values() for word in words)
    of_grammar = (word for term in grammar() if term.isascii() for word in term.split())
    of_rows = (word for words in glossary.NOUNS for phrase in words for word in phrase.split())
    return frozenset(
        (*of_headers, *of_grammar, *of_rows, *vocabulary(), *short_words(), *glossary.ABBREVIATIONS)
    )
