"""Words that rank the rows of what a table is about: who won is who was fastest in a race, and who caught most in a match."""

from dataclasses import dataclass, replace

from smoldesk.analyst.intents import DataIntent, Order
from smoldesk.analyst.meanings import Cue
from smoldesk.analyst.reading.counts import take
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.reading.read_speed import is_word_of_speed
from smoldesk.analyst.reading.told_of_one import ranks_one_row
from smoldesk.analyst.tables.adding_up import adds_up
from smoldesk.analyst.tables.catalogue import ColumnInfo
from smoldesk.analyst.words.grammar import grammar
from smoldesk.analyst.words.text import key


@dataclass(frozen=True)
class Ranked:
    """The column that rows are ranked along, from which end, and whether the word says nothing but that rank (won)."""

    column: ColumnInfo
    order: Order
    alone: bool


def ranked_by(draft: Draft) -> Ranked | None:
    """What the domain's word says; None where there is none, or a measure is named besides."""
    if any(
        item.is_column and item.column and item.column.kind == "number" and at not in draft.used
        for at, item in enumerate(draft.items)
    ):
        return None
    for item in draft.items:
        for cue in item.mention.all(Cue) if item.is_cue("rank") else ():
            table, _, name = cue.value.partition("\n")
            if cue.kind == "rank" and table == draft.table.name:
                name, _, order = name.partition("\n")
                alone = is_word_of_speed(item.mention.text) or not any(
                    one.kind == "top"
                    for one in grammar().get(key(item.mention.text), ())
                    if isinstance(one, Cue)
                )
                return Ranked(draft.table.column(name), "asc" if order == "asc" else "desc", alone)
    return None


def _comes_again(draft: Draft, name: str) -> bool:
    return 0 < len(draft.table.column(name).values) < draft.table.rows


def ranked_rows(draft: Draft, intent: DataIntent, ranked: Ranked, person: str) -> DataIntent | None:
    """The rows at that end, or each group's best; None where the word is one of the grammar, or a figure is asked for."""
    free = draft.free()
    if (
        not ranked.alone
        or draft.aggregates
        or intent.date
        or any(column.kind != "text" for _, column in free)
    ):
        return None
    if intent.groups and draft.says("per"):
        figure = "min" if ranked.order == "asc" else "max"
        return replace(intent, measures=(ranked.column.name,), aggregates=(figure,), order="", limit=0)
    names = take(draft, free) or ((person,) if person else ())
    several = names and _comes_again(draft, names[0]) and not ranks_one_row(draft)
    if ranked.order == "desc" and several and adds_up(ranked.column):  # points of several rounds
        return replace(
            intent, groups=names[:1], measures=(ranked.column.name,), aggregates=("sum",), order="desc"
        )
    return replace(
        intent,
        operation="top",
        measures=(ranked.column.name, *(name for name in names if name != ranked.column.name)),
        limit=draft.limit or 1,
        order=ranked.order,
    )
