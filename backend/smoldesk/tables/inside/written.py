"""Numbers and dates written as text: "1,234", "¥500", "12%", 2024年5月3日, 令和6年6月22日, 20/12/2023."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, cast

from .periods import QUARTER, month_format, quarter_days

# Days of Japanese eras: 令和6年6月22日 is 2024-06-22, R6.6.22 the same.
WAREKI = re.compile(
    r"(?:令和|平成|昭和)(?:\d{1,2}|元)年\d{1,2}月\d{1,2}日|[RHS]\.?\d{1,2}([./-])\d{1,2}\1\d{1,2}"
)
ERA_PARTS = r"(令和|平成|昭和|R|H|S)\.?(\d+)[年./-](\d+)[月./-](\d+)"
# Year before the first year of each era.
ERAS = {"令和": 2018, "平成": 1988, "昭和": 1925, "R": 2018, "H": 1988, "S": 1925}


def western(texts: Any) -> Any:
    """Return texts with the years of eras converted to 2024-6-22, others unchanged."""
    converted = texts.str.replace("元年", "1年")
    return converted.str.replace(f"^{ERA_PARTS}日?$", _western, regex=True)


def _western(match: re.Match[str]) -> str:
    return f"{ERAS[match[1]] + int(match[2])}-{match[3]}-{match[4]}"


# Groups of three digits, or Indian groups of two above the last three: 1,234,567 and 12,34,567.
_DIGITS = r"(?:\d{1,3}(?:,\d{2,3})*,\d{3}|\d+)(?:\.\d+)?"
_NUMBER = re.compile(rf"[-+]?\s?[$€£¥￥]?\s?[-+]?{_DIGITS}\s?(?:%|％|円|ドル|[€£$])?")
_UNITS = """
kg g mg t km m cm mm ml l dl cl kl kcal cal kwh wh kw w mw gb mb kb tb ms s sec min mins h hr hrs ℃ °c °f 度 円
ドル ユーロ 分 秒 時間 分間 歳 才 人 名 件 個 本
枚 台 回 冊 点 匹 頭 羽 杯 箱 袋 泊 食 票 歩 株 口 か月 ヶ月 カ月 ページ ポイント pt pts
usd eur jpy gbp cups pcs people persons hours minutes days
"""
# Number with its unit. Units with a scale or a digit (万円, m2) are not among them.
_WITH_UNIT = re.compile(
    rf"[-+]?{_DIGITS}\s?(" + "|".join(sorted(map(re.escape, _UNITS.split()), key=len, reverse=True)) + ")",
    re.IGNORECASE,
)
_NOTHING = frozenset(("-", "–", "—", ""))
# Two digits for the year, first or last.
SHORT_YEARS = r"\d{1,2}/\d{1,2}/\d{2}"
_NO_DIGIT = re.compile(r"[-–—]\s?\D{0,3}")


def _is_nothing(cell: str) -> bool:
    """Check for a dash in place of a number, also one with a unit: -, - 票."""
    return cell in _NOTHING or bool(_NO_DIGIT.fullmatch(cell))


_DAYS = (
    (r"\d{4}/\d{1,2}/\d{1,2}", ("%Y/%m/%d",)),
    (r"\d{4}\.\d{1,2}\.\d{1,2}", ("%Y.%m.%d",)),
    (r"\d{4}年\d{1,2}月\d{1,2}日", ("%Y年%m月%d日",)),
    (r"\d{4}年\d{1,2}月", ("%Y年%m月",)),
    (r"\d{1,2}月\d{1,2}日", ("%m月%d日",)),
    (r"\d{4}-\d{2}", ("%Y-%m",)),
    (r"\d{1,2}/\d{1,2}/\d{4}", ("%m/%d/%Y", "%d/%m/%Y")),
    (SHORT_YEARS, ("%y/%m/%d", "%m/%d/%y", "%d/%m/%y")),
    (r"\d{1,2}-\d{1,2}-\d{4}", ("%d-%m-%Y", "%m-%d-%Y")),
    (r"\d{1,2}\.\d{1,2}\.\d{4}", ("%d.%m.%Y",)),
    (r"\d{1,2} [A-Za-z]+ \d{4}", ("%d %b %Y", "%d %B %Y")),
    (r"\d{1,2}-[A-Za-z]+-\d{4}", ("%d-%b-%Y", "%d-%B-%Y")),
    (r"[A-Za-z]+ \d{1,2}, \d{4}", ("%b %d, %Y", "%B %d, %Y")),
    (r"[A-Za-z]+ \d{1,2} \d{4}", ("%b %d %Y", "%B %d %Y")),
    (r"\d{1,2}-[A-Za-z]{3}-\d{2}", ("%d-%b-%y",)),
    (r"[A-Za-z]+-\d{1,2}-\d{4}", ("%b-%d-%Y", "%B-%d-%Y")),
    (r"\d{1,2} [A-Za-z]{3} \d{2}", ("%d %b %y",)),
    (
        r"[A-Za-z]{3,9},? \d{1,2} [A-Za-z]+ \d{4}",
        ("%a %d %b %Y", "%a, %d %b %Y", "%A %d %B %Y", "%A, %d %B %Y"),
    ),
    (r"[A-Za-z]{3,9},? [A-Za-z]+ \d{1,2},? \d{4}", ("%a %b %d %Y", "%a, %b %d, %Y", "%A, %B %d, %Y")),
)
# Suffix of a form with the day of the week after the date: 2024年9月1日(日).
WEEKDAY = "(曜)"
_WEEKDAY = r" ?[(（][日月火水木金土](?:曜日?)?[)）]"
# Form of a column that mixes unambiguous formats: the year comes first (2024/7/1, 2024-07-03, 2024年7月6日),
# or the month has a name (7 November 2022, Nov 7, 2022).
MIXED = "mixed"
# MIXED with some years of an era (令和6年7月6日).
MIXED_ERAS = "mixed eras"
_MIXED = (
    r"\d{4}(?:([-/.])\d{1,2}\1\d{1,2}|年\d{1,2}月\d{1,2}日)"
    r"|\d{1,2} [A-Za-z]{3,9},? \d{4}|\d{1,2}-[A-Za-z]{3,9}-\d{4}|[A-Za-z]{3,9} \d{1,2},? \d{4}"
)
_TIMES = ((r"", ""), (r" \d{1,2}:\d{2}", " %H:%M"), (r" \d{1,2}:\d{2}:\d{2}", " %H:%M:%S"))


YEARLESS = "%m月%d日"
ISO_DAYS = "%Y-%m-%d"
# Form of times without a day, like 08:30.
CLOCK = "%H:%M"
_CLOCK = re.compile(r"(?:[01]?\d|2[0-3]):[0-5]\d")
_HALF_A_YEAR = 200


def form_of_numbers(column: Any) -> str:
    """Return "text" or COMMA if the texts are numbers, except for a few words that mean none; empty for other
    columns.
    """
    cells = _cells(column)
    if _are_numbers(cells) or _are_numbers_with_markers(cells, str(column.name)):
        return "text"
    turned = with_points([cell for cell in cells if any(map(str.isdigit, cell))])
    if turned is None:
        return ""
    counts = [count for cell, count in cells.items() if any(map(str.isdigit, cell))]
    cells = {cell: count for cell, count in cells.items() if not any(map(str.isdigit, cell))}
    for cell, count in zip(turned, counts, strict=True):
        cells[cell] = cells.get(cell, 0) + count
    return COMMA if _are_numbers(cells) or _are_numbers_with_markers(cells, str(column.name)) else ""


def _cells(column: Any) -> dict[str, int]:
    """Return each text with the number of its cells. Stops early once a column has too many words to be numbers."""
    cells: dict[str, int] = {}
    counts: dict[str, int] = {}
    for value, count in column.astype(str).value_counts(sort=False).items():
        cell = unicodedata.normalize("NFKC", value).strip()
        cells[cell] = cells.get(cell, 0) + count
        if not (
            _is_nothing(cell) or _NUMBER.fullmatch(cell) or _WITH_UNIT.fullmatch(cell) or _MARK.search(cell)
        ):
            counts[cell.casefold()] = 1
            if len(counts) > _MAX_WORDS:
                return counts
    return cells


def _are_numbers(cells: Mapping[str, int]) -> bool:
    """Check for numbers with separators, a currency, a percent sign, or the same unit everywhere."""
    numbers = [text for text in cells if not _is_nothing(text)]
    if not numbers or any(len(text) >= 40 for text in numbers):
        return False
    if all(_NUMBER.fullmatch(text) for text in numbers):
        return True
    units = {match[1].lower() if (match := _WITH_UNIT.fullmatch(text)) else None for text in numbers}
    return len(units) == 1 and None not in units


_NO_RESULT = frozenset((
    "dnf", "dns", "dsq", "dq", "nd", "nm", "na", "n/a", "n.a.", "none", "nil", "null", "tbd", "tbc", "unknown", "missing",
    "absent", "not available", "not applicable", "no data",
    "pending", "withdrawn", "retired", "cancelled", "canceled", "error", "fail", "failed", "?", "??", "-", "–", "—",
    "x", "欠測", "欠席", "欠場", "欠損", "測定不可", "測定不能", "不明", "なし", "無し", "未測定", "未計測", "未定", "未入力",
    "棄権", "失格", "休", "休み", "―", "*", "**", "***", "..", "...", "・", ":", "(d)", "(s)", "(x)", "(z)", "(na)",
))  # fmt: skip
_WORD = re.compile(r"[^\W\d_][^\W\d_ ]*(?: [^\W\d_]+){0,2}")
_STATED = re.compile(r"[(\[（【].+[)\]）】]")
# A text without these does not change when points and commas swap.
_MARK = re.compile(r"[.,]")
_MAX_WORDS, _LEAST_NUMBERS = 3, 5


def _are_numbers_with_markers(cells: Mapping[str, int], header: str) -> bool:
    """Check for numbers with a few words for a missing one: 49.3, 51.9, DNF.

    An unknown word counts only among measured numbers: with a decimal point, or with a unit in the header.
    """
    numbers = {cell: count for cell, count in cells.items() if _NUMBER.fullmatch(cell)}
    markers = {cell: count for cell, count in cells.items() if not _is_nothing(cell) and cell not in numbers}
    kinds = {word.casefold() for word in markers}
    if not markers or len(kinds) > _MAX_WORDS or len(numbers) < _LEAST_NUMBERS:
        return False
    number_count, marker_count = sum(numbers.values()), sum(markers.values())
    if number_count < 3 * marker_count and number_count < 2 * marker_count + 3:
        return False
    if kinds <= _NO_RESULT:
        return True
    pointed = sum(count for number, count in numbers.items() if "." in number)
    measured = pointed * 2 > number_count or _STATED.search(header)
    return bool(measured) and all(len(word) <= 20 and _WORD.fullmatch(word) for word in kinds)


def date_format(column: Any) -> str | None:
    """Return the form of a column's dates: a `strptime` format, "wareki" for eras, MIXED or MIXED_ERAS; None for
    other texts.
    """
    texts = column.astype(str).str.strip()
    plain = _without_weekday(texts)
    if plain is not texts:
        form = date_format(plain)
        return form + WEEKDAY if form and form.startswith("%") and not form.endswith("%M") else None
    first = str(texts.iloc[0])
    if WAREKI.fullmatch(first):
        return "wareki" if texts.str.fullmatch(WAREKI.pattern).all() else _mixed(texts)
    for days, formats in _DAYS:
        for times, suffix in _TIMES:
            if re.fullmatch(days + times, first):
                formats = _by_year(texts, formats) if days == SHORT_YEARS else formats
                matched_form = next(
                    (form + suffix for form in formats if _parses(texts, form + suffix)), None
                )
                return matched_form or _mixed(texts)
    return month_format(texts, _parses) or _mixed(texts)


def _by_year(texts: Any, formats: Sequence[str]) -> Sequence[str]:
    """Return the formats whose year is the part with fewer different values."""
    parts = texts.str.extract(r"^(\d+)/\d+/(\d+)").nunique()
    return formats[:1] if parts[0] < parts[1] else formats[1:]


def _without_weekday(texts: Any) -> Any:
    """Remove the day of the week in brackets if all texts end with one."""
    if not re.search(_WEEKDAY + "$", str(texts.iloc[0])) or not texts.str.contains(_WEEKDAY + "$").all():
        return texts
    return texts.str.replace(_WEEKDAY + "$", "", regex=True)


def _mixed(texts: Any) -> str | None:
    if texts.str.fullmatch(_MIXED).all() and _parses(_hyphened(texts), "mixed"):
        return MIXED
    if not texts.str.fullmatch(WAREKI.pattern).any():
        return None
    return MIXED_ERAS if _mixed(western(texts)) else None


def _hyphened(texts: Any) -> Any:
    return texts.str.replace(r"[年月/.]", "-", regex=True).str.replace("日", "")


def only_days(column: Any) -> bool:
    """Check that a column of dates, ISO texts or timestamps, has no time of day."""
    from pandas.api import types

    if types.is_datetime64_any_dtype(column):
        return bool((column.dt.normalize() == column).all())
    return bool(column.astype(str).str.fullmatch(r"\d{4}-\d{1,2}-\d{1,2}").all())


def are_days(column: Any) -> bool:
    """Check whether the analyst's code, which names no format, can read all texts of a column as dates."""
    import pandas as pd

    try:
        pd.to_datetime(column)
    except (ValueError, TypeError, OverflowError):
        return False
    return True


def is_clock(column: Any) -> bool:
    """Check whether all texts are times of day: 08:30, 17:05."""
    return bool(column.astype(str).str.fullmatch(_CLOCK.pattern).all())


def span(column: Any, form: str) -> list[str]:
    """Return the first and last day of a column of dates in ISO; empty if they cannot be read."""
    try:
        days = days_of(column, form)
        if form == YEARLESS and (days.max() - days.min()).days > _HALF_A_YEAR:
            return []  # the dates may cross the end of a year
        return [str(days.min().date()), str(days.max().date())]
    except (ValueError, TypeError, OverflowError, AttributeError):
        return []


def step(column: Any, form: str) -> str:
    """Return "year" or "month" if all dates of a column are the first of one, else an empty text."""
    try:
        days = days_of(column, form).dropna()
        firsts, are_days = days.dt.day == 1, days.dt.normalize() == days
    except (ValueError, TypeError, OverflowError, AttributeError):
        return ""
    if len(days) < 2 or not (firsts & are_days).all():
        return ""
    return "year" if (days.dt.month == 1).all() else "month"


def days_of(column: Any, form: str) -> Any:
    """Return a column of dates as timestamps. Raises ValueError, TypeError, OverflowError or AttributeError for
    invalid ones.
    """
    import pandas as pd

    texts: Any = column.astype(str).str.strip()
    if form.endswith(WEEKDAY):
        return days_of(_without_weekday(texts), form.removesuffix(WEEKDAY))
    if form == "wareki":
        parts = texts.str.replace("元年", "1年").str.extract(ERA_PARTS)
        years = parts[0].map(ERAS) + parts[1].astype(int)
        return pd.to_datetime({"year": years, "month": parts[2].astype(int), "day": parts[3].astype(int)})
    if form == QUARTER:
        return quarter_days(texts)
    if form == MIXED_ERAS:
        return days_of(western(texts), MIXED)
    if form == MIXED:
        return cast(Any, pd.to_datetime(_hyphened(texts), format="mixed"))
    return cast(
        Any, pd.to_datetime(texts, format=form) if form not in ("", ISO_DAYS) else pd.to_datetime(column)
    )


def _parses(texts: Any, form: str) -> bool:
    import pandas as pd

    try:
        pd.to_datetime(texts, format=form)
    except (ValueError, TypeError, OverflowError):
        return False
    return True


# Form of numbers with a decimal comma.
COMMA = "comma"
_DECIMALS = re.compile(r"(?<![\d.,])(\d{1,3}(?:[. ]\d{3})+|\d+),(\d+)(?![\d.,])")
_GROUPS = re.compile(r"(?<![\d.,])\d{1,3}(?:\.\d{3})+(?![\d.,])")
_MAY_BE_GROUPED = re.compile(r"(?<![\d.,])[1-9]\d{0,2},\d{3}(?![\d.,])")
_POINT = re.compile(r"\d\.\d")


def with_points(texts: Sequence[str]) -> list[str] | None:
    """Return the texts with decimal points for commas; None if a comma may group thousands, or a point marks
    decimals.
    """
    if not any(_DECIMALS.search(text) for text in texts) or any(
        _MAY_BE_GROUPED.search(text) for text in texts
    ):
        return None
    turned = [_turned(text) for text in texts]
    return None if None in turned else [text for text in turned if text is not None]


def _turned(text: str) -> str | None:
    if match := _DECIMALS.search(text):
        digits = re.sub("[. ]", "", match[1])
        return f"{text[: match.start()]}{digits}.{match[2]}{text[match.end() :]}"
    if match := _GROUPS.search(text):
        return f"{text[: match.start()]}{match[0].replace('.', '')}{text[match.end() :]}"
    return None if _POINT.search(text) or "," in text else text
