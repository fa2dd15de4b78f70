"""ロッカー for a column `locker`: an unknown word of katakana is compared by its sound with the English words of the tables.

Both are written by their consonants, as Japanese hears them: l is r, v is b, th is s, an r that closes a syllable is none.
What was read so is told, as a typo is.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache

from smoldesk.analyst.meanings import (
    ColumnRef,
    Mention,
    RowNoun,
    Unknown,
    ValueRef,
)
from smoldesk.analyst.tables.lexicon import Lexicon

_WORD = re.compile(r"[ァ-ヴー]{3,}")
_ROWS = {
    "": "アイウエオ", "k": "カキクケコ", "g": "ガギグゲゴ", "s": "サシスセソ", "z": "ザジズゼゾ", "t": "タチツテト",
    "d": "ダヂヅデド", "n": "ナニヌネノ", "h": "ハヒフヘホ", "b": "バビブベボ", "p": "パピプペポ", "m": "マミムメモ",
    "r": "ラリルレロ",
}  # fmt: skip
_KANA = {kana: sound + vowel for sound, row in _ROWS.items() for kana, vowel in zip(row, "aiueo", strict=True)} | {
    "ヤ": "ya", "ユ": "yu", "ヨ": "yo", "ワ": "wa", "ヲ": "o", "ン": "n", "ヴ": "b", "チ": "Ci", "ャ": "ya", "ュ": "yu",
    "ョ": "yo", "ァ": "a", "ィ": "i", "ゥ": "u", "ェ": "e", "ォ": "o", "ッ": "", "ー": "",
}  # fmt: skip
_HEARD = tuple(
    (re.compile(pattern), sound)
    for pattern, sound in (
        (r"t(?=ion)|sch|sh|th|c(?=[eiy])", "s"),
        (r"(?<=[a-z]{2})e$", ""),
        (r"tch|ch", "C"),
        (r"ph|f", "h"),
        (r"dge|g(?=[ei]\b)|j", "z"),
        (r"qu|ck|[cq]", "k"),
        (r"gn$", "n"),
        (r"x", "ks"),
        (r"(?<=[aeiou])r+(?![aeiouyr])", ""),
        (r"l", "r"),
        (r"v", "b"),
        (r"w(?=[hr])|(?<=[ao])w", ""),
        (r"m(?=[bp])", "n"),
    )
)
_ALIKE = str.maketrans("mz", "ns")
_CLOSE, _NEAR = 60.0, 50.0
"""How alike the words with their vowels must be beside the same two consonants, or the same three and more."""


def heard(word: str) -> str:
    """A word of katakana or of English in one spelling of its sounds: ロッカー and locker are roka, roke."""
    if _WORD.fullmatch(word):
        said = "".join(_KANA.get(kana, "") for kana in word)
        said = re.sub(r"([a-z])[iu](?=[aeiou])", r"\1", re.sub(r"([kgsztdnhbpmrC])[iu]y", r"\1", said))
    else:
        said = word.lower()
        for pattern, sound in _HEARD:
            said = pattern.sub(sound, said)
    return re.sub(r"(.)\1+", r"\1", said)


def _consonants(said: str) -> str:
    return re.sub(r"(.)\1+", r"\1", re.sub(r"(?<=.)[aeiouy]|^[aeiou](?=.)", "", said)).translate(_ALIKE)


def with_sounds(mentions: Sequence[Mention], lexicon: Lexicon) -> list[Mention]:
    """The mentions, each unknown word of katakana read as the one English word of a table that it sounds like."""
    return [_heard_as(mention, lexicon) if _is_foreign(mention) else mention for mention in mentions]


def _is_foreign(mention: Mention) -> bool:
    return bool(mention.first(Unknown)) and _WORD.fullmatch(mention.text) is not None


def _heard_as(mention: Mention, lexicon: Lexicon) -> Mention:
    from rapidfuzz import fuzz

    said = heard(mention.text)
    bones = _consonants(said)
    if len(bones) < 2:
        return mention
    alike = [
        (fuzz.ratio(said, sound), term)
        for term, sound in _english(tuple(_terms(lexicon)))
        if _consonants(sound) == bones and fuzz.ratio(said, sound) >= (_CLOSE if len(bones) == 2 else _NEAR)
    ]
    best = max(alike, default=None)
    if best is None or sum(score == best[0] for score, _ in alike) > 1:
        return mention
    return replace(mention, meanings=tuple(lexicon.terms[best[1]]), read_as=best[1])


def _terms(lexicon: Lexicon) -> Iterator[str]:
    """The single English words that are columns, cell values or rows of the tables."""
    for term, meanings in lexicon.terms.items():
        if len(term) >= 4 and term.isascii() and term.isalpha():
            named = any(isinstance(one, ColumnRef) and one.strength >= 1.5 for one in meanings)
            if named or any(isinstance(one, ValueRef | RowNoun) for one in meanings):
                yield term


@cache
def _english(terms: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    return tuple((term, heard(term)) for term in terms)
