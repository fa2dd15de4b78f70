"""`and the cheapest of those?` after a list: the row of it that ranks first, by the column that the word is about."""

from dataclasses import replace

from smoldesk.analyst.intents import DataIntent, Refusal
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.reading.resolve import concept_column
from smoldesk.analyst.reading.row_money import row_money


def ranked_among(draft: Draft, new: DataIntent, previous: DataIntent) -> DataIntent | Refusal | None:
    """The intent before it as a ranking; a refusal where no column can rank its rows, None for other follow-ups."""
    if previous.operation != "head" or not new.order or draft.aggregates or draft.free() or new.groups:
        return None
    said = next(
        ((item, value) for item in draft.items if (value := item.cue("high") or item.cue("low"))), None
    )
    if said is None or not draft.says("top"):
        return None
    item, concept = said
    column = concept_column(concept, draft.table)
    if column is None and concept in ("price", "cost"):
        column = row_money(draft.table)
    if column is None or column.kind != "number":
        return Refusal("too_much", (item.mention.text,), table=draft.table.name)
    return replace(previous, operation="top", measures=(column.name,), order=new.order, limit=new.limit or 1)
