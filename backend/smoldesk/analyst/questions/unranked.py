"""The last look at an order or a number of rows: what is ranked by nothing is no ranking, and must not be answered as one."""

from smoldesk.analyst.intents import DataIntent, Refusal
from smoldesk.analyst.reading.draft import Draft


def ranked_by_nothing(draft: Draft, intent: DataIntent) -> Refusal | None:
    """The refusal of the first rows where the last were asked for, and of one figure where the top ones were."""
    cut = intent.groups or intent.date
    if intent.operation == "head":
        lost = bool(intent.order)
    elif intent.operation == "aggregate":
        lost = not cut and bool(
            intent.limit or (intent.order and intent.aggregates in (("count",), ("share",)))
        )
    else:
        return None
    if not lost:
        return None
    said = tuple(item.mention.text for item in draft.items if item.is_cue("top", "sort"))
    return Refusal("too_much", words=said or ("?",), table=draft.table.name)
