"""`which units are missing something`: the rows in which any cell is blank, by name."""

from dataclasses import replace

from backend.builtin.asked_rows import names_each
from backend.builtin.counts import take
from backend.builtin.draft import Draft
from backend.builtin.durations import is_duration
from backend.builtin.intents import DataIntent, Filter

_ASKED = ("which", "who", "whose", "any")


def rows_with_blanks(draft: Draft, intent: DataIntent) -> DataIntent | None:
    """The intent that lists them; None where blanks of a column are asked about, or how many there are of each."""
    free = draft.free()
    labels = [
        (at, column) for at, column in free if column.kind == "text" and names_each(column, draft.table)
    ]
    asked = any(item.is_cue("which") and item.mention.text.lower() in _ASKED for item in draft.items)
    if not asked or len(labels) != len(free) or not (labels or draft.rows):
        return None
    if draft.aggregates or intent.groups or intent.date or draft.plot or "columns" in draft.operations:
        return None
    take(draft, labels)
    given = [column for column in draft.table.columns if not is_duration(column)]
    columns = [column.name for column in given if not labels or column != labels[0][1]]
    blank = tuple(Filter(name, "==", (), "blank") for name in columns)
    one = Filter(columns[0], "==", (), "any", blank)
    return replace(intent, operation="head", measures=(), filters=(*intent.filters, one))
