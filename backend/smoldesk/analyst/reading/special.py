"""Outliers, quantiles and cross tables: which columns they are about."""

from dataclasses import replace

from smoldesk.analyst.intents import DataIntent, Refusal
from smoldesk.analyst.reading.counts import take
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.tables.adding_up import adds_up


def _numbers(draft: Draft) -> tuple[str, ...]:
    return tuple(column.name for column in draft.table.columns if column.kind == "number")


def outliers(draft: Draft, intent: DataIntent) -> DataIntent | Refusal:
    """One number column, and the rule: IQR unless z-scores are asked for."""
    free = [(index, column) for index, column in draft.free() if column.kind == "number"]
    if len({column.name for _, column in free}) != 1:
        return Refusal("which_column", choices=_numbers(draft), table=draft.table.name)
    z = any(item.cue("rule") == "z" for item in draft.items)
    return replace(
        intent,
        operation="outliers",
        measures=take(draft, free),
        rule="z" if z else "iqr",
        rule_limit=draft.rule_limit,
    )


def quantiles(draft: Draft, intent: DataIntent) -> DataIntent | Refusal:
    """Quantiles of one number column; the quartiles when no number says which."""
    free = [(index, column) for index, column in draft.free() if column.kind == "number"]
    texts = [(index, column) for index, column in draft.free() if column.kind == "text"]
    if texts and not intent.groups:
        intent = replace(intent, groups=take(draft, texts))
    if len({column.name for _, column in free}) != 1 or intent.date:
        return Refusal("which_column", choices=_numbers(draft), table=draft.table.name)
    said: list[float] = []
    for index, item in enumerate(draft.items):
        if item.number is not None and index not in draft.used and 0 < item.number <= 100:
            said.append(item.number if item.number < 1 else item.number / 100)
            draft.used.add(index)
            unit = draft.at(index + 1)
            draft.used.update([index + 1] if unit and unit.unit == "percent" else [])
    wanted = tuple(said) or tuple(draft.quartiles) or (0.25, 0.5, 0.75)
    return replace(intent, operation="quantile", measures=take(draft, free), quantiles=wanted, aggregates=())


def crosstab(draft: Draft, intent: DataIntent) -> DataIntent | Refusal:
    """Counts (or a figure) by two columns, the second across."""
    named = [(i, c) for i, c in draft.free() if c.kind != "number"]
    sides = len({column.name for _, column in named} | set(intent.groups)) + bool(intent.date)
    numbered = [(i, c) for i, c in draft.free() if c.kind == "number" and c.values and not draft.aggregates]
    cut = sorted(named + numbered, key=lambda one: one[0]) if sides < 2 else named
    groups = tuple(dict.fromkeys(intent.groups + take(draft, cut)))
    measured = [(i, c) for i, c in draft.free() if c.kind == "number"]
    measures = take(draft, measured)
    if len(groups) + bool(intent.date) != 2:
        return Refusal(
            "which_column",
            choices=tuple(c.name for c in draft.table.columns if c.values),
            table=draft.table.name,
        )
    figures = tuple(one for one in draft.aggregates if one not in ("count", "share"))[:1]
    if measures and not figures:
        figures = ("sum",) if adds_up(measured[0][1]) else ("mean",)
    aggregates = figures if measures else ("count",)
    return replace(intent, groups=groups, measures=measures[:1], aggregates=aggregates, wide=True)
