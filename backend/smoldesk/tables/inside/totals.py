"""Rows of a table that are sums of the rows above: found by their label, checked against the numbers. Pure."""

import re
from collections.abc import Sequence
from typing import Any

from .cell_kinds import LONGEST, kind_of, number_of, text_of

_TOTAL = re.compile(
    r"(?:grand|sub|overall)?[- ]?totals?(?: .*)?|.+ (?:sub)?-?total|sums?|(?:gesamt|zwischen)?summe|insgesamt|gesamt"
    r"|総?合計|小計|総計|計|累計|.+(?:小計|合計)",
    re.IGNORECASE,
)
# Labels that cannot name an ordinary row: these make a total even of a single row.
_NOTHING_ELSE = re.compile(
    r"(?:(?:grand|sub)[- ]?)?totals?|sum|(?:gesamt|zwischen)?summe|総?合計|小計|総計|計", re.IGNORECASE
)
_MAYBE = re.compile("total|sum|gesamt|計|平均|av|mean", re.IGNORECASE)
_MEAN = re.compile(r"averages?|avg\.?|means?|平均値?", re.IGNORECASE)
# Labels of a first row that is the sum of all others.
_WHOLE = re.compile(
    r"(?:grand )?totals?|all(?: .*)?|world|whole country|全国計?|全体|総数|総計|総?合計|計", re.IGNORECASE
)
Numbers = list[tuple[int, float]]

# Least number of rows above a last row without a label, for it to count as their sum.
LEAST_ROWS = 3


def total_rows(rows: Sequence[Sequence[Any]], comma: bool, ends: bool) -> tuple[list[int], list[int]]:
    """Return (indexes of totals, indexes of doubtful totals).

    A total has a label for it, and all of its numbers are the sums (means) of at least two rows above. It is doubtful
    if only some numbers are, or if it is the last row and none are. `ends` is true if the last row is the table's
    last.
    """
    labels = [
        _label(row) if any(isinstance(cell, str) and _MAYBE.search(cell) for cell in row) else "-"
        for row in rows
    ]
    if rows and labels[-1] == "-":
        labels[-1] = _label(rows[-1])
    if ends and len(rows) > LEAST_ROWS and _is_whole(rows) and _is_sum(rows, comma):
        rest = total_rows(rows[1:], comma, ends)
        return [0, *(place + 1 for place in rest[0])], [place + 1 for place in rest[1]]
    called = {place for place, text in enumerate(labels) if _TOTAL.fullmatch(text) or _MEAN.fullmatch(text)}
    if ends and len(rows) > LEAST_ROWS and not labels[-1] and _label(rows[-2]):  # other rows have labels
        called.add(len(rows) - 1)
    totals: list[int] = []
    doubted: list[int] = []
    if not called:
        return totals, doubted
    last_row = next((place for place in range(len(rows) - 1, -1, -1) if place not in called), -1)
    group, above = _Sums(comma), _Sums(comma)
    for place, row in enumerate(rows):
        numbers = numbers_of(row, comma)
        mean = bool(_MEAN.fullmatch(labels[place]))
        if place in called:
            least = LEAST_ROWS if not labels[place] else 1 if _NOTHING_ELSE.fullmatch(labels[place]) else 2
            agree = [(sums.agreeing(row, numbers, mean), sums.rows >= least) for sums in (group, above)]
            # A row that can only be a total may have a few rates.
            rates = len(numbers) // 3 if least == 1 and len(numbers) > 4 else 0
            if any(right >= len(numbers) - rates > 0 and enough for right, enough in agree) and (
                labels[place] or any(value for _at, value in numbers)
            ):
                totals.append(place)
                group = _Sums(comma)
                continue
            some = any(right * 2 >= len(numbers) > 0 for right, _enough in agree)
            if numbers and labels[place] and (some or (ends and place > last_row)):
                doubted.append(place)
                group = _Sums(comma)
                above.add(numbers)
                continue
        group.add(numbers)
        above.add(numbers)
    return totals, doubted


def _is_whole(rows: Sequence[Sequence[Any]]) -> bool:
    """Check whether the first row has a label of a sum that the second has not."""
    return any(
        isinstance(cell, str) and _WHOLE.fullmatch(text_of(cell)) and cell != other
        for cell, other in zip(rows[0], rows[1], strict=False)
    )


def _is_sum(rows: Sequence[Sequence[Any]], comma: bool) -> bool:
    """Check whether the first row has the sums of all others: of most columns, and nearly of the rest."""
    first, sums = numbers_of(rows[0], comma), _Sums(comma)
    for row in rows[1:]:
        sums.add(numbers_of(row, comma))
    if not first or sums.rows < LEAST_ROWS:
        return False
    return all(sums.is_near(at, value) for at, value in first)


class _Sums:
    """Sums of the columns of some rows."""

    def __init__(self, comma: bool) -> None:
        self.rows = 0
        self._comma = comma
        self._sums: dict[int, float] = {}
        self._counts: dict[int, int] = {}

    def add(self, numbers: Numbers) -> None:
        self.rows += bool(numbers)
        for at, value in numbers:
            self._sums[at] = self._sums.get(at, 0.0) + value
            self._counts[at] = self._counts.get(at, 0) + 1

    def is_near(self, at: int, value: float) -> bool:
        """Check whether a value is the sum of a column of rounded numbers, each half a unit off at most."""
        allowed = max(1e-6 * abs(value), 0.51 * self._counts.get(at, 0))
        return self._counts.get(at, 0) > 1 and abs(self._sums[at] - value) <= min(allowed, 0.001 * abs(value))

    def agreeing(self, row: Sequence[Any], numbers: Numbers, mean: bool) -> int:
        """Count the numbers of a row that are the sums (means) of those above."""
        right = 0
        for at, value in numbers:
            if not (count := self._counts.get(at, 0)):
                continue
            expected = self._sums[at] / count if mean else self._sums[at]
            # Tolerance: half a unit of the last decimal, twice that for sums of several rounded numbers.
            point = re.search(rf"[{',' if self._comma else '.'}](\d+)\D*$", text_of(row[at]))
            allowed = 0.51 * 10 ** -(len(point[1]) if point else 0) * (1 if mean else min(count, 4) / 2)
            right += abs(expected - value) <= max(1e-6 * abs(value), allowed)
        return right


def numbers_of(row: Sequence[Any], comma: bool) -> Numbers:
    """Return (column, value) of a row's numbers; plain digits, the most frequent case, by a faster path."""
    numbers: Numbers = []
    for at, cell in enumerate(row):
        if isinstance(cell, str) and cell.isascii() and cell.isdigit() and len(cell) < LONGEST:
            numbers.append((at, float(cell)))
        elif kind_of(cell) == "number" and (value := number_of(cell, comma)) is not None:
            numbers.append((at, value))
    return numbers


def _label(row: Sequence[Any]) -> str:
    """Return the first text of a row; Japanese text without spaces."""
    label = next((text_of(cell) for cell in row if kind_of(cell) in ("words", "day")), "")
    return "" if len(label) > LONGEST else label if re.search("[a-zA-Z]", label) else label.replace(" ", "")
