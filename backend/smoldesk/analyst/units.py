"""Tokenizer of requests: an English word by its lemma, a number, one Japanese character, or a symbol is a unit."""

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

_UNIT = re.compile(r"(?i)\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|[a-zà-ɏ][a-z0-9à-ɏ]*(?:'[a-z]+)?|[^\s]")
_JAPANESE = re.compile(r"[\u3005-\u3007\u3040-\u30ff\u3400-\u9fff々]")
_LATIN = re.compile(r"[A-Za-z_']{2,}")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
# Words that are not lemmatised: their base forms have other meanings here.
_NOT_LEMMATISED = """data sales left best worst most least more less fewer better last later latest rating booked people goods
closed closest news glasses cos"""
_IRREGULAR = {word: word for word in _NOT_LEMMATISED.split()} | {
    "cancelled": "cancel", "cancelling": "cancel", "travelled": "travel", "ratings": "rating", "means": "mean",
    "was": "be", "were": "be", "is": "be", "are": "be",
}  # fmt: skip
_SMALL = "zero one two three four five six seven eight nine ten eleven twelve"
NUMBERS: dict[str, int] = dict(zip(_SMALL.split(" "), range(13), strict=True))


@dataclass(frozen=True)
class Unit:
    """Token of a text: its key for lookups, and its offsets in the normalized text."""

    key: str
    start: int
    end: int
    raw: str = ""
    is_word: bool = False
    is_number: bool = False
    is_japanese: bool = False

    @property
    def counts(self) -> bool:
        """True for a word, a number, or a symbol with a meaning."""
        return self.is_word or self.is_number or self.is_japanese or self.key in "%$€£¥#&+<>=≤≥*/÷×"


def normalized(text: str) -> str:
    """Return text in compatibility form (NFKC) with plain quotes; all offsets refer to it."""
    if text.isascii():  # unchanged by both; headers and chunks of sentences are normalized thousands of times
        return text
    return unicodedata.normalize("NFKC", text).translate({0x2019: "'", 0x2018: "'", 0x2212: "-"})


@lru_cache(maxsize=20_000)
def lemma(word: str) -> str:
    """Return the base form of an English word (simplemma), without a possessive ending."""
    word = word.casefold().removesuffix("'s").removesuffix("'")
    digits = any(sign.isdigit() for sign in word)
    if "'" in word or word in _IRREGULAR or len(word) < 3 or not word.isascii() or digits:
        return _IRREGULAR.get(word, word)
    # Imported at first use, so that the server starts without it.
    import simplemma

    return str(simplemma.lemmatize(word, lang="en")).casefold()


@lru_cache(maxsize=20_000)
def is_dictionary_word(word: str) -> bool:
    """Return whether a word is a known English word (simplemma), so that it is not a misspelling of another one."""
    import simplemma

    return bool(simplemma.is_known(word, lang="en"))


@lru_cache(maxsize=50_000)
def units_of(text: str) -> tuple[Unit, ...]:
    """Return the units of a normalized text."""
    result: list[Unit] = []
    for match in _UNIT.finditer(text):
        piece = match.group()
        is_word = piece[0].isalpha() and not _JAPANESE.match(piece)
        is_number = piece[0].isdecimal() and piece[-1].isdecimal()
        if is_word and len(piece) > 2 and piece[-1] == "s" and piece[:-1].isupper():
            piece = piece[:-1]  # SUVs
        word, before = piece.casefold(), result[-1].raw if result else ""
        if is_word and word in ("once", "twice"):
            key, is_word, is_number = str(1 + (word == "twice")), False, True
        elif (
            is_word and word in NUMBERS and (word != "one" or before in ("least", "most", "than", "exactly"))
        ):
            key, is_word, is_number = str(NUMBERS[word]), False, True
        else:
            key = lemma(piece) if is_word else piece.replace(",", "") if is_number else piece.casefold()
        result.append(Unit(key, *match.span(), word, is_word, is_number, bool(_JAPANESE.match(piece))))
    return tuple(result)


_DERIVED = ("ations", "ation", "ings", "ing", "ments", "ment", "ions", "ion", "ers", "er", "ors", "or", "ed",
    "al", "es", "e", "s")  # fmt: skip


def roots(word: str) -> frozenset[str]:
    """Return an English word with and without a derivational suffix: winner and win, practised and practising."""
    endings = (suffix for suffix in _DERIVED if word.endswith(suffix) and len(word) - len(suffix) >= 3)
    ending = next(endings, "")
    stem = word.removesuffix(ending)
    return frozenset((word, stem[:-1] if len(stem) > 3 and stem[-1] == stem[-2] else stem))


@lru_cache(maxsize=20_000)
def key_of(phrase: str, camel: bool = True) -> tuple[str, ...]:
    """Return the lookup key of a phrase: its units' keys, without meaningless symbols. `camel` splits at capitals."""
    plain = _CAMEL.sub(" ", normalized(phrase)) if camel else normalized(phrase)
    return tuple(unit.key for unit in units_of(plain.replace("_", " ").replace("-", " ")) if unit.counts)


@lru_cache(maxsize=1)
def _tokenizer() -> Any:
    from janome.tokenizer import Tokenizer

    return Tokenizer()


@lru_cache(maxsize=2_000)
def japanese_tokens(text: str) -> tuple[tuple[int, int, str, str], ...]:
    """Return (start, end, part of speech, base form) of the Japanese words of a text (Janome); empty without Japanese."""
    if not _JAPANESE.search(text):
        return ()
    tokens: list[tuple[int, int, str, str]] = []
    at = 0
    for token in _tokenizer().tokenize(text):  # type: ignore[attr-defined]
        start = text.find(token.surface, at)
        at = start + len(token.surface)
        tokens.append((start, at, token.part_of_speech.split(",")[0], token.base_form))
    return tuple(tokens)


@lru_cache(maxsize=2_000)
def japanese_suffixes(text: str) -> dict[int, int]:
    """Return the end of a text's Japanese suffixes by the position of their characters: 年生 of 2年生."""
    ends: dict[int, int] = {}
    at = 0
    for token in _tokenizer().tokenize(text) if _JAPANESE.search(text) else ():
        start = text.find(token.surface, at)
        at = start + len(token.surface)
        if token.part_of_speech.startswith("名詞,接尾"):
            first = start if token.part_of_speech.startswith("名詞,接尾,一般") else start + 1
            ends |= dict.fromkeys(range(first, at), at)
    return ends


def is_verbal_noun(text: str) -> bool:
    """Return whether a text is one Japanese noun of an action (サ変接続), such as 生存 or 解約."""
    if not _JAPANESE.match(text):
        return False
    tokens = list(_tokenizer().tokenize(text))
    return len(tokens) == 1 and tokens[0].part_of_speech.startswith("名詞,サ変接続")


def is_japanese(text: str) -> bool:
    """Return whether a text contains Japanese characters."""
    return bool(_JAPANESE.search(text))


def speaks_japanese(text: str) -> bool:
    """Return whether a request is in Japanese; it may name English headers, and vice versa."""
    kana = sum("ぁ" <= char <= "ん" for char in text)
    latin = len(_LATIN.findall(text))
    if kana >= 3:
        return True
    if latin >= 3 and text.strip()[:1].isascii() and text.strip()[:1].isalpha():
        return False
    return kana > 0 or (is_japanese(text) and latin < 2)
