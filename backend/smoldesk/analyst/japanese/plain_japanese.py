"""A Japanese request in plainer words, for a second reading where the first understood too little.

A dictionary tells the words that speak of the asking, not of the table: honorific beginnings, adverbs, sighs, the verbs of
showing and telling, and verbs that only say that a row came to be (使った支出 are all 支出). They are taken out; what is
denied stays (使っていない), and so does every word that the desk knows. plain_japanese.toml lists them by what they are.
"""

import re
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path

from smoldesk.analyst.japanese.leftovers import Word, words_of

_DATA: dict[str, dict[str, str]] = tomllib.loads(
    Path(__file__).with_suffix(".toml").read_text(encoding="utf-8")
)
_TELLING = frozenset(_DATA["words"]["telling"].split())
_HAPPENING = frozenset(_DATA["words"]["happening"].split())
_FILLING = frozenset(_DATA["words"]["filling"].split())
_SPOKEN = tuple((re.compile(said), plain) for said, plain in _DATA["spoken"].items())
_ENDINGS = ("助動詞", "動詞-非自立", "動詞-接尾", "助詞-接続助詞", "助詞-終助詞")
_DENYING = frozenset(("ない", "ぬ", "ん", "まい", "ずに", "ず"))
_CONDITIONS = frozenset(
    ("初めて", "はじめて", "再び", "ふたたび", "必ず", "いつも", "毎回", "たまに", "時々", "ときどき", "めったに", "滅多に",
     "直接", "一緒に", "頻繁", "突然", "しばしば", "同時に")
)  # fmt: skip
"""Adverbs that tell some rows from others, and are never let go."""
_SIGHS = ("感動詞", "フィラー", "接続詞")


def plain_japanese(text: str, known: Callable[[str], bool]) -> str:
    """The request without such words; `known` tells the words that a table or the grammar knows."""
    text = spoken_plainly(text)
    words = words_of(text)
    gone = [False] * len(words)
    for at, word in enumerate(words):
        end = _end_of_what_says_nothing(words, at, text, known)
        for place in range(at, end):
            gone[place] = True
        if end > at and word.kind.startswith("動詞-自立"):
            _drop_what_hangs_on_it(words, at, end, gone)
    _drop_last_words(words, gone)
    return _joined(text, words, gone)


def spoken_plainly(text: str) -> str:
    """The request with ways of speaking in plain ones, no word left out."""
    for said, plain in _SPOKEN:
        text = said.sub(plain, text)
    return text


def _end_of_what_says_nothing(words: Sequence[Word], at: int, text: str, known: Callable[[str], bool]) -> int:
    """Where the words that begin at `at` and say nothing end; `at` where it says something."""
    word = words[at]
    said = text[word.start : word.end]
    following = words[at + 1] if at + 1 < len(words) else None
    kind = word.kind.partition("-")[0]
    if kind == "接頭詞" and said in ("お", "ご", "御"):
        return at + 1 if following and not known(text[word.start : following.end]) else at
    if word.plain in _FILLING or said in _FILLING:
        return at + 1
    if kind in _SIGHS or said in ("ー", "〜", "～"):
        return at if known(said) else at + 1
    if kind == "副詞":
        return at if known(said) or word.plain in _CONDITIONS else at + 1
    if word.plain in _TELLING or (word.kind == "動詞-自立" and word.plain in _HAPPENING):
        end = at + 1
        while end < len(words) and words[end].kind.startswith(_ENDINGS):
            end += 1
        denied = any(one.plain in _DENYING for one in words[at + 1 : end])
        return at if denied and word.plain not in _TELLING else end
    return at


def _drop_what_hangs_on_it(words: Sequence[Word], at: int, end: int, gone: list[bool]) -> None:
    """The particle before a verb and the の or こと behind it: 5月に納めたのは is 5月は."""
    if at and words[at - 1].kind.startswith("助詞-格助詞"):
        gone[at - 1] = True
    if (
        end < len(words)
        and words[end].kind == "名詞-非自立"
        and words[end].plain in ("の", "こと", "もの", "ん")
    ):
        gone[end] = True


def _drop_last_words(words: Sequence[Word], gone: list[bool]) -> None:
    """Take out the particles that nothing follows any more: を of 一覧を教えて."""
    for at in range(len(words) - 1, -1, -1):
        if gone[at] or words[at].plain in ("?", "？", "。", "！", "!"):
            continue
        if words[at].kind.startswith(("助詞-格助詞", "助詞-終助詞")) and any(gone[at + 1 :]):
            gone[at] = True
            continue
        return


def _joined(text: str, words: Sequence[Word], gone: Sequence[bool]) -> str:
    pieces: list[str] = []
    at = 0
    for word, is_gone in zip(words, gone, strict=True):
        pieces.append(text[at : word.start])
        if not is_gone:
            pieces.append(text[word.start : word.end])
        at = word.end
    return re.sub(r"^[、,\s]+|(?<=、)、+", "", "".join(pieces) + text[at:]).strip()
