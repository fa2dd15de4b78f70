"""The conditions of a follow-up among those before it: some take the place of an old one, some come beside it."""

from dataclasses import replace

from smoldesk.analyst.intents import Filter
from smoldesk.analyst.meanings import When
from smoldesk.analyst.words.dates import bounds

_LOW = (">", ">=")
_HIGH = ("<", "<=")


def merged_filters(old: tuple[Filter, ...], new: tuple[Filter, ...], within: bool) -> tuple[Filter, ...]:
    """All conditions that hold now. With `within` (of those, そのうち) nothing that was asked before is dropped."""
    old, new = _other_month(old, new)
    kept = (
        old if within else tuple(one for one in old if not any(_replaces(other, one, new) for other in new))
    )
    joined: list[Filter] = list(kept)
    for one in new:
        same = next(
            (
                other
                for other in joined
                if other.column == one.column and other.comparison == one.comparison == "!="
            ),
            None,
        )
        if same and not one.part and not same.part:  # without A, then without B
            more = tuple(value for value in one.values if value not in same.values)
            joined[joined.index(same)] = replace(same, values=same.values + more)
        elif one not in joined:
            joined.append(one)
    return tuple(joined)


def _replaces(new: Filter, old: Filter, all_new: tuple[Filter, ...]) -> bool:
    """True when an old condition on the same column gives way: another value, another day, the same bound."""
    if new.column != old.column:
        return False
    if old.part == "month" and not new.part:
        return True
    if {new.part, old.part} in ({"any", ""}, {"any", "month"}) and _of_one_column(new, old):
        return True  # another day than one of two
    if new.part or old.part:  # a month stands beside a year, a weekend beside a month
        return new.part == old.part
    if new.comparison == "!=":
        return False
    if new.comparison == old.comparison:
        return True
    bounds = sum(one.column == new.column for one in all_new) > 1
    if new.comparison == "==" or old.comparison in ("==", "!=") or bounds:
        return True
    return not _meet(new, old)


def _of_one_column(new: Filter, old: Filter) -> bool:
    return len({*new.columns, *old.columns}) == 1


def _other_month(
    old: tuple[Filter, ...], new: tuple[Filter, ...]
) -> tuple[tuple[Filter, ...], tuple[Filter, ...]]:
    """`and june?` after `in may 2023` is June 2023."""
    for one in new:
        if one.part != "month":
            continue
        days = [
            str(other.values[0])
            for other in old
            if other.column == one.column and other.comparison in (">=", "<")
        ]
        if len(days) != 2 or not all(day[4:5] == "-" for day in days):
            continue
        first, after = sorted(days)
        year, month = int(first[:4]), int(first[5:7])
        if bounds(When(year, month)) != (first, after):
            continue
        wanted = bounds(When(year, int(float(one.values[0]))))
        if wanted:
            ends = Filter(one.column, ">=", (wanted[0],)), Filter(one.column, "<", (wanted[1],))
            return old, tuple(other for other in new if other is not one) + ends
    return old, new


def _meet(one: Filter, other: Filter) -> bool:
    """True for a lower and an upper bound with room between them: over 30 and under 40."""
    low = one if one.comparison in _LOW else other if other.comparison in _LOW else None
    high = one if one.comparison in _HIGH else other if other.comparison in _HIGH else None
    if low is None or high is None:
        return False
    first, last = low.values[0], high.values[0]
    if isinstance(first, str) or isinstance(last, str):
        return str(first) < str(last)
    return first < last
