"""支出の合計に占める食費の割合: a part of the total of the measure that was named, or of the money of all rows."""

from dataclasses import replace

from smoldesk.analyst.intents import DataIntent
from smoldesk.analyst.reading.counts import part_of, take
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.reading.row_money import row_money


def part_of_money(draft: Draft, intent: DataIntent) -> DataIntent | None:
    """The share of the total; None where nobody says 占める, or rows are not told apart."""
    if set(draft.aggregates) != {"share", "sum"} or "占める" not in draft.text or not draft.filters:
        return None
    if intent.groups or intent.date or draft.order or draft.plot:
        return None
    free = draft.free()
    named = list({column.name: column for _, column in free}.values())
    money = named[0] if len(named) == 1 else None if named else row_money(draft.table)
    if money is None or money.kind != "number" or money.is_flag:
        return None
    take(draft, free)
    target = part_of(draft)
    rest = tuple(one for one in intent.filters if one is not target)
    return replace(intent, target=target, filters=rest, measures=(money.name,), aggregates=("share",))
