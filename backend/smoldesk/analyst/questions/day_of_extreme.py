"""`when was the highest tide`: a question for a day is answered with one, or declined.

A figure alone, or the groups it is highest in, would be an answer to another question.
"""

import re
from dataclasses import replace

from smoldesk.analyst.intents import DataIntent, Refusal
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.words.text import name_words

_ASKED = re.compile(
    r"^(?:and |so |but )?(when) (?:was|is|were|are|did|does|do)\b(?! (?:you|i)\b)", re.IGNORECASE
)
_END = re.compile(
    r"\bwhen (?:was|is|did) (?:the|our|my) (first|earliest|last|latest|most recent)\b(?! \d)", re.IGNORECASE
)
_SPANS = frozenset(("year", "month", "week", "weekday", "quarter", "date", "season"))
_SHOWN = ("head", "tail", "describe", "columns")


def with_day(draft: Draft, intent: DataIntent) -> DataIntent | Refusal:
    """The intent with the table's one day beside an extreme; a refusal where the answer would tell no time at all."""
    asked = _ASKED.search(draft.text.strip()) if draft.language == "en" else None
    dates = [column.name for column in draft.table.columns if column.kind == "date"]
    if asked is None or not dates or intent.date:
        return intent
    if intent.operation in _SHOWN:
        end = _END.search(draft.text.strip())
        if end is None or len(dates) != 1 or intent.operation not in ("head", "tail"):
            return intent
        order = "asc" if end[1].lower() in ("first", "earliest") else "desc"
        return replace(intent, operation="top", measures=(dates[0],), order=order, limit=1)
    told = (*intent.measures, *intent.groups)
    if any(name in dates or _SPANS & set(name_words(name)) for name in told):
        return intent
    extreme = intent.aggregates in (("max",), ("min",)) and len(intent.measures) == 1 and not intent.groups
    if len(dates) == 1 and (extreme or intent.operation == "top"):
        order = (
            intent.order if intent.operation == "top" else "desc" if intent.aggregates == ("max",) else "asc"
        )
        measures = (intent.measures[0], dates[0], *intent.measures[1:])
        limit = intent.limit or 1
        return replace(intent, operation="top", measures=measures, aggregates=(), order=order, limit=limit)
    return Refusal("too_much", words=(asked[1],), table=draft.table.name)
