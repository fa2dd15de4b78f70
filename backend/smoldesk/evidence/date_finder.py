"""Dates and times of day in a text, in English and Japanese. Pure and linear."""

import re
from collections.abc import Iterator, Sequence

from smoldesk.evidence.number_words import MONTHS
from smoldesk.evidence.text_figure import Figure, span_of

_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_DATES = re.compile(
    r"(?<![\d.,])(?P<y>[12]\d{3})(?P<s>[-/.])(?P<m>\d{1,2})(?:(?P=s)(?P<d>\d{1,2})|(?<=[-/]\d)|(?<=[-/]\d\d))(?![\d.-])"
    r"(?:[T ](?:\d{1,2}:\d\d(?::\d\d)?(?:\.\d+)?Z?))?"
    r"|(?:(?P<jy>\d{4})年)?(?<![\d,.])(?P<jm>\d{1,2})月(?!間)(?:(?P<jd>\d{1,2})日)?|(?P<jyo>\d{4})年度?(?!間|\d)"
    rf"|(?i:\b(?P<em>{_MONTH})\.?\s+(?P<ed>\d{{1,2}})(?:st|nd|rd|th)?(?:,?\s+(?P<ey>\d{{4}}))?(?![\d,.]*\d))"
    rf"|(?i:\b(?P<fd>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<fm>{_MONTH})\b\.?(?:,?\s+(?P<fy>\d{{4}})(?!\d))?)"
    rf"|(?i:\b(?P<gm>{_MONTH})\.?,?\s+(?P<gy>(?:19|20)\d\d)(?!\d))"
)
_TIME = re.compile(
    r"(?<![\d:])(?P<h>[01]?\d|2[0-4]):(?P<n>[0-5]\d)(?::(?P<c>[0-5]\d))?(?![\d:])(?i:\s?(?P<half>[ap])\.?m\b\.?)?"
    r"|(?<![\d.,:])(?P<h2>1?\d)\s?(?i:(?P<half2>[ap])\.?m)\b"
    r"|(?<![\d.,])(?P<h3>\d{1,3})時間?(?P<n3>\d{1,2})分(?:(?P<c3>\d{1,2})秒)?"
)


def find_dates(text: str) -> Iterator[Figure]:
    """Yield the dates and times of day of a label or a printed line."""
    if not re.search(r"\d", text):
        return
    dates = [*dates_in(text, text)]
    yield from dates
    for date in dates:
        yield from times_in(date.text, date.text)
    yield from times_in(without(text, dates), text)


def without(text: str, figures: Sequence[Figure]) -> str:
    """Return the text with NUL characters in place of figures."""
    pieces: list[str] = []
    at = 0
    for figure in figures:
        pieces += [text[at : figure.start], "\0" * (figure.end - figure.start)]
        at = figure.end
    return "".join([*pieces, text[at:]])


def dates_in(text: str, original: str) -> Iterator[Figure]:
    """Yield the dates of a text."""
    for match in _DATES.finditer(text):
        part = match.groupdict()
        year = int(part["y"] or part["jy"] or part["jyo"] or part["ey"] or part["fy"] or part["gy"] or 0)
        named = part["em"] or part["fm"] or part["gm"]
        month = MONTHS[named.lower()] if named else int(part["m"] or part["jm"] or 0)
        day = int(part["d"] or part["jd"] or part["ed"] or part["fd"] or 0)
        if month <= 12 and day <= 31 and (month or (year and not part["m"])):
            yield Figure(*span_of(match, original), "date", digits=4, date=(year, month, day))


def times_in(text: str, original: str) -> Iterator[Figure]:
    """Yield the times of day and durations of a text."""
    for match in _TIME.finditer(text):
        hour, minute, second = (
            int(match[name] or match[f"{name}3"] or (name == "h" and match["h2"]) or 0) for name in "hnc"
        )
        is_afternoon = (match["half"] or match["half2"] or "").lower() == "p" and hour < 12
        time = (hour + 12 * is_afternoon, minute, second)
        yield Figure(*span_of(match, original), "time", digits=4, date=time)
