"""Conditions on a part of a text become filters: which column they are about, by what is said and by what it holds."""

from smoldesk.analyst.intents import Filter, Refusal
from smoldesk.analyst.meanings import ColumnRef, Fragment
from smoldesk.analyst.reading.asked_rows import row_label
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.tables.catalogue import ColumnInfo
from smoldesk.analyst.words.text import level

_REACH = 3
_OWN = 2.5
"""How surely a word is a column's own name, and no other word for it."""


def read_fragments(draft: Draft) -> None:
    """Adds a filter for each; where several columns hold the part and none is named, asks which is meant."""
    for index, item in enumerate(draft.items):
        fragment = item.mention.first(Fragment)
        if fragment is None:
            continue
        draft.used.add(index)
        columns = _columns(draft, index, fragment)
        if len(columns) != 1:
            draft.problem = draft.problem or (
                Refusal("which_column", (fragment.text,), tuple(c.name for c in columns), draft.table.name)
                if columns
                else Refusal("unknown", (fragment.text,), (), "")
            )
            continue
        comparison = "!=" if fragment.negated else "=="
        draft.keep(Filter(columns[0].name, comparison, (fragment.text,), fragment.how), index)


def _columns(draft: Draft, index: int, fragment: Fragment) -> list[ColumnInfo]:
    named = [ref for ref in fragment.columns if ref.table == draft.table.name]
    texts = [ref for ref in named if draft.table.column(ref.column).kind == "text"]
    if texts:
        best = max(texts, key=lambda ref: ref.strength)
        column = draft.table.column(best.column)
        label = row_label(draft.table)
        if label and label.kind == "text" and best.strength < _OWN and not _holds(draft, column, fragment):
            column = (
                label if _holds(draft, label, fragment) else column
            )  # titles that rows have by another name
        _use(draft, index, column)
        return [column]
    if near := _named_near(draft, index):
        _use(draft, index, near)
        return [near]
    if fragment.placed and (label := row_label(draft.table)) and label.kind == "text" and not label.is_id:
        return [label]
    return [
        column for column in draft.table.columns if column.kind == "text" and _holds(draft, column, fragment)
    ]


def _named_near(draft: Draft, index: int) -> ColumnInfo | None:
    """The nearest text column said before the part, or right after it."""
    for at in [*range(index - 1, max(-1, index - 1 - _REACH), -1), index + 1]:
        near = draft.at(at)
        if near is None or near.value is not None or near.mention.first(Fragment):
            continue
        if near.column and near.column.kind == "text":
            return near.column
        refs = (
            [ref for ref in near.mention.all(ColumnRef) if ref.table == draft.table.name] if near.rows else []
        )
        refs = [ref for ref in refs if draft.table.column(ref.column).kind == "text"]
        if refs:
            return draft.table.column(max(refs, key=lambda ref: ref.strength).column)
    return None


def _use(draft: Draft, index: int, column: ColumnInfo) -> None:
    """Takes up the word for the column, unless it is what is counted, listed or cut by."""
    for at in range(index + 1, max(-1, index - 1 - _REACH), -1):
        near, before = draft.at(at), draft.at(at - 1)
        if near and near.is_column and near.column == column:
            asked = before is not None and (
                before.is_cue("per", "which", "top", "agg") or before.cue("op") == "distinct"
            )
            if not asked or any(one.rows for one in draft.items[:at]):
                draft.used.add(at)
            return


def _holds(draft: Draft, column: ColumnInfo, fragment: Fragment) -> bool:
    part = level(fragment.text)
    if any(part in level(value) for value in column.values):
        return True
    if column.values or draft.table.index is None:
        return False
    found = draft.table.index().holding(part)
    return found is None or any(one.column == column.name for one in found)
