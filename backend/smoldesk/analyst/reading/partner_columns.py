"""What a limit of each row is compared with where it is not said: `items below their reorder level` have less in stock."""

from itertools import pairwise

from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.tables.catalogue import ColumnInfo
from smoldesk.analyst.words.text import name_words

_PAIRS: tuple[tuple[frozenset[str], frozenset[str]], ...] = tuple(
    (frozenset(limits.split()), frozenset(figures.split()))
    for limits, figures in (
        ("reorder minimum min par safety threshold", "stock hand inventory available quantity qty level"),
        ("budget budgeted planned plan estimate estimated", "actual spent spend cost"),
        ("target goal quota", "actual sold sales raised achieved result revenue reached total"),
        (
            "capacity seats",
            "attendance attendees visitors enrolled tickets passengers sold booked load guests occupants",
        ),
        ("due deadline", "returned delivered completed paid finished done closed shipped"),
    )
)


def partner(draft: Draft, limit: ColumnInfo) -> ColumnInfo | None:
    """The one column that the rows of a table have of what `limit` limits; None where another may be meant."""
    named = any(column.kind == "text" for _, column in draft.free())
    if draft.language != "en" or not (draft.rows or named):
        return None
    said = name_words(limit.name)
    words = {*said, *(first + then for first, then in pairwise(said))}  # re-order level
    for limits, figures in _PAIRS:
        if not words & limits:
            continue
        found = [
            column
            for column in draft.table.columns
            if column.kind == limit.kind and column != limit and set(name_words(column.name)) & figures
        ]
        return found[0] if len(found) == 1 else None
    return None
