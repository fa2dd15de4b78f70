"""部所 for 部署, ヘモグロピン for ヘモグロビン, オペ for オペレーター: words nearly as a table or the grammar writes them.

Only for a second reading, where a request was refused for its words. What was read so is told, as a typo is.
"""

import re
from collections.abc import Iterator
from functools import cache
from weakref import WeakKeyDictionary

from smoldesk.analyst.japanese.leftovers import sound_of
from smoldesk.analyst.meanings import ColumnRef, Cue, ValueRef
from smoldesk.analyst.tables.domain_data import all_domains
from smoldesk.analyst.tables.lexicon import Lexicon, Vocabulary
from smoldesk.analyst.words.text import key, tidy

_KATAKANA = re.compile(r"[ァ-ヴー]{2,}")
_KANJI = re.compile(r"[\u4e00-\u9fff々]{2,}")
_LONGEST, _SLIP = 6, 5
"""Kanji of a word that is compared by its sound, and kana of one in which a single one may be wrong."""
_SHORT = 4
"""Kana of a word whose long vowels may be left out or be too many."""
_KNOWN: "WeakKeyDictionary[Vocabulary, tuple[str, ...]]" = WeakKeyDictionary()


def heard_alike(text: str, lexicon: Lexicon) -> tuple[str, tuple[tuple[str, str], ...]]:
    """The text with such words as they are known, and which were read as which."""
    said = tidy(text)
    found = dict((*_in_katakana(said, lexicon), *_in_kanji(said, lexicon)))
    for word, known in found.items():
        said = said.replace(word, known)
    return said, tuple(found.items())


def _in_katakana(said: str, lexicon: Lexicon) -> Iterator[tuple[str, str]]:
    for word in dict.fromkeys(_KATAKANA.findall(said)):
        if key(word) in lexicon.terms:
            continue
        near = {term for term in _terms(lexicon) if _KATAKANA.fullmatch(term) and _is_slip(word, term)}
        if not near and word not in _things():
            near = {term for term in _columns(lexicon) if term.startswith(word) and len(term) > len(word) + 1}
        if len(near) == 1:
            yield word, near.pop()


@cache
def _things() -> frozenset[str]:
    """Words of katakana that any field of life knows: パン is no short form of パンフレット."""
    said = (
        words
        for one in all_domains()
        for words in (one.rows, one.pads, *one.names, tuple(one.sure), tuple(one.clues))
    )
    return frozenset(word for each in said for word in each if _KATAKANA.fullmatch(word))


def _in_kanji(said: str, lexicon: Lexicon) -> Iterator[tuple[str, str]]:
    """Words of as many kanji, one of them another one, that sound alike."""
    for run in dict.fromkeys(_KANJI.findall(said)):
        spans = (
            run[at : at + size]
            for size in range(min(len(run), _LONGEST), 1, -1)
            for at in range(len(run) - size + 1)
        )
        for word in spans:
            if key(word) in lexicon.terms or f"{word}さん" in said or f"{word}様" in said:
                continue  # 渡部 is not 渡辺
            near = {term for term in _terms(lexicon) if len(term) == len(word) and _differ(word, term) == 1}
            heard = sound_of(word) if near else ""
            alike = {term for term in near if _KANJI.fullmatch(term) and sound_of(term) == heard}
            if len(alike) == 1:
                yield word, alike.pop()
                break


def _differ(one: str, other: str) -> int:
    return sum(a != b for a, b in zip(one, other, strict=True))


def _is_slip(word: str, term: str) -> bool:
    if len(word) == len(term):
        return len(word) >= _SLIP and _differ(word, term) == 1
    return len(word) >= _SHORT and word.replace("ー", "") == term.replace("ー", "")  # スニカー


def _columns(lexicon: Lexicon) -> Iterator[str]:
    """The names of columns that begin in katakana."""
    for table in lexicon.catalogue.tables:
        if not table.bundled and not table.produced:
            yield from (tidy(one.name) for one in table.columns if _KATAKANA.fullmatch(tidy(one.name)))


def _terms(lexicon: Lexicon) -> tuple[str, ...]:
    """What the grammar computes by, and the columns and cell values of the desk's tables."""
    if lexicon.vocabulary not in _KNOWN:
        own = {one.name for one in lexicon.catalogue.tables if not one.bundled and not one.produced}
        _KNOWN[lexicon.vocabulary] = tuple(
            term
            for term, meanings in lexicon.terms.items()
            if any(
                (isinstance(one, Cue) and one.kind in ("agg", "op", "plot"))
                or (isinstance(one, ColumnRef) and one.table in own and one.strength >= 1.0)
                or (isinstance(one, ValueRef) and one.table in own)
                for one in meanings
            )
        )
    return _KNOWN[lexicon.vocabulary]
