"""`is Dina Fox a gold member`, 佐藤花子は開発部ですか: whether the one row that is named meets a condition."""

import re
from dataclasses import replace

from smoldesk.analyst.intents import DataIntent, Filter, Refusal
from smoldesk.analyst.reading.asked_rows import names_each
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.reading.row_ids import is_row_id

_ASKS = re.compile(r"(?:and |so )?(?:is|was|are|were|does|did|do|has|have)\b(?!.*\bor\b)", re.IGNORECASE)
_ASKS_JA = re.compile(r"(?:です|でした|ます|ました|である|なの)(?:よね)?か[。?？]*$")
_WHAT_JA = re.compile(r"何|なに|なん|いつ|誰|だれ|どこ|どの|どれ|どちら|いくら|いくつ|教えて")


def yes_or_no(draft: Draft, intent: DataIntent) -> DataIntent | Refusal | None:
    """The share of that one row with the condition as its target; None for other questions."""
    asked = _ASKS.match(draft.text) if draft.language == "en" else _ASKS_JA.search(draft.text)
    if asked and (word := _figure_compared(draft)):
        return Refusal("too_much", (word,), table=draft.table.name)
    if not asked or (draft.language == "ja" and _WHAT_JA.search(draft.text)):
        return None
    other = draft.aggregates or draft.order or draft.plot or draft.operations or draft.grain or draft.groups
    if other or draft.free() or draft.save or len(draft.filters) != 2:
        return None
    pins = [one for one in draft.filters if pins_row(draft, one)]
    if not pins:
        return None
    target = next(
        one for one in draft.filters if one is not pins[0]
    )  # is ticket 5 called so: the first is asked of
    if target.options or target.part:
        return None
    return replace(intent, filters=(pins[0],), target=target, aggregates=("share",), unnamed=True)


def _figure_compared(draft: Draft) -> str:
    """`is the average age over 30`: a figure of all rows is compared, which picks no rows; the word, to be declined."""
    figures = {"mean", "median", "sum", "min", "max", "std"} & set(draft.aggregates)
    free = {column.name for _, column in draft.free()}
    compared = [at for one, at in draft.placed if one.column in free and not one.part]
    return draft.items[compared[0]].mention.text if figures and compared else ""


def pins_row(draft: Draft, one: Filter) -> bool:
    """Whether a condition names one row by a value that no other row has."""
    if one.part or one.options or one.comparison != "==" or len(one.values) != 1:
        return False
    column = draft.table.column(one.column)
    return is_row_id(column, draft.table) or (column.kind == "text" and names_each(column, draft.table))
