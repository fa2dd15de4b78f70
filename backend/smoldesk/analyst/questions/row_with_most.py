"""`campaign with the most clicks`, `region of the film with the lowest rating`: one row by its extreme, and what it tells."""

import re
from dataclasses import replace
from typing import cast

from smoldesk.analyst.intents import DataIntent, Order, Refusal
from smoldesk.analyst.reading.asked_person import asked_person
from smoldesk.analyst.reading.asked_rows import names_each, row_label
from smoldesk.analyst.reading.counts import take
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.reading.read_speed import order_of_speed
from smoldesk.analyst.reading.resolve import Item
from smoldesk.analyst.reading.turned_ranks import turned_order
from smoldesk.analyst.tables.catalogue import ColumnInfo
from smoldesk.analyst.words.text import inflections

_WITH = re.compile(
    r"\b(?:with|having|(?:that|which|who) (?:has|had|have|got|gets?|saw|sees)) (?:the |our )?$", re.IGNORECASE
)
_WHO = re.compile(r"^(?:and )?(?:by )?whom?\b", re.IGNORECASE)
_OF = re.compile(
    r"\b(?:of|for|did|does|was|is|had|has|have) $|\b(?!(?:by|per|each|every|with|and|or|than|to|as)\b)\w+ (?:the|our|that) $",
    re.IGNORECASE,
)


def row_with_most(draft: Draft, intent: DataIntent) -> DataIntent | Refusal | None:
    """The intent that tells of that row; None where no row is asked for so, a refusal where a figure of it is computed."""
    if draft.language != "en" or not draft.order or intent.groups or draft.grain or draft.plot:
        return None
    at = next((at for at in range(len(draft.items)) if _is_ranked(draft, at)), -1)
    free = draft.free()
    if at < 0 and (ends := _of_a_kind_with_most(draft)):
        return Refusal("too_much", (ends,), table=draft.table.name)
    ranked = next(((i, c) for i, c in free if i > at + 1 and _measures(c)), None)
    if at < 0 or ranked is None or draft.limit > 1:
        return None
    noun = draft.items[at]
    others = [(i, c) for i, c in free if i != ranked[0] and c != ranked[1] and i != at]
    person = asked_person(draft)
    if not person and not others and _WHO.search(draft.text):
        return None  # nobody is told
    if person and not others and person not in (ranked[1].name, noun.column.name if noun.column else ""):
        others = [(-1, draft.table.column(person))]  # who hosted the episode with the most downloads
    if draft.aggregates:
        if any(i < at and _measures(c) for i, c in others):  # average price of the shops with the most staff
            return Refusal("too_much", (draft.items[at + 1].mention.text,), table=draft.table.name)
        return None
    if others and (not _OF.search(noun.mention.lead) or not _is_one(noun)):
        return None
    if not noun.rows and not others:
        return None  # shop with the highest sales: a column that is ranked by itself
    order = turned_order(draft, [ranked[1]]) or order_of_speed(draft) or draft.order
    take(draft, free)
    names = dict.fromkeys((ranked[1].name, *(column.name for _, column in others)))
    label = row_label(draft.table)
    if others and label and label.kind == "text":
        names[label.name] = None
    return replace(
        intent, operation="top", measures=tuple(names), aggregates=(), limit=1, order=cast(Order, order)
    )


def _is_ranked(draft: Draft, at: int) -> bool:
    """Whether a word for the rows, or the column that names each, stands before `with the most`."""
    item, after = draft.items[at], draft.at(at + 1)
    if after is None or not after.is_cue("top") or not _WITH.search(after.mention.lead):
        return False
    column = item.column
    named = column is not None and column.kind == "text" and item.value is None and len(column.values) != 1
    return item.rows or (named and column is not None and names_each(column, draft.table))


def _of_a_kind_with_most(draft: Draft) -> str:
    """`total sales of the region with the most orders` asks two questions at once: the words that do."""
    for at, item in enumerate(draft.items):
        column, after = item.column, draft.at(at + 1)
        kind = (
            column is not None
            and column.kind == "text"
            and item.value is None
            and not names_each(column, draft.table)
        )
        if not kind or after is None or not after.is_cue("top") or not _WITH.search(after.mention.lead):
            continue
        if _OF.search(item.mention.lead) and any(i < at and _measures(one) for i, one in draft.free()):
            return f"{item.mention.text} with {after.mention.text}"
    return ""


def _measures(column: ColumnInfo) -> bool:
    return column.kind == "number" and not column.is_flag and not column.is_id


def _is_one(item: Item) -> bool:
    said = item.mention.text.lower()
    return not (said.endswith("s") and len(inflections(said)) > 1 and not said.endswith(("ss", "us", "is")))
