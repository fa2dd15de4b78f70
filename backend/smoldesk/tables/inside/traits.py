"""Traits of columns: facts about their values that decide which questions have an answer that says something."""

from collections.abc import Iterator, Sequence
from typing import Any

# Least correlation, of numbers and of ranks, of a column that follows another one: a copy, a part that grows with its total;
# and least correlation of ranks alone: a logarithm.
FOLLOWS, SAME_ORDER = 0.98, 0.9999
# Least rows; columns and rows that are compared at most.
LEAST_ROWS, MAX_FIGURES, MAX_CATEGORIES, MAX_ROWS = 5, 24, 12, 5_000


def traits_of(frame: Any, described: Sequence[dict[str, Any]]) -> dict[str, set[str]]:
    """Return the traits of columns by their names.

    unique: another value in each row. even: each value is in equally many rows. fractions: numbers with decimals.
    follows: a measure has nearly the same order of rows as an earlier one, or a category has the ranges of a measure.
    """
    if not frame.columns.is_unique:
        return {}
    roles = {item["name"]: item["role"] for item in described if item["name"] in frame.columns}
    traits: dict[str, set[str]] = {name: set() for name in roles}
    for name in (name for name, role in roles.items() if role in ("category", "time", "name", "text")):
        if trait := _frequency(frame[name]):
            traits[name].add(trait)
    measures = [name for name, role in roles.items() if role in ("measure", "period")]
    figures = [name for name in measures if frame[name].dtype.kind in "iuf"]
    for name in figures:
        if bool((frame[name].dropna() % 1 != 0).any()):
            traits[name].add("fractions")
    rows = frame if len(frame) <= MAX_ROWS else frame.sample(MAX_ROWS, random_state=0)
    categories = [name for name, role in roles.items() if role == "category"]
    if len(frame) >= LEAST_ROWS:
        # Figures that are not compared may follow.
        for name in [*_followers(rows[figures[:MAX_FIGURES]]), *figures[MAX_FIGURES:]]:
            traits[name].add("follows")
        for name in _ranges(rows, categories[:MAX_CATEGORIES], figures[:MAX_FIGURES]):
            traits[name].add("follows")
    return {name: facts for name, facts in traits.items() if facts}


def _frequency(column: Any) -> str:
    try:
        counts = column.value_counts()
    except TypeError:  # lists in the cells cannot be compared
        return ""
    is_even = len(counts) > 1 and counts.iloc[0] == counts.iloc[-1]
    return ("unique" if counts.iloc[0] == 1 else "even") if is_even else ""


def _followers(figures: Any) -> set[str]:
    """Return the measures that follow an earlier one, which follows none itself."""
    by_rank = figures.corr(method="spearman", min_periods=LEAST_ROWS).abs()
    by_number = figures.corr(min_periods=LEAST_ROWS).abs()
    follows = (by_rank >= SAME_ORDER) | ((by_rank >= FOLLOWS) & (by_number >= FOLLOWS))
    leaders: list[str] = []
    for name in follows.columns:
        if not (leaders and follows.loc[name, leaders].any()):
            leaders.append(name)
    return {*follows.columns} - {*leaders}


def _ranges(rows: Any, categories: Sequence[str], figures: Sequence[str]) -> Iterator[str]:
    """Yield the categories that divide the rows by the size of a measure: income groups."""
    for name in categories:
        values = rows[name].dropna()
        distinct = values.nunique()
        if distinct < 3 or len(values) < LEAST_ROWS * distinct:
            continue
        # Not one value for each: the area of a country.
        finer = [figure for figure in figures if rows[figure].nunique() >= 3 * distinct]
        orders = (values.loc[rows.loc[values.index, figure].sort_values().index] for figure in finer)
        if any((order != order.shift()).sum() == distinct for order in orders):
            yield name
