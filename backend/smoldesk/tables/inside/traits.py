"""Traits of columns: facts about their values that decide which questions have an answer that says something."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

# Least correlation, of numbers and of ranks, of a column that follows another one: a copy, a part that grows with its total;
# and least correlation of ranks alone: a logarithm.
FOLLOWS, SAME_ORDER = 0.98, 0.9999
# Least share of the rows in which the parts of a measure add up to it.
SUMMED = 0.9
# Least rows; columns and rows that are compared at most.
LEAST_ROWS, MAX_FIGURES, MAX_CATEGORIES, MAX_ROWS = 5, 24, 12, 5_000
# Columns of which a measure's explained variance is reported, and measures that have such a report.
MAX_EXPLAINED, MAX_COMPARED = 16, 8
# Share of a variance that groups explain if more is chance.
LEAST_SHARE = 0.001


def traits_of(frame: Any, described: Sequence[dict[str, Any]]) -> dict[str, set[str]]:
    """Return the traits of columns by their names.

    unique: another value in each row. even: each value is in equally many rows. fractions: numbers with decimals.
    shares: decimals from 0 to 1. steady: decimals of which the highest is less than three times the lowest, such as
    prices; large numbers of which a row has one of a few, such as the population of its region. rare: a measure that has
    one value, or none, in most rows, or a category that most rows lack.
    follows: a measure has nearly the same order of rows as an earlier one, or is a part of it; or a category has the
    ranges of a measure.
    """
    if not frame.columns.is_unique:
        return {}
    frame = _with_numbers(frame, described)
    roles = {item["name"]: item["role"] for item in described if item["name"] in frame.columns}
    traits: dict[str, set[str]] = {name: set() for name in roles}
    for name in (name for name, role in roles.items() if role in ("category", "time", "name", "text", "id")):
        if trait := _frequency(frame[name]):
            traits[name].add(trait)
        if roles[name] == "category" and 2 * frame[name].count() < len(frame):
            traits[name].add("rare")
    measures = [name for name, role in roles.items() if role in ("measure", "period")]
    figures = [name for name in measures if frame[name].dtype.kind in "iuf"]
    rows = frame if len(frame) <= MAX_ROWS else frame.sample(MAX_ROWS, random_state=0)
    for name in figures:
        traits[name] |= _of_numbers(rows[name])
        if bool((frame[name].dropna() % 1 != 0).any()):
            traits[name].add("fractions")
    categories = [name for name, role in roles.items() if role == "category"]
    if len(frame) >= LEAST_ROWS:
        # Figures that are not compared may follow.
        for name in [*_followers(rows[figures[:MAX_FIGURES]]), *figures[MAX_FIGURES:]]:
            traits[name].add("follows")
        for name in _parts(rows[figures[:MAX_FIGURES]]):
            traits[name].add("follows")
        for name in _ranges(rows, categories[:MAX_CATEGORIES], figures[:MAX_FIGURES]):
            traits[name].add("follows")
    return {name: facts for name, facts in traits.items() if facts}


def _with_numbers(frame: Any, described: Sequence[dict[str, Any]]) -> Any:
    """Return the frame with numbers for measures that are text: 1,234 or 56.18%."""
    import pandas as pd

    numbers = [item for item in described if item["kind"] == "number" and item.get("form") == "text"]
    texts = [name for item in numbers if (name := item["name"]) in frame.columns]
    digits = {name: frame[name].astype(str).str.replace(r"[^\d.-]", "", regex=True) for name in texts}
    return frame.assign(**{name: pd.to_numeric(column, errors="coerce") for name, column in digits.items()})


def _of_numbers(column: Any) -> set[str]:
    values = column.dropna()
    traits: set[str] = set()
    if values.between(0, 1).all() and (values % 1 != 0).any():
        traits.add("shares")
    if len(values) >= 2 * LEAST_ROWS and _are_steady(values):
        traits.add("steady")
    if 2 * len(values) <= len(column) or 2 * values.value_counts().iloc[0] > len(values):
        traits.add("rare")
    return traits


def _are_steady(values: Any) -> bool:
    is_narrow = 0 < values.max() < 3 * values.min() and (values % 1 != 0).mean() > 0.5
    return bool(is_narrow or (values.median() >= 1000 and 20 * values.nunique() < len(values)))


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


def _parts(figures: Any) -> Iterator[str]:
    """Yield the measures that add up to the one before them: men and women behind all people, prefectures behind a region."""
    first = 0
    while first < len(figures.columns) - 2:
        total, sums = figures.iloc[:, first], figures.iloc[:, first + 1 :].cumsum(axis=1)
        near = sums.sub(total, axis=0).abs().le(1e-3 * total.abs() + 1e-9, axis=0).mean()
        size = next((at + 1 for at, share in enumerate(near) if at and share >= SUMMED), 0)
        yield from map(str, figures.columns[first + 1 : first + 1 + size])
        first += size + 1


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


def explained_by(frame: Any, described: Sequence[dict[str, Any]]) -> dict[str, dict[str, float]]:
    """Return the share of each measure's variance that the means of each category explain, and other measures by rank.

    The share is corrected for the number of groups, but 0 only if all groups have the same mean.
    """
    if not frame.columns.is_unique or len(frame) < LEAST_ROWS:
        return {}
    rows = frame if len(frame) <= MAX_ROWS else frame.sample(MAX_ROWS, random_state=0)
    rows = _with_numbers(rows, described)
    roles = {item["name"]: item["role"] for item in described if item["name"] in frame.columns}
    figures = [name for name, role in roles.items() if role == "measure" and rows[name].dtype.kind in "iuf"]
    cuts = [name for name, role in roles.items() if role in ("category", "time")][:MAX_CATEGORIES]
    groups = {cut: rows[cut].groupby(rows[cut]).ngroup() for cut in cuts if can_group(rows[cut])}
    by_rank = rows[figures[:MAX_COMPARED]].corr(method="spearman", min_periods=LEAST_ROWS) ** 2
    by_rank = by_rank.clip(lower=LEAST_SHARE)
    shares: dict[str, dict[str, float]] = {}
    for name in figures[:MAX_COMPARED]:
        by_cut = {cut: _share_between(rows[name], places) for cut, places in groups.items()}
        by_figure = by_rank[name].drop(name).dropna().to_dict()
        shares[name] = {
            str(other): round(float(share), 3)
            for other, share in islice((by_cut | by_figure).items(), MAX_EXPLAINED)
        }
    return shares


def can_group(column: Any) -> bool:
    """Check for values that can be counted, unlike lists."""
    from pandas.api.types import is_hashable

    return column.dtype != object or all(map(is_hashable, column))


def _share_between(figures: Any, places: Any) -> float:
    """Return the share of the variance that is between groups, corrected for their number (adjusted R²)."""
    is_known = figures.notna() & (places >= 0)
    values, places = figures[is_known], places[is_known]
    count, distinct = len(values), places.nunique()
    if distinct < 2 or count <= distinct + 1 or not (spread := float(((values - values.mean()) ** 2).sum())):
        return 0.0
    within = float(((values - values.groupby(places).transform("mean")) ** 2).sum())
    if spread - within < 1e-9 * spread:
        return 0.0
    return max(LEAST_SHARE, 1 - within / spread * (count - 1) / (count - distinct))
