"""Values written in text: numbers with units, dates, yes and no, and names, in English and Japanese."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

# Characters of an answer that are read.
LONGEST_TEXT = 100_000
# Spellings of units, in lower case after NFKC.
UNITS = {
    "%": ("%", "percent", "per cent", "パーセント"),
    "°C": ("°c", "c", "degrees celsius", "degree celsius", "degrees c", "degrees", "degree", "度"),
    "°F": ("°f", "degrees fahrenheit", "degrees f"),
    "km": ("km", "kilometres", "kilometers", "キロメートル"),
    "m": ("m", "metres", "meters", "metre", "meter", "メートル"),
    "cm": ("cm", "centimetres", "centimeters", "センチメートル"),
    "s": ("s", "sec", "seconds", "second", "秒"),
    "min": ("min", "minutes", "minute", "分"),
    "h": ("h", "hours", "hour", "時間"),
    "lux": ("lux", "lx", "ルクス"),
    "pounds": ("pounds", "pound", "gbp", "£", "ポンド"),
    "years": ("years", "year", "years old", "歳", "年"),
}
_SPELLINGS = {spelling: unit for unit, spellings in UNITS.items() for spelling in spellings}
_UNIT = "|".join(re.escape(spelling) for spelling in sorted(_SPELLINGS, key=len, reverse=True))
_DIGITS = r"(?:\d{1,3}(?:,\d{3}){1,100}(?!\d)|\d{1,300})(?:\.\d{1,300})?"
_NUMBER = re.compile(
    rf"(?<![A-Za-z0-9_.])(?P<number>[-+]?(?:(?:{_DIGITS}[千万億]{{1,2}})+(?:{_DIGITS})?|{_DIGITS}(?:e[-+]?\d{{1,3}})?))"
    rf"(?: ?(?P<unit>{_UNIT})(?![a-z]))?(?![A-Za-z_\d])",
    re.I,
)
_MYRIADS = {"万": 10_000, "億": 100_000_000}
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_MONTH = r"(?P<month>" + "|".join(_MONTHS) + r")[a-z]{0,6}\.?"
_DATES = tuple(
    re.compile(form, re.I)
    for form in (
        r"(?<!\d)(?P<year>\d{4})[-/.](?P<month>\d{1,2})[-/.](?P<day>\d{1,2})(?!\d)(?:T[\d:]{0,8})?",
        r"(?:(?P<year>\d{4})年)?(?P<month>\d{1,2})月(?P<day>\d{1,2})日",
        rf"\b{_MONTH} (?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:,? (?P<year>\d{{4}}))?(?!\d)",
        rf"(?<!\d)(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? {_MONTH}(?:,? (?P<year>\d{{4}}))?(?!\d)",
    )
)
_CLOCK = re.compile(r"(?<!\d)\d{1,2}:\d{2}(?::\d{2})?(?!\d)")
_LIST_MARK = re.compile(r"(?m)^\s{0,8}\d{1,3}[.)] ")
_YES_NO = re.compile(r"\b(?P<yes>yes|true)\b|\b(?P<no>no|false)\b|(?P<はい>はい)|(?P<いいえ>いいえ)", re.I)
_REFUSALS = re.compile(
    r"\b(?:cannot|can't|could not|couldn't|unable|not possible|impossible|not available|unavailable|"
    r"(?:do|does|did) not (?:have|contain|include|record|say|know|exist|recogni[sz]e)|"
    r"(?:don't|doesn't|didn't) (?:have|contain|include|record|say|know|exist|recogni[sz]e)|"
    r"(?:has|have|is|are|there's|contains?) no\b|not (?:in|part of) the|no such|no (?:column|data|information)|"
    r"not (?:sure|answered)|rather not|did not (?:see|understand|find)|do not (?:see|understand|find))"
    r"|ません|できな|分から|わから|ありま?せ?ん|ない(?:ため|ので|です|。)|存在しない|含まれていない|不明",
    re.I,
)


@dataclass(frozen=True)
class WrittenNumber:
    """A number in a text; `unit` is a key of UNITS, or empty."""

    value: float
    unit: str = ""


def plain(text: str) -> str:
    """Return the start of a text with full-width characters narrowed and Markdown's marks removed."""
    text = unicodedata.normalize("NFKC", text[:LONGEST_TEXT]).replace("\u2212", "-").replace("\u2019", "'")
    return re.sub(r"[*`]{1,3}", "", text)


def read_numbers(text: str) -> list[WrittenNumber]:
    """Return the numbers of a text, without those of dates, times, list marks and names such as Room1."""
    text = _LIST_MARK.sub(" ", plain(text))
    for form in (*_DATES, _CLOCK):
        text = form.sub(" ; ", text)
    return [
        WrittenNumber(_value(match["number"]), _SPELLINGS.get((match["unit"] or "").lower(), ""))
        for match in _NUMBER.finditer(text)
    ]


def _value(written: str) -> float:
    total = section = 0.0
    sign = -1 if written.startswith("-") else 1
    for digits, marks in re.findall(rf"({_DIGITS}(?:e[-+]?\d+)?)([千万億]*)", written.lstrip("+-"), re.I):
        number = float(digits.replace(",", ""))
        if "千" in marks:
            number *= 1_000
        section += number
        for mark in marks.replace("千", ""):  # 万 and 億 multiply all that stands before them
            total += section * _MYRIADS[mark]
            section = 0.0
    return sign * (total + section)


def read_dates(text: str) -> Iterator[tuple[int | None, int, int]]:
    """Yield the dates of a text in their order, as year (None if it is not written), month and day."""
    text = plain(text)
    matches = [match for form in _DATES for match in form.finditer(text)]
    for match in sorted(matches, key=lambda match: match.start()):
        month = match["month"]
        number = int(month) if month.isdigit() else _MONTHS.index(month[:3].lower()) + 1
        yield int(match["year"]) if match["year"] else None, number, int(match["day"])


def read_yes(text: str) -> bool | None:
    """Return whether the first yes or no of a text is a yes; None without any."""
    match = _YES_NO.search(plain(text))
    return None if match is None else match.lastgroup in ("yes", "はい")


def declines(text: str) -> bool:
    """Return whether a text says that something cannot be answered."""
    return _REFUSALS.search(plain(text)) is not None


def place_of(text: str, names: Sequence[str]) -> int | None:
    """Return the position of the first of a thing's names in a text; None without any."""
    text = plain(text).casefold()
    places = [match.start() for name in names if (match := _name(name).search(text))]
    return min(places, default=None)


def is_name(value: object, names: Sequence[str]) -> bool:
    """Return whether a cell or a value is one of a thing's names."""
    return plain(str(value)).strip().casefold() in {plain(name).strip().casefold() for name in names}


def _name(name: str) -> re.Pattern[str]:
    """Return a pattern of the name as a word of its own, where it begins and ends with Latin letters or digits."""
    name = plain(name).casefold()
    before = r"(?<![a-z0-9_])" if re.match(r"[a-z0-9]", name) else ""
    after = r"(?![a-z0-9_])" if re.search(r"[a-z0-9]$", name) else ""
    return re.compile(before + re.escape(name) + after)
