"""`and for all devices?`, 全店舗では: a follow-up that takes the condition on a column away again."""

from dataclasses import replace

from smoldesk.analyst.intents import DataIntent
from smoldesk.analyst.reading.draft import Draft

_ALL = ("all", "all the", "every", "any", "全", "全て", "全ての", "すべて", "すべての", "全部の")


def without_limits(draft: Draft, previous: DataIntent) -> tuple[DataIntent, bool]:
    """The intent before without its conditions on the columns of which all is said to be meant, and whether there were any."""
    limited = {one.column for one in previous.filters}
    dropped: set[str] = set()
    for index, column in draft.free():
        if column.name in limited and draft.items[index].mention.lead.rstrip().endswith(_ALL):
            dropped.add(column.name)
            draft.used.add(index)
    kept = tuple(one for one in previous.filters if one.column not in dropped)
    return replace(previous, filters=kept), bool(dropped)
