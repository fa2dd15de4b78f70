"""Second divisions of a whole in one column: densely populated areas and all others, beside the prefectures."""

from collections.abc import Sequence
from itertools import combinations
from math import comb, log10
from typing import Any

# Groups that are compared, most values of a column, and digits that agree beyond those that some pair has by chance.
MAX_GROUPS, MAX_VALUES, CERTAIN = 60, 200, 5.0
# Most values of second divisions.
MOST = 8
# Least share of the whole that all other values add up to.
COVERS = 0.95


def divisions(values: Any, sum_name: str, rounding: float) -> tuple[str, ...]:
    """Return the pairs of values that add up to a whole, which the remaining values add up to as well.

    `sum_name` is the whole. `values` has a row for each group and a column for each value, `rounding` is how far a figure
    may be off.
    """
    if not 4 < len(values.columns) <= MAX_VALUES:
        return ()
    # Groups with other statistics have no sums, such as a ratio of men to women.
    values = values[values[sum_name] > values.drop(columns=sum_name).max(axis=1)]
    values = values.loc[values.count(axis=1).sort_values(ascending=False).index[:MAX_GROUPS]]
    if not len(values):
        return ()
    total, parts = values[sum_name], values.drop(columns=sum_name)
    pairs: list[str] = []
    for first, second in _near(parts.iloc[0], float(total.iloc[0]), rounding):
        remaining = parts.drop(columns=[first, second, *pairs])
        if not {first, second} & {*pairs} and _is_division(
            parts[first] + parts[second], remaining, total, rounding
        ):
            pairs += [first, second]
    return tuple(pairs[:MOST])


def _near(values: Any, total: float, rounding: float) -> Sequence[tuple[str, str]]:
    """Return the pairs of values that add up to the total in one group."""
    allowed = 2 * rounding + 1e-6 * abs(total)
    figures = [(name, value) for name, value in values.to_dict().items() if 0 < value < total]
    return [
        (name, other)
        for (name, value), (other, other_value) in combinations(figures, 2)
        if abs(value + other_value - total) <= allowed
    ]


def _is_division(pair: Any, remaining: Any, total: Any, rounding: float) -> bool:
    rows = pair.notna() & total.notna() & (total > 0)
    pair, remaining, total = pair[rows], remaining[rows], total[rows]
    allowed = 2 * rounding + 1e-6 * total
    is_sum = (pair - total).abs() <= allowed
    digits = sum(log10(value / limit) for value, limit in zip(total[is_sum], allowed[is_sum], strict=True))
    by_chance = log10(comb(remaining.shape[1] + 2, 2))
    covers = (remaining.sum(axis=1) >= COVERS * total).mean() >= COVERS and remaining.shape[1] > 1
    return bool(len(total)) and bool(is_sum.mean() >= COVERS and covers) and digits >= CERTAIN + by_chance
