"""Two spellings of one word: without accents and with the usual forms of kanji and kana, or with a single slip of the pen."""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

_SPELT = {"ß": "ss", "æ": "ae", "ø": "o", "œ": "oe", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i"}
LEAST = 5
"""Letters of a word in which a slip can be told from another word."""


_USUAL = str.maketrans(
    "斎齋齊邊邉髙﨑碕澤嶋嶌廣濱櫻冨惠瀧龍藏眞國會學圓德槇",
    "斉斉斉辺辺高崎崎沢島島広浜桜富恵滝竜蔵真国会学円徳槙",
)
"""Old and rare forms of kanji in names, and the usual ones."""
_HIRAGANA = re.compile(r"[\u3041-\u3096]{3,}")
_KATAKANA = {code: code + 96 for code in range(0x3041, 0x3097)}


@lru_cache(maxsize=8192)
def plainest(text: str) -> str:
    """A name in the plainest spelling: `jose`, `muller`; 斉藤 for 斎藤, words of three hiragana and more in katakana."""
    if text.isascii():
        return text
    plain = "".join(
        char if char.isascii() or char > "\u2fff" else _plain(char) for char in text if char != "・"
    )
    return _HIRAGANA.sub(lambda kana: kana.group().translate(_KATAKANA), plain.translate(_USUAL))


def _plain(char: str) -> str:
    first = unicodedata.normalize("NFD", char)[0]
    return first if first.isascii() and first.isalpha() else _SPELT.get(char, char)


def one_slip(said: str, word: str) -> bool:
    """Whether two words of letters, begun alike, are one but for a letter too many, too few, another, or two swapped."""
    if min(len(said), len(word)) < LEAST or abs(len(said) - len(word)) > 1 or said[0] != word[0]:
        return False
    if not (said.isalpha() and word.isalpha()):
        return False
    from rapidfuzz.distance import OSA

    return OSA.distance(said, word, score_cutoff=1) == 1


def one_slip_from(said: str, words: Sequence[str]) -> set[str]:
    """Those of the words that are one slip from the one said; compared all at once, for there may be thousands."""
    from rapidfuzz.distance import OSA
    from rapidfuzz.process import extract

    near = extract(said, words, scorer=OSA.distance, score_cutoff=1, limit=None)
    return {word for word, _, _ in near if one_slip(said, word)}
