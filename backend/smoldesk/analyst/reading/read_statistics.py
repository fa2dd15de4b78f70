"""Tests of normality, straight lines, most frequent values, pair plots and heatmaps: which columns they are about."""

from dataclasses import replace

from smoldesk.analyst.intents import Aggregate, DataIntent, Refusal
from smoldesk.analyst.reading.counts import take
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.tables.catalogue import ColumnInfo

_EXPLAINED_FIRST = (" on ", " on the ", " against ", " by ", " from ", " vs ", " versus ", " with ")
"""Between two columns: the first is explained by the second."""


def statistics(draft: Draft, intent: DataIntent) -> DataIntent | Refusal | None:
    """The intent of such a question; None when it is another one."""
    operations = draft.operations
    if "normality" in operations:
        return _normality(draft, intent)
    if "regression" in operations:
        return _regression(draft, intent)
    if draft.plot == "pair":
        return _pairs(draft, intent)
    if draft.aggregates == ["mode"]:
        return _mode(draft, intent)
    if draft.plot == "heatmap":
        return _heatmap(draft, intent)
    return None


def _numbers(draft: Draft) -> list[tuple[int, ColumnInfo]]:
    return [(index, column) for index, column in draft.free() if column.kind == "number"]


def _which(draft: Draft) -> Refusal:
    choices = tuple(column.name for column in draft.table.columns if column.kind == "number")
    return Refusal("which_column", choices=choices, table=draft.table.name)


def _normality(draft: Draft, intent: DataIntent) -> DataIntent | Refusal:
    numbers = _numbers(draft)
    if len({column.name for _, column in numbers}) != 1 or intent.groups or intent.date:
        return _which(draft)
    return replace(intent, operation="normality", measures=take(draft, numbers), aggregates=())


def _regression(draft: Draft, intent: DataIntent) -> DataIntent | Refusal:
    """The explaining column first, the explained one second."""
    numbers = _numbers(draft)
    names = take(draft, numbers)
    if len(names) != 2 or intent.groups or intent.date:
        choices = tuple(column.name for column in draft.table.columns if column.kind == "number")
        return Refusal("two_numbers", choices=choices, table=draft.table.name)
    first, second = draft.items[numbers[0][0]].mention, draft.items[numbers[1][0]].mention
    between = draft.text[first.end : second.start].lower()
    after = draft.text[second.end : second.end + 1]
    explained_first = any(word in f" {between.strip()} " for word in _EXPLAINED_FIRST)
    if draft.language == "ja":
        explained_first = between.startswith("を") or (
            after in ("で", "か") and not between.startswith(("で", "から"))
        )
    return replace(
        intent, operation="regression", measures=names[::-1] if explained_first else names, aggregates=()
    )


def _pairs(draft: Draft, intent: DataIntent) -> DataIntent | Refusal:
    numbers = _numbers(draft)
    groups = intent.groups + take(draft, [(i, c) for i, c in draft.free() if c.kind == "text"])
    names = take(draft, numbers)
    return (
        _which(draft)
        if len(names) == 1
        else replace(intent, operation="pairs", measures=names, groups=groups[:1], aggregates=())
    )


def _mode(draft: Draft, intent: DataIntent) -> DataIntent | Refusal:
    free = [(index, column) for index, column in draft.free() if column.kind != "date"]
    if len({column.name for _, column in free}) != 1 or intent.date:
        return _which(draft)
    return replace(intent, operation="mode", measures=take(draft, free), aggregates=())


def _heatmap(draft: Draft, intent: DataIntent) -> DataIntent | Refusal | None:
    """Figures by two keys; without two keys it is a heatmap of correlations, read elsewhere."""
    if "correlation" in draft.operations or ("columns" in draft.operations and not draft.groups):
        return replace(intent, operation="correlation", measures=take(draft, _numbers(draft)))
    cut = [(i, c) for i, c in draft.free() if c.kind in ("text", "bool")]
    groups = tuple(dict.fromkeys([*intent.groups, *(column.name for _, column in cut)]))
    if len(groups) + bool(intent.date) != 2:
        return None
    take(draft, cut)
    measures = take(draft, _numbers(draft))
    named: tuple[Aggregate, ...] = tuple(one for one in draft.aggregates if one not in ("count", "share"))
    figures = (named[:1] or ("mean",)) if measures else ("count",)
    return replace(
        intent,
        groups=groups,
        measures=measures[:1],
        aggregates=figures,
        unnamed=bool(measures) and not named,
        wide=True,
    )
