"""`and their ages` after `names of gold members`: more columns of the rows that were listed, and no figure of them."""

import re
from dataclasses import replace

from smoldesk.analyst.intents import DataIntent
from smoldesk.analyst.reading.asked_rows import names_each, row_label
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.tables.catalogue import TableInfo

_THEIRS = re.compile(
    r"(?:and |also |plus |with |now |show |list |give |add |include |me |us |please )+(?:their|his|her|its)\b"
    r"(?! average| total)",
    re.IGNORECASE,
)


def shown_beside(draft: Draft, new: DataIntent, previous: DataIntent) -> DataIntent | None:
    """The rows before it with those columns beside what names them; None for other follow-ups."""
    free = list(dict.fromkeys(column.name for _, column in draft.free()))
    other = (
        draft.aggregates or new.filters or new.groups or new.grain or new.plot or new.order or draft.problem
    )
    if draft.language != "en" or not free or other or not _THEIRS.match(draft.text):
        return None
    shown = _listed(previous, draft.table)
    if shown is None:
        return None
    draft.used.update(at for at, _ in draft.free())
    if draft.left_over():
        return None
    label = row_label(draft.table)
    named = shown or ((label.name,) if label else ())
    return replace(previous, operation="head", measures=tuple(dict.fromkeys((*named, *free))), save=new.save)


def _listed(previous: DataIntent, table: TableInfo) -> tuple[str, ...] | None:
    """The columns that a list of rows shows, none for all of them; None for what lists no rows."""
    if previous.operation == "head" and not previous.limit:
        return previous.measures
    if previous.operation == "distinct" and all(
        names_each(table.column(one), table) for one in previous.measures
    ):
        return previous.measures
    return None
