"""Stretches of time in a request: quarters, halves of a year, fiscal years, the last days, weeks or months.

A quarter or a half is one of the calendar year, a Japanese 年度 runs from April to March, the last days are counted back
from the last day of the table, and the first ones on from its first.
"""

import re
from collections.abc import Iterator
from datetime import date, timedelta

from smoldesk.analyst.meanings import When

_NTH = {"first": 1, "1st": 1, "second": 2, "2nd": 2, "third": 3, "3rd": 3, "fourth": 4, "4th": 4, "last": 4}
_EDGE = r"(?![a-z0-9])"
_YEAR = r"(?:19|20)\d\d"
_LAST = r"(?:in |during |over |for )?(?:the )?(?:last|past|latest|final|most recent)"
_FIRST = r"(?:in |during |over |for )?(?:the )?first"
_COUNT = r"\d+|two|three|four|five|six|seven|eight|nine|ten|twelve"
_OF_DATA_SAID = r" (?:of|in) (?:the |this )?(?:data|table|dataset|data set|file|records?)"
_OF_DATA = rf"(?:{_OF_DATA_SAID})?"
_WORDS = {
    "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twelve": 12,
}  # fmt: skip
_PATTERNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (part, re.compile(form))
    for part, form in (
        ("quarter", rf"q(?P<n>[1-4])(?:,? (?:of )?(?P<year>{_YEAR}))?(?![a-z0-9])"),
        ("quarter", rf"(?P<year>{_YEAR}) ?-?q(?P<n>[1-4])(?![a-z0-9])"),
        (
            "quarter",
            rf"(?P<n>first|second|third|fourth|[1-4](?:st|nd|rd|th)) quarter(?: of)?(?: (?P<year>{_YEAR}))?(?![a-z0-9])",
        ),
        ("quarter", rf"(?:(?P<year>{_YEAR})年の?)?第(?P<n>[1-4一二三四])四半期"),
        ("half", rf"(?P<n>first|second) half of (?P<year>{_YEAR})(?![a-z0-9])"),
        ("half", r"(?P<n>first|second) half of the year(?![a-z0-9])"),
        ("half", rf"h(?P<n>[12]) (?P<year>{_YEAR})(?![a-z0-9])"),
        ("half", rf"(?:(?P<year>{_YEAR})年の?)?(?P<n>[上下])半期"),
        ("fiscal", rf"(?P<year>{_YEAR})年度"),
        ("last days", rf"{_LAST} (?P<n>{_COUNT}) days?{_OF_DATA}(?![a-z0-9])"),
        ("last weeks", rf"{_LAST} (?P<n>{_COUNT}) weeks?{_OF_DATA}(?![a-z0-9])"),
        ("last months", rf"{_LAST} (?P<n>{_COUNT}) months?{_OF_DATA}(?![a-z0-9])"),
        ("last days", rf"{_LAST}(?P<n>) day{_OF_DATA_SAID}(?![a-z0-9])"),
        ("last weeks", rf"{_LAST}(?P<n>) week{_OF_DATA_SAID}(?![a-z0-9])"),
        ("last months", rf"{_LAST}(?P<n>) month{_OF_DATA_SAID}(?![a-z0-9])"),
        ("first days", rf"{_FIRST} (?P<n>{_COUNT}) days?{_OF_DATA}(?![a-z0-9])"),
        ("first weeks", rf"{_FIRST} (?P<n>{_COUNT}) weeks?{_OF_DATA}(?![a-z0-9])"),
        ("first weeks", rf"{_FIRST}(?P<n>) week{_OF_DATA_SAID}(?![a-z0-9])"),
        ("last days", r"(?:データの)?最後の(?P<n>\d+)日間?"),
        ("last weeks", r"(?:データの)?最後の(?P<n>\d+)週間"),
        ("first days", r"(?:データの)?最初の(?P<n>\d+)日間"),
        ("first weeks", r"(?:データの)?最初の(?P<n>\d+)週間"),
        ("last days", r"(?:直近|過去|最近|最新)の?(?P<n>\d+)日間?"),
        ("last weeks", r"(?:直近|過去|最近|最新)の?(?P<n>\d+)週間?"),
        ("last months", r"(?:直近|過去|最近|最新)の?(?P<n>\d+)(?:ヶ|か|カ|ヵ|箇)月間?"),
    )
)
PARTS = frozenset(part for part, _ in _PATTERNS)


def stretches(text: str, at: int) -> Iterator[tuple[int, When]]:
    """The stretches of time that start at `at` in a levelled text, each with its end."""
    for part, pattern in _PATTERNS:
        if match := pattern.match(text, at):
            said = match.groupdict()
            number = _number(said.get("n") or ("0" if part == "fiscal" else "1"))
            yield match.end(), When(year=int(said.get("year") or 0), part=part, value=number)


def _number(said: str) -> int:
    if said in "一二三四":
        return "一二三四".index(said) + 1
    if said in "上下":
        return "上下".index(said) + 1
    return _NTH.get(said) or _WORDS.get(said) or int(re.sub(r"\D", "", said))


def stretch_days(when: When, span: tuple[str, ...]) -> tuple[str, str] | None:
    """The first day of a stretch and the first day after it, in ISO; None when its year is not plain from the span."""
    if len(span) != 2:
        return None
    last = date.fromisoformat(span[1][:10])
    if when.part.startswith("first "):
        start = date.fromisoformat(span[0][:10])
        return start.isoformat(), (start + timedelta(days=when.value * _DAYS_OF[when.part])).isoformat()
    if when.part.startswith("last "):
        after = last + timedelta(days=1)
        return _before(after, when.part, when.value).isoformat(), after.isoformat()
    year = when.year or (last.year if span[0][:4] == span[1][:4] else 0)
    if not year:
        return None
    length = {"quarter": 3, "half": 6, "fiscal": 12}[when.part]
    first = date(year, 4 if when.part == "fiscal" else (when.value - 1) * length + 1, 1)
    return first.isoformat(), _months_on(first, length).isoformat()


_DAYS_OF = {"first days": 1, "first weeks": 7}


def _before(after: date, part: str, number: int) -> date:
    if part == "last months":
        back = _months_on(after.replace(day=1), -number)
        return back.replace(day=min(after.day, 28))
    return after - timedelta(days=number * (7 if part == "last weeks" else 1))


def _months_on(first: date, months: int) -> date:
    """The same day of the month that many months later; the day is 28 at most."""
    place = first.year * 12 + first.month - 1 + months
    return date(place // 12, place % 12 + 1, first.day)
