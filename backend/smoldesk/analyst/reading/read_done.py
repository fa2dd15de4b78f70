"""What was done, or not yet, where a column holds the day it was: `returned loans`, `not discharged`, 返却された貸出.

Of a table's dates the first is the rows' own day, which every row has; the others are empty until it is done.
"""

import re

from smoldesk.analyst.intents import Filter, Refusal
from smoldesk.analyst.meanings import ColumnRef
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.reading.resolve import Item
from smoldesk.analyst.tables.catalogue import ColumnInfo
from smoldesk.analyst.tables.durations import is_duration
from smoldesk.analyst.words.text import key, name_words

_DONE = re.compile(r"(?:(?:が|の)?(?:され|し)(?:た|て(?:い)?[るた])|済み?)(?!日|時|の?は?いつ)")

_PARTICIPLE = re.compile(r"[a-z]+(?:ed|en|nt|lt|pt|ut|id)")
_VERB = re.compile(r"\b(?:was|were|is|are|been|be|got|get|not|never|yet|of|of the|many|n't) $")
"""What stands before a participle that tells what was done, or not: `were returned`, `pages of returned loans`."""


def read_done(draft: Draft) -> None:
    """Adds a condition for each such word that no date, comparison or duration stands beside."""
    if any(item.when or (item.column and is_duration(item.column)) for item in draft.items):
        return
    _read_open(draft)
    _read_still(draft)
    for index, item in enumerate(draft.items):
        column = day_of(draft, item)
        if column is None or index in draft.used or _compared(draft, index):
            continue
        denied = [at for at in (index - 1, index - 2) if (near := draft.at(at)) and near.is_cue("not")]
        draft.used.update((index, *denied[:1]))
        draft.said_no = draft.said_no or bool(denied)
        draft.keep(Filter(column.name, "==" if denied else "!=", (), "blank"), index)


_ENDS = frozenset(
    ("closed", "resolved", "finished", "ended", "completed", "done", "fixed", "solved", "settled")
)
_STATE = re.compile(r"\b(?:is|are|was|were|be|still|remain|remains|currently|any|many|how many|all|the) $")


def _read_open(draft: Draft) -> None:
    """`how many cases are open`: those of which nobody says when they were closed; declined where no column does."""
    for index, item in enumerate(draft.items):
        lead = item.mention.lead
        if draft.language != "en" or key(item.mention.text) != "open" or item.column or not lead.strip():
            continue
        if item.cue("op") != "load" or not _STATE.search(lead):
            continue
        days = [column for column in draft.table.columns if column.kind == "date"][1:]
        ends = [column for column in days if _ENDS & set(name_words(column.name))]
        if len(ends) != 1:
            draft.problem = draft.problem or Refusal("too_much", (item.mention.text,), table=draft.table.name)
            return
        draft.used.add(index)
        draft.keep(Filter(ends[0].name, "==", (), "blank"), index)


_STILL = re.compile(r"\bstill (?:here|there|around|with us|out|missing)\b", re.IGNORECASE)


def _read_still(draft: Draft) -> None:
    """`how many cats are still here`: those without the one day on which it ended; declined where there is no such day."""
    said = _STILL.search(draft.text) if draft.language == "en" else None
    if said is None:
        return
    days = [column for column in draft.table.columns if column.kind == "date"][1:]
    if len(days) != 1 or any(one.column == days[0].name for one in draft.filters):
        draft.problem = draft.problem or Refusal("too_much", (said[0],), table=draft.table.name)
        return
    draft.keep(Filter(days[0].name, "==", (), "blank"), len(draft.items) - 1)


def day_of(draft: Draft, item: Item) -> ColumnInfo | None:
    """The column of the day on which what the word says was done; None for the first of the table's dates."""
    text = key(item.mention.text)
    dates = [column for column in draft.table.columns if column.kind == "date"][1:]
    if item.column is None and item.is_cue("deed") and text.endswith(("ed", "en", "t", "d")):
        named = {ref.column for ref in item.mention.all(ColumnRef) if ref.table == draft.table.name}
        return next(
            (one for one in dates if one.name in named and text in key(one.name).replace("_", " ").split()),
            None,
        )
    if item.is_column and item.column in dates and _PARTICIPLE.fullmatch(text) and not draft.over_time:
        return (
            item.column if text in name_words(item.column.name) and _VERB.search(item.mention.lead) else None
        )
    done = item.is_column and not text.isascii() and _DONE.match(draft.text[item.mention.end :])
    return item.column if done and item.column in dates and text != key(item.column.name) else None


def _compared(draft: Draft, index: int) -> bool:
    near = (draft.at(index - 1), draft.at(index + 1))
    return any(one and one.is_cue("cmp", "range", "per", "vs", "grain") for one in near)
