"""Months, quarters and weeks written as text: dates if they have a calendar year, else ordered texts."""

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Any

# Suffix of the form of texts in their order of time: `month in order` for Jan, Feb.
IN_ORDER = " in order"
# Form of quarters of calendar years: 2023Q1, Q1 2023.
QUARTER = "quarter"
# Patterns of months with a year, and the `strptime` formats that may parse them.
MONTHS = (
    (r"[A-Za-z]{3,9}\.? \d{4}", ("%b %Y", "%B %Y", "%b. %Y")),
    (r"[A-Za-z]{3,9}, \d{4}", ("%b, %Y", "%B, %Y")),
    (r"[A-Za-z]{3,9}[-/]\d{4}", ("%b-%Y", "%B-%Y", "%b/%Y", "%B/%Y")),
    (r"[A-Za-z]{3,9}[-/ ]'?\d{2}", ("%b-%y", "%B-%y", "%b %y", "%b '%y", "%B '%y", "%b-'%y", "%b/%y")),
    (r"\d{4}[A-Za-z]{3,9}", ("%Y%b", "%Y%B")),
    (r"\d{4}M\d{2}", ("%YM%m",)),
    (r"\d{4}[-/ ][A-Za-z]{3,9}", ("%Y-%b", "%Y-%B", "%Y %b", "%Y %B", "%Y/%b")),
    (r"\d{2}-[A-Za-z]{3}", ("%y-%b",)),
    (r"\d{4}/\d{1,2}", ("%Y/%m",)),
    (r"\d{4}-\d", ("%Y-%m",)),
    (r"\d{1,2}/\d{4}", ("%m/%Y",)),
    (r"\d{1,2}-\d{4}", ("%m-%Y",)),
)
_QUARTER = re.compile(r"(?:19|20)\d\d[ /-]?Q[1-4]|Q[1-4][ /-]?(?:19|20)\d\d|(?:19|20)\d\d年第[1-4]四半期")
_NAMES = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_NAME = re.compile(
    r"(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?",
    re.IGNORECASE,
)
_MONTH_JA = re.compile(r"(\d{1,2})月(?:度|分)?")
_YEAR = r"(?:FY ?'?)(\d{4}|\d{2})"
_COUNTED: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("quarter", re.compile(rf"{_YEAR}[ /-]?Q([1-4])", re.IGNORECASE)),
    ("quarter", re.compile(r"(\d{4})年度?第([1-4])四半期")),
    ("quarter", re.compile(r"(?:第([1-4])四半期|Q(?:uarter )?([1-4])|([1-4])Q)", re.IGNORECASE)),
    ("half year", re.compile(r"(\d{4})[ -]?H([12])", re.IGNORECASE)),
    ("year", re.compile(_YEAR, re.IGNORECASE)),
    ("year", re.compile(r"(\d{4})年度?")),
    ("week", re.compile(r"(\d{4})[ -]?W(\d{1,2})", re.IGNORECASE)),
    ("week", re.compile(r"(?:week|wk|w)[ .-]?(\d{1,2})|第?(\d{1,2})週目?", re.IGNORECASE)),
    ("day", re.compile(r"day[ -]?(\d{1,3})|(\d{1,3})日目", re.IGNORECASE)),
    ("month", re.compile(r"month[ -]?(\d{1,2})|(\d{1,2})[かヶカ]月目", re.IGNORECASE)),
)  # fmt: skip
# Patterns with the year at the end.
_TURNED = (
    ("quarter", re.compile(rf"Q([1-4])[ /-]?{_YEAR}", re.IGNORECASE)),
    ("half year", re.compile(r"H([12])[ -]?(\d{4})")),
)
_SEASON = re.compile(r"(\d{4})[-/–](\d{4}|\d{2})")
_DAY_HEADER = re.compile(r"date|day|日付|年月日|日$", re.IGNORECASE)
_MONTH_HEADER = re.compile(r"month|period|年月|対象月|yyyymm", re.IGNORECASE)


def is_quarters(texts: Any) -> bool:
    """Check whether all texts are quarters of calendar years."""
    return bool(texts.str.fullmatch(_QUARTER.pattern).all())


def quarter_days(texts: Any) -> Any:
    """Return the first day of each quarter that `is_quarters` accepts."""
    import pandas as pd

    named = texts.str.extract(r"(\d{4})")[0] + "Q" + texts.str.extract(r"[Q第]([1-4])")[0]
    return pd.Series(pd.PeriodIndex(named, freq="Q").to_timestamp(), index=texts.index)


def is_year_months(column: Any) -> bool:
    """Check whether integers are months like 202304, in a column whose header suggests months."""
    if not len(column) or column.dtype.kind != "i" or not _MONTH_HEADER.search(str(column.name)):
        return False
    return bool(((column // 100).between(1900, 2100) & (column % 100).between(1, 12)).all())


def is_integer_days(column: Any) -> bool:
    """Check whether integers are days like 20230430, in a column whose header suggests days."""
    import pandas

    pd: Any = pandas
    if not len(column) or column.dtype.kind != "i" or not _DAY_HEADER.search(str(column.name)):
        return False
    if not column.between(1000_01_01, 2999_12_31).all():
        return False
    return bool(pd.to_datetime(column.astype(str), format="%Y%m%d", errors="coerce").notna().all())


def in_order(texts: Any) -> str:
    """Return `month in order` for months, quarters, weeks or years in ascending order; "" for other texts."""
    labels = [str(label).strip() for label in dict.fromkeys(texts)]
    if len(labels) < 2:
        return ""
    if (months := [_month(label) for label in labels]) and None not in months:
        start = months[0] or 0
        turned = [((month or 0) - start) % 12 for month in months]
        within_year = _rises(months) or (11, 0) in list(pairwise(months))  # a year ends in December
        return "month" + IN_ORDER if within_year and _rises(turned) else ""
    for span, pattern in (*_COUNTED, *_TURNED):
        read = [pattern.fullmatch(label) for label in labels]
        if all(read):
            counts = [tuple(int(part) for part in match.groups() if part) for match in read if match]
            counts = [count[::-1] for count in counts] if (span, pattern) in _TURNED else counts
            return span + IN_ORDER if _rises(counts) else ""
    return "year" + IN_ORDER if _are_seasons(labels) else ""


def _are_seasons(labels: list[str]) -> bool:
    """Check for 2021/22, 2022/23: each ends in the year after its beginning."""
    read = [_SEASON.fullmatch(label) for label in labels]
    years = [(int(match[1]), int(match[2][-2:])) for match in read if match]
    return (
        len(years) == len(labels) and all((label + 1) % 100 == end for label, end in years) and _rises(years)
    )


def _month(text: str) -> int | None:
    if match := _NAME.fullmatch(text):
        return _NAMES.index(match[1][:3].lower())
    match = _MONTH_JA.fullmatch(text)
    return int(match[1]) - 1 if match and 1 <= int(match[1]) <= 12 else None


def _rises(values: list[Any]) -> bool:
    return all(value < other for value, other in pairwise(values))


def month_format(texts: Any, parses: Callable[[Any, str], bool]) -> str | None:
    """Return the format of months with a year, QUARTER, or None; `parses` checks a format on all texts."""
    first = str(texts.iloc[0])
    if _QUARTER.fullmatch(first):
        return QUARTER if is_quarters(texts) else None
    for pattern, formats in MONTHS:
        if re.fullmatch(pattern, first) and not _are_seasons([str(text) for text in texts.unique()]):
            return next((text for text in formats if parses(texts, text)), None)
    return None
