"""Figures in a text: numbers, percentages, money, dates, counts in words, in English and Japanese. Pure and linear.

Offsets are in code points of the text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from smoldesk.evidence.masking import mask, plain
from smoldesk.evidence.number_words import (
    ENGLISH,
    KANJI_NUMBER,
    KANJI_SCALES,
    MONTHS,
    NO_NUMBERS,
    PARTS,
    SCALES,
    UNITS,
    english_value,
    kanji_value,
)

Kind = Literal["number", "word", "part", "rank", "date", "time"]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of a text. `half` is half a unit of its last written place; `digits` those that a value must share.

    `unit` is a dimension and a factor to its base unit, or empty. A date is `(year, month, day)`, 0 where it names none; a
    time of day the same of hour, minute and second. `face` is the value without its scale word.
    """

    start: int
    end: int
    text: str
    kind: Kind
    value: float = 0.0
    half: float = 0.0
    digits: int = 0
    unit: tuple[str, float] = ("", 1.0)
    face: float = 0.0
    date: tuple[int, int, int] = (0, 0, 0)

    @property
    def is_percent(self) -> bool:
        return self.unit[0] == "percent"


_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_DATES = re.compile(
    r"(?<![\d.,])(?P<y>[12]\d{3})(?P<s>[-/.])(?P<m>\d{1,2})(?:(?P=s)(?P<d>\d{1,2})|(?<=[-/]\d)|(?<=[-/]\d\d))(?![\d.-])"
    r"(?:[T ](?:\d{1,2}:\d\d(?::\d\d)?(?:\.\d+)?Z?))?"
    r"|(?:(?P<jy>\d{4})年)?(?<![\d,.])(?P<jm>\d{1,2})月(?!間)(?:(?P<jd>\d{1,2})日)?|(?P<jyo>\d{4})年(?!間|\d)"
    rf"|(?i:\b(?P<em>{_MONTH})\.?\s+(?P<ed>\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s+(?P<ey>\d{{4}}))?(?![\d,.]*\d))"
    rf"|(?i:\b(?P<fd>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<fm>{_MONTH})\b\.?(?:,?\s+(?P<fy>\d{{4}})(?!\d))?)"
    rf"|(?i:\b(?P<gm>{_MONTH})\.?,?\s+(?P<gy>(?:19|20)\d\d)(?!\d))"
)
_TIME = re.compile(r"(?<![\d:])(?P<h>[01]?\d|2[0-4]):(?P<n>[0-5]\d)(?::(?P<c>[0-5]\d))?(?![\d:])")
_DIGITS = r"\d{1,3}(?:[,\u00a0]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3}\b)?|\.\d+"
_UNIT = "|".join(re.escape(unit) for unit in sorted(UNITS, key=len, reverse=True) if unit not in "$€£¥x")
_BOUND = r"(?![A-Za-zµ])"
_NUMBER = re.compile(
    r"(?:(?P<money>US\$|[$€£¥]|\b(?:USD|EUR|GBP|JPY)\s?))?"
    r"(?<![A-Za-z_])(?<![A-Za-z_]-)(?<!\d)(?<!\d[.,])"
    r"(?P<sign>(?:(?<![\w)])|(?<=[ぁ-んァ-ヶ一-龠]))[-+])?"
    rf"(?:(?P<jp>(?:(?:{_DIGITS})[千百]?[兆億万])+(?:(?:{_DIGITS})千?)?|(?:{_DIGITS})千)"
    rf"|(?P<number>{_DIGITS})(?:(?P<rank>st|nd|rd|th|位|番目)"
    r"|[ \u00a0]?(?P<scale>thousand|million|billion|trillion|mn|bn|[kKMB])"
    rf"{_BOUND})?)"
    rf"(?:[ \u00a0]?(?P<unit>(?i:{_UNIT})(?:{_BOUND}|(?<=[ぁ-んァ-ヶ一-龠]))|x\b)|(?P<wari>割(?!合)))?(?![A-Za-z]|[.,]\d)"
)
_JP_PIECE = re.compile(rf"({_DIGITS})(千|百)?([兆億万])?")
_ONE_WORD = "|".join(sorted(ENGLISH, key=len, reverse=True))
_WORDS = re.compile(
    rf"(?i)\b(?P<word>(?:{_ONE_WORD})(?:-(?:{_ONE_WORD}))?)"
    r"(?=\s+(?:(?:percent|per cent|million|thousand|people|men|women|children)\b|(?:[a-z][a-z-]*\s+){0,2}?[a-z-]{2,}s\b))"
)
_PARTS = re.compile(
    rf"(?i)\b(?P<top>a|one|two|three|four)[ -](?P<part>{'|'.join(PARTS)})s?(?=\s+of\b)|(?P<n>\d+)分の(?P<m>\d+)"
)
# Words before a count that refers back to something, and states nothing.
_BACK = re.compile(
    r"(?i)\b(?:the|these|those|all|both|first|last|top|other|next|each|every|of|or|by|any|only|in)\s+$"
)
_APPROXIMATE = re.compile(
    r"(?i)(?:\b(?:about|around|approximately|approx\.?|roughly|nearly|almost|over|under|some|more than|less than|just over"
    r"|just under)\s|[~≈〜約]|およそ|ほぼ|ざっと)\s?(?:US\$|[$€£¥])?$"
)
_YEAR = re.compile(
    r"(?i)(?:\b(?:in|of|since|from|to|until|during|year|by|and|for|before|after|fy)\s|[(\[–—〜~/-])\s?$"
)


def find_figures(text: str, limit: int = 1_000_000) -> Iterator[Figure]:
    """Yield the figures of a text in their order, at most `limit`."""
    readable = mask(plain(text))
    figures: list[Figure] = []
    for finder in (_dates, _times, _parts, _numbers, _kanji, _counts):
        matches = [*finder(readable, text)]
        figures += matches
        if len(figures) >= limit:
            break
        readable = _without(readable, matches)
    yield from sorted(figures, key=lambda figure: figure.start)[:limit]


def find_dates(text: str) -> Iterator[Figure]:
    """Yield the dates and times of day of a label or a printed line."""
    if not re.search(r"\d", text):
        return
    dates = [*_dates(text, text)]
    yield from dates
    yield from _times(_without(text, dates), text)


def _without(text: str, figures: list[Figure]) -> str:
    pieces: list[str] = []
    at = 0
    for figure in figures:
        pieces += [text[at : figure.start], "\0" * (figure.end - figure.start)]
        at = figure.end
    return "".join([*pieces, text[at:]])


def _dates(text: str, original: str) -> Iterator[Figure]:
    for match in _DATES.finditer(text):
        part = match.groupdict()
        year = int(part["y"] or part["jy"] or part["jyo"] or part["ey"] or part["fy"] or part["gy"] or 0)
        named = part["em"] or part["fm"] or part["gm"]
        month = MONTHS[named.lower()] if named else int(part["m"] or part["jm"] or 0)
        day = int(part["d"] or part["jd"] or part["ed"] or part["fd"] or 0)
        if month <= 12 and day <= 31 and (month or (year and not part["m"])):
            yield Figure(*_span(match, original), "date", digits=4, date=(year, month, day))


def _times(text: str, original: str) -> Iterator[Figure]:
    for match in _TIME.finditer(text):
        time = (int(match["h"]), int(match["n"]), int(match["c"] or 0))
        yield Figure(*_span(match, original), "time", digits=4, date=time)


def _parts(text: str, original: str) -> Iterator[Figure]:
    for match in _PARTS.finditer(text):
        if match["part"]:
            top = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4}[match["top"].lower()]
            bottom = PARTS[match["part"].lower()]
        else:
            top, bottom = int(match["m"]), int(match["n"])
        if 0 < top < bottom:
            share = 100 * top / bottom
            yield Figure(*_span(match, original), "part", share, 2.0, 2, UNITS["%"], share)


def _numbers(text: str, original: str) -> Iterator[Figure]:
    for match in _NUMBER.finditer(text):
        figure = _number(match, text, original)
        if figure is not None:
            yield figure


def _number(match: re.Match[str], text: str, original: str) -> Figure | None:
    before = text[max(0, match.start() - 24) : match.start()]
    sign = -1.0 if match["sign"] == "-" else 1.0
    if match["jp"]:
        value, half, digits, face = _japanese(match["jp"])
    else:
        value, half, digits = _written(match["number"])
        face = value
        if match["scale"]:
            factor = SCALES[match["scale"]]
            value, half = value * factor, half * factor
    name = (match["money"] or match["unit"] or "").strip().lower()
    unit = UNITS[name] if name else ("", 1.0)
    if match["wari"]:
        unit, value, half = UNITS["%"], value * 10, half * 10
    if match["rank"]:
        return Figure(*_span(match, original), "rank", value, 0.0, digits, face=face)
    is_bare = not (match["jp"] or match["scale"] or name or match["sign"] or match["wari"])
    if is_bare and re.fullmatch(r"(?:19|20)\d\d", match["number"]) and _YEAR.search(before):
        return Figure(*_span(match, original), "date", digits=4, date=(int(value), 0, 0))
    if half == 0.5 and _APPROXIMATE.search(before) and value:
        zeros = len(str(int(value))) - len(str(int(value)).rstrip("0"))
        half, digits = 0.5 * 10 ** min(zeros, 9), max(digits - zeros, 1)
    return Figure(*_span(match, original), "number", sign * value, half, digits, unit, sign * face)


def _written(text: str) -> tuple[float, float, int]:
    """Return value, half a unit of the last place, and significant digits of a number in digits."""
    digits = text.replace(",", "").replace("\u00a0", "")
    mantissa, _, exponent = digits.lower().partition("e")
    places = len(mantissa.partition(".")[2]) - (int(exponent) if exponent else 0)
    significant = len(mantissa.replace(".", "").lstrip("0"))
    return float(digits), 0.5 * 10.0**-places, max(significant, 1)


def _japanese(text: str) -> tuple[float, float, int, float]:
    """Return the same of a number such as 1億2,345万 or 3万5千, and its first part."""
    value, digits, half, face = 0.0, 0, 0.5, 0.0
    for match in _JP_PIECE.finditer(text):
        number, piece_half, piece_digits = _written(match[1])
        factor = {"千": 1e3, "百": 1e2}.get(match[2] or "", 1.0) * KANJI_SCALES.get(match[3] or "", 1)
        value, half, digits = value + number * factor, piece_half * factor, digits + piece_digits
        face = face or number
    return value, half, digits, face


def _kanji(text: str, original: str) -> Iterator[Figure]:
    for match in KANJI_NUMBER.finditer(text):
        follows = text[match.end() : match.end() + 2]
        if match[0] in NO_NUMBERS or (match[0] == "十" and follows.startswith("分")):
            continue
        value = float(kanji_value(match[0]))
        is_share = follows.startswith("割")
        unit = UNITS["%"] if is_share or follows.startswith("%") else ("", 1.0)
        value *= 10 if is_share else 1
        yield Figure(
            *_span(match, original),
            "word",
            value,
            5.0 if is_share else 0.5,
            len(str(int(value))),
            unit,
            value,
        )


def _counts(text: str, original: str) -> Iterator[Figure]:
    for match in _WORDS.finditer(text):
        value = english_value(match["word"])
        if value is None or value < 2 or _BACK.search(text[max(0, match.start() - 12) : match.start()]):
            continue
        follows = text[match.end() : match.end() + 12].lstrip().lower()
        factor = 1e6 if follows.startswith("million") else 1e3 if follows.startswith("thousand") else 1.0
        unit = UNITS["%"] if follows.startswith("per") else ("", 1.0)
        yield Figure(
            *_span(match, original), "word", value * factor, 0.5 * factor, len(str(value)), unit, float(value)
        )


def _span(match: re.Match[str], original: str) -> tuple[int, int, str]:
    start, end = match.span("word") if "word" in match.re.groupindex else match.span()
    return start, end, original[start:end]
