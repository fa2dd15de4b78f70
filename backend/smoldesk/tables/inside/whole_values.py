"""Values of a column that stand for the sum of its other values, such as 全国 among prefectures: found by the numbers."""

import re
from collections.abc import Sequence
from typing import Any

from .divisions import divisions
from .name_lines import clean_name
from .traits import can_group

# Labels of sums, perhaps after a code: 00_全国. After "all" may be what its column has (All ages), or a name (All Blacks).
LABEL = re.compile(
    r"(?:\d+[_ .:])?(?:(?:grand )?totals?|all(?: (?P<noun>\S.*))?|overall|world|whole country|both sexes"
    r"|総数|総計|総?合計|計|[都道府県市区町村郡]{1,3}計|全国計?|全体|男女計)",
    re.IGNORECASE,
)
# Values that are codes of others: JP, 13.
_SHORT = r"[A-Z0-9-]{1,6}"
_KANA = r"[\u3040-\u30ff\uff61-\uff9f\s]*"
# Distinct values of a column that may have a whole, and of one that divides the rows; rows that are compared at most.
MAX_VALUES, MAX_GROUPS, MAX_ROWS = 1_000, 400, 100_000
# Figures and columns that are tried, and other columns that divide the rows.
MAX_FIGURES, MAX_COLUMNS, MAX_CUTS = 4, 12, 6
# Least share of the groups in which a value with a label is the whole, and one without; least groups for the latter.
LABELLED, UNLABELLED, LEAST_GROUPS = 0.4, 0.95, 5
# Without a label, the value may also be near the sum of the others' (some of them blank, or rounded) if it is the largest
# in each group among at least this many others, the share of the groups that it is near in, and the limits of near.
MANY_OTHERS, NEAR_GROUPS, NEAR = 10, 0.95, (0.9, 1.15)
# A figure of a value is meant as the sum of the others' if it is between these shares of it; then it has to be equal.
MEANT = (0.6, 1.7)
# Decimals to which the figures of a measure may be rounded, and the share of a sum that their rounding changes at most.
DECIMALS, MOST_ROUNDED = range(4), 0.05
# How far the largest value of all rows may be from the sum of the others before its groups are compared.
NEARLY_HALF = 0.06


def whole_values(frame: Any, described: Sequence[dict[str, Any]]) -> dict[str, tuple[str, ...]]:
    """Return the whole of each column that has one, by the column's name, and the values that divide it a second time.

    The rows are divided by the other categories and times. In each group the value's figure is the sum of the others'.
    A label such as "all" is enough in fewer groups, and then some of the others may be sums as well (World, Asia, Japan).
    A code with the same values in other words has the whole, too.
    """
    if not frame.columns.is_unique or not 4 <= len(frame) <= MAX_ROWS:
        return {}
    described = _named(frame, described)
    names = {
        role: [item["name"] for item in described if item["role"] in role.split()]
        for role in ("measure period", "category name text", "category time period_of", "id")
    }
    measures = [name for name in names["measure period"] if frame[name].dtype.kind in "if"][:MAX_FIGURES]
    # Without columns of lists, whose cells cannot be counted.
    texts = {item["name"] for item in described if item["kind"] == "text" and can_group(frame[item["name"]])}
    columns = [name for name in names["category name text"] if name in texts]
    codes = [name for name in names["id"] if name in texts]
    wholes: dict[str, tuple[str, ...]] = {}
    for name in columns[:MAX_COLUMNS] if measures else []:
        values = frame[name].dropna()
        if not 2 < values.nunique() <= MAX_VALUES:
            continue
        cuts = _cuts(frame, name, names["category time period_of"])
        value, measure = _whole(frame[frame[name].notna()], name, cuts, measures)
        if value:
            by_group = _by_group(frame, name, cuts, measure)
            wholes[name] = (value, *divisions(by_group, value, 0.51 * _step(frame[measure])))
    return wholes | {
        other: same
        for name, sums in wholes.items()
        for other in codes
        if all(same := tuple(_same_of(frame, name, value, other) for value in sums))
    }


def _by_group(frame: Any, name: str, cuts: list[str], measure: str) -> Any:
    """Return the sums of a measure, with a column for each value and a row for each group that the other columns divide."""
    import pandas as pd

    texts = frame[name].dropna().astype(str).str.strip()
    rows = frame.loc[texts.index]
    groups = rows.groupby(cuts, dropna=False, sort=False).ngroup() if cuts else pd.Series(0, rows.index)
    return rows[measure].groupby([groups, texts]).sum(min_count=1).unstack()


def _same_of(frame: Any, name: str, value: str, other: str) -> str:
    """Return the value of another column that says the same as the whole, such as its code; empty if it says less."""
    pairs = frame[[name, other]].dropna().drop_duplicates()
    if not len(pairs) == frame[name].nunique() == frame[other].nunique():
        return ""
    return str(pairs.loc[pairs[name].astype(str).str.strip() == value, other].iloc[0]).strip()


def _named(frame: Any, described: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the columns that answers can name: neither with a number for a name nor with one that is cut off."""
    return [item for item in described if item["name"] in frame.columns]


def repeated(frame: Any, described: Sequence[dict[str, Any]]) -> list[str]:
    """Return the categories that say the same as another one in other words, such as its reading in kana."""
    if not frame.columns.is_unique or len(frame) > MAX_ROWS:
        return []
    roles = {item["name"]: item["role"] for item in _named(frame, described)}
    categories = [name for name, role in roles.items() if role == "category"][:MAX_COLUMNS]
    distinct = {name: frame[name].nunique() for name in categories}

    def is_all(name: str, pattern: str) -> bool:
        return bool(frame[name].dropna().astype(str).str.fullmatch(pattern).all())

    # Of two the one in kana or codes goes, else the later one.
    names = sorted(categories, key=lambda name: is_all(name, _KANA) or is_all(name, _SHORT))
    repeats: list[str] = []
    for at, name in enumerate(names):
        others = (
            other for other in names[:at] if distinct[other] == distinct[name] > 1 and other not in repeats
        )
        if any(len(frame[[name, other]].dropna().drop_duplicates()) == distinct[name] for other in others):
            repeats.append(name)
    return repeats


def _cuts(frame: Any, name: str, others: Sequence[str]) -> list[str]:
    """Return the columns that divide the rows, without those that only repeat the column in other words."""
    distinct = frame[name].nunique()
    cuts = [
        other
        for other in others[:MAX_COLUMNS]
        if other != name
        and 1 < frame[other].nunique() <= MAX_GROUPS
        and 2 * frame[other].count() >= len(frame)  # not a few notes
        and frame[[name, other]].drop_duplicates().shape[0] > distinct
    ]
    return cuts[:MAX_CUTS]


def _whole(frame: Any, name: str, cuts: list[str], measures: list[str]) -> tuple[str, str]:
    """Return the whole of a column and a measure that it is the sum of; empty without one."""
    texts = frame[name].astype(str).str.strip()
    labels = {value: match for value in texts.unique() if (match := LABEL.fullmatch(clean_name(value)))}
    for measure in measures:
        sums = frame[measure].groupby(texts).sum().sort_values()
        # Without a label, the largest is the sum of the others in all rows together, before it is in their groups.
        is_half = len(sums) > 2 and abs(2 * sums.iloc[-1] - sums.sum()) <= NEARLY_HALF * abs(sums.sum())
        largest = [str(sums.index[-1])] if is_half else []
        for value in dict.fromkeys([*labels, *largest]):
            share = LABELLED if value in labels else UNLABELLED
            may_cover = value in labels and _stands_alone(labels[value], name)
            if not _is_whole(frame, texts == value, cuts, measure, share, may_cover):
                continue
            others = [other for other in measures if other != measure]
            if not any(_disagrees(frame, texts == value, cuts, other) for other in others):
                return str(value), measure
    return "", ""


def _stands_alone(label: re.Match[str], column: str) -> bool:
    """Return whether a label means all values: it has no noun, or that of the column (All causes of Cause of death)."""
    stem = re.split(r"[\W_]", column.casefold())[0].rstrip("sy")
    return not label["noun"] or (len(stem) > 2 and label["noun"].casefold().startswith(stem))


def _disagrees(frame: Any, is_value: Any, cuts: list[str], measure: str) -> bool:
    """Return whether a value's figure is near the sum of the others', but not their sum: which of them is wrong is open."""
    total, rest = frame[measure][is_value].sum(), frame[measure][~is_value].sum()
    meant = rest != 0 and MEANT[0] <= total / rest <= MEANT[1]
    return bool(meant) and not _is_whole(frame, is_value, cuts, measure, LABELLED, True)


def _step(figures: Any) -> float:
    """Return the step to which figures are rounded: 1 for integers, 0.01 for those with two decimals, 0 for others."""
    steps = (10.0**-places for places in DECIMALS if (figures.round(places) - figures).abs().max() < 1e-9)
    return next(steps, 0.0)


def _is_whole(
    frame: Any, is_value: Any, cuts: list[str], measure: str, share: float, may_cover: bool
) -> bool:
    """Return whether a value's figure is the sum of the others' in this share of the groups.

    With `may_cover` the others' may add up to more, if none is larger: some are sums as well.
    """
    import pandas as pd

    keys: Any = [frame[cut] for cut in cuts] or [pd.Series(0, index=frame.index)]
    total = frame[measure][is_value].groupby([key[is_value] for key in keys]).sum(min_count=1)
    rest = frame[measure][~is_value].groupby([key[~is_value] for key in keys])
    groups = pd.concat(
        [total, rest.sum(min_count=1), rest.max(), rest.count()], axis=1, join="inner"
    ).dropna()
    if groups.empty:
        return False
    groups.columns = ["total", "sum", "most", "count"]
    groups = groups[groups["count"] > 1]
    # Each of the others' figures may be rounded.
    rounding = 0.51 * _step(frame[measure]) * groups["count"].clip(upper=4)
    tolerance = 1e-6 + rounding.div(groups["total"].abs()).clip(upper=MOST_ROUNDED)
    is_sum = (groups["sum"] - groups["total"]).abs() <= tolerance * groups["total"].abs()
    is_sum &= groups["total"] > groups["most"]
    if may_cover:
        is_sum |= (groups["most"] < groups["total"]) & (groups["sum"] >= 0.95 * groups["total"])
    least = 1 if share == LABELLED else LEAST_GROUPS
    if len(groups) < least:
        return False
    return bool(is_sum.mean() >= share) or (share == UNLABELLED and _is_near(groups))


def _is_near(groups: Any) -> bool:
    """Return whether a value is the largest in each group, and nearly the sum of many others: some figures are missing."""
    many = groups[groups["count"] >= MANY_OTHERS]
    if len(many) < max(LEAST_GROUPS, len(groups) / 2) or not (many["total"] > many["most"]).all():
        return False
    return bool((many["total"] / many["sum"]).between(*NEAR).mean() >= NEAR_GROUPS)
