"""Column separator and number format of a text file, detected in a sample of lines. Pure."""

import csv
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from .cell_kinds import BLANK

SEPARATORS = (",", ";", "\t", "|")
SAMPLE_ROWS = 300
# Least share of lines with as many fields as the first; below it, other lines precede the table.
AGREEING = 0.8
_INTEGER = re.compile(r"[+-]?\d+")
_POINT = re.compile(r"[+-]?\d*\.\d+(?:[eE][+-]?\d+)?")
_COMMA = re.compile(r"[+-]?(?:\d+|\d{1,3}(?:\.\d{3})+),\d+(?:[eE][+-]?\d+)?")
_COMMA_AND_POINTS = re.compile(r"[+-]?\d{1,3}(?:\.\d{3})+,\d+")
_QUOTED = re.compile(r'"[^"]*"(?: "[^"]*")+')
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?")

Rows = list[list[str]]


@dataclass(frozen=True)
class Cut:
    """Separator of a text file, and the sample's `rows`."""

    separator: str
    rows: Rows


def detect(sample: str, chosen: str | None = None) -> Cut:
    """Detect the separator of a sample, unless one is `chosen`.

    A file of one column counts as separated by commas. Lines before a table have fewer fields than its rows.
    """
    if chosen is not None:
        return Cut(chosen, rows_of(sample, chosen))
    cuts = [(separator, rows_of(sample, separator)) for separator in SEPARATORS]
    rated = [(_agreement(rows), len(rows[0]), separator, rows) for separator, rows in cuts if rows]
    several = [rating for rating in rated if rating[1] > 1]
    best = max(several, key=lambda rating: (round(rating[0], 2), rating[1]), default=None)
    if best is None or best[0] < AGREEING:
        usual = [(*_usual(rows), separator, rows) for separator, rows in cuts if _has_names(rows)]
        best = max(
            (rating for rating in usual if rating[1] > 1 and rating[0] > 0.3),
            key=lambda rating: rating[:2],
            default=best,
        )
    return Cut(best[2], best[3]) if best else Cut(*_single(sample))


def numbers(rows: Rows, separator: str, decimal: str | None = None) -> dict[str, str]:
    """Return pandas' `decimal` and `thousands` for rows below a header; a person's choice of `decimal` comes first."""
    if decimal is not None:
        comma = decimal == "comma"
        return {"decimal": ",", "thousands": "."} if comma else {"thousands": ","}
    return _numbers(rows, separator)


def may_be_thousands(rows: Rows, separator: str) -> bool:
    """Check whether 1,234 may mean a thousand as well as 1.234."""
    options = _numbers(rows, separator)
    return options == {"decimal": ","} and all(
        not _any(column, _COMMA) or _three_after_comma(column) for column in _columns(rows)
    )


def trailing(rows: Rows) -> bool:
    """Check whether each line after the header ends with one separator too many."""
    width = len(rows[0]) if rows else 0
    body = rows[1:]
    return bool(body) and all(len(row) == width + 1 and row[-1] == "" for row in body)


def style_of(text: str, separator: str) -> dict[str, Any]:
    """Return the options, of pandas and of `csv`, for spaces before quotation marks: `, "a"` is then the value `a`.

    Each separator must have spaces after it in all lines. Marks in such values may be escaped: `"a \\"b\\" c"`.
    """
    sign = re.escape(separator)
    if separator == " " or not re.search(rf'{sign} +"', text):
        return {}
    value = rf' *+(?:"(?:\\.|[^"\\]|"")*+" *+|[^"{sign}\n]*+)'
    line = re.compile(rf"{value}(?:{sign} {value})*+")
    lines = [part for part in text.splitlines() if part.strip()]
    if len(lines) < 2 or not all(map(line.fullmatch, lines)):
        return {}
    return {"skipinitialspace": True, **({"escapechar": "\\"} if '\\"' in text else {})}


def rows_of(sample: str, separator: str, style: Mapping[str, Any] = MappingProxyType({})) -> Rows:
    """Return the first rows of a sample, their cells stripped."""
    rows: Rows = []
    try:
        lines = sample.splitlines(keepends=True)
        for row in csv.reader(lines, delimiter=separator, **style):
            if row:
                rows.append([field.strip() for field in row])
            if len(rows) >= SAMPLE_ROWS:
                break
    except csv.Error:  # a field beyond the csv module's limit; the rows so far are enough
        pass
    return rows


def _agreement(rows: Rows) -> float:
    """Return the share of lines with as many fields as the header; one empty field at the end does not count."""
    width = len(rows[0])
    return sum(len(row) == width or (len(row) == width + 1 and not row[-1]) for row in rows) / len(rows)


def _usual(rows: Rows) -> tuple[float, int]:
    """Return the share of lines with the most frequent number of fields, and that number."""
    widths = Counter(len(row) for row in rows)
    width = max(widths, key=lambda count: (widths[count] * (count > 1), count))
    return widths[width] / len(rows), width


def _has_names(rows: Rows) -> bool:
    """Check whether the first of the usual lines has words. Without words, 1,5 over 1,5 may be one column."""
    width = _usual(rows)[1] if rows else 0
    none: list[str] = []
    first = next((row for row in rows if len(row) == width), none)
    return any(cell and not any(map(str.isdigit, cell)) for cell in first)


def _single(sample: str) -> tuple[str, Rows]:
    """Return values separated by single spaces (numbers, or as R's write.table quotes texts), or one column and a
    separator that the sample does not contain, so that commas stay in the values.
    """
    spaced = rows_of(sample, " ")
    if len(spaced) > 2 and len(spaced[0]) > 1 and len(widths := {*map(len, spaced[1:])}) == 1:
        more = widths.pop() - len(spaced[0])  # row names have no name
        columns = list(_columns([[""] * more + spaced[0], *spaced[1:]]))
        are_quoted = _QUOTED.fullmatch(sample.split("\n", 1)[0].strip())
        texts = columns[1:] if more and '"' in sample else columns
        if more in (0, 1) and (are_quoted or all(_all(column, _INTEGER, _POINT) for column in texts)):
            return " ", spaced
    rows = rows_of(sample, ",")
    if all(len(row) == 1 for row in rows):
        return ",", rows
    unused = next((separator for separator in (";", "\t", "|") if separator not in sample), ";")
    return unused, rows_of(sample, unused)


def _numbers(rows: Rows, separator: str) -> dict[str, str]:
    """Return `decimal` and `thousands` where a column requires them and no column contradicts."""
    columns = list(_columns(rows))
    commas = [
        column
        for column in columns
        if _all(column, _COMMA, _INTEGER) and not _all(column, _GROUPED, _INTEGER)
    ]
    if separator == ",":
        commas = [column for column in commas if not _all(column, _INTEGER)]
    points = any(_all(column, _POINT, _INTEGER) and _any(column, _POINT) for column in columns)
    if any(_any(column, _COMMA) for column in commas) and not points:
        grouped = any(_any(column, _COMMA_AND_POINTS) for column in commas)
        return {"decimal": ",", "thousands": "."} if grouped else {"decimal": ","}
    if _english_groups(columns):
        return {"thousands": ","}
    if separator != "," and not points and any(_three_after_comma(column) for column in columns):
        return {"decimal": ","}  # 1,234 beside semicolons: files with those write decimals with commas
    return {}


def _english_groups(columns: Sequence[Sequence[str]]) -> bool:
    """Check for certain groups, 1,234.5 or 1,234,567, and no column whose meaning they would change."""
    sure = any(
        _all(column, _GROUPED, _INTEGER, _POINT)
        and any(_GROUPED.fullmatch(value) and (value.count(",") > 1 or "." in value) for value in column)
        for column in columns
    )
    return sure and not any(
        _any(column, _COMMA) and not _all(column, _GROUPED, _INTEGER, _POINT) for column in columns
    )


def _three_after_comma(column: Sequence[str]) -> bool:
    return _all(column, _GROUPED, _INTEGER) and any(
        re.fullmatch(r"[+-]?\d{1,3},\d{3}", value) for value in column
    )


def _columns(rows: Rows) -> Iterator[list[str]]:
    """Yield the values of each column below the header, without blank ones."""
    for place in range(len(rows[0]) if rows else 0):
        yield [row[place] for row in rows[1:] if len(row) > place and row[place].lower() not in BLANK]


def _all(column: Sequence[str], *patterns: "re.Pattern[str]") -> bool:
    return bool(column) and all(any(pattern.fullmatch(value) for pattern in patterns) for value in column)


def _any(column: Sequence[str], pattern: "re.Pattern[str]") -> bool:
    return any(pattern.fullmatch(value) for value in column)
