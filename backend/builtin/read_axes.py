"""`plot temperature over the date`: a date column as the axis of time."""

from backend.builtin.draft import Draft

_ALONG = ("over", "vs", "versus", "against", "along", "across", "対")


def read_axes(draft: Draft) -> None:
    """Takes a date column that stands after such a word as time; `over` compares nothing then."""
    for index, item in enumerate(draft.items):
        if index in draft.used or item.mention.text.lower() not in _ALONG:
            continue
        near = draft.at(index + 1)
        if near and near.is_column and near.column and near.column.kind == "date":
            draft.used.add(index)
            draft.over_time = True
