"""What is left of a Japanese request when every known term is taken out: named as whole words, or let go.

Terms are matched without spaces, so a known one may end in the middle of a word: 店 of 店員, 抜け of 抜けてる. A
dictionary of Japanese (Janome's IPADIC, loaded with the first such request) tells where words begin and what they are.
Endings, particles and words of courtesy say nothing about a table and are let go; a noun is kept, whole, for the
answer to name.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, cast

from smoldesk.analyst.meanings import (
    ColumnRef,
    Cue,
    Mention,
    Skip,
    Unknown,
    ValueRef,
)
from smoldesk.analyst.words.text import is_japanese

if TYPE_CHECKING:
    from janome.tokenizer import Token, Tokenizer

_EMPTY = ("助詞", "助動詞", "記号", "フィラー", "感動詞", "接続詞", "連体詞", "その他")
_EMPTY_KINDS = frozenset(
    ("動詞-非自立", "動詞-接尾", "名詞-非自立", "名詞-代名詞", "形容詞-非自立", "副詞-助詞類接続")
)
_COURTESY = frozenset((
    "お願い", "おねがい", "宜しく", "よろしく", "頼む", "たのむ", "欲しい", "ほしい", "下さる", "くださる", "頂く", "いただく",
    "もらう", "貰う", "やる", "みる", "見る", "知る", "教える", "おしえる", "聞く", "気", "感じ", "ちょっと", "すみません",
    "ざっと", "ぱっと", "まとめる", "全部", "ぜんぶ", "いったい", "一体", "そもそも", "だいたい",
))  # fmt: skip
"""In their plain forms."""
_TAILS = (
    "数",
    "者数",
    "率",
    "量",
    "額",
    "値",
    "番号",
    "比率",
    "回数",
    "人数",
    "件数",
    "時間",
    "日数",
    "代",
    "費",
    "料",
    "賃",
    "料金",
    "手当",
)
"""What an unknown noun before them is one word with: 服薬数, 体脂肪率."""
_KANA = re.compile(r"[\u3040-\u309f]")
_NOUN_ENDINGS = ("名詞-数", "名詞-非自立", "名詞-代名詞", "名詞-副詞可能")


@dataclass(frozen=True)
class Word:
    """A word of the dictionary where it stands; `kind` is its class and subclass, `plain` its dictionary form."""

    start: int
    end: int
    kind: str
    plain: str

    @property
    def is_empty(self) -> bool:
        """Whether it says nothing about a table."""
        if self.kind.partition("-")[0] in _EMPTY or self.kind in _EMPTY_KINDS:
            return self.plain not in ("ない", "ぬ", "ん")
        return self.plain in _COURTESY

    @property
    def is_noun(self) -> bool:
        return self.kind.startswith("名詞") and self.kind not in _NOUN_ENDINGS


def without_leftovers(mentions: Sequence[Mention], text: str) -> list[Mention]:
    """The mentions with unknown Japanese ones let go, or grown to whole words; others are as they were."""
    if not any(mention.first(Unknown) and is_japanese(mention.text) for mention in mentions):
        return list(mentions)
    words = words_of(text)
    kept = [replace(one, meanings=(Skip(),)) if _says_nothing(one, words) else one for one in mentions]
    return _whole(kept, words, text)


def words_of(text: str) -> list[Word]:
    """The words of a text, by the dictionary."""
    found: list[Word] = []
    at = 0
    tokens = cast("Iterable[Token]", _tokenizer().tokenize(text))
    for token in tokens:
        at = text.index(token.surface, at)
        kind = "-".join(token.part_of_speech.split(",")[:2])
        found.append(Word(at, at + len(token.surface), kind, token.base_form))
        at = found[-1].end
    return found


@cache
def sound_of(text: str) -> str:
    """How a text is read aloud, in katakana; what the dictionary cannot read stays as it is written."""
    tokens = cast("Iterable[Token]", _tokenizer().tokenize(text))
    return "".join(token.surface if token.reading == "*" else token.reading for token in tokens)


@cache
def _tokenizer() -> "Tokenizer":
    from janome.tokenizer import Tokenizer

    return Tokenizer()


def _says_nothing(mention: Mention, words: Sequence[Word]) -> bool:
    if not mention.first(Unknown) or not is_japanese(mention.text):
        return False
    touched = [word for word in words if word.start < mention.end and mention.start < word.end]
    return bool(touched) and all(word.is_empty or _is_tail(word, mention) for word in touched)


def _is_tail(word: Word, mention: Mention) -> bool:
    """The ending of a verb or an adjective whose beginning is known already: る of 抜けてる."""
    if word.kind == "形容詞-自立" and mention.start - word.start < 2 and _KANA.match(word.plain):
        return False  # か of かっこいい
    return word.start < mention.start and word.kind.partition("-")[0] in ("動詞", "形容詞", "副詞")


def _whole(mentions: Sequence[Mention], words: Sequence[Word], text: str) -> list[Mention]:
    """Unknown parts of a noun take in what was read out of it: 店 and 員 are 店員, 電話 and 番号 電話番号."""
    compounds = _compounds(words)
    found: list[Mention] = []
    for mention in mentions:
        last = found[-1] if found else None
        together = last is not None and any(
            start <= last.start and mention.end <= end and last.end == mention.start
            for start, end in compounds
        )
        tail = last is not None and bool(last.first(Unknown)) and last.end == mention.start
        together = together or (tail and mention.text in _TAILS)
        split = last is not None and any(
            word.is_noun and word.start <= last.start and mention.end <= word.end for word in words
        )
        joined = last is not None and together and (_joins(last, mention) or _joins(mention, last))
        if last is not None and (joined or (split and _half_known(last, mention))):
            found[-1] = Mention(last.start, mention.end, text[last.start : mention.end], (Unknown(),))
        else:
            found.append(mention)
    return found


def _half_known(first: Mention, second: Mention) -> bool:
    """年俸, one word of the dictionary, of which only 年 was read."""
    if len(first.text) > 1 or len(second.text) > 1:
        return False
    return bool(first.first(Unknown)) != bool(second.first(Unknown)) and is_japanese(first.text + second.text)


def _compounds(words: Sequence[Word]) -> list[tuple[int, int]]:
    """Where nouns stand without anything between them, from the first to the last."""
    spans: list[tuple[int, int]] = []
    for word in words:
        if not word.is_noun or word.kind == "名詞-接尾":
            continue
        if spans and spans[-1][1] == word.start:
            spans[-1] = (spans[-1][0], word.end)
        else:
            spans.append((word.start, word.end))
    return spans


def _joins(unknown: Mention, other: Mention) -> bool:
    """Whether an unknown part of a noun and this are one word: not what computes, nor a whole name of the table."""
    if not unknown.first(Unknown) or not is_japanese(unknown.text):
        return False
    if other.first(Unknown):
        return True
    if other.text in _TAILS and other.start == unknown.end:
        return True
    if any(isinstance(meaning, Cue) for meaning in other.meanings):
        return False
    return not any(
        isinstance(meaning, ValueRef | ColumnRef) and meaning.strength >= 2.5 for meaning in other.meanings
    )
