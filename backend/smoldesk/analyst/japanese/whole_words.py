"""A refused Japanese word is named whole: 施術時間, of which 施術 could be read and 時間 could not."""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import pairwise

from smoldesk.analyst.english.whole_phrases import whole_phrases
from smoldesk.analyst.intents import Refusal
from smoldesk.analyst.meanings import (
    ColumnRef,
    Cue,
    Mention,
    Number,
    RowNoun,
    Unknown,
    ValueRef,
)
from smoldesk.analyst.words.text import is_japanese

_NOUN = re.compile(r"[一-龥々ァ-ヶー]+")
_UNKNOWN = re.compile(r"[一-龥々ァ-ヶーぁ-ん]+")
_NAMED = ("unknown", "no_column", "too_much")
_TIES = ("light", "verb", "deed", "pad")


def with_whole_words(
    refusal: Refusal, mentions: Sequence[Mention], text: str, endings: Collection[str] = ()
) -> Refusal:
    """The refusal with each of its nouns grown by the noun of the rows or of a deed that stands right before it.

    `endings` are nouns that all cells of a column end with, which a cell that does not exist would end with, too.
    """
    if refusal.reason not in _NAMED:
        return refusal
    if refusal.reason == "unknown" and not any(map(is_japanese, refusal.words)):
        return replace(refusal, words=whole_phrases(refusal.words, mentions, text))
    whole: dict[str, str] = {}
    for before, mention in pairwise(mentions):
        if mention.text in refusal.words and before.end == mention.start and _grows(before, mention):
            whole[mention.text] = before.text + mention.text
        if before.text in refusal.words and before.end == mention.start and _begins(before, mention):
            whole[before.text] = before.text + mention.text
    for at, mention in enumerate(mentions):
        if mention.text in refusal.words and (said := _numbered(mentions, at)):
            whole[mention.text] = said
    for word in refusal.words:
        if word not in whole and _UNKNOWN.fullmatch(word) and not word.endswith(tuple(endings) or "?"):
            said = next((end for end in endings if f"{word}{end}" in text), "")
            whole |= {word: word + said} if said else {}
        if word not in whole and _UNKNOWN.fullmatch(word):
            ended = re.search(rf"{re.escape(word)}([度率量数額費料性値]|者数?)(?![一-龥々ァ-ヶー])", text)
            whole |= {word: word + ended[1]} if ended else {}
    kept = [whole.get(word, word) for word in refusal.words]
    begun = [word for word in kept if not any(other != word and other.startswith(word) for other in kept)]
    return replace(refusal, words=tuple(begun)) if whole else refusal


def _begins(before: Mention, mention: Mention) -> bool:
    """貯金額, 耳鼻科, of which 金額 and 科 could be read: an unknown noun is named with the part of a header behind it."""
    unknown = before.first(Unknown) is not None and _UNKNOWN.fullmatch(before.text) is not None
    refs = mention.all(ColumnRef)
    part = len(before.text) == 1 or (bool(refs) and max(ref.strength for ref in refs) < 2.0)
    return bool(unknown and part and _NOUN.fullmatch(mention.text) and refs)


def _numbered(mentions: Sequence[Mention], at: int) -> str:
    """第5ライン: an unknown 第 with its number and the noun that it counts; empty for others."""
    said = mentions[at : at + 3]
    if len(said) < 2 or said[0].text not in ("第", "No.", "#") or not said[1].first(Number):
        return ""
    kept = [said[0], said[1]]
    if len(said) == 3 and _NOUN.fullmatch(said[2].text) and said[1].end == said[2].start:
        kept.append(said[2])
    beside = all(one.end == other.start for one, other in pairwise(kept))
    return "".join(one.text for one in kept) if beside else ""


def _grows(before: Mention, mention: Mention) -> bool:
    if not (_NOUN.fullmatch(before.text) and _NOUN.fullmatch(mention.text)) or before.first(Number):
        return False
    if before.all(ValueRef) or any(ref.strength >= 2.5 for ref in before.all(ColumnRef)):
        return False
    ties = all(
        isinstance(one, RowNoun | ColumnRef) or (isinstance(one, Cue) and one.kind in _TIES)
        for one in before.meanings
    )
    return ties and bool(before.meanings)
