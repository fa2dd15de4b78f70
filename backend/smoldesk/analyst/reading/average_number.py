"""`how many litres do I buy on average`: the average of a column that counts or measures, not a number of rows."""

from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.tables.column_names import unit_of, units
from smoldesk.analyst.words.text import key, name_words


def read_average_number(draft: Draft) -> None:
    """Drops the word for counting where an average of the column beside it, or of its unit, is asked for."""
    if draft.language != "en" or not {"count", "mean"} <= set(draft.aggregates) or len(draft.aggregates) > 2:
        return
    numbers = [
        item.column
        for item in draft.items
        if item.is_column and item.column and item.column.kind == "number" and not item.column.is_flag
    ]
    for index, item in enumerate(draft.items):
        after = draft.at(index + 1)
        if item.cue("agg") != "count" or not key(item.mention.text).endswith("many") or after is None:
            continue
        unit = unit_of(key(after.mention.text))
        measured = [column for column in numbers if unit and unit in said_units(column.name)]
        if (after.is_column and after.column in numbers) or measured:
            draft.aggregates = ["mean"]
            draft.used.add(index)
            if measured and not after.is_column:
                draft.used.add(index + 1)
            return


def said_units(name: str) -> set[str]:
    """The units that a column states, also at the beginning of its name: Hours slept."""
    words = name_words(name)
    first = unit_of(words[0]) if len(words) > 1 and words[0].endswith("s") else None
    return units(name) | ({first} if first else set())
