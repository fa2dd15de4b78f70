"""`who is older, Dina or Gus`, `is fish 2 heavier than fish 7`, `is Dina the oldest`: named rows set against others.

Rows are ranked by the one measure that is named, or meant by the word of comparison; groups by their number of rows.
"""

import re
from dataclasses import replace

from smoldesk.analyst.english.spoken_comparisons import MEANT
from smoldesk.analyst.intents import DataIntent, Filter, Order
from smoldesk.analyst.questions.compared_counts import by_order, compared_counts
from smoldesk.analyst.questions.named_rows import pinning
from smoldesk.analyst.reading.asked_rows import size_column
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.reading.resolve import concept_column
from smoldesk.analyst.reading.row_money import row_money
from smoldesk.analyst.tables.catalogue import ColumnInfo

_UP = (
    "more|higher|larger|bigger|greater|longer|older|heavier|taller|better|hotter|warmer|slower|deeper|wider"
    "|farther|further|costlier|pricier|dearer|stronger|most|highest|largest|biggest|longest|oldest|heaviest|tallest"
)
_DOWN = (
    "less|fewer|lower|smaller|shorter|younger|lighter|cheaper|colder|cooler|quicker|faster|fewest|least|lowest|smallest"
    "|shortest|youngest|lightest|cheapest"
)
_COMPARED = re.compile(rf"\b(?:(?P<up>{_UP})|(?P<down>{_DOWN}))\b", re.IGNORECASE)
_UP_JA = "(?:高|大き|多|長|重|年|古|広|遠|厚|深)(?:い|かった|く)|年上|上"
_DOWN_JA = "(?:安|低|小さ|少な|短|軽|若|新し|狭|近|薄|浅|早|速)(?:い|かった|く)|年下|下"
_COMPARED_JA = re.compile(rf"(?:(?P<up>{_UP_JA})|(?P<down>{_DOWN_JA}))")
_ASKED = re.compile(
    r"\b(?:who|which|what|whose)\b.*\bor\b"
    r"|^(?:and |so )?(?:is|was|are|were|did|does|do|has|have)\b.*\b(?:than|or)\b"
    r"|\b(?:who|which|what)\b.*\b(?:out )?of (?:the two|the three|them|these)\b",
    re.IGNORECASE,
)
_YES_NO = re.compile(
    r"(?:and |so )?(?:is|was|are|were|did|does|do|has|have)\b(?!.*\bor\b).*\bthan\b"
    r"|.*より.*(?:です|ます|ました|でした)か[。?？]*$",
    re.IGNORECASE,
)
_ASKED_JA = re.compile(r"どちら|どっち|どれ|誰|だれ|どの|どこ|より|いのは[。?？]*$")
_PAYS = re.compile(
    r"\b(?:earn|pay|paid|cost|make|made|spen[dt]|charge|expensive|pricey|costly)", re.IGNORECASE
)


def compared_rows(draft: Draft, intent: DataIntent) -> DataIntent | None:
    """The rows in the order that was asked for, or the groups by their number of rows; None elsewhere."""
    japanese = draft.language == "ja"
    asked = (_ASKED_JA if japanese else _ASKED).search(draft.text)
    if not (asked or _IS_FIRST.search(draft.text)):
        return None
    said = (_COMPARED_JA if japanese else _COMPARED).search(draft.text)
    other = (
        draft.plot
        or draft.save
        or draft.change
        or draft.over_time
        or draft.grain
        or draft.says("per", "calc")
    )
    if said is None or other or set(draft.aggregates) - {"max", "min", "mean"}:
        return None
    pin = pinning(draft)
    order: Order = "desc" if said["up"] else "asc"
    if pin is not None and len(pin.values) == 1 and (first := _is_first(draft, intent, said[0], order, pin)):
        return first
    if pin is None or len(pin.values) < 2:
        return None if draft.aggregates else compared_counts(draft, intent, order)
    measure = _measure(draft, said[0], pin)
    if measure is None:
        return None
    by_order(draft)
    shown = (measure.name, pin.column)
    sides = (
        tuple(Filter(pin.column, "==", (value,)) for value in pin.values) if _YES_NO.match(draft.text) else ()
    )
    return replace(
        intent, operation="top", groups=(), aggregates=(), measures=shown, order=order, limit=len(pin.values),
        sides=sides if len(sides) == 2 else (),
    )  # fmt: skip


_IS_FIRST = re.compile(
    r"^(?:and |so )?(?:is|was|does|did|has|had)\b(?!.*\b(?:than|or)\b).*\bthe (?:\w+est|most|least)\b"
    r"|一番.*(?:です|ます|でした|ました)か[。?？]*$",
    re.IGNORECASE,
)


def _is_first(draft: Draft, intent: DataIntent, said: str, order: Order, pin: Filter) -> DataIntent | None:
    """`is Dina the oldest`: the row that ranks first, and whether it is the one that is named."""
    measure = _measure(draft, said, pin) if _IS_FIRST.search(draft.text) else None
    if measure is None:
        return None
    by_order(draft)
    shown = (measure.name, pin.column)
    return replace(
        intent, operation="top", groups=(), aggregates=(), filters=(), measures=shown, order=order, limit=1, sides=(pin,)
    )  # fmt: skip


def _measure(draft: Draft, said: str, pin: Filter) -> ColumnInfo | None:
    """The one number or day that is named, else what the word of comparison measures."""
    free = {column.name: column for _, column in draft.free() if column.name != pin.column}
    if free:
        (one, *more) = free.values()
        return one if not more and one.kind in ("number", "date") and not one.is_id else None
    concepts = [item.cue("high") or item.cue("low") for item in draft.items]
    concept = (
        next((one for one in concepts if one), "")
        or MEANT.get(said.lower(), "")
        or _MEANT_JA.get(said[:1], "")
    )
    column = concept_column(concept, draft.table) if concept else None
    if column is None and (_PAYS.search(draft.text) or said[:1] in "高安"):
        column = row_money(draft.table) or _only_money(draft)
    if column is None and said.lower() in ("bigger", "larger", "smaller", "greater"):
        column = size_column(draft)
    return column if column is not None and column.kind in ("number", "date") else None


def _only_money(draft: Draft) -> ColumnInfo | None:
    found = [
        concept_column(one, draft.table) for one in ("salary", "price", "cost", "amount", "fee", "income")
    ]
    named = {one.name: one for one in found if one is not None and one.kind == "number"}
    return next(iter(named.values())) if len(named) == 1 else None


_MEANT_JA = {"重": "weight", "軽": "weight", "長": "duration", "短": "duration", "若": "age", "年": "age"}
