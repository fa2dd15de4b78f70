"""A refused Japanese word is named whole: 施術時間, of which 施術 could be read and 時間 could not."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from backend.builtin.english.whole_phrases import whole_phrases
from backend.builtin.intents import Refusal
from backend.builtin.meanings import ColumnRef, Cue, Mention, Number, RowNoun, Unknown, ValueRef
from backend.builtin.words.text import is_japanese

_NOUN = re.compile(r"[一-龥々ァ-ヶー]+")
_NAMED = ("unknown", "no_column", "too_much")
_TIES = ("light", "verb", "deed", "pad")


def with_whole_words(refusal: Refusal, mentions: Sequence[Mention], text: str) -> Refusal:
    """The refusal with each of its nouns grown by the noun of the rows or of a deed that stands right before it."""
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
    kept = [whole.get(word, word) for word in refusal.words]
    begun = [word for word in kept if not any(other != word and other.startswith(word) for other in kept)]
    return replace(refusal, words=tuple(begun)) if whole else refusal


def _begins(before: Mention, mention: Mention) -> bool:
    """貯金額, of which 金額 could be read: an unknown kanji is named with the noun that it begins."""
    begun = re.fullmatch("[一-龥]", before.text) and before.first(Unknown) is not None
    return bool(begun and _NOUN.fullmatch(mention.text) and mention.all(ColumnRef))


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
