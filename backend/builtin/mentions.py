"""A request becomes mentions: one pass from left to right, the longest known term first, typos mended last.

Works alike for English words and for Japanese without spaces. What matches nothing stays as an Unknown
mention: the readers decline rather than skip it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from backend.builtin.dates import whens
from backend.builtin.lexicon import Lexicon
from backend.builtin.meanings import (
    Cue,
    FileName,
    Meaning,
    Mention,
    NoPlace,
    Number,
    Point,
    Quoted,
    Skip,
    Unknown,
    When,
)
from backend.builtin.names import misspelt_names, parts_of_names
from backend.builtin.words import fits_edge, key, level, stem, tidy

_QUOTED = re.compile(r"(?<!\w)'([^']+)'(?!\w)|\"([^\"]+)\"|“([^”]+)”|‘([^’]+)’|「([^」]+)」|『([^』]+)』")
_NUMBER = re.compile(r"-?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|-?\.\d+")
_ORDINAL = re.compile(r"(\d+)(?:st|nd|rd|th)")
_PLACE = r"(?:x ?[=:] ?)?(-?\d+(?:\.\d+)?)\s*[,、]\s*(?:y ?[=:] ?)?(-?\d+(?:\.\d+)?)"
_POINT = re.compile(
    rf"\(\s*{_PLACE}\s*\)|(?=x ?[=:]){_PLACE}|{_PLACE}(?=\s*(?:に|へ|の位置|の座標|の地点))"
    rf"|(?:(?<=at )|(?<=coordinates )|(?<=coordinate )|(?<=position )|(?<=point )|(?<=座標)|(?<=座標 )){_PLACE}"
)
"""A pair of numbers is a point in brackets, with x and y, or beside a word that says so."""
_FILE = re.compile(r"[^\W_][\w\-.]*\.(?:csv|xlsx|tsv|txt|json|parquet)\b")
_NO_ROOM = re.compile(r"(?:room|level) ?\d+")
_NO_FLOOR = re.compile(r"b?\d+f(?![a-z0-9])|(?:floor|level) \d+|\d+(?:st|nd|rd|th) floor|地下\d+階|\d+階")
_LATIN = re.compile(r"[a-z0-9]+(?:'[a-z]+)?|[^\W\d_\u3040-\u9fff]+")
_SCRIPTS = tuple(map(re.compile, (r"[\u30a0-\u30ffー]+", r"[\u4e00-\u9fff々]", r"[\u3040-\u309f]+", r"\w")))
_NUMBER_WORDS: dict[str, int] = {
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
}
_KANJI_NUMBERS = {char: n for n, char in enumerate("一二三四五六七八九十", start=1)}
_SCALES = {"万": 1e4, "億": 1e8, "k": 1e3, "千": 1e3, "百万": 1e6}
_SUFFIXES = "数率別毎各順"
_COUNTERS = ("つ", "個", "件", "人", "か所", "箇所", "カ所", "ヶ所", "本", "位")
_KANJI = re.compile(r"[\u4e00-\u9fff々]+")
_TYPO_SCORE = 86.0
_LONGEST_REQUEST = 4000


@dataclass(frozen=True)
class Request:
    """A tidied request and its mentions, in order and without overlap; words without meaning are left out."""

    text: str
    mentions: tuple[Mention, ...]

    @property
    def unknown(self) -> list[str]:
        return [mention.text for mention in self.mentions if mention.first(Unknown)]


def read_mentions(request: str, lexicon: Lexicon) -> Request:
    """All mentions of a request. Very long requests are read to their first 4,000 characters."""
    text = tidy(request[:_LONGEST_REQUEST])
    mentions = _merge_unknown(list(_scan(text, lexicon)))
    said = level(text)
    mentions = parts_of_names(mentions, said, lexicon)
    mended = misspelt_names([_mend(mention, lexicon) for mention in mentions], said, lexicon)
    said = text.lower()
    kept = [
        replace(mention, lead=said[max(0, mention.start - 24) : mention.start])
        for mention in mended
        if not _empty(mention)
    ]
    return Request(text, tuple(kept))


def _empty(mention: Mention) -> bool:
    return all(isinstance(meaning, Skip) for meaning in mention.meanings)


def _scan(text: str, lexicon: Lexicon) -> Iterator[Mention]:
    levelled = level(text)
    quotes = {match.start(): match for match in _QUOTED.finditer(text)}
    at = 0
    while at < len(levelled):
        if quote := quotes.get(at):
            said = next(group for group in quote.groups() if group is not None)
            term = key(said)
            known = [*lexicon.terms.get(term, []), *lexicon.only_quoted.get(term, [])]
            known = [meaning for meaning in known if not isinstance(meaning, Skip | Cue)]
            values = [replace(ref, needs_column=False) for ref in lexicon.values_called(term)]
            yield Mention(at, quote.end(), said, (Quoted(said), *known, *values))
            at = quote.end()
            continue
        if mention := _term(text, levelled, at, lexicon):
            yield mention
            at = mention.end
            continue
        at += 1


def _term(text: str, levelled: str, at: int, lexicon: Lexicon) -> Mention | None:
    """The mention that starts here, or None on a space or a punctuation mark."""
    end, meanings = _longest(levelled, at, lexicon)
    for pattern, meaning in _patterns(levelled, at):
        if pattern > end or (pattern == end and isinstance(meaning, When)):
            end, meanings = pattern, (meaning,)
        elif pattern == end and isinstance(meanings[0], When):
            meanings = (*meanings, meaning)  # a year may be a number
    if not meanings:
        end = _word_end(levelled, at)
        if end == at:
            return None
        meanings = (Unknown(),)
    return Mention(at, end, text[at:end], meanings)


def _longest(levelled: str, at: int, lexicon: Lexicon) -> tuple[int, tuple[Meaning, ...]]:
    for end in range(min(len(levelled), at + lexicon.longest), at, -1):
        if (meanings := lexicon.meant(levelled[at:end])) and fits_edge(levelled, at, end):
            return end, tuple(meanings)
    return at, ()


def _patterns(levelled: str, at: int) -> Iterator[tuple[int, Meaning]]:
    """Numbers, points, file names and names of places that are not there, each with its end."""
    if match := _POINT.match(levelled, at):
        x, y = (float(group) for group in match.groups() if group is not None)
        yield match.end(), Point(x, y)
    if (match := _FILE.match(levelled, at)) and fits_edge(levelled, at, match.end()):
        yield match.end(), FileName(match.group())
    for pattern, kind in ((_NO_ROOM, "room"), (_NO_FLOOR, "floor")):
        if (match := pattern.match(levelled, at)) and fits_edge(levelled, at, match.end()):
            yield match.end(), NoPlace(kind)
    for end, when in whens(levelled, at):
        if fits_edge(levelled, at, end):
            yield end, when
    if match := _NUMBER.match(levelled, at):
        value, end = float(match.group().replace(",", "")), match.end()
        for scale in ("百万", "万", "億", "千", "k"):
            if levelled.startswith(scale, end) and fits_edge(levelled, at, end + len(scale)):
                value, end = value * _SCALES[scale], end + len(scale)
                break
        end += next((len(counter) for counter in _COUNTERS if levelled.startswith(counter, end)), 0)
        if fits_edge(levelled, at, end):
            yield end, Number(value)
    if (ordinal := _ORDINAL.match(levelled, at)) and fits_edge(levelled, at, ordinal.end()):
        yield ordinal.end(), Number(float(ordinal.group(1)))
    if levelled.startswith(("half an hour", "30分"), at):
        yield at + (12 if levelled[at] == "h" else 2), Number(30.0)
    word = _LATIN.match(levelled, at)
    if word and word.group() in _NUMBER_WORDS and fits_edge(levelled, at, word.end()):
        yield word.end(), Number(float(_NUMBER_WORDS[word.group()]))
    if levelled[at] in _KANJI_NUMBERS and levelled.startswith(_COUNTERS, at + 1):
        yield at + 2, Number(float(_KANJI_NUMBERS[levelled[at]]))


def _word_end(levelled: str, at: int) -> int:
    if match := _LATIN.match(levelled, at):
        return match.end()
    return next((match.end() for pattern in _SCRIPTS if (match := pattern.match(levelled, at))), at)


def _merge_unknown(mentions: list[Mention]) -> list[Mention]:
    """Unknown kanji swallow the weak kanji they touch: 使用量 stays one word."""
    merged: list[Mention] = []
    for mention in mentions:
        last = merged[-1] if merged else None
        if last and last.end == mention.start and (_swallows(last, mention) or _swallows(mention, last)):
            merged[-1] = Mention(last.start, mention.end, last.text + mention.text, (Unknown(),))
        else:
            merged.append(mention)
    return merged


def _swallows(unknown: Mention, other: Mention) -> bool:
    if not unknown.first(Unknown):
        return False
    if other.first(Unknown):
        return unknown.text.isascii() == other.text.isascii()
    kanji = _KANJI.fullmatch(unknown.text) and _KANJI.fullmatch(other.text)
    weak = _empty(other) or (len(other.text) == 1 and all(isinstance(m, Cue) for m in other.meanings))
    return bool(kanji) and weak and other.text not in _SUFFIXES


def _mend(mention: Mention, lexicon: Lexicon) -> Mention:
    """An unknown word that is nearly a known one is read as that one; digits must agree."""
    if not mention.first(Unknown) or len(mention.text) < 5:
        return mention
    from rapidfuzz import fuzz, process

    word = level(mention.text)
    if word.isascii() and (known := lexicon.stems.get(stem(word))):
        return replace(mention, meanings=tuple(lexicon.terms[known]))
    best = process.extractOne(word, lexicon.guesses, scorer=fuzz.ratio, score_cutoff=_TYPO_SCORE)
    if best is None or _digits(best[0]) != _digits(word):
        return mention
    return replace(mention, meanings=tuple(lexicon.terms[best[0]]), read_as=best[0])


def _digits(word: str) -> list[str]:
    return re.findall(r"\d", word)
