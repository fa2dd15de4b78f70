"""Words that rank the rows of what a table is about: who won is who was fastest in a race, and who caught most in a match."""

from dataclasses import dataclass, replace

from backend.builtin.catalogue import ColumnInfo
from backend.builtin.counts import take
from backend.builtin.draft import Draft
from backend.builtin.intents import DataIntent, Order
from backend.builtin.meanings import Cue


@dataclass(frozen=True)
class Ranked:
    """The column that rows are ranked along, and from which end."""

    column: ColumnInfo
    order: Order


def ranked_by(draft: Draft) -> Ranked | None:
    """What the domain's word says; None where there is none, or a measure is named besides."""
    if any(item.is_column and item.column and item.column.kind == "number" for item in draft.items):
        return None
    for item in draft.items:
        if item.is_cue("rank"):
            said = item.mention.all(Cue)
            for cue in said:
                table, _, name = cue.value.partition("\n")
                if cue.kind == "rank" and table == draft.table.name:
                    name, _, order = name.partition("\n")
                    return Ranked(draft.table.column(name), "asc" if order == "asc" else "desc")
    return None


def ranked_rows(draft: Draft, intent: DataIntent, person: str) -> DataIntent | None:
    """The rows at that end, or each group's best; None where nothing ranks them or another figure is asked for."""
    ranked = ranked_by(draft)
    free = draft.free()
    if ranked is None or draft.aggregates or intent.date or any(column.kind != "text" for _, column in free):
        return None
    if intent.groups and draft.says("per"):
        figure = "min" if ranked.order == "asc" else "max"
        return replace(intent, measures=(ranked.column.name,), aggregates=(figure,), order="", limit=0)
    names = take(draft, free) or ((person,) if person else ())
    return replace(
        intent,
        operation="top",
        measures=(ranked.column.name, *(name for name in names if name != ranked.column.name)),
        limit=draft.limit or 1,
        order=ranked.order,
    )
