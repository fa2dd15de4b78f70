"""`under 20 or over 60`, パンまたは会員: two conditions of which one is enough."""

from dataclasses import replace

from backend.builtin.draft import Draft
from backend.builtin.intents import DataIntent, Filter, Refusal

_LOW, _HIGH = (">", ">="), ("<", "<=")


def either(draft: Draft, intent: DataIntent) -> DataIntent | Refusal:
    """The intent with the two conditions joined that `or` stands between; a refusal where it is not plain which they are."""
    joins = [index for index, item in enumerate(draft.items) if item.is_cue("or") and _between(draft, index)]
    if not joins:
        return intent
    said = tuple(draft.items[index].mention.text for index in joins)
    if intent.target or len(joins) > 1:
        return Refusal("too_much", said, table=draft.table.name)
    pair = intent.filters if len(intent.filters) == 2 else _apart(intent.filters)
    if len(pair) != 2 or any(one.comparison == "!=" for one in pair):
        return Refusal("too_much", said, table=draft.table.name)
    draft.used.update(joins)
    joined = replace(pair[0], others=(pair[1],))
    return replace(
        intent,
        filters=tuple(joined if one is pair[0] else one for one in intent.filters if one is not pair[1]),
    )


def _between(draft: Draft, index: int) -> bool:
    """Whether conditions stand on both sides, and not two values of one column, which are one condition."""
    if draft.items[index].mention.text == "nor":
        return False
    before, after = draft.at(index - 1), draft.at(index + 1)
    if before is None or after is None:
        return False
    if before.value is not None and after.value is not None and before.column == after.column:
        return False
    sides = [draft.items[:index], draft.items[index + 1 :]]
    return all(
        any(_conditions(one.value, one.number, one.column and one.column.yes_no) for one in side)
        for side in sides
    )


def _conditions(value: object, number: object, flag: object) -> bool:
    return value is not None or number is not None or bool(flag)


def _apart(filters: tuple[Filter, ...]) -> tuple[Filter, ...]:
    """The two comparisons of one column that no number meets at once."""
    for low in filters:
        for high in filters:
            compared = low.column == high.column and low.comparison in _LOW and high.comparison in _HIGH
            if compared and not low.part and not high.part and low.values and high.values:
                first, last = low.values[0], high.values[0]
                if isinstance(first, float) and isinstance(last, float) and first >= last:
                    return (low, high)
    return ()
