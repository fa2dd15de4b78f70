"""Figures in a text: numbers, percentages, money, dates, counts in words, in English and Japanese. Pure and linear.

Offsets are in code points of the text.
"""

import re
from collections.abc import Iterator

from smoldesk.evidence.date_finder import dates_in, times_in, without
from smoldesk.evidence.masking import mask, plain
from smoldesk.evidence.number_words import (
    ENGLISH,
    KANJI_NUMBER,
    KANJI_SCALES,
    NO_NUMBERS,
    ORDINALS,
    PARTS,
    SCALES,
    UNITS,
    english_value,
    kanji_value,
)
from smoldesk.evidence.text_figure import Figure, span_of

_DIGITS = r"\d{1,3}(?:[,\u00a0]\d{3})+(?:\.\d+)?|\d{2,3}(?: \d{3})+(?![\d,.])|\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3}\b)?|\.\d+"
_UNIT = "|".join(re.escape(unit) for unit in sorted(UNITS, key=len, reverse=True) if unit not in "$€£¥x")
_BOUND = r"(?![A-Za-zµ])"
_NUMBER = re.compile(
    r"(?:(?P<money>US\$|[$€£¥]|\b(?:USD|EUR|GBP|JPY)\s?))?"
    r"(?:(?<![A-Za-z_])|(?<=\bM)(?=\d\.))(?<![A-Za-z_]-)(?<!\d)(?<!\d[.,])"
    r"(?P<sign>(?:(?<![\w)])|(?<=[ぁ-んァ-ヶ一-龠]))[-+]|[△▲])?"
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
    rf"(?i)\b(?P<top>a|one|two|three|four)[ -](?P<part>{'|'.join(PARTS)})s?(?=\s+(?:of|are|is|were)\b)|(?P<n>\d+)分の(?P<m>\d+)"
)
_WEAK_WORDS = re.compile(
    rf"(?i)(?P<word>\b(?:(?:{_ONE_WORD})(?=(?: (?:in|out of) (?P<of>{_ONE_WORD}))?\b)|{'|'.join(ORDINALS)}"
    r"|twice|double|half)\b|半分)"
)
# Words before a count that refers back to something, and states nothing.
_BACK = re.compile(
    r"(?i)\b(?:the|these|those|all|both|first|last|top|other|next|each|every|of|or|by|any|only|in)\s+$"
)
_APPROXIMATE = re.compile(
    r"(?i)(?:\b(?:about|around|approximately|approx\.?|roughly|nearly|almost|over|under|some|(?:more|less|fewer) than|just over"
    r"|just under)\s|[~≈〜約]|およそ|ほぼ|ざっと)\s?(?:US\$|[$€£¥])?$"
)
_YEAR = re.compile(
    r"(?i)(?:\b(?:in|of|since|from|to|until|during|year|by|and|for|before|after|fy)\s|[(\[–—〜~/-])\s?$"
)


def find_figures(text: str, limit: int = 1_000_000) -> Iterator[Figure]:
    """Yield the figures of a text in their order, at most `limit`."""
    readable = mask(plain(text))
    figures: list[Figure] = []
    for finder in (dates_in, times_in, _parts, _numbers, _kanji, _counts, _weak):
        matches = [*finder(readable, text)]
        if not matches:
            continue
        figures += matches
        if len(figures) >= limit:
            break
        readable = without(readable, matches)
    yield from sorted(figures, key=lambda figure: figure.start)[:limit]


def _parts(text: str, original: str) -> Iterator[Figure]:
    for match in _PARTS.finditer(text):
        if match["part"]:
            top = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4}[match["top"].lower()]
            bottom = PARTS[match["part"].lower()]
        else:
            top, bottom = int(match["m"]), int(match["n"])
        if 0 < top < bottom:
            share = 100 * top / bottom
            yield Figure(*span_of(match, original), "part", share, 2.0, 2, UNITS["%"], share)


def _numbers(text: str, original: str) -> Iterator[Figure]:
    for match in _NUMBER.finditer(text):
        figure = _number(match, text, original)
        if figure is not None:
            yield figure


def _number(match: re.Match[str], text: str, original: str) -> Figure | None:
    before = text[max(0, match.start() - 24) : match.start()]
    sign = -1.0 if (match["sign"] or "+") in "-△▲" else 1.0
    if match["jp"]:
        value, half, digits, face = _japanese(match["jp"])
    else:
        value, half, digits = _written(match["number"])
        face = value
        if match["scale"]:
            factor = SCALES[match["scale"]]
            value, half = value * factor, half * factor
    name = (match["money"] or match["unit"] or "").strip().lower()
    if match["money"] and match["unit"] in ("m", "M"):  # "$4.5m"
        value, half = value * 1e6, half * 1e6
    is_rate = bool(
        re.match(r"/[^\W\d]", text[match.end() : match.end() + 2])
    )  # "12 kWh/m²" is of no known unit
    unit = UNITS[name] if name and not is_rate else ("", 1.0)
    if match["wari"]:
        unit, value, half = UNITS["%"], value * 10, half * 10
    if match["rank"]:
        return Figure(*span_of(match, original), "rank", value, 0.0, digits, face=face)
    is_bare = not (match["jp"] or match["scale"] or name or match["sign"] or match["wari"])
    if is_bare and re.fullmatch(r"(?:19|20)\d\d", match["number"]) and _YEAR.search(before):
        return Figure(*span_of(match, original), "date", digits=4, date=(int(value), 0, 0))
    if half == 0.5 and _APPROXIMATE.search(before) and value:
        zeros = len(str(int(value))) - len(str(int(value)).rstrip("0"))
        half, digits = 0.5 * 10 ** min(zeros, 9), max(digits - zeros, 1)
    return Figure(*span_of(match, original), "number", sign * value, half, digits, unit, sign * face)


def _written(text: str) -> tuple[float, float, int]:
    """Return value, half a unit of the last place, and significant digits of a number in digits."""
    digits = re.sub(r"[,\s]", "", text)
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
            *span_of(match, original),
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
        if value is None:
            continue
        is_weak = value < 2 or bool(_BACK.search(text[max(0, match.start() - 12) : match.start()]))
        follows = text[match.end() : match.end() + 12].lstrip().lower()
        factor = 1e6 if follows.startswith("million") else 1e3 if follows.startswith("thousand") else 1.0
        unit = UNITS["%"] if follows.startswith("per") else ("", 1.0)
        yield Figure(
            *span_of(match, original),
            "word",
            value * factor,
            0.5 * factor,
            len(str(value)),
            unit,
            float(value),
            is_weak=is_weak,
        )


def _weak(text: str, original: str) -> Iterator[Figure]:
    """Yield words that may be figures: `six of them`, `second place`, `twice`, `half`, `one in five`."""
    for match in _WEAK_WORDS.finditer(text):
        word = match["word"].lower()
        if word in ORDINALS:
            yield Figure(*span_of(match, original), "rank", float(ORDINALS[word]), 0.0, 1, is_weak=True)
        elif match["of"]:
            share = 100.0 * (ENGLISH.get(word) or 1) / ENGLISH.get(match["of"].lower(), 10)
            yield Figure(*span_of(match, original), "part", share, 2.0, 2, UNITS["%"], share, is_weak=True)
        elif word in ("half", "半分"):
            yield Figure(*span_of(match, original), "part", 50.0, 2.0, 2, UNITS["%"], 50.0, is_weak=True)
        elif word in ("twice", "double"):
            yield Figure(*span_of(match, original), "word", 2.0, 0.1, 2, UNITS["x"], 2.0, is_weak=True)
        else:
            value = float(english_value(word) or 0)
            yield Figure(*span_of(match, original), "word", value, 0.5, 1, face=value, is_weak=True)
