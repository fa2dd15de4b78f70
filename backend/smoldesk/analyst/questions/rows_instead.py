"""Rows or names in the place of figures that would say nothing about what was asked."""

from dataclasses import replace

from smoldesk.analyst.intents import DataIntent
from smoldesk.analyst.reading.asked_rows import names_each
from smoldesk.analyst.reading.draft import Draft


def rows_instead(draft: Draft, intent: DataIntent) -> DataIntent:
    """The rows of `which firings have no cracked pieces`, the names of 雨の日に登った山の名前は; else the intent as it is."""
    plain = intent.operation == "aggregate" and not (
        intent.order or intent.limit or intent.plot or intent.date or intent.save or intent.target
    )
    if not plain or not intent.filters:
        return intent
    bound = {name for one in intent.filters for name in one.columns}
    if (
        intent.unnamed
        and not intent.groups
        and draft.says("which")
        and draft.rows
        and set(intent.measures) <= bound
    ):
        return replace(intent, operation="head", measures=(), aggregates=(), unnamed=False)
    if intent.aggregates == ("count",) and len(intent.groups) == 1 and not draft.aggregates:
        column = draft.table.column(intent.groups[0])
        if (column.is_id or (column.kind == "text" and names_each(column, draft.table))) and not draft.says(
            "per", "agg"
        ):
            return replace(intent, operation="distinct", measures=intent.groups, groups=(), aggregates=())
    return intent
