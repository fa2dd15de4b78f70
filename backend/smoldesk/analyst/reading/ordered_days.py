"""賞味期限の早い順, 日付が新しい順に5件: rows in the order of a column of dates that is named."""

import re
from dataclasses import replace

from smoldesk.analyst.intents import DataIntent
from smoldesk.analyst.reading.draft import Draft

_ORDER = re.compile(r"(?P<first>早い|古い|近い)順|(?P<last>遅い|新しい|最近の?)順")


def ordered_days(draft: Draft, intent: DataIntent) -> DataIntent | None:
    """The rows by their dates, earliest or latest first; None where no date is named or something else is asked for."""
    said = _ORDER.search(draft.text) if draft.language == "ja" else None
    free = draft.free()
    if said is None or len(free) != 1 or free[0][1].kind != "date":
        return None
    if draft.groups or draft.grain or draft.aggregates or draft.plot or draft.change or draft.over_time:
        return None
    if said.start() - draft.items[free[0][0]].mention.end > 1 or draft.says("which"):
        return None
    draft.used.add(free[0][0])
    order = "asc" if said["first"] else "desc"
    limit = draft.limit or draft.table.rows
    return replace(intent, operation="top", measures=(free[0][1].name,), order=order, limit=limit)
