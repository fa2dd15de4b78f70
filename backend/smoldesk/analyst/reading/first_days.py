"""`the earliest hire date`, 最新の受注日は, `sort by date`, いつからいつまで: one end of a column of days, or both.

Days are no figures that are added up or averaged, but they have a first and a last one, and an order.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Literal

from smoldesk.analyst.intents import DataIntent, Order
from smoldesk.analyst.meanings import RowNoun
from smoldesk.analyst.reading.draft import Draft
from smoldesk.analyst.reading.resolve import Item, concept_column
from smoldesk.analyst.tables.catalogue import ColumnInfo
from smoldesk.analyst.tables.column_names import concepts
from smoldesk.analyst.words.text import key

_FIRST, _LAST = ("first", "oldest", "最初"), ("youngest",)
"""Words of other senses that mean an end beside a day."""
_OF_AGE = ("oldest", "youngest")
_OF_FIGURE = {"min": "asc", "max": "desc"}
_MOST = re.compile(
    r"(?:一番|いちばん|最も|もっとも)(?:(?P<first>早|古|最初)|(?P<last>遅|新し|最近|最後))(?:いの?|く|かった)?"
)
_LOOSE = ("last", "最後")
"""May as well mean the last row: 最後の店 names no day."""
_OF_SPEED = re.compile("早|遅")
_BACKWARDS = re.compile(
    r"\b(?:newest|latest|most recent|last) (?:ones? )?first\b|\bdescending\b|降順|新しい", re.I
)


def first_days(draft: Draft, intent: DataIntent) -> DataIntent | None:
    """The rows at one end of the days that are named, or all rows in their order; None where something else is asked."""
    sorts = [at for at, item in enumerate(draft.items) if item.is_cue("sort")]
    by_days = draft.grain == "day" and sorts and not draft.says("grain")  # sort by hire date
    if draft.groups or (draft.grain and not by_days) or draft.plot or draft.change or draft.over_time:
        return None
    if set(draft.aggregates) - {"min", "max"} or draft.operations not in ([], ["head"]) or draft.window:
        return None
    named = [(at, column) for at, column in draft.free() if column.kind == "date"]
    days = [column for column in draft.table.columns if column.kind == "date"]
    if not named and (days_sorted_by := list(_sorted_by(draft))):
        named = days_sorted_by
    if not named and len(days) != 1:
        return None
    others = [(at, column) for at, column in draft.free() if column.kind != "date"]
    ends = list(_ends(draft, [at for at, _ in named]))
    said = {end for _, end in ends} | {_OF_FIGURE[one] for one in draft.aggregates if named}
    if said in ({"both"}, {"asc", "desc"}) and not others:
        draft.used.update([*(at for at, _ in ends), *(at for at, _ in named)])
        day = named[0][1] if named else days[0]
        return replace(intent, measures=(day.name,), aggregates=("min", "max"), order="", limit=0)
    if len(said) > 1 or len(draft.aggregates) > 1 or "both" in said or (draft.aggregates and others):
        return None
    order: Order = "asc" if "asc" in said else "desc" if said else ""
    if sorts and named and not others:
        order = "desc" if order == "desc" or _BACKWARDS.search(draft.text) else "asc"
        draft.used.update([*sorts, *(at for at, _ in (*named, *ends))])
        limit = draft.limit or draft.table.rows
        measures = (named[0][1].name,)
        return replace(intent, operation="top", measures=measures, order=order, limit=limit, grain="")
    rows = draft.rows or any(item.mention.first(RowNoun) for item in draft.items)
    loose = any(draft.items[at].mention.text.lower() in _LOOSE for at, _ in ends)
    names = bool(others) and all(one.kind == "text" for _, one in others) and not loose
    told = rows or draft.says("which", "people") or names
    if not order or not (named or told):
        return None
    limit = draft.limit
    for at, _ in ends:
        for near in (at - 1, at + 1):
            item = draft.at(near)
            if item is not None and item.number is not None and near not in draft.used and not limit:
                limit = int(item.number)
                draft.used.add(near)
    draft.used.update([*(at for at, _ in ends), *(at for at, _ in named), *(at for at, _ in others)])
    day: ColumnInfo = named[0][1] if named else days[0]
    shown = dict.fromkeys(column.name for _, column in (*named[:1], *others)) if named else {day.name: None}
    shown |= dict.fromkeys(column.name for _, column in others)
    return replace(intent, operation="top", measures=tuple(shown), order=order, limit=limit or 1)


def _sorted_by(draft: Draft) -> Iterator[tuple[int, ColumnInfo]]:
    """The days of `sort them by hire date, newest first`, which group nothing."""
    for at, item in enumerate(draft.items):
        before = draft.at(at - 1)
        tied = before is not None and before.is_cue("per") and draft.says("sort")
        if tied and item.is_column and item.column and item.column.kind == "date":
            yield at, item.column


def _ends(draft: Draft, named: list[int]) -> Iterator[tuple[int, Literal["asc", "desc", "both"]]]:
    """The positions of words for an end of the days, with the order that brings it first, or for both ends."""
    most = [(said, bool(said["first"])) for said in _MOST.finditer(draft.text)]
    aged = any({"age", "year"} & set(concepts(one.name)) for one in draft.table.columns)
    for at, item in enumerate(draft.items):
        if at in draft.used:
            continue
        if end := item.cue("end"):
            yield at, "both" if end == "both" else "asc" if end == "first" else "desc"
            continue
        before, after = draft.at(at - 1), draft.at(at + 1)
        if before is not None and before.is_cue("end") and item.cue("op") == "head":
            continue  # newest first
        joined = after is not None and after.is_cue("and")
        beside = any(abs(at - one) <= (3 if joined else 2) for one in named)
        aged = key(item.mention.text) in _OF_AGE and concept_column("age", draft.table) is not None
        if beside and _other_sense(item, _FIRST) and not aged:  # admission date of the oldest patient
            yield at, "asc"
        elif beside and not aged and _other_sense(item, _LAST):
            yield at, "desc"
        else:
            for said, first in most:
                plain = bool(named) or (not aged and not _OF_SPEED.search(said[0]))
                if plain and said.start() <= item.mention.start < said.end() and not item.is_column:
                    yield at, "asc" if first else "desc"
                    break
            else:
                if not named and not aged and item.cue("top") and item.mention.text.lower() == "oldest":
                    yield at, "asc"


def _other_sense(item: Item, words: tuple[str, ...]) -> bool:
    return item.mention.text.lower() in words and not item.is_column and item.value is None
