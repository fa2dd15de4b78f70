"""Exact decomposition of a change into the parts of categories. Pure.

For a sum or a count the part of a category is its own change. A rate (a mean, or a ratio of two sums) is the weighted mean of
its categories' rates, so it changes with their rates and with their weights: Kitagawa, Components of a Difference Between
Two Rates, Journal of the American Statistical Association 50 (1955), 1168-1194. With weights w, rates r, and R the mean of
both rates of the whole, a category has the

    rate effect   (r1 - r0) * (w0 + w1) / 2
    mix effect    (w1 - w0) * ((r0 + r1) / 2 - R)

The weights of each side sum to one, so the effects of all categories sum to the change of the whole; subtracting R changes
no sum, and gives a category a positive mix effect if it grew and lies above the whole. A category of one side alone has no
rate effect.
"""

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

# Rate of a side without rows, or whose weights sum to zero.
NO_RATE = math.nan


@dataclass(frozen=True)
class Amount:
    """Total of one category on one side, and for a rate what it is divided by."""

    total: float = 0.0
    weight: float = 0.0

    def rate(self) -> float:
        """Return total / weight, or NO_RATE."""
        return self.total / self.weight if self.weight else NO_RATE


@dataclass(frozen=True)
class Part:
    """Part of one category: its value on both sides and its effects, which sum to `effect`."""

    category: object
    before: float
    after: float
    rate_effect: float
    mix_effect: float
    # Expected effect if all categories had changed alike.
    even_effect: float

    @property
    def effect(self) -> float:
        """Return the part of the change of the whole."""
        return self.rate_effect + self.mix_effect


@dataclass(frozen=True)
class Decomposition:
    """Values of the whole on both sides, and the parts, the largest effect first."""

    before: float
    after: float
    parts: Sequence[Part]
    # Whether most of both sides is in categories that both have.
    is_comparable: bool = True

    @property
    def change(self) -> float:
        """Return after - before."""
        return self.after - self.before

    def unevenness(self) -> float:
        """Return how far the effects are from those of an even change, for each category beyond the first.

        A column whose categories all changed alike explains nothing, and many categories differ more by chance.
        """
        distance = math.fsum(abs(part.effect - part.even_effect) for part in self.parts)
        return distance / math.sqrt(len(self.parts) - 1) if len(self.parts) > 1 else 0.0


def decompose(before: Mapping[Any, Amount], after: Mapping[Any, Amount], *, is_rate: bool) -> Decomposition:
    """Return the decomposition of a sum, or of a rate with `is_rate`; a category may be missing on one side.

    Raises ZeroDivisionError if the weights of a rate sum to zero on one side.
    """
    categories = list(dict.fromkeys([*before, *after]))
    sides = [(name, before.get(name, Amount()), after.get(name, Amount())) for name in categories]
    totals = _sum(list(before.values())), _sum(list(after.values()))
    part_of = _rate_part if is_rate else _sum_part
    parts = [part_of(name, first, last, *totals) for name, first, last in sides]
    values = [each.rate() if is_rate else each.total for each in totals]
    ordered = sorted(parts, key=lambda part: -abs(part.effect))
    is_comparable = all(_shared(side, {*before} & {*after}, is_rate) > 0.5 for side in (before, after))
    return Decomposition(values[0], values[1], ordered, is_comparable)


def _shared(side: Mapping[Any, Amount], names: Collection[object], is_rate: bool) -> float:
    """Return the share of a side that is in the named categories."""
    sizes = {name: abs(amount.weight if is_rate else amount.total) for name, amount in side.items()}
    return sum(size for name, size in sizes.items() if name in names) / (sum(sizes.values()) or 1.0)


def _sum(amounts: Sequence[Amount]) -> Amount:
    return Amount(
        math.fsum(amount.total for amount in amounts), math.fsum(amount.weight for amount in amounts)
    )


def _sum_part(name: object, first: Amount, last: Amount, before: Amount, after: Amount) -> Part:
    share = first.total / before.total if before.total else 0.0
    change = after.total - before.total
    return Part(name, first.total, last.total, last.total - first.total, 0.0, share * change)


def _rate_part(name: object, first: Amount, last: Amount, before: Amount, after: Amount) -> Part:
    w0, w1 = first.weight / before.weight, last.weight / after.weight
    change = last.total / after.weight - first.total / before.weight
    effect = change - (w1 - w0) * (before.rate() + after.rate()) / 2
    # Without weight on a side there is no rate to compare. The mix has the rest of the effect, so the sum stays exact.
    rate_effect = (last.rate() - first.rate()) * (w0 + w1) / 2 if w0 and w1 else 0.0
    even_effect = (w0 + w1) / 2 * (after.rate() - before.rate())
    return Part(name, first.rate(), last.rate(), rate_effect, effect - rate_effect, even_effect)
