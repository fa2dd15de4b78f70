"""Rows that are sums of others at several levels, or a block of sums, found by their numbers alone."""

from collections import Counter
from collections.abc import Collection, Sequence
from typing import Any

from .cell_kinds import kind_of, text_of
from .name_lines import clean_name
from .totals import Numbers, numbers_of
from .whole_values import LABEL, LEAST_GROUPS

# Least and most rows of a table in which sums are searched, most cells, and most rows that one row adds up.
LEAST, MOST, MOST_CELLS, MOST_PARTS = 8, 2_000, 200_000, 100
# Digits that agree in a row beyond chance, in each of the rows that a category sets apart, and in a sum of all others.
CERTAIN, NAMED, OF_ALL = 9.0, 2.0, 6.0
# Least share of a row's numbers that are sums: others are rates. Most values of a category of levels, and such categories.
SHARE, MOST_LEVELS = 2 / 3, 8
# Difference of two columns' shares of a part in a sum, below which they are one measure in two units.
SAME = 0.002
# Decimals to which numbers may be rounded; -3 for thousands.
DECIMALS = range(-6, 4)


def nested_totals(rows: Sequence[Sequence[Any]], comma: bool) -> list[int]:
    """Return the indexes of rows that are sums of others: two at least, or the first or last one if it is of all others."""
    if not LEAST <= len(rows) <= MOST or len(rows) * len(rows[0]) > MOST_CELLS:
        return []
    table = _Numbers([numbers_of(row, comma) for row in rows])
    if not table.columns:
        return []
    columns = [column for column in zip(*rows, strict=True) if kind_of(column[0]) == "words"]
    labels = [[text_of(cell) for cell in column] for column in columns]
    sums = table.block(labels) or table.certain() or table.levels(labels)
    for texts in labels if sums else ():
        value = texts[sums[0]]
        is_known = LABEL.fullmatch(clean_name(value)) or len(sums) >= LEAST_GROUPS
        # The whole of its column, which questions can name.
        if is_known and {at for at, text in enumerate(texts) if text == value} == {*sums}:
            return []
    return sums


class _Numbers:
    """Numbers of a table by row and column, without columns that count or are constant; 0 for other cells."""

    def __init__(self, numbers: Sequence[Numbers]) -> None:
        import numpy as np

        width = max((at + 1 for row in numbers for at, _value in row), default=0)
        values = np.full((len(numbers), width), np.nan)
        for place, row in enumerate(numbers):
            for at, value in row:
                values[place, at] = value
        columns = [column for column in values.T if (column == column).mean() > 0.5]
        columns = [column for column in columns if np.ptp(np.diff(column[column == column])) > 0]
        self.columns = len(columns)
        self._values = np.nan_to_num(np.array(columns).T)
        if columns:
            self._steps = np.array([_step(column[column == column]) for column in columns])
            self._least = np.maximum(1, SHARE * (self._values != 0).sum(axis=1))
            digits = abs(self._values) / self._rounding(slice(None), 0.25)
            self._most = np.log10(np.maximum(1, digits)).sum(axis=1)

    def block(self, labels: Sequence[Sequence[str]]) -> list[int]:
        """Return the last or first block of rows if each is the sum of the rows of its label in the other blocks."""
        for texts in labels:
            counts = Counter(texts)
            size = len(counts)
            if "" in counts or size < 3 or len({*counts.values()}) > 1 or len(texts) < 3 * size:
                continue
            for block in (range(len(texts) - size, len(texts)), range(size)):
                others = [at for at in range(len(texts)) if at not in block]
                parts = [[at for at in others if texts[at] == texts[row]] for row in block]
                digits = [self._digits(row, part) for row, part in zip(block, parts, strict=True)]
                if len({texts[row] for row in block}) == size and min(digits) > 0 and sum(digits) >= CERTAIN:
                    return [*block]
        return []

    def certain(self) -> list[int]:
        """Return the rows in which many digits are the sums of the rows below them, or else above."""
        rows = range(len(self._values))
        most = max((self._sums(rows, CERTAIN, step) for step in (-1, 1)), key=len)
        return [*most] if len(most) > 1 else self._of_all()

    def _of_all(self) -> list[int]:
        """Return the first or last row if it is the sum of all others."""
        rows = [*range(len(self._values))]
        edges = ((0, rows[1:]), (rows[-1], rows[:-1])) if len(rows) <= MOST_PARTS else ()
        return [row for row, parts in edges if self._digits(row, parts) >= OF_ALL][:1]

    def levels(self, labels: Sequence[Sequence[str]]) -> list[int]:
        """Return the rows without a category's most frequent value, if half of them or more are sums of rows below."""
        for texts in labels[:MOST_LEVELS]:
            counts = Counter(texts)
            [(most, count)] = counts.most_common(1)
            rows = [place for place, text in enumerate(texts) if text != most]
            # Each other row is below one of these.
            are_above = 3 <= len(rows) < count and rows[0] == 0 and rows[-1] < len(texts) - 1
            if are_above and "" not in counts and len(counts) <= MOST_LEVELS:
                digits = self._sums(rows, NAMED)
                if 2 * len(digits) >= len(rows) and sum(digits.values()) >= 2 * CERTAIN:
                    return rows
        return []

    def _sums(self, may_be: Collection[int], least: float, step: int = -1) -> dict[int, float]:
        """Return the rows that are sums of the nearest ones below (`step` -1), apart from their parts, and their digits."""
        import numpy as np

        sums: dict[int, float] = {}
        roots: list[int] = []
        for row in range(len(self._values))[::step]:
            if row in may_be and self._most[row] >= least and len(roots) > 1:
                parts = roots[: -MOST_PARTS - 1 : -1]
                off = abs(self._values[parts].cumsum(axis=0) - self._values[row])
                near = (off <= self._rounding(row, len(parts))) & (self._values[row] != 0)
                for count in np.flatnonzero(near.sum(axis=1) >= self._least[row]) + 1:
                    if count > 1 and (digits := self._digits(row, parts[:count])) >= least:
                        sums[row] = digits
                        del roots[-int(count) :]
                        break
            roots.append(row)
        return sums

    def _digits(self, row: int, parts: list[int]) -> float:
        """Return how many digits of a row are those of the sums of rows; 0 if too few numbers are sums.

        Columns in which the first part has the same share prove no more than one.
        """
        import numpy as np

        value, figures = self._values[row], self._values[parts]
        off = abs(figures.sum(axis=0) - value)
        exact, rounded = self._rounding(row, 0.25), self._rounding(row, len(parts))
        right = (value != 0) & (off <= rounded)
        if right.sum() < self._least[row]:
            return 0.0
        digits, shares = 0.0, list[float]()
        for at in np.flatnonzero(right & ((figures != 0).sum(axis=0) > 1)):
            share = figures[0, at] / value[at]
            if all(abs(share - other) > SAME for other in shares):
                shares.append(share)
                digits += float(np.log10(abs(value[at]) / (exact if off[at] <= exact[at] else rounded)[at]))
        return digits

    def _rounding(self, rows: int | slice, count: float) -> Any:
        """Return how far numbers may be off the sums of this many rounded ones."""
        import numpy as np

        return np.maximum(self._steps * count**0.5, 1e-7 * abs(self._values[rows]) + 1e-9)


def _step(figures: Any) -> float:
    """Return the step to which numbers are rounded: 1 for integers, 0 for those with many decimals."""
    steps = (10.0**-places for places in DECIMALS if abs(figures.round(places) - figures).max() < 1e-9)
    return next(steps, 0.0)
