"""Kind of a cell in a grid: blank, number, day or words. Pure.

A grid is a list of rows of cells: texts of a text file, values of a sheet.
"""

import datetime
import re
import unicodedata
from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Literal

Kind = Literal["blank", "number", "day", "words"]
Grid = Sequence[Sequence[Any]]

# Texts that mean a missing value, in lower case.
BLANK = frozenset((
    *("", "-", "–", "—", "na", "n/a", "n.a.", "nan", "null", "none", "nil", "#n/a", "?", "…", "...", "***"),
    *("欠測", "不明", "なし"),
))  # fmt: skip
# Longest cell, in characters, that may be a number or a day.
LONGEST = 60
_NUMBER = re.compile(
    r"(?P<below>[-−▲△(]\s*)?[+]?[$€£¥]?\s?-?(?P<digits>\d[\d.,' ]*)\s?(?:%|円|[$€£¥]|[a-zA-Z℃°]{1,3})?\)?-?"
)
_DAY = re.compile(
    r"(?:\d{1,4}[-/.年]\d{1,2}[-/.月]\d{1,4}日?|\d{4}年\d{1,2}月|\d{1,2}月\d{1,2}日|\d{4}-\d{2}"
    r"|\d{1,2}[- ][a-z]{3,9}[- ]\d{2,4}|[a-z]{3,9} \d{1,2},? \d{4}"
    r"|(?:令和|平成|昭和|[rhs])\.?(?:\d{1,2}|元)[年./-]\d{1,2}[月./-]\d{1,2}日?)(?:[ t]\d{1,2}:.*)?"
    r"|\d{1,2}:\d{2}(?::\d{2})?",
    re.IGNORECASE,
)


def line_text(cell: Any) -> str:
    """Return a cell as text on one line."""
    return "" if cell is None or cell != cell else " ".join(str(cell).split())


def text_of(cell: Any) -> str:
    """Return a cell as text on one line, with full-width characters as ASCII."""
    return unicodedata.normalize("NFKC", line_text(cell))


def kind_of(cell: Any) -> Kind:
    """Return the kind of a cell. A number may still be a column name; see `are_labels`."""
    if isinstance(cell, bool | int | float):
        return "blank" if cell != cell else "number"  # NaN differs from itself
    if isinstance(cell, datetime.date | datetime.time | datetime.timedelta):
        return "day"
    text = text_of(cell)
    if len(text) > LONGEST:
        return "words"
    if text.lower() in BLANK:
        return "blank"
    if _NUMBER.fullmatch(text):
        return "day" if _DAY.fullmatch(text) else "number"
    return "day" if _DAY.fullmatch(text) else "words"


def number_of(cell: Any, comma: bool = False) -> float | None:
    """Return the number in a cell, or None. With `comma`, the comma is the decimal separator."""
    if isinstance(cell, int | float):
        return None if cell != cell else float(cell)
    match = _NUMBER.fullmatch(text_of(cell))
    if match is None:
        return None
    digits = re.sub(r"[' .]" if comma else r"[' ,]", "", match["digits"]).replace(",", ".")
    try:
        value = float(digits)
    except ValueError:
        return None
    return -value if match["below"] or "-" in text_of(cell) else value


def are_labels(cells: Sequence[Any]) -> bool:
    """Check whether numbers are column names: years, or three numbers or more that count by one."""
    values = [number_of(cell) for cell in cells]
    integers = [int(value) for value in values if value is not None and value.is_integer()]
    if len(integers) < len(cells) or len(integers) < 2:
        return len(integers) == len(cells) == 1 and 1900 <= integers[0] <= 2100
    steps = {after - before for before, after in pairwise(integers)}
    return (steps in ({1}, {-1}) and len(integers) > 2) or (
        len(set(integers)) == len(integers) and all(1900 <= year <= 2100 for year in integers)
    )
