"""`wins and losses by venue`: all the cells of a column side by side are its groups, for as a condition they say nothing."""

import re

from smoldesk.analyst.reading.draft import Draft

_AS_ONE = re.compile(
    r"\b(?:together|combined|either|or|altogether|both|not|except|without|all)\b", re.IGNORECASE
)


def read_every_cell(draft: Draft) -> None:
    """Makes a group of a condition that every row meets, where its cells were named beside each other in English."""
    if draft.language != "en" or not draft.says("and", "vs") or _AS_ONE.search(draft.text):
        return
    if draft.change or draft.says("change"):  # the difference between two sides, the first one first
        return
    for one in draft.filters:
        column = draft.table.column(one.column)
        if one.comparison != "==" or one.part or column.kind != "text" or column.name in draft.groups:
            continue
        if len(one.values) > 1 and set(one.values) == set(column.values):
            draft.filters = [other for other in draft.filters if other != one]
            draft.groups.insert(0, column.name)
