"""Two spellings of one word: without accents and with the usual forms of kanji and kana, or with a single slip of the pen."""

import re
import unicodedata
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
    if said == word or not (said.isalpha() and word.isalpha()):
        return False
    at = next(
        (n for n, (a, b) in enumerate(zip(said, word, strict=False)) if a != b), min(len(said), len(word))
    )
    if len(said) > len(word):
        return said[at + 1 :] == word[at:]
    if len(said) < len(word):
        return said[at:] == word[at + 1 :]
    swapped = said[at : at + 2] == word[at : at + 2][::-1]
    return said[at + 1 :] == word[at + 1 :] or (swapped and said[at + 2 :] == word[at + 2 :])
