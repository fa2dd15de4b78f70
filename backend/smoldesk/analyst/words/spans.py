"""Numbers, points, dates, file names and places that are not there: what a request may hold at a position."""

import re
from collections.abc import Iterator

from smoldesk.analyst.meanings import (
    Cue,
    FileName,
    Meaning,
    NoPlace,
    Number,
    Point,
)
from smoldesk.analyst.words.dates import whens
from smoldesk.analyst.words.glossary import UNITS
from smoldesk.analyst.words.japanese import COUNTERS
from smoldesk.analyst.words.text import fits_edge

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


LATIN = re.compile(r"[a-z0-9]+(?:'[a-z]+)?|[^\W\d_\u3040-\u9fff]+")


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


_LATIN_UNIT = re.compile(
    rf"(?:{'|'.join(sorted((re.escape(w) for ws in UNITS.values() for w in ws if w.isascii()), key=len, reverse=True))})"
    r"(?![a-z0-9])"
)
"""A unit right after its number: 5km, 80kg."""


_HOW_MANY = re.compile(
    rf"何(?:{'|'.join(COUNTERS)}|(?![色者処様故語科課係県市町村駅線型式系族味産製年月日曜時分秒以等区])[\u4e00-\u9fff](?![\u4e00-\u9fff]))"
)
"""何 before a counter, also one that no list has: how many."""


def patterns(levelled: str, at: int) -> Iterator[tuple[int, Meaning]]:
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
        end += next((len(counter) for counter in COUNTERS if levelled.startswith(counter, end)), 0)
        if fits_edge(levelled, at, end) or _LATIN_UNIT.match(levelled, end):
            yield end, Number(value)
    if (ordinal := _ORDINAL.match(levelled, at)) and fits_edge(levelled, at, ordinal.end()):
        yield ordinal.end(), Number(float(ordinal.group(1)))
    if asked := _HOW_MANY.match(levelled, at):
        yield asked.end(), Cue("agg", "count")
    if levelled.startswith(("half an hour", "30分"), at):
        yield at + (12 if levelled[at] == "h" else 2), Number(30.0)
    word = LATIN.match(levelled, at)
    if word and word.group() in _NUMBER_WORDS and fits_edge(levelled, at, word.end()):
        yield word.end(), Number(float(_NUMBER_WORDS[word.group()]))
    if levelled[at] in _KANJI_NUMBERS and levelled.startswith(COUNTERS, at + 1):
        yield at + 2, Number(float(_KANJI_NUMBERS[levelled[at]]))
