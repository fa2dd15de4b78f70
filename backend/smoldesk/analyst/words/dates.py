"""Days, months, years and hours in a request: `march 2024`, 2024年5月3日, 令和6年, 5月, `8 am`, `on weekends`."""

import re
from collections.abc import Iterator
from datetime import date, timedelta

from smoldesk.analyst.meanings import When
from smoldesk.analyst.words.date_spans import stretches
from smoldesk.analyst.words.day_parts import day_parts

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
            "september sept sep", "october oct", "november nov", "december dec",
        ),
        start=1,
    )
    for name in names.split()
}  # fmt: skip
_MONTH = rf"(?P<month>{'|'.join(sorted(_MONTHS, key=len, reverse=True))})\.?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"(?P<year>(?:19|20)\d\d)"
_EDGE = r"(?![a-z0-9])"
_PATTERNS = tuple(
    re.compile(one)
    for one in (
        rf"{_YEAR}[-/.](?P<month>\d{{1,2}})[-/.](?P<day>\d{{1,2}}){_EDGE}",
        rf"{_YEAR}-(?P<month>0\d|1[0-2])(?![\d-])",
        rf"{_DAY} (?:of )?{_MONTH},? {_YEAR}{_EDGE}",
        rf"{_MONTH} {_DAY},? {_YEAR}{_EDGE}",
        rf"{_MONTH},? (?:of )?{_YEAR}{_EDGE}",
        rf"{_DAY} (?:of )?{_MONTH}{_EDGE}",
        rf"{_MONTH} {_DAY}{_EDGE}",
        rf"{_YEAR}年(?:の)?(?P<month>\d{{1,2}})月(?P<day>\d{{1,2}})日",
        rf"{_YEAR}年(?:の)?(?P<month>\d{{1,2}})月",
        rf"{_YEAR}年(?![間度])",
        r"令和(?P<era>\d{1,2}|元)年(?P<month>\d{1,2})月(?P<day>\d{1,2})日",
        r"令和(?P<era>\d{1,2}|元)年(?P<month>\d{1,2})月",
        r"令和(?P<era>\d{1,2}|元)年",
        r"(?P<month>\d{1,2})月(?P<day>\d{1,2})日",
        r"(?P<month>1[0-2]|[1-9])月(?!間)",
    )
)
_NAMED_MONTH = re.compile(rf"{_MONTH}{_EDGE}")
_BARE_YEAR = re.compile(rf"{_YEAR}(?![\d.,]|\w)")
_BEFORE_MONTH = re.compile(
    r"(?:\b(?:in|of|since|during|for|from|until|before|after|only|just|and|or|to|vs|between|this|early|mid|late|about) "
    r"|\bmid-|[,(] ?|^)$"
)
_BEFORE_YEAR = re.compile(
    r"(?:\b(?:in|of|since|during|for|from|until|before|after|only|and|or|to|year|between|just|by) |^)$"
)
_CLOCK = re.compile(r"(?P<hour>\d{1,2})(?::(?P<minute>\d\d))? ?(?P<half>am|pm|a\.m\.|p\.m\.)(?![a-z])")
_HOUR_24 = re.compile(r"(?P<hour>[01]?\d|2[0-3]):(?P<minute>[0-5]\d)(?![\d:])(?! ?[ap]\.?m)")
_HOUR_JA = re.compile(
    r"(?P<half>午前|午後)?の?(?P<hour>\d{1,2})時(?!間)(?:(?P<minute>\d{1,2})分|(?P<thirty>半))?台?"
)
_WEEK = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_PARTS = re.compile(
    rf"(?P<weekend>weekends?|週末|土日)|(?P<workday>(?<=on )weekdays|(?<=only )weekdays|平日)|(?P<name>{'|'.join(_WEEK)})s?"
    r"|(?P<kanji>[月火水木金土日])曜日?(?=[にのはだとやかで、]|$)"
)


_WORKDAY = re.compile(r"weekdays?(?![a-z])")
_BEFORE_WEEKDAY = re.compile(r"(?:by|per|each|every|which) $")
"""Beside weekends, a weekday is one of the five others, unless rows are grouped by it."""

_PLAIN = r"(?!(?:19|20)\d\d(?![\d.,]))\d[\d,]*(?:\.\d+)?"
_OTHER_END = re.compile(
    rf"\b(?:between|from|of|costing|worth|priced) {_PLAIN}(?: [a-z]{{1,9}})? (?:and|to) $"
)
_NEXT_END = re.compile(rf"(?: [a-z]{{1,9}})? (?:and|to) {_PLAIN}(?![\w./-])(?! (?:{'|'.join(_MONTHS)})\b)")
_COUNTED_IN = re.compile(
    r" ?(?:euros?|dollars?|pounds?|quid|bucks|yen|kms?|kgs?|kilos?|grams?|lit(?:re|er)s?|met(?:re|er)s?|miles?|hours?"
    r"|minutes?|mins?|seconds?|days?|people|units?|pieces?|pcs|words?|views?|visitors?|kwh|calories|kcal)\b"
)


def _is_amount(text: str, at: int) -> bool:
    """`between 1000 and 2000`, `up to 2000 km`: four digits that are no year, by their unit or a range's other end."""
    before, after = text[:at], text[at + 4 :]
    ranged = _OTHER_END.search(before) or (
        re.search(r"\b(?:between|from) $", before) and _NEXT_END.match(after)
    )
    return bool(ranged or _COUNTED_IN.match(after))


def whens(text: str, at: int) -> Iterator[tuple[int, When]]:
    """The dates that start at `at` in a levelled text, each with its end."""
    yield from stretches(text, at)
    for pattern in _PATTERNS:
        if (match := pattern.match(text, at)) and (when := _when(match)):
            yield match.end(), when
    if (match := _NAMED_MONTH.match(text, at)) and _BEFORE_MONTH.search(text[:at]):
        yield match.end(), When(month=_MONTHS[match["month"]])
    if (match := _BARE_YEAR.match(text, at)) and (
        (_BEFORE_YEAR.search(text[:at]) and not _is_amount(text, at)) or text[at + 4 :].strip() == "only"
    ):
        yield match.end(), When(year=int(match["year"]), bare=True)
    yield from day_parts(text, at)
    if match := _CLOCK.match(text, at) or _HOUR_JA.match(text, at) or _HOUR_24.match(text, at):
        said = match.groupdict()
        hour, half = int(said["hour"]) % 24, said.get("half") or ""
        if half.startswith(("p", "午後")) and hour < 12:
            hour += 12
        if half.startswith("a") and hour == 12:
            hour = 0
        minute = 30 if said.get("thirty") else int(said.get("minute") or 0)
        yield match.end(), When(part="hour", value=hour, minute=minute)
    if (match := _WORKDAY.match(text, at)) and "weekend" in text and not _BEFORE_WEEKDAY.search(text[:at]):
        yield match.end(), When(part="workday")
    if match := _PARTS.match(text, at):
        if match["weekend"]:
            yield match.end(), When(part="weekend")
        elif match["workday"]:
            yield match.end(), When(part="workday")
        else:
            day = _WEEK.index(match["name"]) if match["name"] else "月火水木金土日".index(match["kanji"])
            yield match.end(), When(part="weekday", value=day)


def _when(match: re.Match[str]) -> When | None:
    said = match.groupdict()
    month = said.get("month") or ""
    number = _MONTHS.get(month) or int(month or 0)
    year = int(said.get("year") or 0)
    if era := said.get("era"):
        year = 2018 + (1 if era == "元" else int(era))
    day = int(said.get("day") or 0)
    return When(year, number, day) if number <= 12 and day <= 31 else None


def bounds(when: When) -> tuple[str, str] | None:
    """The first day of a date, month or year and the first day after it, in ISO; None when there is no such day."""
    try:
        if when.day:
            first = date(when.year, when.month, when.day)
            after = first + timedelta(days=1)
        elif when.month:
            first = date(when.year, when.month, 1)
            after = date(when.year + when.month // 12, when.month % 12 + 1, 1)
        else:
            first, after = date(when.year, 1, 1), date(when.year + 1, 1, 1)
    except ValueError:
        return None
    return first.isoformat(), after.isoformat()


def in_year(when: When, span: tuple[str, ...]) -> When | None:
    """A date without a year in the only year of the span in which it lies; None when there are none or several."""
    if when.year or not when.month:
        return when
    if len(span) != 2:
        return None
    years = range(int(span[0][:4]), int(span[1][:4]) + 1)
    found: list[When] = []
    for year in years:
        dated = When(year, when.month, when.day)
        days = bounds(dated)
        if days and days[0] <= span[1] and days[1] > span[0]:
            found.append(dated)
    if not found and len(years) == 1:
        found = [When(years[0], when.month, when.day)]
    return found[0] if len(found) == 1 else None
