"""差し戻し for 差戻し, 売上 for 売り上げ: Japanese writes the kana of a verb within a noun or leaves them out.

A word of a request that is a column or a cell value but for such kana is written as the table writes it.
"""

import re
from collections.abc import Mapping
from weakref import WeakKeyDictionary

from smoldesk.analyst.meanings import (
    ColumnRef,
    Cue,
    Meaning,
    ValueRef,
)
from smoldesk.analyst.tables.lexicon import Lexicon, Vocabulary
from smoldesk.analyst.words.text import level

_KANA = "(?:わせ|わり|もり|がり|まり|らし|[しりきみけいちえれせめげべびぎっ])"
_SIGN = r"(?:[\u4e00-\u9fff々]|[ァ-ヶー]{2,})"
_AFTER = "(?=[のはがをにでともやへ、。?？ ]|[\u4e00-\u9fff]|$)"
_WORD = re.compile(rf"[\u4e00-\u9fff々](?:{_KANA}?{_SIGN})+(?:{_KANA}{_AFTER})?")
_PART = re.compile(rf"[\u4e00-\u9fff々]{_KANA}?|[ァ-ヶー]+")
_KANJI = re.compile(r"[^\u4e00-\u9fff々ァ-ヶー]")
_LONGEST = 12
_KNOWN: "WeakKeyDictionary[Vocabulary, dict[str, str]]" = WeakKeyDictionary()


def with_known_spellings(text: str, lexicon: Lexicon) -> str:
    """A text with such words in the spelling of the tables."""
    if not _WORD.search(text):
        return text
    known = _KNOWN.get(lexicon.vocabulary)
    if known is None:
        known = _KNOWN[lexicon.vocabulary] = _by_kanji(lexicon)
    return _WORD.sub(lambda said: _respelt(said.group(), known, lexicon), text) if known else text


def _respelt(said: str, known: Mapping[str, str], lexicon: Lexicon) -> str:
    """A run of kanji with kana between them: its longest parts that a table writes otherwise, in that writing."""
    parts = _PART.findall(said)
    written, at = "", 0
    while at < len(parts):
        for end in range(len(parts), at + 1, -1):
            part = "".join(parts[at:end])
            term = known.get(_KANJI.sub("", part))
            if (meant := lexicon.terms.get(level(part))) and not (term and all(map(_only_ties, meant))):
                break
            if term and term != part:
                part = term
                break
        else:
            part, end = parts[at], at + 1
        written, at = written + part, end
    return written


def _only_ties(meaning: Meaning) -> bool:
    """申し込み ties a condition to its rows, but not before a column 申込プラン."""
    return isinstance(meaning, Cue) and meaning.kind in ("light", "verb", "deed", "pad")


def _by_kanji(lexicon: Lexicon) -> dict[str, str]:
    """Columns and cell values of two kanji and more by their kanji alone, where only one is written with these."""
    found: dict[str, set[str]] = {}
    for term, meanings in lexicon.terms.items():
        named = any(isinstance(one, ColumnRef) and one.strength >= 2.5 for one in meanings)
        if not (named or any(isinstance(one, ValueRef) for one in meanings)) or len(term) > _LONGEST:
            continue
        kanji = _KANJI.sub("", term)
        if len(kanji) >= 2 and _WORD.fullmatch(term):
            found.setdefault(kanji, set()).add(term)
    return {kanji: min(terms, key=len) for kanji, terms in found.items()}
