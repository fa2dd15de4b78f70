"""Scanner of questions about a plan: names, floors and kinds of the building, words that ask, and what is left.

Words are data (`plan_words.toml`). A word without a bearing on the answer is ignored, by that list or by its part of speech;
any other is either understood or unknown.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Literal, cast

from smoldesk.analyst.building.terms import is_floor_name
from smoldesk.analyst.lexicon import lexicon, phrases
from smoldesk.analyst.units import is_dictionary_word, japanese_tokens, key_of
from smoldesk.buildings.colours import find_colour
from smoldesk.buildings.evacuation.exits import find_exits
from smoldesk.buildings.kana import KATAKANA
from smoldesk.buildings.kinds import KINDS, find_kind
from smoldesk.buildings.names import fold
from smoldesk.buildings.places import PlaceIndex, Spot
from smoldesk.buildings.room_texts import SHAFTS

SpanKind = Literal[
    "room", "no room", "floor", "no floor", "kind", "cue", "number", "amount", "ordinal", "ignored", "unknown"
]
_TOKEN = re.compile(
    r"[a-z\u00c0-\u024f]+(?:'[a-z]+)?|[\u0400-\u04ff]+|(?<!\S)-\d+|\d+(?:\.\d+)?|[\uac00-\ud7a3]+|[\u3005-\u30ff\u3400-\u9fff]+|\S",
    re.IGNORECASE,
)
_CJK = re.compile(r"[\u3005-\u30ff\u3400-\u9fff]")
_KANA = re.compile(r"[\u3040-\u30ff]")
_HANGUL = re.compile(r"[\uac00-\ud7a3]+")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_NUMBERS = {"half a": 0.5} | {
    word: number
    for number, word in enumerate(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"], 1
    )
}
_KANJI = {char: number for number, char in enumerate("一二三四五六七八九", 1)}
_ORDINALS = {
    word: number
    for number, word in enumerate(["first", "second", "third", "fourth", "fifth", "sixth", "seventh"], 1)
}
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)|([\d一二三四五六七八九]+) ?(?:番目|位|つ目|個目|軒目)")
_COUNTED = re.compile(r"([\d一二三四五六七八九]+) ?(?:つ|個|室|部屋|か所|箇所|ヶ所|カ所)")
# Parts of speech of Janome that name nothing.
_FUNCTION = ("助詞", "助動詞", "記号", "フィラー", "感動詞", "連体詞", "接続詞", "接頭詞")
_NEAREST = re.compile("(?:the )?(?:nearest|closest) |最寄りの|一番近い|近くの")
_MARKS = frozenset(".,;:!?、。？！-")
_EXIT = re.compile(r"(?:(?:the )?(?:[Ee]xit|[Ee]ntrance|[Gg]ate) |出口|入口|非常口)[A-Z\d][\w-]*")
_LARGE_KANA = str.maketrans("ァィゥェォャュョッヮ", "アイウエオヤユヨツワ", "ー・")
_LONGEST, _MIN_SWAPPED = 12, 4
_SHORTEST_NUMBER = 3
_MIN_FUZZY, _MIN_FUZZY_CUE, _FUZZY, _MOST_FUZZY = 5, 8, 88, 4


@dataclass(frozen=True)
class Span:
    """Part of a question with its meaning; a room's value are its spots, a floor's its id, a kind's its text."""

    first: int
    end: int
    kind: SpanKind
    value: object
    text: str

    @property
    def spots(self) -> tuple[Spot, ...]:
        """Rooms of a name."""
        return cast("tuple[Spot, ...]", self.value) if self.kind == "room" else ()

    def is_cue(self, *names: str) -> bool:
        return self.kind == "cue" and self.value in names


@dataclass(frozen=True)
class _Token:
    start: int
    end: int
    part: str = ""
    base: str = ""


@lru_cache(maxsize=1)
def _words() -> tuple[Mapping[str, str], Mapping[tuple[str, ...], str]]:
    """Return the cues and the ignored words by their texts, and by the base forms of their words."""
    data = tomllib.loads(Path(__file__).with_name("plan_words.toml").read_text(encoding="utf-8"))
    by_text: dict[str, str] = {}
    lines = [*data["cues"].items(), *((" ", line) for line in data["ignored"].values())]
    for cue, line in lines:
        for phrase in phrases(line):
            by_text.setdefault(fold(phrase), cue)
    return by_text, {
        key_of(text): cue for text, cue in reversed(by_text.items()) if text.isascii() and cue != "building"
    }


# The requests of a conversation are read again with each one that follows.
@lru_cache(maxsize=256)
def scan(text: str, places: PlaceIndex) -> tuple[Span, ...]:
    """Return the spans of a normalized text, in its order."""
    tokens = list(_tokens(text))
    spans: list[Span] = []
    at = 0
    while at < len(tokens):
        span, at = _longest(text, tokens, at, places)
        spans.append(span)
    return tuple(_joined(text, spans, places))


def _tokens(text: str) -> Iterator[_Token]:
    """Yield the words of a text: those of Janome in Japanese, single characters in Chinese."""
    words = japanese_tokens(text) if _KANA.search(text) else ()
    for match in _TOKEN.finditer(text):
        if not _CJK.match(match[0]):
            yield _Token(*match.span())
            continue
        inside = [word for word in words if word[0] < match.end() and word[1] > match.start()]
        if not inside:
            yield from (_Token(at, at + 1) for at in range(*match.span()))
        for start, end, part, base in inside:
            yield _Token(max(start, match.start()), min(end, match.end()), part, base)


def _longest(text: str, tokens: list[_Token], at: int, places: PlaceIndex) -> tuple[Span, int]:
    """Return the longest meaning that begins at a token, and the token after it."""
    start = tokens[at].start
    if not any(map(str.isalnum, text[start : tokens[at].end])):
        return Span(start, tokens[at].end, "ignored", "", text[start : tokens[at].end]), at + 1
    # The A of 出口A is no article.
    is_code = (
        tokens[at].end == start + 1 and text[start].isupper() and bool(_CJK.match(text[start - 1 : start]))
    )
    for number in range(min(at + _LONGEST, len(tokens)), at, -1):
        end = tokens[number - 1].end
        if text[end - 1] in _MARKS or (is_code and end == start + 1):  # "stopped?" is no form of "stop"
            continue
        if meaning := _meaning(text[start:end], places):
            return Span(start, end, *meaning, text[start:end]), number
    if (number := _misspelt_words(text, tokens, at, places)) is not None:
        return number
    token = tokens[at]
    word = text[start : token.end]
    if is_code:
        return Span(start, token.end, "unknown", word, word), at + 1
    if _HANGUL.fullmatch(word):  # particles stand behind a word without a space
        for end in range(token.end - 1, start, -1):
            if meaning := _meaning(text[start:end], places):
                return Span(start, token.end, *meaning, text[start:end]), at + 1
    return Span(start, token.end, *_alone(word, token, places), word), at + 1


def _meaning(text: str, places: PlaceIndex) -> tuple[SpanKind, object] | None:
    """Return what a text as a whole means; None for nothing."""
    name = fold(text)
    cues, bases = _words()
    is_number = name.isdigit()
    if (
        name in cues
        and not places.named(name)
        and not (cues[name] == "building" and not name.startswith("this ") and _is_room(name, places))
    ):
        kind = None if name in ("area",) else find_kind(name)
        return ("kind", text) if kind and cues[name] == " " else _cue(cues[name])
    if not (is_number and len(name) < _SHORTEST_NUMBER) and len(name) > 1 and (spots := places.named(name)):
        return "room", tuple(spots)
    if _EXIT.fullmatch(text) and find_exits(places, text):
        return "kind", text
    bare = name.removeprefix("the ")
    # The 2 largest rooms are not Room2.
    may_be_room = bare != name and len(bare) >= _SHORTEST_NUMBER
    if may_be_room and places.kind(bare) not in (*SHAFTS, "exit") and (spots := places.named(bare)):
        return "room", tuple(spots)
    if is_floor_name(name) and (floors := places.floor_ids(name)):
        return "floor", floors[0]
    if name in _NUMBERS:
        return "number", float(_NUMBERS[name])
    if name in places.link_names:
        return "kind", text
    if name in _ORDINALS:
        return "ordinal", _ORDINALS[name]
    if match := _ORDINAL.fullmatch(name):
        return "ordinal", _integer(match[1] or match[2])
    if match := _COUNTED.fullmatch(name):
        return "amount", float(_integer(match[1]))
    is_plain = not is_number and not name[0].isdigit() and not _NEAREST.match(name)
    if is_plain and places.kind(name) is not None:
        return "kind", text
    if KATAKANA.match(text):
        if find_colour(text) is None and (spots := places.sounding(text)):  # オレンジ sounds as Lounge does
            return "room", tuple(spots)
        if (word := _kana_words().get(_plain_kana(name), name)) != name and places.kind(word) is not None:
            return "kind", word
    has_digits = any(map(str.isdigit, name))
    if text.isascii() and not has_digits and (cue := bases.get(key_of(name))) is not None:
        return _cue(cue)
    return None


def _plain_kana(text: str) -> str:
    """Return katakana without small ones and long vowels: オフィス as オフイス is written, コンピューター as コンピュータ."""
    return text.translate(_LARGE_KANA)


@lru_cache(maxsize=1)
def _kana_words() -> Mapping[str, str]:
    return {_plain_kana(word): word for words in KINDS.values() for word in words if KATAKANA.fullmatch(word)}


@lru_cache(maxsize=1)
def _swapped() -> Mapping[str, str]:
    """Return the cues by the sorted letters of their words, for words with two letters exchanged."""
    words = {text: cue for text, cue in _words()[0].items() if len(text) >= _MIN_SWAPPED and text.isascii()}
    return {"".join(sorted(text)): cue for text, cue in reversed(words.items()) if text.isalpha()}


def _is_room(name: str, places: PlaceIndex) -> bool:
    """Return whether a word for a building means rooms of this one: the office, 病院."""
    word = name.removeprefix("the ").removeprefix("this ")
    return bool(places.named(word) or places.by_kind.get(places.kind(word) or ""))


def _cue(cue: str) -> tuple[SpanKind, object]:
    return ("ignored", "") if cue == " " else ("cue", cue)


def _integer(text: str) -> int:
    return int(text) if text.isdigit() else _KANJI.get(text, 0)


def _alone(word: str, token: _Token, places: PlaceIndex) -> tuple[SpanKind, object]:
    """Return what a word means that stands in no list: a number, an inflected or a misspelt word, a function word."""
    name = fold(word)
    if _NUMBER.fullmatch(name):
        return "number", float(name)
    if not any(char.isalnum() for char in word):
        return "ignored", ""
    if token.base and (cue := _words()[0].get(fold(token.base))) is not None:
        return _cue(cue)
    if token.part in _FUNCTION or (token.part and all("ぁ" <= char <= "ん" for char in word)):
        return "ignored", ""
    is_typo = word.isascii() and word.isalpha() and not is_dictionary_word(name)
    if is_typo and (cue := _swapped().get("".join(sorted(name)))) is not None:  # waht
        return _cue(cue)
    lex = lexicon()
    if word.isascii() and (name in lex.stop or key_of(name) in lex.skip):
        return "ignored", ""
    if len(word) >= _MIN_FUZZY and word.isascii() and not is_dictionary_word(name):
        return _misspelt(name, places) or ("unknown", word)
    return "unknown", word


def _misspelt_words(text: str, tokens: list[_Token], at: int, places: PlaceIndex) -> tuple[Span, int] | None:
    """Return the room whose name of several words is nearly written here: Nuclear Medicne; and the token after it."""
    from rapidfuzz import fuzz, process

    for number in range(min(at + _MOST_FUZZY, len(tokens)), at + 1, -1):
        words = [text[token.start : token.end] for token in tokens[at:number]]
        written = text[tokens[at].start : tokens[number - 1].end]
        if len(written) < _MIN_FUZZY_CUE or not all(word.isascii() and word.isalpha() for word in words):
            continue
        if all(is_dictionary_word(fold(word)) or _meaning(word, places) for word in words):
            continue
        names = [name for name, _ in places.names() if name.count(" ") == number - at - 1]
        near = process.extract(fold(written), names, scorer=fuzz.ratio, score_cutoff=_FUZZY, limit=2)
        if len(near) == 1:  # of two near names neither is meant for certain
            spots = tuple(places.named(near[0][0]))
            return Span(tokens[at].start, tokens[number - 1].end, "room", spots, written), number
    return None


def _misspelt(name: str, places: PlaceIndex) -> tuple[SpanKind, object] | None:
    """Return the room or kind whose name a word nearly is."""
    from rapidfuzz import process

    cues = {text: cue for text, cue in _words()[0].items() if len(text) >= _MIN_FUZZY_CUE and text.isalpha()}
    names = [text for text, _ in places.names()] + [*places.by_kind, *cues]
    match = process.extractOne(name, names, score_cutoff=_FUZZY)
    near = match[0] if match else next((text for text in names if sorted(text) == sorted(name)), "")
    if not near or (near in cues and not places.named(near)):
        return _cue(cues[near]) if near else None
    return ("room", tuple(spots)) if (spots := places.named(near)) else ("kind", near)


def _joined(text: str, spans: list[Span], places: PlaceIndex) -> Iterator[Span]:
    """Yield the spans; a kind with a number as the room of this number, unknown words without a space as one."""
    at = 0
    while at < len(spans):
        span, following = spans[at], spans[at + 1] if at + 1 < len(spans) else None
        if following and (room := _numbered(text, span, following, places)):
            spans[at + 1] = room
        elif (
            following
            and span.kind == "unknown"
            and following.kind in ("unknown", "number")
            and span.end == following.first
        ):
            word = text[span.first : following.end]
            spans[at + 1] = Span(span.first, following.end, "unknown", word, word)
        elif (
            following
            and span.kind in ("floor", "number")
            and following.is_cue("a_floor")
            and span.end == following.first
        ):
            whole = text[span.first : following.end]
            kind: SpanKind = "no floor" if span.kind == "number" else "floor"
            spans[at + 1] = replace(span, kind=kind, end=following.end, text=whole)
        else:
            yield span
        at += 1


def _of_kind_numbered(word: Span, number: str, places: PlaceIndex) -> list[Spot]:
    """Return the rooms of a kind whose name ends with a number: MeetingRoom4 for 会議室4."""
    kind = places.kind(word.text) if word.kind == "kind" else None
    end = re.compile(rf"(?<!\d)0*{re.escape(fold(number))}$")
    return [spot for spot in places.by_kind.get(kind or "", ()) if end.search(fold(spot[1]))]


def _numbered(text: str, span: Span, following: Span, places: PlaceIndex) -> Span | None:
    """Return the room of a number beside a word for its kind: Hörsaal 215, classroom 425, 104教室; else None."""
    gap = text[span.end : following.first].strip()
    if gap or following.first - span.end > 1:
        return None
    word, number = (
        (span, following)
        if span.kind != "number" and not any(map(str.isdigit, span.text))
        else (following, span)
    )
    is_word = word.kind == "kind" or word.is_cue("rooms") or (word.kind == "room" and find_kind(word.text))
    is_code = number.kind in ("number", "unknown", "room") and any(char.isdigit() for char in number.text)
    if not (is_word and is_code) or (word is following and _CJK.match(word.text) is None):
        return None
    if word.text.casefold().endswith("s") and word.text.isascii():
        return None
    spots = places.named(number.text) or _of_kind_numbered(word, number.text, places)
    whole = text[span.first : following.end]
    if not spots and word is following and len(number.text) < _SHORTEST_NUMBER:
        return None
    return Span(span.first, following.end, "room" if spots else "no room", tuple(spots), whole)
