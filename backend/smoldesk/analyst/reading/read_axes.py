"""`plot temperature over the date`: a date column as the axis of time."""

from typing import cast

from smoldesk.analyst.intents import Grain
from smoldesk.analyst.reading.draft import Draft

_ALONG = ("over", "vs", "versus", "against", "along", "across", "対")


def read_axes(draft: Draft) -> None:
    """Takes a date column that stands after such a word as time; `over` compares nothing then."""
    for index, item in enumerate(draft.items):
        if index in draft.used or item.mention.text.lower() not in _ALONG:
            continue
        near = draft.at(index + 1)
        if near and (grain := near.cue("grain")) and not draft.grain:  # revenue over months
            draft.used.add(index)
            draft.grain, draft.over_time = cast(Grain, grain), True
        if near and near.is_column and near.column and near.column.kind == "date":
            draft.used.add(index)
            draft.over_time = True
